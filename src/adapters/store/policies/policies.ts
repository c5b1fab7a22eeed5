/** SQL of policies and of the changes of their life, shared by both engines. Both are write-once. */

import type {
  Changed,
  NewChange,
  PolicyLimits,
  PolicyOwner,
  PolicyQuery,
  StoredChange,
  StoredPolicy,
} from '../../../app/ports/policies.ts'
import type { Act, Actor } from '../../../app/ports/records.ts'
import { lifeOf, refusalOf, type ChangeKind } from '../../../core/policy/life.ts'
import { dayMs } from '../../../core/time/durations.ts'
import { actStatements, type HashedAct } from '../admin/acts.ts'
import { placeholders, query, type Row, type Script, type SqlValue } from '../engine/script.ts'
import { candidateSince, candidateStatements } from './candidates.ts'

/** The installation has no id, and a key of a table is never null. */
export const ownerText = (ownerId: PolicyOwner): string => ownerId ?? ''
export const ownerOf = (value: SqlValue | undefined): PolicyOwner => (value === '' ? null : String(value))

const actorNames = ['actor_kind', 'actor_id', 'actor_name', 'principal_id'] as const

/** Columns to read. The name of a person is read where it is kept, so that it can be erased. */
const columnsOf = (names: readonly string[]): string =>
  names
    .join(', ')
    .replace(
      'actor_name',
      'COALESCE((SELECT p.name FROM people p WHERE p.person_id = actor_id), actor_name) AS actor_name',
    )
const policyNames = ['policy_id', 'owner_id', 'document', 'sha256', 'created_at_ms', ...actorNames] as const
const changeNames = ['number', 'owner_id', 'kind', 'policy_id', 'reason', 'at_ms', ...actorNames] as const

const actorValues = ({ kind, id, name, principalId }: Actor): SqlValue[] => [
  kind,
  id,
  kind === 'person' ? '' : name,
  principalId,
]

export function* insert(policy: StoredPolicy, limits: PolicyLimits, act: HashedAct): Script<boolean> {
  const { policyId, ownerId, document, sha256, createdAtMs, createdBy } = policy
  yield* lockHead()
  const [held] = yield* query(
    'SELECT count(*) AS count, COALESCE(SUM(length(document)), 0) AS bytes FROM policies WHERE owner_id = $1',
    [ownerText(ownerId)],
  )
  if (Number(held?.['count']) >= limits.countMax) return false
  if (Number(held?.['bytes']) + document.length > limits.bytesMax) return false
  yield [
    {
      sql: `INSERT INTO policies (${policyNames.join(', ')}) VALUES ${placeholders(1, policyNames.length)}`,
      values: [policyId, ownerText(ownerId), document, sha256, createdAtMs, ...actorValues(createdBy)],
    },
    ...actStatements(act),
  ]
  return true
}

/** Changes take turns, so that the life of a policy has one order. Returns their number so far. */
export function* lockHead(): Script<number> {
  const [row] = yield* query('SELECT changes FROM policy_head WHERE head = 1 FOR UPDATE')
  return Number(row?.['changes'])
}

export function* countChanges(): Script<number> {
  const [row] = yield* query('SELECT changes FROM policy_head WHERE head = 1')
  return Number(row?.['changes'])
}

export function* find(policyId: string): Script<StoredPolicy | null> {
  const [row] = yield* query(`SELECT ${columnsOf(policyNames)} FROM policies WHERE policy_id = $1`, [
    policyId,
  ])
  return row === undefined ? null : policyOf(row)
}

export function* ids(): Script<string[]> {
  return (yield* query('SELECT policy_id FROM policies ORDER BY policy_id')).map((row) =>
    String(row['policy_id']),
  )
}

export function* list(ownerId: PolicyOwner, { before, limit }: PolicyQuery): Script<StoredPolicy[]> {
  const older = before === null ? [] : [before]
  const rows = yield* query(
    `SELECT ${columnsOf(policyNames)} FROM policies WHERE owner_id = $1${older.length === 0 ? '' : ' AND policy_id < $3'}
      ORDER BY policy_id DESC LIMIT $2`,
    [ownerText(ownerId), limit, ...older],
  )
  return rows.map(policyOf)
}

export function* changes(ownerId: PolicyOwner): Script<StoredChange[]> {
  const sql = `SELECT ${columnsOf(changeNames)} FROM policy_changes WHERE owner_id = $1 ORDER BY number`
  return (yield* query(sql, [ownerText(ownerId)])).map(changeOf)
}

/** Their numbers have no gaps. */
export function* allChanges(afterCount: number): Script<StoredChange[]> {
  const sql = `SELECT ${columnsOf(changeNames)} FROM policy_changes WHERE number > $1 ORDER BY number`
  return (yield* query(sql, [afterCount])).map(changeOf)
}

/** Rows are never deleted, and every instance reads them. */
const changesPerDayMax = 200

/** Decides in the transaction itself whether the change may be made: nobody can be in between. */
export function* change(wanted: NewChange, act: Act, hashed: (act: Act) => HashedAct): Script<Changed> {
  const count = yield* lockHead()
  const { kind, ownerId, by, reason, atMs } = wanted
  const own = yield* changes(ownerId)
  if (own.filter((one) => one.atMs > atMs - dayMs).length >= changesPerDayMax)
    return { kind: 'refused', refusal: 'too_many_changes' }
  const life = lifeOf(own)
  const refusal = refusalOf(life, kind, wanted.policyId)
  if (refusal !== null) return { kind: 'refused', refusal }
  // A rollback is of the policy in force; it exists, or the rollback would have been refused.
  const policyId = wanted.policyId ?? life.activeId ?? ''
  if (kind === 'promoted') {
    const policy = yield* find(policyId)
    if (policy?.createdBy.principalId === by.principalId && by.kind !== 'operator')
      return { kind: 'refused', refusal: 'four_eyes' }
  }
  const made: StoredChange = { ...wanted, policyId }
  const sinceMs = yield* candidateSince(made)
  const activeId = kind === 'rolled_back' ? (life.beneath.at(-1) ?? null) : policyId
  yield [
    {
      sql: `INSERT INTO policy_changes (${changeNames.join(', ')}) VALUES ${placeholders(1, changeNames.length)}`,
      values: [count + 1, ownerText(ownerId), kind, policyId, reason, atMs, ...actorValues(by)],
    },
    { sql: 'UPDATE policy_head SET changes = $1 WHERE head = 1', values: [count + 1] },
    ...candidateStatements(made, { sinceMs, activeId }),
    ...actStatements(hashed({ ...act, subject: policyId })),
  ]
  return { kind: 'changed', change: made }
}

function policyOf(row: Row): StoredPolicy {
  return {
    policyId: String(row['policy_id']),
    ownerId: ownerOf(row['owner_id']),
    document: String(row['document']),
    sha256: String(row['sha256']),
    createdAtMs: Number(row['created_at_ms']),
    createdBy: actorOf(row),
  }
}

function changeOf(row: Row): StoredChange {
  return {
    ownerId: ownerOf(row['owner_id']),
    kind: row['kind'] as ChangeKind,
    policyId: String(row['policy_id']),
    reason: row['reason'] as string | null,
    atMs: Number(row['at_ms']),
    by: actorOf(row),
  }
}

function actorOf(row: Row): Actor {
  return {
    kind: row['actor_kind'] as Actor['kind'],
    id: String(row['actor_id']),
    name: String(row['actor_name']),
    principalId: String(row['principal_id']),
  }
}
