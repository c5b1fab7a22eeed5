/** A decision as a label, an icon and a colour, so that colour is never the only cue. */

import type { Decision } from '@fairway/client'
import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'

export type Tone = 'go' | 'degraded' | 'nogo' | 'info'

export const toneOf: Readonly<Record<Decision, Tone>> = { GO: 'go', DEGRADED: 'degraded', 'NO-GO': 'nogo' }
const iconOf: Readonly<Record<Decision, IconName>> = { GO: 'check', DEGRADED: 'warn', 'NO-GO': 'stop' }

export function Verdict({ of, large = false }: { readonly of: Decision; readonly large?: boolean }) {
  return (
    <span className={`verdict tone-${toneOf[of]}${large ? ' verdict-large' : ''}`}>
      <Icon name={iconOf[of]} size={large ? 26 : 15} />
      {of}
    </span>
  )
}

export function Chip({ tone, children }: { readonly tone?: Tone; readonly children: ReactNode }) {
  return <span className={`chip${tone === undefined ? '' : ` tone-${tone}`}`}>{children}</span>
}
