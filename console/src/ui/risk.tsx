/** A signal's risk label as words, an icon and a colour, so that colour is never the only cue. The one table of them. */

import type { Explanation } from '@fairway/client'
import { Icon, type IconName } from './icon.tsx'
import type { Tone } from './verdict.tsx'

export type RiskLabel = Explanation['factors'][number]['status']

/** The tones of verdicts, one between amber and red, and grey for a signal without data. */
type RiskTone = Exclude<Tone, 'info'> | 'elevated' | 'none'

const riskStyles: Readonly<
  Record<RiskLabel, { readonly text: string; readonly tone: RiskTone; readonly icon: IconName }>
> = {
  CLEAR: { text: 'Clear', tone: 'go', icon: 'check' },
  LOW: { text: 'Low', tone: 'go', icon: 'check' },
  MODERATE: { text: 'Moderate', tone: 'degraded', icon: 'diamond' },
  ELEVATED: { text: 'Elevated', tone: 'elevated', icon: 'warn' },
  CRITICAL: { text: 'Critical', tone: 'nogo', icon: 'stop' },
  NO_DATA: { text: 'No data', tone: 'none', icon: 'none' },
}

/** An unsupported corridor has no data: the values that stand in for it are not readings. */
export const riskShown = (label: RiskLabel, isSupported: boolean): RiskLabel =>
  isSupported ? label : 'NO_DATA'

export const riskTone = (label: RiskLabel): RiskTone => riskStyles[label].tone

export function RiskMark({ of }: { readonly of: RiskLabel }) {
  const { text, tone, icon } = riskStyles[of]
  return (
    <span className={`verdict tone-${tone}`}>
      <Icon name={icon} size={15} />
      {text}
    </span>
  )
}

/** A health from 0 to 1 in the colour of its label. The label stands beside it as text. */
export function RiskBar({ of, value }: { readonly of: RiskLabel; readonly value: number | null }) {
  return (
    <span className={`bar${of === 'NO_DATA' ? ' bar-none' : ''}`} aria-hidden="true">
      <span className={`fill-${riskTone(of)}`} style={{ width: `${(value ?? 0) * 100}%` }} />
    </span>
  )
}
