/** Runs the jobs of maintenance, one at a time in the whole installation. Start and end are acts in the sealed log. */

import type { Act } from '../../ports/records.ts'
import type { Job, JobEnd, MaintenanceStore } from '../../ports/operate/maintenance.ts'
import type { Clock, Random, Repeat } from '../../ports/system.ts'
import { createIds, type Ids } from '../../verify/ids.ts'
import { parametersOf, refused, type JobCommand, type Preview, type RunWork, type Worked } from './work.ts'

/** A place to work in, opened for one piece of work. Closing it stops the work. */
export interface MaintenanceRoom {
  readonly run: RunWork
  close(): Promise<void>
}

export interface MaintenanceDeps {
  readonly store: MaintenanceStore
  readonly open: () => MaintenanceRoom
  readonly clock: Clock
  readonly random: Random
  /** Names this instance. */
  readonly holder: string
  /** Whether other instances use the same database. */
  readonly isShared: boolean
  readonly log: { warn(fields: object, message: string): void }
}

/** A running job without a beat for this long was interrupted. */
const lostAfterMs = 60_000
const beatEveryMs = 10_000

const stoppingLook = refused('The server is stopping: ask again in a moment.')

const failedText = 'It stopped with an error: see the log of the server. What was done until then stays done.'
const stoppedText =
  'The server stopped. What was done until then stays done, and the job can be started again.'

export class Maintenance {
  readonly #deps: MaintenanceDeps
  readonly #ids: Ids
  #jobId: string | null = null
  #room: MaintenanceRoom | null = null
  #running: Promise<void> = Promise.resolve()
  /** The end of the job that is not stored yet. */
  #ended: { readonly end: JobEnd; readonly act: Act } | null = null
  #lookRoom: MaintenanceRoom | null = null
  #looks: Promise<unknown> = Promise.resolve()
  #isStopping = false

  constructor(deps: MaintenanceDeps) {
    this.#deps = deps
    this.#ids = createIds(deps)
  }

  /** Null if another job is running. */
  async ask(command: JobCommand, reason: string): Promise<Job | null> {
    if (this.#jobId !== null || this.#isStopping) return null
    const { store, holder, clock } = this.#deps
    const lost = this.#ids.next('act')
    const { id: jobId, atMs } = this.#ids.next('job')
    this.#jobId = jobId
    const job: Job = {
      jobId,
      kind: command.kind,
      parameters: parametersOf(command),
      reason,
      startedBy: command.by,
      startedAtMs: atMs,
      status: 'running',
      holder,
      beatMs: clock.nowMs(),
      done: 0,
      total: null,
      endedAtMs: null,
      result: null,
      error: null,
    }
    const act = this.#act('maintenance.started', job, { ...job.parameters, reason })
    const endOfLost = { actId: lost.id, atMs: lost.atMs }
    const isStarted = await store
      .start(job, { holder, beforeMs: this.#lostBeforeMs(), act: endOfLost }, act)
      .catch((error: unknown) => {
        this.#jobId = null
        throw error
      })
    if (isStarted) this.#running = this.#run(job, command)
    else this.#jobId = null
    return isStarted ? job : null
  }

  /** Looks, and changes nothing. One after the other: each takes the memory of a thread. */
  look(preview: Preview): Promise<Worked> {
    const turn = this.#looks.then(() => this.#lookNow(preview))
    this.#looks = turn.catch(() => undefined)
    return turn
  }

  async #lookNow(preview: Preview): Promise<Worked> {
    if (this.#isStopping) return stoppingLook
    const room = this.#deps.open()
    this.#lookRoom = room
    try {
      return await room.run({ preview })
    } catch (error) {
      if (this.#isStopping) return stoppingLook
      throw error
    } finally {
      this.#lookRoom = null
      await room.close()
    }
  }

  async find(jobId: string): Promise<Job | null> {
    const before = this.#jobId
    const job = await this.#deps.store.find(jobId)
    return job === null ? null : this.#shown(job, before)
  }

  async list(beforeId: string | null, limit: number): Promise<Job[]> {
    const before = this.#jobId
    return (await this.#deps.store.list(beforeId, limit)).map((job) => this.#shown(job, before))
  }

  start(repeat: Repeat): () => Promise<void> {
    const stopBeats = repeat(() => this.#beat(), beatEveryMs)
    return async () => {
      stopBeats()
      this.#isStopping = true
      await this.#lookRoom?.close()
      await this.#room?.close()
      await this.#running
      await this.#storeEnd()
      await this.#looks
    }
  }

  /** Resolves when no job is running here. */
  settled(): Promise<void> {
    return this.#running
  }

  async #beat(): Promise<void> {
    const { store, clock, log } = this.#deps
    const jobId = this.#jobId
    if (jobId === null) return
    try {
      const isOurs = await store.beat({ jobId, nowMs: clock.nowMs(), progress: null })
      if (this.#jobId !== jobId) return
      if (this.#ended !== null) await this.#storeEnd()
      else if (!isOurs) await this.#stopLost(jobId)
    } catch (error) {
      log.warn({ err: error }, 'maintenance: the beat of a job could not be stored')
    }
  }

  /** Another instance may have started the next job. */
  async #stopLost(jobId: string): Promise<void> {
    this.#deps.log.warn({}, `maintenance: ${jobId} had no beat for too long, so its work is stopped`)
    await this.#room?.close()
  }

  /** Tried again with each beat, so that the result of long work outlasts a database that is away for a moment. */
  async #storeEnd(): Promise<void> {
    const ended = this.#ended
    if (ended === null) return
    try {
      await this.#deps.store.end(ended.end, ended.act)
    } catch (error) {
      this.#deps.log.warn({ err: error }, `maintenance: the end of ${ended.end.jobId} could not be stored`)
      return
    }
    if (this.#ended !== ended) return
    this.#ended = null
    this.#jobId = null
  }

  /**
   * A job that is not at work any more is shown as interrupted, before the next one marks it so. One that was at work
   * here before it was read, or is now, is not.
   */
  #shown(job: Job, before: string | null): Job {
    if (job.status === 'interrupted') return { ...job, error: job.error ?? stoppedText }
    if (job.status !== 'running' || job.jobId === this.#jobId || job.jobId === before) return job
    const isLost = job.holder === this.#deps.holder || job.beatMs < this.#lostBeforeMs()
    return isLost ? { ...job, status: 'interrupted', endedAtMs: job.beatMs, error: stoppedText } : job
  }

  #lostBeforeMs(): number {
    const { isShared, clock } = this.#deps
    return isShared ? clock.nowMs() - lostAfterMs : Number.MAX_SAFE_INTEGER
  }

  async #run(job: Job, command: JobCommand): Promise<void> {
    const { open, holder, clock, log } = this.#deps
    this.#room = open()
    const ended = await this.#room
      .run({ jobId: job.jobId, command })
      .then(endOf)
      .catch((error: unknown) => {
        if (this.#isStopping) return { status: 'interrupted', result: null, error: stoppedText } as const
        log.warn({ err: error }, `maintenance: ${job.jobId} (${job.kind}) failed`)
        return { status: 'failed', result: null, error: failedText } as const
      })
    await this.#room.close().catch((error: unknown) => {
      log.warn({ err: error }, `maintenance: the thread of ${job.jobId} could not be stopped`)
    })
    this.#room = null
    const act = this.#act('maintenance.ended', job, { status: ended.status, ...figuresOf(ended.result) })
    this.#ended = { end: { ...ended, jobId: job.jobId, holder, endedAtMs: clock.nowMs() }, act }
    await this.#storeEnd()
  }

  #act(
    kind: 'maintenance.started' | 'maintenance.ended',
    { jobId, kind: job, startedBy }: Job,
    detail: Act['detail'],
  ): Act {
    const { id: actId, atMs } = this.#ids.next('act')
    return { actId, atMs, by: startedBy, kind, subject: jobId, detail: { job, ...detail } }
  }
}

function endOf(worked: Worked): Pick<JobEnd, 'status' | 'result' | 'error'> {
  return worked.kind === 'done'
    ? { status: 'done', result: worked.result, error: null }
    : { status: 'failed', result: null, error: worked.message }
}

/** The members of a result that fit into an act. */
function figuresOf(result: object | null): Act['detail'] {
  return Object.fromEntries(
    Object.entries(result ?? {}).flatMap(([name, value]: [string, unknown]) =>
      typeof value === 'string' || typeof value === 'number'
        ? [[name, value]]
        : typeof value === 'boolean'
          ? [[name, value ? 1 : 0]]
          : [],
    ),
  )
}
