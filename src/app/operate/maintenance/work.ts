/** The work of maintenance, as data: it is done in a thread, or in this one in tests. */

import type { ReviewTerms } from '../../../core/review/terms.ts'
import type { Month } from '../../../core/time/month.ts'
import type { JobKind, JobParameters } from '../../ports/operate/maintenance.ts'

/** `by` is the id of a person, recorded with every effect. */
type Command<Kind extends JobKind, Members = object> = {
  readonly kind: Kind
  readonly by: string
} & Readonly<Members>

export type JobCommand =
  | Command<'verify_log', { checkpoints: readonly string[]; trustedKeys: readonly string[] }>
  | Command<
      'erase',
      {
        ownerId: string
        correlationId: string
        reference: string
        /** Of the plan that the person has seen. */
        planHash: string
        cleanLater: boolean
      }
    >
  | Command<'retention', { beforeMs: number }>
  | Command<'clean'>
  | Command<'detach_month', { month: Month }>
  | Command<'attach_month', { month: Month }>
  | Command<
      'drop_month',
      {
        month: Month
        /** The name of a folder in the archives of the settings. */
        archive: string
        isDryRun: boolean
        /** Of the archive that the person has seen compared. */
        receipt: string | null
      }
    >

/** Looks, and changes nothing. */
export type Preview =
  | { readonly kind: 'plan_erasure'; readonly ownerId: string; readonly correlationId: string }
  | { readonly kind: 'report_retention'; readonly beforeMs: number | null }
  | { readonly kind: 'check_month'; readonly month: Month; readonly by: string }

export type Work = { readonly jobId: string; readonly command: JobCommand } | { readonly preview: Preview }

export type Worked =
  /** `result` is as it is shown. */
  | { readonly kind: 'done'; readonly result: Readonly<Record<string, unknown>> }
  /** The message is a sentence for people. */
  | { readonly kind: 'refused'; readonly message: string }

export const refused = (message: string): Worked => ({ kind: 'refused', message })
export const done = (result: Readonly<Record<string, unknown>>): Worked => ({ kind: 'done', result })

/** The settings of a thread that does it. */
export interface MaintenanceInput {
  readonly databaseUrl: string
  readonly archives: string | null
  readonly reviews: ReviewTerms
  readonly cooldownMs: number
}

export type RunWork = (work: Work) => Promise<Worked>

/** The parts of a command that are kept and shown: never the correlation id, which is a personal text. */
export function parametersOf(command: JobCommand): JobParameters {
  switch (command.kind) {
    case 'verify_log':
      return { checkpoints: command.checkpoints.length, trusted_keys: command.trustedKeys.length }
    case 'erase':
      return { owner_id: command.ownerId, reference: command.reference }
    case 'retention':
      return { before: new Date(command.beforeMs).toISOString() }
    case 'clean':
      return {}
    case 'detach_month':
    case 'attach_month':
      return { month: command.month }
    case 'drop_month':
      return { month: command.month, archive: command.archive, dry_run: command.isDryRun ? 1 : 0 }
  }
}
