/** Several processes on one port: starts them, passes on what it is told, and starts another where one ends. It serves nothing itself. */

import cluster from 'node:cluster'
import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '../../app/ports/system.ts'
import { endsInARow, restartPauseMs } from '../../core/operate/restart-schedule.ts'
import { endedWell, forkChild, type Child } from './child.ts'
import { MetricsGatherer } from './gather-figures.ts'

export interface PrimaryOptions {
  readonly count: number
  /** 0: any that is free, the same for all. */
  readonly port: number
  readonly clock: Clock
  readonly log: { error(fields: object, message: string): void }
}

export interface Workers {
  readonly url: string
  /** Every worker reads its live feeds again. */
  reload(): void
  /** Every worker takes no new requests, lets running ones finish, and ends. */
  stop(): Promise<void>
}

/** Resolves when all of them take requests; where one cannot start, none is left. */
export async function startWorkers(options: PrimaryOptions): Promise<Workers> {
  cluster.schedulingPolicy = cluster.SCHED_RR
  cluster.setupPrimary({ args: ['serve'] })
  const group = new WorkerGroup(options)
  await group.start()
  return group
}

class WorkerGroup implements Workers {
  readonly #options: PrimaryOptions
  readonly #living = new Set<Child>()
  readonly #figures = new MetricsGatherer()
  readonly #stopping = new AbortController()
  url = ''

  constructor(options: PrimaryOptions) {
    this.#options = options
  }

  /** The first alone: it brings the schema up to date and takes the port, so that what is wrong is found once. */
  async start(): Promise<void> {
    const first = this.#fork()
    const children = [first]
    try {
      this.url = await first.ready
      while (children.length < this.#options.count) children.push(this.#fork())
      await Promise.all(children.map(({ ready }) => ready))
    } catch (error) {
      await this.#stopAll()
      throw error
    }
    for (const child of children) void this.#keep(child)
  }

  reload(): void {
    for (const child of this.#living) child.tell({ kind: 'reload' })
  }

  async stop(): Promise<void> {
    const bad = (await this.#stopAll()).find((how) => how !== endedWell)
    if (bad !== undefined) throw new Error(`a worker ended ${bad} while it was to stop`)
  }

  /** How those that served have ended. */
  async #stopAll(): Promise<string[]> {
    this.#stopping.abort()
    const endings = await Promise.all([...this.#living].map(stopChild))
    return endings.filter((how) => how !== null)
  }

  #fork(): Child {
    const child = forkChild(this.#portToAskFor(), (from, message) => this.#figures.hear(from, message))
    this.#living.add(child)
    void this.#account(child)
    return child
  }

  /** Who is there, and whose figures count. */
  async #account(child: Child): Promise<void> {
    const isReady = await child.ready.then(
      () => true,
      () => false,
    )
    if (isReady) this.#figures.join(child)
    await child.ended
    this.#living.delete(child)
    this.#figures.leave(child)
  }

  /** Node shares a port among those who ask for the same number, also for 0. With the last of them it is given back, and must be taken again. */
  #portToAskFor(): number {
    const holder = [...this.#living].find((child) => child.isReady())
    if (holder !== undefined) return holder.port
    return this.url === '' ? this.#options.port : Number(new URL(this.url).port)
  }

  /** One worker after another in one place, until the stop. */
  async #keep(first: Child): Promise<void> {
    const { signal } = this.#stopping
    let child = first
    let ends = 0
    for (;;) {
      const servedMs = await this.#lifeOf(child)
      if (signal.aborted) return
      ends = endsInARow(ends, servedMs)
      await pause(restartPauseMs(ends), null, { signal }).catch(() => undefined)
      if (signal.aborted) return
      child = this.#fork()
    }
  }

  /** Waits for its end, tells of it, and how long it took requests. */
  async #lifeOf(child: Child): Promise<number> {
    const { clock, log } = this.#options
    const worker = { worker_pid: child.pid }
    try {
      const url = await child.ready
      if (url !== this.url) throw new Error(`a worker took ${url} instead of ${this.url}`)
    } catch (error) {
      child.kill()
      await child.ended
      if (!this.#stopping.signal.aborted)
        log.error({ ...worker, err: error }, 'a worker could not start and is tried again')
      return 0
    }
    const readyMs = clock.monotonicMs()
    const how = await child.ended
    if (!this.#stopping.signal.aborted) log.error(worker, `a worker ended ${how}: another takes its place`)
    return clock.monotonicMs() - readyMs
  }
}

/** Null where it served nobody yet: then it need not be waited for. */
async function stopChild(child: Child): Promise<string | null> {
  const hasServed = child.isReady()
  if (hasServed) child.tell({ kind: 'stop' })
  else child.kill()
  const how = await child.ended
  return hasServed ? how : null
}
