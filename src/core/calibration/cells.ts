/**
 * The counts that calibration is computed from. Each record adds one to a few cells, and so does its final outcome: sums
 * that do not depend on the order, by day, mode and corridor.
 */

import { standardCap } from '../decision/policy.ts'
import { signalReasonCode, type ReasonCode } from '../decision/reasons.ts'
import type { Verdict } from '../decision/score.ts'
import { signalNames } from '../decision/signals.ts'
import type { Mode } from '../identity/api-key.ts'
import { isFailure, isFinal, type ActualOutcome } from '../live/outcome.ts'
import type { Counts } from './rate.ts'

/**
 * `records`, `stopped` and `no_data` count at place 0. The rest counts final outcomes: every one by its score in
 * hundredths, under its verdict or as `unsupported`; `flagged`, `clear` and `flagged GO` by signal. `clear GO`, by score,
 * and the steps of amounts by currency count `GO` payments without a flagged signal.
 */
export type Subject =
  | 'records'
  | 'stopped'
  | 'no_data'
  | Verdict
  | 'unsupported'
  | 'flagged'
  | 'clear'
  | 'flagged GO'
  | 'clear GO'
  | `amount ${string}`

interface Cell {
  readonly subject: Subject
  readonly place: number
}

export interface CountedCell extends Cell, Readonly<Counts> {}

/** The columns of a record that calibration depends on. */
export interface Predicted {
  readonly mode: Mode
  readonly verdict: Verdict
  readonly scoreHundredths: number
  readonly amount: number | null
  readonly currency: string
  readonly reasonCodes: readonly ReasonCode[]
}

/** With the columns that say where it is counted. */
export interface PredictedRecord extends Predicted {
  readonly ownerId: string
  readonly corridor: string
  readonly recordedAtMs: number
}

/** The upper ends of the steps of amounts, each included, up to the cap above which no payment is `GO`. */
export const amountSteps: readonly number[] = [1, 10, 100, 1_000, 10_000]
  .flatMap((unit) => [unit, 2 * unit, 5 * unit])
  .filter((step) => step <= standardCap.reviewAbove)

const isUnsupported = ({ reasonCodes }: Pick<Predicted, 'reasonCodes'>): boolean =>
  reasonCodes.includes('CORRIDOR_UNSUPPORTED')

/** A live corridor without data: the score of 0 says that nothing is known, and predicts nothing. */
const isWithoutData = (record: Pick<Predicted, 'mode' | 'reasonCodes'>): boolean =>
  record.mode === 'live' && isUnsupported(record)

/** A payment is stopped until it turns out to have ended. */
export function cellsOfRecord(record: Pick<Predicted, 'mode' | 'verdict' | 'reasonCodes'>): CountedCell[] {
  if (isWithoutData(record)) return [counted('no_data', 0)]
  const stopped = record.verdict === 'NO-GO' ? [counted('stopped', 0)] : []
  return [counted('records', 0), ...stopped]
}

export function cellsOfOutcome(record: Predicted, outcome: ActualOutcome): CountedCell[] {
  if (!isFinal(outcome) || isWithoutData(record)) return []
  const { verdict, scoreHundredths } = record
  const failures = isFailure(outcome) ? 1 : 0
  // Apart, because no floor changes the decision on a corridor without data.
  const subject = isUnsupported(record) ? 'unsupported' : verdict
  const cells = [counted(subject, scoreHundredths, failures), ...signalCells(record, failures)]
  if (verdict === 'NO-GO') cells.push({ subject: 'stopped', place: 0, records: -1, failures: 0 })
  return cells
}

function signalCells({ verdict, reasonCodes, ...record }: Predicted, failures: number): CountedCell[] {
  const isFlagged = signalNames.map((signal) => reasonCodes.includes(signalReasonCode[signal]))
  const cells = isFlagged.map((flagged, place) => counted(flagged ? 'flagged' : 'clear', place, failures))
  if (verdict !== 'GO') return cells
  if (isFlagged.includes(true)) {
    for (const [place, flagged] of isFlagged.entries())
      if (flagged) cells.push(counted('flagged GO', place, failures))
    return cells
  }
  cells.push(counted('clear GO', record.scoreHundredths, failures))
  const { amount, currency } = record
  if (amount !== null) {
    const step = amountSteps.findIndex((end) => amount <= end)
    cells.push(counted(`amount ${currency}`, step < 0 ? amountSteps.length : step, failures))
  }
  return cells
}

function counted(subject: Subject, place: number, failures = 0): CountedCell {
  return { subject, place, records: 1, failures }
}
