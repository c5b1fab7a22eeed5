/** Records how the payments of decisions ended, as reported by their owner. A final outcome is permanent. */

import { parseRequestId, type RequestId } from '../../core/identity/request-id.ts'
import { isFinal } from '../../core/live/outcome.ts'
import type { OutcomeColumn, OutcomeRow } from '../../core/live/outcome-row.ts'
import type { PredictedRecord } from '../../core/calibration/cells.ts'
import { iso, minuteMs } from '../../core/time/durations.ts'
import { readAnswer } from '../inspect/record-wire.ts'
import type { ComputedEvidence } from '../verify/evidence.ts'
import type { Ids } from '../verify/ids.ts'
import { attributedTo } from '../people/caller.ts'
import type { Actor, Annotated, OutcomeReport, ReportedOutcome, Verification } from '../ports/records.ts'
import { StoreUnavailable, type OwnerRecords, type Store } from '../ports/store.ts'
import type { Clock } from '../ports/system.ts'

interface Caller {
  readonly ownerId: string
  readonly by: Actor
}

/** Why a row is refused. */
export interface OutcomeFault {
  readonly kind: 'unknown' | 'exists' | 'invalid'
  readonly column: OutcomeColumn
  readonly message: string
}

type OutcomeResult =
  /** Now, or earlier with the same content. */
  | { readonly kind: 'recorded'; readonly outcome: ReportedOutcome }
  | { readonly kind: 'refused'; readonly fault: OutcomeFault }

/** All rows or none. */
export type OutcomesResult =
  | {
      readonly kind: 'recorded'
      /** In the order of the rows. */
      readonly outcomes: readonly ReportedOutcome[]
      /** How many of them were reported before, with the same content. */
      readonly unchanged: number
    }
  | { readonly kind: 'refused'; readonly faults: readonly (OutcomeFault & { readonly index: number })[] }

/** A row with its index among those that were sent. */
interface PlacedRow {
  readonly index: number
  readonly value: OutcomeRow
}

export interface ReportOutcomes {
  one(caller: Caller, row: OutcomeRow): Promise<OutcomeResult>
  /** Only checks the rows if `isDryRun`. */
  all(caller: Caller, rows: readonly PlacedRow[], isDryRun: boolean): Promise<OutcomesResult>
}

export interface ReportDeps {
  readonly store: Store
  readonly ids: Ids
  readonly clock: Clock
}

/** The reporter's clock may be ahead of ours, or behind. */
const reportedSkewMsMax = 5 * minuteMs
/** Another report of the same decisions may come first; the next try sees it. */
const triesMax = 5

export function createReportOutcomes(deps: ReportDeps): ReportOutcomes {
  const all: ReportOutcomes['all'] = async (caller, rows, isDryRun) => {
    const records = deps.store.forOwner(caller.ownerId)
    for (let tries = 1; tries <= triesMax; tries += 1) {
      const checked = await check(records, rows, caller, deps)
      if (checked.kind === 'refused') return checked
      const { outcomes, added } = checked
      const result = { kind: 'recorded', outcomes, unchanged: outcomes.length - added.length } as const
      if (isDryRun || added.length === 0 || (await records.report(added))) return result
    }
    throw new StoreUnavailable('outcomes: other reports of the same decisions keep coming first')
  }
  return {
    all,
    async one(caller, row) {
      const result = await all(caller, [{ index: 0, value: row }], false)
      if (result.kind === 'recorded') return { kind: 'recorded', outcome: first(result.outcomes) }
      return { kind: 'refused', fault: first(result.faults) }
    },
  }
}

function first<Item>([item]: readonly Item[]): Item {
  if (item === undefined) throw new Error('outcomes: a row has no result')
  return item
}

type Found = Annotated<Verification>

type Checked =
  | {
      readonly kind: 'checked'
      readonly outcomes: readonly ReportedOutcome[]
      /** Those that are new. */
      readonly added: readonly OutcomeReport[]
    }
  | Extract<OutcomesResult, { kind: 'refused' }>

async function check(
  records: OwnerRecords,
  rows: readonly PlacedRow[],
  caller: Caller,
  { ids, clock }: ReportDeps,
): Promise<Checked> {
  const nowMs = clock.nowMs()
  const found = await findAll(records, rows)
  const faultsFound = await Promise.all(found.map((one) => faultOf(records, one, nowMs)))
  const faults: (OutcomeFault & { index: number })[] = []
  const outcomes: ReportedOutcome[] = []
  const added: OutcomeReport[] = []
  const rowOf = new Map<RequestId, number>()
  for (const [place, { index, row, matches, record }] of found.entries()) {
    const [id] = matches
    const before = id === undefined ? undefined : rowOf.get(id)
    const fault = before === undefined ? (faultsFound[place] ?? null) : repeatFault(row, before)
    if (fault !== null) faults.push({ ...fault, index })
    if (fault !== null || record === null) continue
    rowOf.set(record.requestId, index)
    if (record.outcome !== null && differenceOf(row, record.outcome) === null) {
      outcomes.push(record.outcome)
      continue
    }
    const outcome = reportedOf(row, record, caller, ids)
    outcomes.push(outcome)
    added.push({ outcome, predicted: predictedOf(record) })
  }
  return faults.length > 0 ? { kind: 'refused', faults } : { kind: 'checked', outcomes, added }
}

interface FoundRow {
  readonly index: number
  readonly row: OutcomeRow
  /** The decisions that it could mean: one, none, or several. */
  readonly matches: readonly RequestId[]
  /** Null unless there is exactly one. */
  readonly record: Found | null
}

async function findAll(records: OwnerRecords, rows: readonly PlacedRow[]): Promise<FoundRow[]> {
  const correlated = rows.flatMap(({ value: { requestId, correlationId } }) =>
    requestId === null && correlationId !== null ? [correlationId] : [],
  )
  const ids = correlated.length === 0 ? [] : await records.findCorrelated(correlated)
  const idsOf = new Map(correlated.map((correlationId, place) => [correlationId, ids[place] ?? []]))
  return Promise.all(
    rows.map(async ({ index, value: row }) => {
      const parsed = parseRequestId(row.requestId ?? '')
      const own = parsed === null ? [] : [parsed.id]
      const matches = row.requestId === null ? (idsOf.get(row.correlationId ?? '') ?? []) : own
      const [id] = matches
      const record = id === undefined || matches.length > 1 ? null : await records.find(id)
      return { index, row, matches, record }
    }),
  )
}

/** The column that names the decision of a row. */
const idColumnOf = ({ requestId }: OutcomeRow): OutcomeColumn =>
  requestId === null ? 'correlation_id' : 'request_id'

function repeatFault(row: OutcomeRow, index: number): OutcomeFault {
  const message = `is of the same decision as row ${index + 1}`
  return { kind: 'invalid', column: idColumnOf(row), message }
}

async function faultOf(
  records: OwnerRecords,
  { row, matches, record }: FoundRow,
  nowMs: number,
): Promise<OutcomeFault | null> {
  const invalid = (column: OutcomeColumn, message: string): OutcomeFault => ({
    kind: 'invalid',
    column,
    message,
  })
  if (matches.length > 1)
    return invalid(
      'correlation_id',
      `is that of several decisions; give the request_id of one: ${matches.join(', ')}`,
    )
  if (record === null)
    return { kind: 'unknown', column: idColumnOf(row), message: 'is not that of one of your decisions' }
  const { occurredAtMs, partner, correlationId } = row
  if (correlationId !== null && correlationId !== record.correlationId)
    return invalid('correlation_id', 'is not that of the decision')
  if (occurredAtMs !== null && occurredAtMs > nowMs + reportedSkewMsMax)
    return invalid('occurred_at', 'must not be in the future')
  if (occurredAtMs !== null && occurredAtMs < record.evaluatedAtMs - reportedSkewMsMax)
    return invalid('occurred_at', 'must not be before the decision')
  const known = partner === null ? [] : await partnersOf(records, record)
  if (partner !== null && known.length > 0 && !known.includes(partner))
    return invalid('partner', `must be one of ${known.join(', ')}`)
  return conflictOf(row, record.outcome)
}

/** A final outcome may follow `PENDING`; anything else that differs from the first report is too late. */
function conflictOf(row: OutcomeRow, before: ReportedOutcome | null): OutcomeFault | null {
  if (before === null || (!isFinal(before.outcome) && isFinal(row.outcome))) return null
  const column = differenceOf(row, before)
  if (column === null) return null
  const reported = {
    outcome: before.outcome,
    occurred_at: iso(before.occurredAtMs) ?? 'not given',
    partner: before.partner ?? 'not given',
  }
  return { kind: 'exists', column, message: `is already reported as ${reported[column]}` }
}

/** The first member in which a report differs from the one before; null if it is the same report again. */
function differenceOf(
  row: OutcomeRow,
  before: ReportedOutcome,
): 'outcome' | 'occurred_at' | 'partner' | null {
  if (before.outcome !== row.outcome) return 'outcome'
  if (before.occurredAtMs !== row.occurredAtMs) return 'occurred_at'
  return before.partner === row.partner ? null : 'partner'
}

function reportedOf(row: OutcomeRow, record: Found, caller: Caller, ids: Ids): ReportedOutcome {
  const { id, atMs } = ids.next('out')
  return {
    outcomeId: id,
    requestId: record.requestId,
    ownerId: caller.ownerId,
    ...attributedTo(caller.by),
    mode: record.mode,
    corridor: record.corridor,
    outcome: row.outcome,
    partner: row.partner,
    occurredAtMs: row.occurredAtMs,
    reportedAtMs: atMs,
  }
}

function predictedOf(record: Verification): PredictedRecord {
  return {
    ownerId: record.ownerId,
    corridor: record.corridor,
    recordedAtMs: record.recordedAtMs,
    mode: record.mode,
    verdict: record.verdict,
    scoreHundredths: record.scoreHundredths,
    amount: record.amount,
    currency: record.currency,
    reasonCodes: readAnswer(record).reason_codes,
  }
}

/** All partners of the corridor at the decision, ranked or left out; empty if none were declared. */
async function partnersOf(records: OwnerRecords, record: Verification): Promise<string[]> {
  const computed = record.cooldownSourceId === null ? record : await records.find(record.cooldownSourceId)
  if (computed === null) return []
  const { partners } = JSON.parse(computed.evidence) as ComputedEvidence
  return partners === undefined
    ? []
    : [...partners.ranked, ...partners.left_out].map(({ partner }) => partner)
}
