/** The seven signals: reading, weight and contribution of each, and the score. */

import type { DemoVerifyResponse, Methodology } from '@fairway/client'
import { formatScore } from '../../format.ts'
import { Card } from '../../ui/card.tsx'
import { Icon } from '../../ui/icon.tsx'
import { RiskBar, RiskMark, riskShown, type RiskLabel } from '../../ui/risk.tsx'
import { Chip } from '../../ui/verdict.tsx'
import { signalLabel } from '../../labels.ts'

/** Integer arithmetic, so that the sum is exact: weights are whole percents, risk values whole thousandths. */
const unit = 100_000
const inUnits = (weight: number, risk: number): number => Math.round(weight * 100) * Math.round(risk * 1_000)
const exact = (units: number): string => (units / unit).toFixed(5)

/** False for a live decision on a corridor without data. */
export const hasSignals = ({ probe_details: details }: Pick<DemoVerifyResponse, 'probe_details'>): boolean =>
  Object.values(details).some(({ risk_value: risk }) => risk !== null)

export type Evidence = Pick<
  DemoVerifyResponse,
  'probe_details' | 'reason_codes' | 'score' | 'corridor_supported'
>

interface Factor {
  readonly signal: string
  readonly label: RiskLabel
  readonly risk: number | null
  readonly weight: number
  readonly units: number
  readonly flagged: boolean
}

function factorsOf(evidence: Evidence, rules: Methodology): Factor[] {
  const { probe_details: details, reason_codes: codes, corridor_supported: isSupported } = evidence
  return rules.signals.map(({ signal, weight, reason_code: code }) => {
    const { signal: read, risk_value: risk } = details[signal]
    const label = riskShown(read, isSupported)
    return { signal, label, risk, weight, units: inUnits(weight, risk ?? 0), flagged: codes.includes(code) }
  })
}

function Row({ signal, label, risk, weight, units, flagged }: Factor) {
  return (
    <li className="signal">
      <span className="signal-name">
        {signalLabel(signal)}
        {flagged && (
          <Chip tone="nogo">
            <Icon name="warn" size={14} /> Flagged
          </Chip>
        )}
      </span>
      <RiskBar of={label} value={risk} />
      <span className="signal-label">
        <RiskMark of={label} />
      </span>
      <span className="num">{risk === null ? '–' : risk.toFixed(3)}</span>
      <span className="num soft">
        <span aria-hidden="true">× </span>
        <span className="sr-only">, weight </span>
        {Math.round(weight * 100)}%
      </span>
      <span className="num signal-adds">
        <span className="sr-only">, adds </span>
        {exact(units)}
      </span>
    </li>
  )
}

export function Signals(props: { readonly evidence: Evidence; readonly rules: Methodology }) {
  return hasSignals(props.evidence) ? (
    <SevenSignals {...props} />
  ) : (
    <Card title="Seven signals">
      <p className="soft">No data: there are no signals for this corridor.</p>
    </Card>
  )
}

function SevenSignals({ evidence, rules }: { readonly evidence: Evidence; readonly rules: Methodology }) {
  const factors = factorsOf(evidence, rules)
  const composite = factors.reduce((sum, { units }) => sum + units, 0)
  const flags = factors.filter(({ flagged }) => flagged).length
  const { flagged_signals_from: from, share_taken: share } = rules.penalty
  const penalty = flags >= from ? composite * share : 0
  /** With room for the places of the sum, so that the decimal points stand in line. */
  const sum: [string, string][] = [['Weighted sum', exact(composite)]]
  if (penalty > 0) sum.push([`Penalty: ${share * 100}% for ${flags} flags`, `−${exact(penalty)}`])
  sum.push(['Score, rounded down', formatScore(evidence.score) + '\u2007'.repeat(3)])
  return (
    <Card
      title="Seven signals"
      note="Health ranges from 0 (worst) to 1 (best). Each signal adds its health times its weight."
    >
      <ol className="signals">
        {factors.map((factor) => (
          <Row key={factor.signal} {...factor} />
        ))}
      </ol>
      <dl className="signals-sum">
        {sum.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="num">{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}
