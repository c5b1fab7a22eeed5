/** Reads the subjects of events: decisions, overrides, changes of status and of reviews, by their ids. */

import type { EntrySubject, SentEntry } from '../../../app/ports/webhooks.ts'
import { isRequestId } from '../../../core/identity/request-id.ts'
import { actColumns, actOf } from '../admin/acts.ts'
import { inRuns, parameterList, sqlForRows, type Row, type Script } from '../engine/script.ts'
import { overrideColumns, overrideOf } from '../records/overrides.ts'
import { reviewEventColumns, reviewEventOf, reviewEventTables } from '../reviews/reviews.ts'
import { eventColumns, eventRecordOf } from './event-rows.ts'

interface Source {
  readonly isOf: (entryId: string) => boolean
  readonly sql: (rows: number) => string
  /** Null for a row that is no subject. */
  readonly subjectOf: (row: Row) => readonly [string, SentEntry] | null
}

const manySql = (select: string, key: string) =>
  sqlForRows((rows) => `${select} WHERE ${key} IN (${parameterList(rows)})`)

const sources: readonly Source[] = [
  {
    isOf: isRequestId,
    sql: manySql(`SELECT ${eventColumns} FROM verifications v`, 'v.request_id'),
    subjectOf(row) {
      const record = eventRecordOf(row)
      return [record.requestId, { kind: 'decision', record }]
    },
  },
  {
    isOf: (entryId) => entryId.startsWith('ovr_'),
    sql: manySql(`SELECT ${overrideColumns} FROM overrides o`, 'o.override_id'),
    subjectOf(row) {
      const override = overrideOf(row)
      return override === null ? null : [override.overrideId, { kind: 'override', override }]
    },
  },
  {
    isOf: (entryId) => entryId.startsWith('act_'),
    sql: manySql(`SELECT ${actColumns} FROM acts a`, 'a.act_id'),
    subjectOf(row) {
      const act = actOf(row)
      return [act.actId, { kind: act.kind === 'webhook.suspended' ? 'suspension' : 'status', act }]
    },
  },
  {
    isOf: (entryId) => entryId.startsWith('rvc_'),
    sql: manySql(`SELECT ${reviewEventColumns} FROM ${reviewEventTables}`, 'c.change_id'),
    subjectOf(row) {
      const event = reviewEventOf(row)
      return [event.change.changeId, { kind: 'review', ...event }]
    },
  },
]

/** Those that are there, by their ids. */
export function* readSubjects(entryIds: readonly string[]): Script<ReadonlyMap<string, SentEntry>> {
  const ids = [...new Set(entryIds)]
  const runs = sources.flatMap(({ isOf, sql, subjectOf }) =>
    inRuns(ids.filter(isOf)).map((run) => ({
      statement: { sql: sql(run.length), values: run },
      subjectOf,
    })),
  )
  const groups = yield runs.map(({ statement }) => statement)
  return new Map(
    runs.flatMap(({ subjectOf }, place) => (groups[place] ?? []).flatMap((row) => present(subjectOf(row)))),
  )
}

/** Those of the stream. */
export function* readStreamed(entryIds: readonly string[]): Script<ReadonlyMap<string, EntrySubject>> {
  const subjects = yield* readSubjects(entryIds)
  return new Map(
    [...subjects].flatMap(([id, subject]) => (subject.kind === 'suspension' ? [] : [[id, subject] as const])),
  )
}

const present = <Item>(item: Item | null): Item[] => (item === null ? [] : [item])
