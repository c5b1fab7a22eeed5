/** A section of a decision: a card with an anchor, and the answer that it shows. */

import { PermissionError, type SignalLabel } from '@fairway/client'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Answered } from '../../answer.tsx'
import type { Asked } from '../../ask.ts'
import { Card } from '../../ui/card.tsx'
import { Skeleton } from '../../ui/state.tsx'
import { Chip, type Tone } from '../../ui/verdict.tsx'

export const sections = [
  ['why', 'Why'],
  ['change', 'What would change it'],
  ['override', 'Override'],
  ['outcome', 'Outcome'],
  ['impact', 'Impact'],
  ['signals', 'Signals'],
  ['timeline', 'Timeline'],
  ['webhooks', 'Webhooks'],
  ['record', 'Record'],
] as const

export function Section({
  id,
  title,
  note,
  children,
}: {
  readonly id: (typeof sections)[number][0]
  readonly title: string
  readonly note?: ReactNode
  readonly children: ReactNode
}) {
  return (
    <div id={id} className="decision-anchor">
      <Card title={title} {...(note !== undefined && { note })}>
        {children}
      </Card>
    </div>
  )
}

/** What a key may not see is said quietly: nothing is wrong. */
export function Part<Answer>({
  asked,
  height,
  children,
}: {
  readonly asked: Asked<Answer>
  readonly height: number
  readonly children: (answer: Answer) => ReactNode
}) {
  if (asked.data === undefined && asked.error instanceof PermissionError) {
    return <p className="soft">{asked.error.message}</p>
  }
  return (
    <Answered asked={asked} skeleton={<Skeleton height={height} />}>
      {children}
    </Answered>
  )
}

export function DecisionLink({ id }: { readonly id: string }) {
  return (
    <Link href={`/verifications/${encodeURIComponent(id)}`} className="mono anywhere">
      {id}
    </Link>
  )
}

export const toneOfLabel: Readonly<Record<SignalLabel, Tone>> = {
  CLEAR: 'go',
  LOW: 'go',
  MODERATE: 'degraded',
  ELEVATED: 'nogo',
  CRITICAL: 'nogo',
}

export function Label({ of }: { readonly of: SignalLabel }) {
  return <Chip tone={toneOfLabel[of]}>{of}</Chip>
}
