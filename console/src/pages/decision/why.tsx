/** Why: what each signal added, what was taken off, and that it comes to the score exactly. */

import type { Explanation } from '@fairway/client'
import type { ReactNode } from 'react'
import { formatAmount, formatScore } from '../../format.ts'
import { Chip, toneOf, type Tone } from '../../ui/verdict.tsx'
import { signalWords } from '../../words.ts'
import type { AboutDecision } from './asks.ts'
import { Label, Part, Section, toneOfLabel } from './section.tsx'

/** The contract's decimals have nine places at most. */
const decimalOf = (number: number): string => number.toFixed(9).replace(/\.?0+$/, '')
const placesOf = (number: number): number => decimalOf(number).split('.')[1]?.length ?? 0

type Factor = Explanation['factors'][number]

interface Step {
  readonly key: string
  readonly name: ReactNode
  readonly note?: ReactNode
  readonly message?: string
  /** Where the bar begins and ends, from 0 to 1. */
  readonly from: number
  readonly to: number
  /** How far it could have gone. */
  readonly most?: number
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
        {signalWords(signal)} <Label of={status} />
      </>
    ),
    note: `${formatScore(weight)} × ${decimalOf(value)}`,
    ...(flagged && { message }),
    from,
    to: from + contribution,
    most: from + weight,
    amount: contribution,
    tone: toneOfLabel[status],
  }
}

/** Each begins where the one before it ended. */
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
    name: 'Sum of the signals',
    from: 0,
    to: composite,
    amount: composite,
    isSum: true,
    tone: 'info',
  })
  at = composite
  if (telemetry !== null) {
    const { weight, value, amount } = telemetry
    add('telemetry', 'Corridor telemetry', `a share of ${decimalOf(weight)} at ${decimalOf(value)}`, amount)
  }
  add(
    'penalty',
    'Penalty',
    `${penalty.flagged_count} flagged: × ${decimalOf(penalty.multiplier)}`,
    penalty.amount,
  )
  add('rounding', 'Rounded down', 'to two places', rounding)
  const tone = toneOf[decision]
  steps.push({ key: 'score', name: 'Score', from: 0, to: score, amount: score, isSum: true, tone })
  return steps
}

function Bar({ of: { from, to, most, tone } }: { readonly of: Step }) {
  const span = (start: number, end: number) => ({
    left: `${Math.min(start, end) * 100}%`,
    width: `${Math.abs(end - start) * 100}%`,
  })
  return (
    <div className="step-bar" aria-hidden="true">
      {most !== undefined && <span className="step-most" style={span(from, most)} />}
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
    <ol className="waterfall" aria-label="How the score adds up">
      {steps.map((step) => (
        <li key={step.key} className={`step${step.isSum ? ' step-sum' : ''}`}>
          <span className="step-name">{step.name}</span>
          <span className="step-note">{step.note}</span>
          <Bar of={step} />
          <span className="step-amount">
            {textOf(step)}
            {/* Keeps the point in line with those above. */}
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
            {gate.changed_decision ? 'Changed the decision' : 'Applied, changed nothing'}
          </Chip>
        ) : (
          <Chip>Not applied</Chip>
        )}
      </h3>
      <p>{gate.message}</p>
      <p className="small soft">
        Above {caps[0]} a person must look at it, above {caps[1]} it is blocked.
      </p>
    </div>
  )
}

export function Why({ about }: { readonly about: AboutDecision }) {
  return (
    <Section id="why" title="Why">
      <Part asked={about.explanation} height={480}>
        {(explanation) => (
          <>
            <p className="decision-prose">{explanation.summary}</p>
            <Waterfall of={explanation} />
            <Gate of={explanation.policy_gate} />
          </>
        )}
      </Part>
    </Section>
  )
}
