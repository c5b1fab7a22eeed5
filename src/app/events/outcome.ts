/** Records how the payments of decisions ended, as reported by their owner. A final outcome is permanent. */

import { parseRequestId, type RequestId } from '../../core/identity/request-id.ts'
import { isFinal } from '../../core/live/outcome.ts'
import type { OutcomeColumn, OutcomeRow } from '../../core/live/outcome-row.ts'
import { minuteMs } from '../../core/time/durations.ts'
import type { ComputedEvidence } from '../verify/evidence.ts'
import type { Ids } from '../verify/ids.ts'
import type { Annotated, ReportedOutcome, Verification } from '../ports/records.ts'
import type { OwnerRecords, Store } from '../ports/store.ts'
import type { Clock } from '../ports/system.ts'

interface Caller {
  readonly ownerId: string
  readonly keyId: string
}

/** Why a row is refused. */
export interface OutcomeFault {
  readonly kind: 'unknown' | 'exists' | 'invalid'
  readonly column: OutcomeColumn
  readonly message: string
}

export type OutcomeResult =
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
export interface PlacedRow {
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
    for (let tries = 1; ; tries += 1) {
      const checked = await check(records, rows, caller, deps)
      if (checked.kind === 'refused') return checked
      const { outcomes, added } = checked
      const result = { kind: 'recorded', outcomes, unchanged: outcomes.length - added.length } as const
      if (isDryRun || added.length === 0 || (await records.report(added))) return result
      if (tries === triesMax) throw new Error('outcomes: other reports keep coming first')
    }
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
      readonly added: readonly ReportedOutcome[]
    }
  | Extract<OutcomesResult, { kind: 'refused' }>

async function check(
  records: OwnerRecords,
  rows: readonly PlacedRow[],
  caller: Caller,
  { ids, clock }: ReportDeps,
): Promise<Checked> {
  const found = await findAll(
    records,
    rows.map(({ value }) => value),
  )
  const nowMs = clock.nowMs()
  const faults: (OutcomeFault & { index: number })[] = []
  const outcomes: ReportedOutcome[] = []
  const added: ReportedOutcome[] = []
  const rowOf = new Map<RequestId, number>()
  for (const [place, { index, value: row }] of rows.entries()) {
    const record = found[place] ?? 0
    const fault =
      typeof record === 'number'
        ? unknownFault(row, record)
        : (repeatFault(row, rowOf.get(record.requestId)) ?? (await faultOf(records, row, record, nowMs)))
    if (fault !== null || typeof record === 'number') {
      if (fault !== null) faults.push({ ...fault, index })
      continue
    }
    rowOf.set(record.requestId, index)
    const isSame = isSameReport(row, record.outcome)
    const outcome = isSame && record.outcome !== null ? record.outcome : reportedOf(row, record, caller, ids)
    outcomes.push(outcome)
    if (!isSame) added.push(outcome)
  }
  return faults.length > 0 ? { kind: 'refused', faults } : { kind: 'checked', outcomes, added }
}

/** The decision of each row, or the number of decisions that it could mean: none, or several. */
async function findAll(records: OwnerRecords, rows: readonly OutcomeRow[]): Promise<(Found | number)[]> {
  const correlated = rows.flatMap(({ requestId, correlationId }) =>
    requestId === null && correlationId !== null ? [correlationId] : [],
  )
  const byCorrelation =
    correlated.length === 0 ? new Map<string, never>() : await records.findCorrelated(correlated)
  return Promise.all(
    rows.map(async ({ requestId, correlationId }) => {
      const match = requestId === null ? byCorrelation.get(correlationId ?? '') : null
      if (match !== undefined && match !== null && match.count > 1) return match.count
      const id = match === null ? parseRequestId(requestId ?? '')?.id : match?.requestId
      return (id === undefined ? null : await records.find(id)) ?? 0
    }),
  )
}

function unknownFault({ requestId }: OutcomeRow, count: number): OutcomeFault {
  if (count > 1) {
    const message = `is that of ${count} decisions; give the request_id of one of them`
    return { kind: 'invalid', column: 'correlation_id', message }
  }
  const column = requestId === null ? 'correlation_id' : 'request_id'
  return { kind: 'unknown', column, message: 'is not that of one of your decisions' }
}

function repeatFault({ requestId }: OutcomeRow, index: number | undefined): OutcomeFault | null {
  if (index === undefined) return null
  const column = requestId === null ? 'correlation_id' : 'request_id'
  return { kind: 'invalid', column, message: `is of the same decision as row ${index + 1}` }
}

async function faultOf(
  records: OwnerRecords,
  row: OutcomeRow,
  record: Found,
  nowMs: number,
): Promise<OutcomeFault | null> {
  const { occurredAtMs, partner, correlationId } = row
  const invalid = (column: OutcomeColumn, message: string): OutcomeFault => ({
    kind: 'invalid',
    column,
    message,
  })
  if (correlationId !== null && correlationId !== record.correlationId)
    return invalid('correlation_id', 'is not that of the decision')
  if (occurredAtMs !== null && occurredAtMs > nowMs + reportedSkewMsMax)
    return invalid('occurred_at', 'must not be in the future')
  if (occurredAtMs !== null && occurredAtMs < record.evaluatedAtMs - reportedSkewMsMax)
    return invalid('occurred_at', 'must not be before the decision')
  const known = partner === null ? [] : await partnersOf(records, record)
  if (partner !== null && known.length > 0 && !known.includes(partner))
    return invalid('partner', `must be one of ${known.join(', ')}`)
  const before = record.outcome
  const mayFollow = before === null || (!isFinal(before.outcome) && isFinal(row.outcome))
  if (mayFollow || isSameReport(row, before)) return null
  return { kind: 'exists', column: 'outcome', message: `is already reported as ${before.outcome}` }
}

const isSameReport = (row: OutcomeRow, before: ReportedOutcome | null): boolean =>
  before?.outcome === row.outcome &&
  before.occurredAtMs === row.occurredAtMs &&
  before.partner === row.partner

function reportedOf(row: OutcomeRow, record: Found, caller: Caller, ids: Ids): ReportedOutcome {
  const { id, atMs } = ids.next('out')
  return {
    outcomeId: id,
    requestId: record.requestId,
    ownerId: caller.ownerId,
    keyId: caller.keyId,
    mode: record.mode,
    corridor: record.corridor,
    outcome: row.outcome,
    partner: row.partner,
    occurredAtMs: row.occurredAtMs,
    reportedAtMs: atMs,
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
