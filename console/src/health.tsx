/** How a corridor is doing: a word, a shape and a colour, so that none of them is the only sign. */

import type { CorridorHealth } from '@fairway/client'
import { Icon, type IconName } from './ui/icon.tsx'
import type { Tone } from './ui/verdict.tsx'

export type Health = CorridorHealth['status'] | 'NO_DATA'

export const healthOf = (answer: CorridorHealth): Health =>
  answer.corridor_supported ? answer.status : 'NO_DATA'

export const healthLooks: Readonly<
  Record<Health, { readonly words: string; readonly tone: Tone; readonly icon: IconName }>
> = {
  OPERATIONAL: { words: 'Operational', tone: 'go', icon: 'check' },
  DEGRADED: { words: 'Degraded', tone: 'degraded', icon: 'warn' },
  IMPAIRED: { words: 'Impaired', tone: 'nogo', icon: 'stop' },
  NO_DATA: { words: 'No data', tone: 'info', icon: 'info' },
}

export function HealthMark({ of, large = false }: { readonly of: Health; readonly large?: boolean }) {
  const { words, tone, icon } = healthLooks[of]
  return (
    <span className={`verdict tone-${tone}${large ? ' verdict-large' : ''}`}>
      <Icon name={icon} size={large ? 26 : 15} />
      {words}
    </span>
  )
}
