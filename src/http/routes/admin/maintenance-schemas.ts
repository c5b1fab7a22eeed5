/** Schemas of maintenance in the administration: jobs, erasure, retention, months and the stages of the platform. */

import { Type } from 'typebox'
import { jobKinds } from '../../../app/ports/operate/maintenance.ts'
import { cipStages } from '../../../core/live/cip.ts'
import { pageMembers, listQuery } from '../../input/paging.ts'
import { archiveNamePattern, limits, monthPattern, referencePattern, sha256Pattern } from '../../limits.ts'
import { named, nullable, singleLinePattern, Timestamp } from '../../schemas/common.ts'
import { CipStatus } from '../platform.ts'

const line = (lengthMax: number, description: string) =>
  Type.String({ minLength: 1, maxLength: lengthMax, pattern: singleLinePattern, description })
const strings = (description: string) => Type.Array(Type.String(), { description })
const optionalTime = nullable(Timestamp)
const count = (description: string) => Type.Integer({ minimum: 0, description })

const Reference = Type.String({
  pattern: referencePattern,
  description: 'The id of the change or the request in your own register. Recorded permanently.',
})
const ownerId = line(40, 'The owner of the payments.')
const correlationId = line(limits.correlationIdLengthMax, 'The correlation id of the payments, exactly.')
const month = Type.String({ pattern: monthPattern, description: 'A month, as `2026-03`.' })

// Jobs

const JobKind = named(
  'JobKind',
  Type.Enum([...jobKinds], {
    description:
      '`verify_log` checks the whole log. `erase` erases the personal text of one correlation id, `retention` all that is older than the period; `clean` removes what erased texts left in the files of the database. `detach_month`, `attach_month` and `drop_month` move a month of records (PostgreSQL).',
  }),
)

export const StartJobBody = named(
  'StartJobRequest',
  Type.Object(
    {
      kind: JobKind,
      reason: Type.Optional(
        line(500, 'Recorded permanently, so without personal data. Required for `erase` and `drop_month`.'),
      ),
      checkpoints: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 8_000 }), {
          maxItems: 5,
          description: '`verify_log`: saved checkpoints that the log must extend, as JSON or as the note.',
        }),
      ),
      trusted_keys: Type.Optional(
        Type.Array(line(500, 'A verifier key, NAME+HASH+KEY.'), {
          maxItems: 10,
          description: '`verify_log`: trust these keys instead of those in the database.',
        }),
      ),
      owner_id: Type.Optional({ ...ownerId, description: '`erase`: the owner of the payments.' }),
      correlation_id: Type.Optional({
        ...correlationId,
        description: '`erase`: the correlation id, exactly. It is not kept with the job.',
      }),
      reference: Type.Optional({
        ...Reference,
        description: '`erase`: your own ticket, without personal data. Recorded permanently.',
      }),
      plan: Type.Optional(
        Type.String({
          pattern: sha256Pattern,
          description: '`erase`: of the preview. If something has changed since, nothing is erased.',
        }),
      ),
      clean_later: Type.Optional(
        Type.Boolean({
          description: '`erase`: leave the rewrite of the database to a later job of the kind `clean`.',
        }),
      ),
      before: Type.Optional(
        Type.String({
          maxLength: 40,
          description: '`retention`: of the report. Texts from before this time are erased.',
        }),
      ),
      month: Type.Optional({ ...month, description: 'Of the kinds with a month, as `2026-03`.' }),
      archive: Type.Optional(
        Type.String({
          pattern: archiveNamePattern,
          description: '`drop_month`: the name of the archive, a folder in `FAIRWAY_ARCHIVES`.',
        }),
      ),
      dry_run: Type.Optional(
        Type.Boolean({
          description: '`drop_month`: only compare the archive with the month. First of two jobs.',
        }),
      ),
      manifest_sha256: Type.Optional(
        Type.String({
          pattern: sha256Pattern,
          description: '`drop_month`: of the dry run. Any other archive is refused.',
        }),
      ),
    },
    { description: 'A member of another kind is refused.' },
  ),
)

export const JobView = named(
  'MaintenanceJob',
  Type.Object({
    job_id: Type.String(),
    kind: JobKind,
    status: Type.Enum(['running', 'done', 'failed', 'interrupted'], {
      description: '`interrupted`: its instance has stopped. It can be started again.',
    }),
    parameters: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Null()])),
    reason: nullable(Type.String()),
    started_by: Type.Object({ id: Type.String(), name: Type.String() }),
    started_at: Timestamp,
    ended_at: optionalTime,
    progress: Type.Object(
      { done: count('Leaves, payments or texts.'), total: nullable(count('Null until it is known.')) },
      { description: 'About once a second.' },
    ),
    result: nullable(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'By the kind, with the members of the command; at most 100 findings.',
      }),
    ),
    error: nullable(Type.String({ description: 'Why it failed. For humans.' })),
  }),
)

export const JobQuery = listQuery(pageMembers('Jobs'))

export const JobList = named(
  'MaintenanceJobList',
  Type.Object({
    jobs: Type.Array(JobView),
    next_cursor: nullable(Type.String({ description: 'The next page, if any.' })),
  }),
)

// Erasure and retention

export const ErasurePreviewBody = named(
  'ErasurePreviewRequest',
  Type.Object({ owner_id: ownerId, correlation_id: correlationId }),
)

const cannotBeErased = 'part of sealed records of the old form'

export const ErasurePreview = named(
  'ErasurePreview',
  Type.Object({
    texts: Type.Object({
      correlation_id: count('Correlation ids.'),
      justification: count('Justifications of overrides.'),
      review_text: count('Texts of reviews.'),
    }),
    idempotency_keys: count('Fingerprints and keys that go, too.'),
    batch_reports: count('Kept reports that name the correlation id and go as a whole.'),
    report_ids: strings('Of these reports.'),
    request_ids: strings('The payments with this correlation id.'),
    cannot_be_erased: strings(`Ids of what cannot be erased: its text is ${cannotBeErased}.`),
    detached_months: strings('Months that are not searched for texts of the old form.'),
    plan: Type.String({ description: 'Names what you saw here. A job of the kind `erase` requires it.' }),
  }),
)

export const Retention = named(
  'Retention',
  Type.Object({
    retention_days: nullable(
      Type.Integer({ description: '`FAIRWAY_RETENTION_DAYS`. Null: text is kept for ever.' }),
    ),
    needs_cleaning: Type.Boolean({
      description: 'Whether erased texts may still be in the files of the database.',
    }),
    report: nullable(
      Type.Object(
        {
          before: Timestamp,
          texts: Type.Array(
            Type.Object({
              kind: Type.Enum(['correlation_id', 'justification', 'review_text']),
              month: Type.String(),
              texts: count('Texts that would be erased.'),
            }),
          ),
          batch_reports: count('Kept batch reports that would be deleted.'),
          in_use: count('Texts that stay for now: their review is not closed.'),
          cannot_be_erased: count(`Texts that are ${cannotBeErased}.`),
        },
        { description: 'What would be erased now. Null without a period.' },
      ),
    ),
  }),
)

// Months

export const MonthParams = Type.Object({ month })

export const MonthList = named(
  'MonthList',
  Type.Object({
    partitioned: Type.Boolean({ description: 'False on SQLite: all records are in one table.' }),
    has_archives: Type.Boolean({ description: 'Whether `FAIRWAY_ARCHIVES` is set: a drop needs it.' }),
    months: Type.Array(
      named(
        'StoredMonth',
        Type.Object({
          month: Type.String(),
          state: Type.Enum(['attached', 'detaching', 'detached', 'moved', 'dropped']),
          table: nullable(Type.String()),
          records: nullable(Type.Integer()),
          records_exact: Type.Boolean({ description: 'False: an estimate of the database.' }),
          bytes: nullable(Type.Integer()),
          detached_at: optionalTime,
          detached_by: nullable(Type.String()),
          fingerprint: nullable(Type.String()),
        }),
      ),
      { description: 'Oldest first.' },
    ),
  }),
)

export const MonthCheck = named(
  'MonthCheck',
  Type.Object({
    month: Type.String(),
    can_detach: Type.Boolean(),
    detail: nullable(Type.String({ description: 'Why not. For humans.' })),
  }),
)

// The platform

const Stage = named('CipStage', Type.Enum([...cipStages]))
const share = { minimum: 0, maximum: 1 }

const Transition = named(
  'CipTransition',
  Type.Object({
    number: Type.Integer(),
    to: Stage,
    state: Type.String(),
    confidence: Type.String(),
    blend_weight: Type.Number(share),
    reference: Type.String(),
    made_by: Type.String({ description: 'The name of an operator, or the id of a person.' }),
    made_by_name: Type.String(),
    reason: nullable(Type.String()),
    made_at: Timestamp,
    corpus_days: Type.Integer(),
  }),
)

export const AdminCip = named(
  'AdminCip',
  Type.Object({
    ...CipStatus.properties,
    stage: Stage,
    quality_gate: Type.Object({
      passed: Type.Boolean(),
      corpus_days: Type.Integer({
        description: 'Complete days on which every corridor was observed.',
      }),
      fault: nullable(Type.String({ description: 'What is missing.' })),
    }),
    stages: Type.Array(
      Type.Object({
        stage: Stage,
        blend_weight_min: Type.Number(share),
        blend_weight_max: Type.Number(share),
      }),
      { description: 'All stages, in order, with the weights that each allows.' },
    ),
    transitions: Type.Array(Transition, { description: 'Oldest first.' }),
  }),
)

export const TransitionBody = named(
  'CipTransitionRequest',
  Type.Object({
    to: Stage,
    blend_weight: Type.Optional(
      Type.Number({
        ...share,
        description: 'Share of a live score, with two decimals at most. Without it the minimum of the stage.',
      }),
    ),
    reference: Reference,
    reason: Type.Optional(line(500, 'Recorded permanently.')),
  }),
)

export const RecordedTransition = Transition
