/** A corridor's health as a label, an icon and a colour, so that colour is never the only cue. */

import type { CorridorHealth } from '@fairway/client'
import { Icon, type IconName } from './ui/icon.tsx'
import type { Tone } from './ui/verdict.tsx'

export type Health = CorridorHealth['status'] | 'NO_DATA'

export const healthOf = (answer: CorridorHealth): Health =>
  answer.corridor_supported ? answer.status : 'NO_DATA'

export const healthStyles: Readonly<
  Record<Health, { readonly label: string; readonly tone: Tone | 'none'; readonly icon: IconName }>
> = {
  OPERATIONAL: { label: 'Operational', tone: 'go', icon: 'check' },
  DEGRADED: { label: 'Degraded', tone: 'degraded', icon: 'warn' },
  IMPAIRED: { label: 'Impaired', tone: 'nogo', icon: 'stop' },
  NO_DATA: { label: 'No data', tone: 'none', icon: 'none' },
}

export function HealthMark({ of, large = false }: { readonly of: Health; readonly large?: boolean }) {
  const { label, tone, icon } = healthStyles[of]
  return (
    <span className={`verdict tone-${tone}${large ? ' verdict-large' : ''}`}>
      <Icon name={icon} size={large ? 26 : 15} />
      {label}
    </span>
  )
}
