/** SQL of candidates: their reports, and the journal entries that these follow from. */

import type {
  Candidate,
  CandidateSums,
  FollowedCandidate,
  FollowedEntries,
  FollowedEntry,
  PolicyOwner,
  StoredChange,
} from '../../../app/ports/policies.ts'
import type { ActualOutcome } from '../../../core/live/outcome.ts'
import type { ReportSums } from '../../../core/policy/report.ts'
import { isRequestId, timeOfId } from '../../../core/identity/request-id.ts'
import { inRuns, parameterList, query, type Row, type Script, type Statement } from '../engine/script.ts'
import { nextLeaves } from '../journal/next-leaves.ts'
import { policyColumns, policyRecordOf } from './policy-records.ts'

const shortColumns = 'policy_id, owner_id, since_ms, until_ms, from_leaf'
const columns = `${shortColumns}, sums`

/** Records of more owners are read with all others: what concerns nobody is left out afterwards. */
const ownersMax = 50

const positionSql = 'SELECT position FROM policy_follower WHERE follower = 1'

/**
 * Later than every record so far, whatever the clocks were: so a stretch of time is also one of entries. With the lock
 * first, every entry that the follower has passed is among these records, and it passes no other without this candidate.
 */
export function* candidateSince({ ownerId, atMs }: StoredChange): Script<number> {
  yield* query(`${positionSql} FOR UPDATE`)
  const ranges = ownerId === null ? [[]] : ['GO', 'DEGRADED', 'NO-GO'].map((decision) => [ownerId, decision])
  const where = ownerId === null ? '' : ' WHERE owner_id = $1 AND decision = $2'
  const sql = `SELECT request_id FROM verifications${where} ORDER BY request_id DESC LIMIT 1`
  const groups = yield ranges.map((values) => ({ sql, values }))
  const times = groups.flat().map((row) => (timeOfId(String(row['request_id'])) ?? 0) + 1)
  return Math.max(atMs, ...times)
}

/** No entry of so far has a higher number: a transaction has fewer entries than this. */
const endSql = '(SELECT sequenced FROM log_head) + 128 * (SELECT count(*) FROM journal_queue)'

/**
 * A new candidate ends the one before, and a promotion or rollback ends the candidate that it makes active. A report
 * begins with the next entry; that of a policy that becomes a candidate again begins anew.
 */
export function candidateStatements(
  { kind, policyId, ownerId }: StoredChange,
  { sinceMs, activeId }: { readonly sinceMs: number; readonly activeId: string | null },
): Statement[] {
  const ended = kind === 'candidate' ? [] : [activeId ?? '']
  const end = {
    sql: `UPDATE policy_candidates SET until_ms = $1, until_leaf = ${endSql}
      WHERE owner_id = $2 AND until_ms IS NULL${ended.length === 0 ? '' : ' AND policy_id = $3'}`,
    values: [sinceMs, ownerId ?? '', ...ended],
  }
  if (kind !== 'candidate') return [end]
  const begin = {
    sql: `INSERT INTO policy_candidates (${columns})
      SELECT CAST($1 AS text), CAST($2 AS text), CAST($3 AS bigint), NULL, position, NULL
        FROM policy_follower WHERE follower = 1
      ON CONFLICT (policy_id) DO UPDATE SET since_ms = excluded.since_ms, until_ms = NULL, until_leaf = NULL,
        from_leaf = excluded.from_leaf, sums = NULL`,
    values: [policyId, ownerId ?? '', sinceMs],
  }
  return [end, begin]
}

export function* candidate(policyId: string): Script<Candidate | null> {
  const [row] = yield* query(`SELECT ${columns} FROM policy_candidates WHERE policy_id = $1`, [policyId])
  return row === undefined ? null : candidateOf(row)
}

/** One that has ended is followed up to its end, and for as long as decisions from before may still be committed. */
export function* candidates(endedAfterMs: number): Script<FollowedCandidate[]> {
  const sql = `SELECT ${shortColumns} FROM policy_candidates
    WHERE until_ms IS NULL OR until_ms > $1 OR until_leaf > (${positionSql}) ORDER BY policy_id`
  return (yield* query(sql, [endedAfterMs])).map(shortOf)
}

/** Reads the records and outcomes of these owners only; an owner of null stands for all. */
export function* entries(owners: readonly PolicyOwner[]): Script<FollowedEntries> {
  const { from, sequenced, leaves } = yield* nextLeaves('policies', positionSql)
  if (owners.length === 0) return { from, to: Math.max(from, sequenced), entries: [] }
  const indexes = new Map(leaves.map(({ subjectId, index }) => [subjectId, index]))
  const isRecord = Map.groupBy(indexes.keys(), isRequestId)
  const found = [
    ...(yield* recordEntries(isRecord.get(true) ?? [], owners)),
    ...(yield* outcomeEntries(isRecord.get(false) ?? [], owners)),
  ]
  const entriesInOrder = found
    .map(({ subjectId, entry }) => ({ ...entry, index: indexes.get(subjectId) ?? 0 }))
    .toSorted((left, right) => left.index - right.index)
  return { from, to: (leaves.at(-1)?.index ?? from - 1) + 1, entries: entriesInOrder }
}

interface Found {
  readonly subjectId: string
  readonly entry: FollowedEntry
}

/** Some of the values come after the ids, so their numbers do, too. */
function ownedBy(owners: readonly PolicyOwner[], after: number): { sql: string; values: string[] } {
  if (owners.includes(null) || owners.length > ownersMax) return { sql: '', values: [] }
  const values = owners.map((owner) => owner ?? '')
  return {
    sql: ` AND v.owner_id IN (${values.map((_, place) => `$${after + place + 1}`).join(', ')})`,
    values,
  }
}

/** An outcome has an entry of its own. */
function* recordEntries(ids: readonly string[], owners: readonly PolicyOwner[]): Script<Found[]> {
  const groups = yield inRuns(ids).map((run) => {
    const owned = ownedBy(owners, run.length)
    return {
      sql: `SELECT ${policyColumns} FROM verifications v
        WHERE v.request_id IN (${parameterList(run.length)})${owned.sql}`,
      values: [...run, ...owned.values],
    }
  })
  return groups.flat().map((row) => {
    const record = policyRecordOf(row)
    return { subjectId: record.requestId, entry: { kind: 'record', index: 0, record, outcome: null } }
  })
}

function* outcomeEntries(ids: readonly string[], owners: readonly PolicyOwner[]): Script<Found[]> {
  const groups = yield inRuns(ids).map((run) => {
    const owned = ownedBy(owners, run.length)
    return {
      sql: `SELECT ${policyColumns}, r.outcome_id AS r_outcome_id, r.outcome AS r_outcome, p.outcome AS p_outcome
        FROM outcomes r JOIN verifications v ON v.request_id = r.request_id
          LEFT JOIN outcomes p ON p.request_id = r.request_id AND p.is_final < r.is_final
        WHERE r.outcome_id IN (${parameterList(run.length)})${owned.sql}`,
      values: [...run, ...owned.values],
    }
  })
  return groups.flat().map((row) => ({
    subjectId: String(row['r_outcome_id']),
    entry: {
      kind: 'outcome',
      index: 0,
      record: policyRecordOf(row),
      outcome: row['r_outcome'] as ActualOutcome,
      before: row['p_outcome'] as ActualOutcome | null,
    },
  }))
}

/** The position first: a second instance waits, and then finds that it has moved. So does one that saw other candidates. */
export function* followed(
  from: number,
  to: number,
  endedAfterMs: number,
  reports: readonly CandidateSums[],
): Script<boolean> {
  const [row] = yield* query(`${positionSql} FOR UPDATE`)
  if (Number(row?.['position']) !== from) return false
  const present = yield* candidates(endedAfterMs)
  const isSame = present.every(({ policyId, sinceMs, untilMs }, place) => {
    const seen = reports[place]
    return seen?.policyId === policyId && seen.sinceMs === sinceMs && seen.untilMs === untilMs
  })
  if (!isSame || present.length !== reports.length) return false
  yield [
    { sql: 'UPDATE policy_follower SET position = $1 WHERE follower = 1', values: [to] },
    ...reports
      .filter(({ sums }) => sums !== null)
      .map(({ policyId, sums }) => ({
        sql: 'UPDATE policy_candidates SET sums = $1 WHERE policy_id = $2',
        values: [JSON.stringify(sums), policyId],
      })),
  ]
  return true
}

function candidateOf(row: Row): Candidate {
  const { sums } = row
  return {
    ...shortOf(row),
    sums: sums === null || sums === undefined ? null : (JSON.parse(String(sums)) as ReportSums),
  }
}

function shortOf(row: Row): FollowedCandidate {
  return {
    policyId: String(row['policy_id']),
    ownerId: row['owner_id'] === '' ? null : String(row['owner_id']),
    sinceMs: Number(row['since_ms']),
    untilMs: row['until_ms'] === null ? null : Number(row['until_ms']),
    fromLeaf: Number(row['from_leaf']),
  }
}
