/** SQL of the acts of operators, shared by both engines. */

import type { Act, ActKind } from '../../../app/ports/records.ts'
import { placeholders, type Row, type Script, type Statement } from '../engine/script.ts'
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
