/** The explanation: the contributions and deductions that add up to the score exactly. */

import type { Explanation } from '@fairway/client'
import type { ReactNode } from 'react'
import { formatAmount, formatScore } from '../../format.ts'
import { Chip, toneOf, type Tone } from '../../ui/verdict.tsx'
import { signalLabel } from '../../labels.ts'
import { DecisionPolicies } from './policies.tsx'
import type { DecisionQueries } from './queries.ts'
import { Label, Part, Section, toneOfLabel } from './section.tsx'

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
  readonly tone: Tone
}

function factorStep(factor: Factor, from: number): Step {
  const { signal, weight, risk_value: value, contribution, status, flagged, message } = factor
  return {
    key: signal,
    name: (
      <>
        {signalLabel(signal)} <Label of={status} />
      </>
    ),
    note: `${formatScore(weight)} × ${value === null ? 'no data' : decimalOf(value)}`,
    ...(flagged && { message }),
    from,
    to: from + contribution,
    max: from + weight,
    amount: contribution,
    tone: toneOfLabel[status],
  }
}

/** Each step starts where the previous one ended. */
function stepsOf({ factors, composite, telemetry, penalty, rounding, score, decision }: Explanation): Step[] {
  const steps: Step[] = []
  let at = 0
  for (const factor of factors) {
    steps.push(factorStep(factor, at))
    at += factor.contribution
  }
  const add = (key: string, name: string, note: string, amount: number): void => {
    if (amount === 0) return
    steps.push({ key, name, note, from: at, to: at + amount, amount, tone: amount < 0 ? 'nogo' : 'go' })
    at += amount
  }
  steps.push({
    key: 'composite',
    name: 'Sum of signals',
    from: 0,
    to: composite,
    amount: composite,
    isSum: true,
    tone: 'info',
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
  const tone = toneOf[decision]
  steps.push({ key: 'score', name: 'Score', from: 0, to: score, amount: score, isSum: true, tone })
  return steps
}

function Bar({ of: { from, to, max, tone } }: { readonly of: Step }) {
  const span = (start: number, end: number) => ({
    left: `${Math.min(start, end) * 100}%`,
    width: `${Math.abs(end - start) * 100}%`,
  })
  return (
    <div className="step-bar" aria-hidden="true">
      {max !== undefined && <span className="step-max" style={span(from, max)} />}
      <span className={`step-fill ${tone === 'info' ? '' : `fill-${tone}`}`} style={span(from, to)} />
    </div>
  )
}

function Waterfall({ of }: { readonly of: Explanation }) {
  const steps = stepsOf(of)
  const places = Math.max(2, ...steps.map(({ amount }) => placesOf(amount)))
  const textOf = ({ amount, isSum }: Step): string => {
    const digits = Math.abs(amount).toFixed(isSum ? Math.max(2, placesOf(amount)) : places)
    return isSum ? `= ${digits}` : `${amount < 0 ? '−' : '+'}${digits}`
  }
  return (
    <ol className="waterfall" aria-label="Score breakdown">
      {steps.map((step) => (
        <li key={step.key} className={`step${step.isSum ? ' step-sum' : ''}`}>
          <span className="step-name">{step.name}</span>
          <span className="step-note">{step.note}</span>
          <Bar of={step} />
          <span className="step-amount">
            {textOf(step)}
            {/* Aligns the decimal point with the rows above. */}
            {step.isSum && (
              <span aria-hidden="true">{'\u2007'.repeat(places - placesShown(step.amount))}</span>
            )}
          </span>
          {step.message !== undefined && <p className="step-message">{step.message}</p>}
        </li>
      ))}
    </ol>
  )
}

const placesShown = (amount: number): number => Math.max(2, placesOf(amount))

function Gate({ of: gate }: { readonly of: Explanation['policy_gate'] }) {
  const caps = [gate.degraded_above, gate.no_go_above].map((cap) => formatAmount(cap, gate.currency))
  return (
    <div className="decision-block">
      <h3 className="row">
        Policy gate
        {gate.applied ? (
          <Chip tone={gate.rule === 'block_above_cap' ? 'nogo' : 'degraded'}>
            {gate.changed_decision ? 'Changed the decision' : 'Applied, no change'}
          </Chip>
        ) : (
          <Chip>Not applied</Chip>
        )}
      </h3>
      <p>{gate.message}</p>
      <p className="small soft">
        Payments above {caps[0]} need manual approval. Payments above {caps[1]} are blocked.
      </p>
    </div>
  )
}

export function Why({ queries }: { readonly queries: DecisionQueries }) {
  return (
    <Section id="why" title="Explanation">
      <Part query={queries.explanation} height={480}>
        {(explanation) => (
          <>
            <p className="decision-prose">{explanation.summary}</p>
            {hasSignals(explanation) ? (
              <Waterfall of={explanation} />
            ) : (
              <p className="soft">No data: there are no signals to add up, so the score is 0.</p>
            )}
            <Gate of={explanation.policy_gate} />
            <DecisionPolicies of={explanation} />
          </>
        )}
      </Part>
    </Section>
  )
}
