/** Runs several worker processes on one port: starts them, forwards signals, and replaces those that end. */

import cluster from 'node:cluster'
import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '../../app/ports/system.ts'
import { consecutiveExits, restartPauseMs } from '../../core/operate/restart-schedule.ts'
import { cleanExit, forkChild, type Child } from './child.ts'
import { MetricsGatherer } from './gather-metrics.ts'

export interface PrimaryOptions {
  readonly count: number
  /** 0 selects any free port, the same for all workers. */
  readonly port: number
  readonly clock: Clock
  readonly log: { error(fields: object, message: string): void }
}

export interface Workers {
  readonly url: string
  /** Makes every worker reload its live feeds. */
  reload(): void
  /** Makes every worker stop accepting requests, finish the running ones, and end. */
  stop(): Promise<void>
}

/** Resolves when all workers accept requests. If one cannot start, all are stopped. */
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
  readonly #metrics = new MetricsGatherer()
  readonly #stopping = new AbortController()
  url = ''

  constructor(options: PrimaryOptions) {
    this.#options = options
  }

  /** Starts the first worker alone: it migrates the schema and binds the port, so a problem is reported once. */
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
    for (const child of children) void this.#supervise(child)
  }

  reload(): void {
    for (const child of this.#living) child.send({ kind: 'reload' })
  }

  async stop(): Promise<void> {
    const failure = (await this.#stopAll()).find((how) => how !== cleanExit)
    if (failure !== undefined) throw new Error(`a worker ended ${failure} during the stop`)
  }

  /** Returns how each ready worker ended. */
  async #stopAll(): Promise<string[]> {
    this.#stopping.abort()
    const exits = await Promise.all([...this.#living].map(stopChild))
    return exits.filter((how) => how !== null)
  }

  #fork(): Child {
    const child = forkChild(this.#nextPort(), (from, message) => this.#metrics.receive(from, message))
    this.#living.add(child)
    void this.#track(child)
    return child
  }

  /** Keeps `#living` and the metrics in step with the worker's life. */
  async #track(child: Child): Promise<void> {
    const isReady = await child.ready.then(
      () => true,
      () => false,
    )
    if (isReady) this.#metrics.join(child)
    await child.ended
    this.#living.delete(child)
    this.#metrics.leave(child)
  }

  /** Node shares a port among workers that request the same number, even 0. The last worker to end releases it. */
  #nextPort(): number {
    const holder = [...this.#living].find((child) => child.isReady())
    if (holder !== undefined) return holder.port
    return this.url === '' ? this.#options.port : Number(new URL(this.url).port)
  }

  /** Replaces the worker each time it ends, until the stop. */
  async #supervise(first: Child): Promise<void> {
    const { signal } = this.#stopping
    let child = first
    let ends = 0
    for (;;) {
      const servedMs = await this.#waitForEnd(child)
      if (signal.aborted) return
      ends = consecutiveExits(ends, servedMs)
      await pause(restartPauseMs(ends), null, { signal }).catch(() => undefined)
      if (signal.aborted) return
      child = this.#fork()
    }
  }

  /** Waits for the end of the worker, logs it, and returns how long it accepted requests. */
  async #waitForEnd(child: Child): Promise<number> {
    const { clock, log } = this.#options
    const worker = { worker_pid: child.pid }
    try {
      const url = await child.ready
      if (url !== this.url) throw new Error(`a worker serves ${url} instead of ${this.url}`)
    } catch (error) {
      child.kill()
      await child.ended
      if (!this.#stopping.signal.aborted)
        log.error({ ...worker, err: error }, 'cluster: a worker could not start, retrying')
      return 0
    }
    const readyMs = clock.monotonicMs()
    const how = await child.ended
    if (!this.#stopping.signal.aborted) log.error(worker, `cluster: a worker ended ${how}, starting another`)
    return clock.monotonicMs() - readyMs
  }
}

/** Returns null for a worker that was not ready: it is killed, since it has no requests to finish. */
async function stopChild(child: Child): Promise<string | null> {
  const hasServed = child.isReady()
  if (hasServed) child.send({ kind: 'stop' })
  else child.kill()
  const how = await child.ended
  return hasServed ? how : null
}
