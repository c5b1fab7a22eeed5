/** SQL of the acts of operators, shared by both engines. */

import type { Act, ActKind, ActQuery } from '../../../app/ports/records.ts'
import {
  placeholders,
  query,
  type Row,
  type Script,
  type SqlValue,
  type Statement,
} from '../engine/script.ts'
import { queueStatement } from '../journal/queue.ts'

const names = ['act_id', 'kind', 'subject', 'made_by', 'at_ms', 'detail'] as const

/** For a read as `a`, prefixed because column names repeat. */
export const actColumns = names.map((name) => `a.${name} AS a_${name}`).join(', ')

/** An act and the hash of its leaf. */
export interface HashedAct {
  readonly act: Act
  readonly leafHash: string
}

/** None for what no operator did. */
export function actStatements(hashed: HashedAct | null): Statement[] {
  if (hashed === null) return []
  const { act, leafHash } = hashed
  return [
    {
      sql: `INSERT INTO acts (${names.join(', ')}) VALUES ${placeholders(1, names.length)}`,
      values: [act.actId, act.kind, act.subject, act.by, act.atMs, JSON.stringify(act.detail)],
    },
    queueStatement([{ subjectId: act.actId, leafHash }], 0),
  ]
}

export function* record(hashed: HashedAct): Script<void> {
  yield actStatements(hashed)
}

/** Newest first: ids sort by time. */
export function* list({ limit, before, kind, by, subject, fromMs, toMs }: ActQuery): Script<Act[]> {
  const values: SqlValue[] = [limit]
  const conditions = ['1 = 1']
  const add = (value: SqlValue, condition: (place: string) => string): void => {
    if (value !== null) conditions.push(condition(`$${values.push(value)}`))
  }
  add(before, (place) => `a.act_id < ${place}`)
  if (kind?.includes('.') === false)
    add(`${kind}.`, (place) => `substr(a.kind, 1, ${kind.length + 1}) = ${place}`)
  else add(kind, (place) => `a.kind = ${place}`)
  add(by, (place) => `a.made_by = ${place}`)
  add(subject, (place) => `a.subject = ${place}`)
  add(fromMs, (place) => `a.at_ms >= ${place}`)
  add(toMs, (place) => `a.at_ms < ${place}`)
  const rows = yield* query(
    `SELECT ${actColumns} FROM acts a WHERE ${conditions.join(' AND ')} ORDER BY a.act_id DESC LIMIT $1`,
    values,
  )
  return rows.map(actOf)
}

export function actOf(row: Row): Act {
  return {
    actId: String(row['a_act_id']),
    kind: row['a_kind'] as ActKind,
    subject: String(row['a_subject']),
    by: String(row['a_made_by']),
    atMs: Number(row['a_at_ms']),
    detail: JSON.parse(String(row['a_detail'])) as Act['detail'],
  }
}
