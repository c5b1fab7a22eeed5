/** The decision under review: its facts, reasons and signals at a glance. */

import type { Explanation, Review } from '@fairway/client'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { corridorName } from '../../countries.ts'
import { formatAmount, formatScore } from '../../format.ts'
import { codeLabel, signalLabel } from '../../labels.ts'
import { useQuery } from '../../query.ts'
import { Pairs } from '../../ui/card.tsx'
import { RiskMark, riskShown } from '../../ui/risk.tsx'
import { Time } from '../../ui/time.tsx'
import { Part } from '../decision/section.tsx'

export const decisionHref = (requestId: string): string => `/verifications/${encodeURIComponent(requestId)}`

function factsOf(review: Review): (readonly [string, ReactNode])[] {
  return [
    ['Amount', <strong key="amount">{formatAmount(review.amount, review.currency)}</strong>],
    [
      'Corridor',
      <span key="corridor">
        <Link href={`/corridors/${encodeURIComponent(review.corridor)}`}>{review.corridor}</Link>{' '}
        <span className="soft">{corridorName(review.corridor)}</span>
      </span>,
    ],
    ['Score', formatScore(review.score)],
    ['Mode', review.mode === 'shadow' ? 'shadow (simulated signals)' : 'live'],
    ['Decided', <Time key="opened" at={review.opened_at} seconds={false} />],
    ['Due', <Time key="due" at={review.due_at} seconds={false} />],
    ['Expires', <Time key="expires" at={review.expires_at} seconds={false} />],
    [
      'Request id',
      <Link key="id" href={decisionHref(review.request_id)} className="mono">
        {review.request_id}
      </Link>,
    ],
  ]
}

function Signals({ of: { factors, corridor_supported: isSupported } }: { readonly of: Explanation }) {
  if (factors.every(({ risk_value: value }) => value === null))
    return <p className="soft">No data: there are no signals for this corridor.</p>
  return (
    <ul className="desk-signals" aria-label="Signals">
      {factors
        .toSorted((left, right) => Number(right.flagged) - Number(left.flagged))
        .map(({ signal, status, flagged, message }) => (
          <li key={signal}>
            <span>{signalLabel(signal)}</span>
            <RiskMark of={riskShown(status, isSupported)} />
            {flagged && <p className="small soft">{message}</p>}
          </li>
        ))}
    </ul>
  )
}

export function Evidence({ review }: { readonly review: Review }) {
  const { request_id: id, reason_codes: reasons } = review
  const explanation = useQuery(['explanation', id], (client) => client.explainDecision(id))
  return (
    <>
      <Pairs of={factsOf(review)} />
      <section className="stack desk-why" aria-label="Reasons">
        <h3>Reasons</h3>
        <ul className="desk-reasons">
          {reasons.map((code) => (
            <li key={code} className="chip" title={code}>
              {codeLabel(code)}
            </li>
          ))}
        </ul>
        <Part query={explanation} height={160}>
          {(answer) => (
            <>
              <p>{answer.summary}</p>
              <Signals of={answer} />
            </>
          )}
        </Part>
      </section>
    </>
  )
}
