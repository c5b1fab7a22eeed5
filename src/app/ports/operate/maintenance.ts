/** Port of the jobs of maintenance: long work on the whole installation, of which one runs at a time. */

import type { Act } from '../records.ts'

export const jobKinds = [
  'verify_log',
  'erase',
  'retention',
  'clean',
  'detach_month',
  'attach_month',
  'drop_month',
] as const
export type JobKind = (typeof jobKinds)[number]

/** Without personal text: it is kept, and shown to every admin. */
export type JobParameters = Readonly<Record<string, string | number | null>>

export type JobStatus = 'running' | 'done' | 'failed' | 'interrupted'

export interface Job {
  readonly jobId: string
  readonly kind: JobKind
  readonly parameters: JobParameters
  /** Empty if none was required or given. */
  readonly reason: string
  /** The id of a person. */
  readonly startedBy: string
  readonly startedAtMs: number
  readonly status: JobStatus
  /** The instance that runs it, or did. */
  readonly holder: string
  /** When it was last seen at work. */
  readonly beatMs: number
  /** In units of the work: leaves, payments or texts. */
  readonly done: number
  /** Null if it is not known yet. */
  readonly total: number | null
  readonly endedAtMs: number | null
  /** As it is shown; null unless it is done. */
  readonly result: object | null
  /** Why it failed, in a sentence. */
  readonly error: string | null
}

/** Which running jobs were interrupted: those of this instance, which runs none, and those without a beat since. */
export interface Lost {
  readonly holder: string
  readonly beforeMs: number
  /** Id and time of the act of their end; there is at most one. */
  readonly act: Pick<Act, 'actId' | 'atMs'>
}

export interface JobBeat {
  readonly jobId: string
  readonly nowMs: number
  /** Null: as it was. */
  readonly progress: { readonly done: number; readonly total: number } | null
}

export interface JobEnd extends Pick<Job, 'jobId' | 'holder' | 'result' | 'error'> {
  readonly status: Exclude<JobStatus, 'running'>
  readonly endedAtMs: number
}

export interface MaintenanceStore {
  /** False if another job is running. One that was lost is marked as interrupted first, with the act of its end. */
  start(job: Job, lost: Lost, act: Act): Promise<boolean>
  /** False if the job has ended, or if another instance took it for lost. */
  beat(beat: JobBeat): Promise<boolean>
  /** Nothing happens if it has ended, or if another instance took it for lost. */
  end(end: JobEnd, act: Act): Promise<void>
  find(jobId: string): Promise<Job | null>
  /** Newest first; only those before this one. */
  list(before: string | null, limit: number): Promise<Job[]>
}
