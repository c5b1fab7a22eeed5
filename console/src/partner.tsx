/** Parts of partner tables: score, fee and why a partner is left out. */

import type { Decision, SignalName } from '@fairway/client'
import { formatAlignedAmount, formatScore } from './format.ts'
import { signalLabel } from './labels.ts'
import { Chip, toneOf, Verdict } from './ui/verdict.tsx'

export interface PartnerResult {
  readonly decision: Decision | null
  readonly score: number | null
  readonly fee?: number | null
  readonly fee_currency?: string | null
  readonly unavailable_signals?: readonly SignalName[]
}

/** The name with the id, if it has both. */
export function PartnerName({
  rank,
  partner,
  name,
  isRecommended,
}: {
  readonly rank: number | null
  readonly partner: string
  readonly name?: string | undefined
  readonly isRecommended: boolean
}) {
  return (
    <span className="partner">
      <span className="soft figures">{rank ?? '–'}</span>
      <bdi className="anywhere">{name ?? partner}</bdi>
      {name !== undefined && <code className="small soft anywhere">{partner}</code>}
      {isRecommended && <Chip tone="go">Recommended</Chip>}
    </span>
  )
}

/** A dash if the fee is not known for this payment. */
export function Fee({ of: { fee = null, fee_currency: currency = null } }: { readonly of: PartnerResult }) {
  if (fee === null || currency === null) return <span className="soft">–</span>
  return <span className="nowrap figures">{`${formatAlignedAmount(fee, currency)} ${currency}`}</span>
}

/** The verdict, or that the partner is not available, with the reason. */
export function PartnerVerdict({
  of: { decision, unavailable_signals: signals },
  otherwise,
}: {
  readonly of: PartnerResult
  /** The reason if every signal could be read. */
  readonly otherwise: string
}) {
  if (decision !== null) return <Verdict of={decision} />
  const names = signals?.map(signalLabel).join(', ') ?? ''
  const why = names === '' ? otherwise : `Cannot be read: ${names}.`
  return (
    <span className="partner-out">
      <Chip>Not available</Chip>
      {why !== '' && <span className="small soft">{why}</span>}
    </span>
  )
}

export function PartnerScore({ of: { score, decision } }: { readonly of: PartnerResult }) {
  if (score === null || decision === null) return <span className="soft">–</span>
  return (
    <span className="partner-score">
      <span className="bar" aria-hidden="true">
        <span className={`fill-${toneOf[decision]}`} style={{ width: `${score * 100}%` }} />
      </span>
      <span className="figures">{formatScore(score)}</span>
    </span>
  )
}
