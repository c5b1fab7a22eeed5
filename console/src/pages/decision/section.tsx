/** A section of the decision page: a card with an anchor, filled from a query. */

import { PermissionError, type Explanation } from '@fairway/client'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { QueryResult } from '../../query-result.tsx'
import type { Query } from '../../query.ts'
import { Card } from '../../ui/card.tsx'
import { Skeleton } from '../../ui/state.tsx'
import { Chip, type Tone } from '../../ui/verdict.tsx'

export const sections = [
  ['why', 'Explanation'],
  ['partners', 'Partners'],
  ['change', 'What-if analysis'],
  ['review', 'Review'],
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

/** Renders a query's data. A missing scope shows as plain text, because it is not a failure. */
export function Part<Answer>({
  query,
  height,
  children,
}: {
  readonly query: Query<Answer>
  readonly height: number
  readonly children: (answer: Answer) => ReactNode
}) {
  if (query.data === undefined && query.error instanceof PermissionError) {
    return <p className="soft">{query.error.message}</p>
  }
  return (
    <QueryResult query={query} skeleton={<Skeleton height={height} />}>
      {children}
    </QueryResult>
  )
}

export function DecisionLink({ id }: { readonly id: string }) {
  return (
    <Link href={`/verifications/${encodeURIComponent(id)}`} className="mono anywhere">
      {id}
    </Link>
  )
}

type ProbeLabel = Explanation['factors'][number]['status']

export const toneOfLabel: Readonly<Record<ProbeLabel, Tone>> = {
  CLEAR: 'go',
  LOW: 'go',
  MODERATE: 'degraded',
  ELEVATED: 'nogo',
  CRITICAL: 'nogo',
  NO_DATA: 'info',
}

export function Label({ of }: { readonly of: ProbeLabel }) {
  if (of === 'NO_DATA') return <Chip>No data</Chip>
  return <Chip tone={toneOfLabel[of]}>{of}</Chip>
}
