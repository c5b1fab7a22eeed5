/** The figures of calibration worked out another way: payment by payment, in exact arithmetic. */

import assert from 'node:assert/strict'
import { signalReasonCode } from '../../src/core/decision/reasons.ts'
import { signalNames } from '../../src/core/decision/signals.ts'
import type { ActualOutcome } from '../../src/core/live/outcome.ts'

/** A decision, and the last word on its payment. */
export interface EndedPayment {
  readonly mode: string
  readonly corridor: string
  readonly verdict: string
  readonly scoreHundredths: number
  readonly reasonCodes: readonly string[]
  readonly outcome: ActualOutcome | null
}

export interface ExpectedRate {
  readonly records: number
  readonly failures: number
  readonly rate: number | null
  readonly low: number | null
  readonly high: number | null
}

/** z² in units of 10⁻³⁰, for the 97.5% quantile z = 1.959963984540054. */
const unit = 10n ** 30n
const zSquared = 1_959_963_984_540_054n ** 2n

/** The ends solve (p − rate)² = z² p (1 − p) / records: a quadratic in p, solved in integers. */
export function wilsonEnds(records: number, failures: number): [low: number, high: number] {
  const [count, failed] = [BigInt(records), BigInt(failures)]
  const square = unit * count * count + zSquared * count
  const linear = 2n * unit * failed * count + zSquared * count
  const root = rootOf(linear * linear - 4n * square * unit * failed * failed)
  return [nearest(linear - root, 2n * square), nearest(linear + root, 2n * square)]
}

/** The integer below the square root, by Newton's method. */
function rootOf(value: bigint): bigint {
  let root = 1n << BigInt(Math.ceil(value.toString(2).length / 2))
  for (;;) {
    const next = (root + value / root) / 2n
    if (next >= root) return root
    root = next
  }
}

export function expectedRate(records: number, failures: number): ExpectedRate {
  if (records < 20) return { records, failures, rate: null, low: null, high: null }
  const [low, high] = wilsonEnds(records, failures)
  return { records, failures, rate: nearest(BigInt(failures), BigInt(records)), low, high }
}

/** The double nearest to a ratio. */
export function nearest(numerator: bigint, denominator: bigint): number {
  if (numerator === 0n) return 0
  let shift = 0
  while ((numerator << BigInt(shift)) / denominator < 1n << 54n) shift += 1
  const shifted = numerator << BigInt(shift)
  // The last bit says that there is a rest, so that a tie is only taken for one if it is.
  const bits = ((shifted / denominator) << 1n) | (shifted % denominator === 0n ? 0n : 1n)
  return Number(bits) / 2 ** (shift + 1)
}

const isKnown = ({ mode, reasonCodes }: EndedPayment): boolean =>
  !(mode === 'live' && reasonCodes.includes('CORRIDOR_UNSUPPORTED'))
const hasEnded = ({ outcome }: EndedPayment): boolean => outcome !== null && outcome !== 'PENDING'
const hasFailed = ({ outcome }: EndedPayment): boolean => outcome === 'FAILED' || outcome === 'REJECTED'

const rateAmong = (payments: readonly EndedPayment[]): ExpectedRate =>
  expectedRate(payments.length, payments.filter(hasFailed).length)

/** Of payments that have ended. */
export function expectedCurve(ended: readonly Pick<EndedPayment, 'scoreHundredths' | 'outcome'>[]) {
  const payments = ended as readonly EndedPayment[]
  const predicted = ({ scoreHundredths }: EndedPayment): number => 100 - scoreHundredths
  const squares = payments.map((payment) => (predicted(payment) - (hasFailed(payment) ? 100 : 0)) ** 2)
  const sum = squares.reduce((so, square) => so + BigInt(square), 0n)
  return {
    with_outcome: payments.length,
    failures: payments.filter(hasFailed).length,
    brier: payments.length === 0 ? null : nearest(sum, 10_000n * BigInt(payments.length)),
    reliability: Array.from({ length: 10 }, (_, bin) => {
      const [from, to] = [10 * bin, 10 * bin + 10]
      const isWithin = (at: number): boolean => at >= from && (at < to || (at === 100 && to === 100))
      const within = payments.filter((payment) => isWithin(predicted(payment)))
      return { from: from / 100, to: to / 100, ...rateAmong(within) }
    }),
  }
}

/** All but the series and the suggestion. */
export function expectedFigures(payments: readonly EndedPayment[]) {
  const known = payments.filter(isKnown)
  const ended = known.filter(hasEnded)
  return {
    records: known.length,
    ...expectedCurve(ended),
    signals: signalNames.map((signal) => {
      const isFlagged = ({ reasonCodes }: EndedPayment): boolean =>
        reasonCodes.includes(signalReasonCode[signal])
      return {
        signal,
        flagged: rateAmong(ended.filter(isFlagged)),
        clear: rateAmong(ended.filter((payment) => !isFlagged(payment))),
      }
    }),
    censored: known.filter((payment) => payment.verdict === 'NO-GO' && !hasEnded(payment)).length,
    no_data: payments.length - known.length,
  }
}

/** Every figure to its last digit, but the ends of intervals, which two ways of computing them round differently. */
export function assertFigures(actual: unknown, expected: unknown): void {
  const [one, other] = [actual, expected].map(withoutEnds)
  assert.deepEqual(one?.value, other?.value)
  for (const [place, end] of (one?.ends ?? []).entries())
    assert.ok(Math.abs(end - (other?.ends[place] ?? Number.NaN)) < 1e-12, `${end} at ${place}`)
}

function withoutEnds(value: unknown): { value: unknown; ends: number[] } {
  const ends: number[] = []
  const text = JSON.stringify(value, (name, member: unknown) => {
    if ((name !== 'low' && name !== 'high') || typeof member !== 'number') return member
    ends.push(member)
    return 'an end'
  })
  return { value: JSON.parse(text), ends }
}
