/** The score as a waterfall: the contributions and deductions that add up to it exactly. */

import type { Explanation } from '@fairway/client'
import type { ReactNode } from 'react'
import { formatScore } from '../../format.ts'
import { signalLabel } from '../../labels.ts'
import { RiskMark, riskShown, riskTone } from '../../ui/risk.tsx'
import { toneOf } from '../../ui/verdict.tsx'

/** Decimals in the contract have at most nine places. */
const decimalOf = (number: number): string => number.toFixed(9).replace(/\.?0+$/, '')
const placesOf = (number: number): number => decimalOf(number).split('.')[1]?.length ?? 0

/** False for a live decision on a corridor without data. */
export const hasSignals = ({ factors }: Explanation): boolean =>
  factors.some(({ risk_value: value }) => value !== null)

type Factor = Explanation['factors'][number]

interface Step {
  readonly key: string
  readonly name: ReactNode
  readonly note?: ReactNode
  readonly message?: string
  /** Start and end of the bar, from 0 to 1. */
  readonly from: number
  readonly to: number
  /** The end of the bar at full health. */
  readonly max?: number
  readonly amount: number
  readonly isSum?: true
  /** The fill of the bar; `sum` is that of a sum without a verdict. */
  readonly look: string
}

function factorStep(factor: Factor, label: Factor['status'], from: number): Step {
  const { signal, weight, risk_value: value, contribution, flagged, message } = factor
  return {
    key: signal,
    name: (
      <>
        {signalLabel(signal)} <RiskMark of={label} />
      </>
    ),
    note: value === null ? 'no data' : `${formatScore(weight)} × ${decimalOf(value)}`,
    ...(flagged && { message }),
    from,
    to: from + contribution,
    max: from + weight,
    amount: contribution,
    look: riskTone(label),
  }
}

/** Each step starts where the previous one ended. */
function stepsOf(explanation: Explanation): Step[] {
  const { factors, composite, telemetry, penalty, rounding, score, decision } = explanation
  const steps: Step[] = []
  let at = 0
  for (const factor of factors) {
    steps.push(factorStep(factor, riskShown(factor.status, explanation.corridor_supported), at))
    at += factor.contribution
  }
  const add = (key: string, name: string, note: string, amount: number): void => {
    if (amount === 0) return
    steps.push({ key, name, note, from: at, to: at + amount, amount, look: amount < 0 ? 'nogo' : 'go' })
    at += amount
  }
  steps.push({
    key: 'composite',
    name: 'Sum of signals',
    from: 0,
    to: composite,
    amount: composite,
    isSum: true,
    look: 'sum',
  })
  at = composite
  if (telemetry !== null) {
    const { weight, value, amount } = telemetry
    add('telemetry', 'Corridor telemetry', `weight ${decimalOf(weight)}, value ${decimalOf(value)}`, amount)
  }
  add(
    'penalty',
    'Penalty',
    `${penalty.flagged_count} flagged: × ${decimalOf(penalty.multiplier)}`,
    penalty.amount,
  )
  add('rounding', 'Rounded down', 'to two decimals', rounding)
  const look = toneOf[decision]
  steps.push({ key: 'score', name: 'Score', from: 0, to: score, amount: score, isSum: true, look })
  return steps
}

function Bar({ of: { from, to, max, look } }: { readonly of: Step }) {
  const span = (start: number, end: number) => ({
    left: `${Math.min(start, end) * 100}%`,
    width: `${Math.abs(end - start) * 100}%`,
  })
  return (
    <div className="step-bar" aria-hidden="true">
      {max !== undefined && <span className="step-max" style={span(from, max)} />}
      <span className={`step-fill step-${look}`} style={span(from, to)} />
    </div>
  )
}

export function Waterfall({ of }: { readonly of: Explanation }) {
  const steps = stepsOf(of)
  const places = Math.max(2, ...steps.map(({ amount }) => placesOf(amount)))
  const textOf = ({ amount, isSum }: Step): string => {
    const digits = Math.abs(amount).toFixed(isSum ? placesShown(amount) : places)
    return isSum ? `= ${digits}` : `${amount < 0 ? '−' : '+'}${digits}`
  }
  return (
    <ol className="waterfall" aria-label="Score breakdown">
      {steps.map((step) => (
        <li key={step.key} className={`step${step.isSum ? ' step-sum' : ''}`}>
          <span className="step-name">{step.name}</span>
          <span className="step-note">{step.note}</span>
          <Bar of={step} />
          {/* The padding is as wide as the digits that the rows above have more: their decimal points align. */}
          <span
            className="step-amount"
            {...(step.isSum && { style: { paddingRight: `${places - placesShown(step.amount)}ch` } })}
          >
            {textOf(step)}
          </span>
          {step.message !== undefined && <p className="step-message">{step.message}</p>}
        </li>
      ))}
    </ol>
  )
}

const placesShown = (amount: number): number => Math.max(2, placesOf(amount))
