/** A decision as a label, an icon and a colour, so that colour is never the only cue. */

import type { Decision } from '@fairway/client'
import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'

export type Tone = 'go' | 'degraded' | 'nogo' | 'info'

/** The one table from verdict to colour: whatever caused a verdict, its colour is the same. */
export const toneOf: Readonly<Record<Decision, Exclude<Tone, 'info'>>> = {
  GO: 'go',
  DEGRADED: 'degraded',
  'NO-GO': 'nogo',
}
export const verdicts = Object.keys(toneOf) as readonly Decision[]
const iconOf: Readonly<Record<Decision, IconName>> = { GO: 'check', DEGRADED: 'warn', 'NO-GO': 'stop' }

export function Verdict({ of, large = false }: { readonly of: Decision; readonly large?: boolean }) {
  return (
    <span className={`verdict tone-${toneOf[of]}${large ? ' verdict-large' : ''}`}>
      <Icon name={iconOf[of]} size={large ? 26 : 15} />
      {of}
    </span>
  )
}

/** A profile's GO above the review cap. It is not GO for the payment, so it never looks like one. */
export function ThresholdGo() {
  return (
    <span className="verdict verdict-wrap tone-degraded">
      <Icon name="warn" size={15} />
      GO by threshold, cap not applied
    </span>
  )
}

export function Chip({ tone, children }: { readonly tone?: Tone; readonly children: ReactNode }) {
  return <span className={`chip${tone === undefined ? '' : ` tone-${tone}`}`}>{children}</span>
}
