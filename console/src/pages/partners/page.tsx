/** The partners page: ranks partners for one payment. Nothing is recorded. */

import { InvalidRequestError, type PartnerRankingResponse } from '@fairway/client'
import { useAddress } from '../../address.ts'
import { useQuery } from '../../query.ts'
import { corridorName } from '../../countries.ts'
import { formatAmount, formatScore } from '../../format.ts'
import { Keyed } from '../../keyed.tsx'
import { NotForLive } from '../../mode.tsx'
import { Problem } from '../../problem.tsx'
import { useSession } from '../../session.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty, Notice, Skeleton } from '../../ui/state.tsx'
import { Table, type Column } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { Chip, toneOf, Verdict } from '../../ui/verdict.tsx'
import { actionLabel } from '../../labels.ts'
import { PartnersForm } from './form.tsx'
import { inputIn, requestOf, type RankingInput } from './payment.ts'
import './partners.css'

type Ranked = PartnerRankingResponse['ranked_partners'][number]

const columnsOf = (recommended: string | null): readonly Column<Ranked>[] => [
  {
    name: 'Partner',
    cell: ({ rank, partner }) => (
      <span className="partner">
        <span className="soft figures">{rank}</span>
        <bdi className="anywhere">{partner}</bdi>
        {partner === recommended && <Chip tone="go">Recommended</Chip>}
      </span>
    ),
  },
  { name: 'Decision', cell: ({ decision }) => <Verdict of={decision} /> },
  {
    name: 'Score',
    number: true,
    cell: ({ score, decision }) => (
      <span className="partner-score">
        <span className="bar" aria-hidden="true">
          <span className={`fill-${toneOf[decision]}`} style={{ width: `${score * 100}%` }} />
        </span>
        <span className="figures">{formatScore(score)}</span>
      </span>
    ),
  },
  {
    name: 'Recommended action',
    cell: ({ recommended_action: action }) => <span className="partner-action">{actionLabel(action)}</span>,
  },
]

function Advice({ ranking }: { readonly ranking: PartnerRankingResponse }) {
  const { recommended_partner: recommended, ranked_partners: ranked } = ranking
  const [best] = ranked
  if (recommended !== null && best !== undefined) {
    return (
      <Notice tone={toneOf[best.decision]} title={`Send through ${recommended}`} live>
        <p>{`Best score: ${formatScore(best.score)}. ${actionLabel(best.recommended_action)}.`}</p>
      </Notice>
    )
  }
  return best?.decision === 'NO-GO' ? (
    <Notice tone="nogo" title="No partner recommended" live>
      <p>Even the best partner is NO-GO: do not send this payment.</p>
    </Notice>
  ) : (
    <Notice tone="info" title="No partner recommended" live>
      <p>No data for this corridor. No payment on it is GO: decide manually.</p>
    </Notice>
  )
}

function Ranking({ ranking }: { readonly ranking: PartnerRankingResponse }) {
  const { corridor, amount, currency } = ranking
  const verify = new URLSearchParams({
    corridor,
    currency,
    ...(amount !== null && { amount: String(amount) }),
  })
  return (
    <Card
      title="Ranking"
      actions={
        <LinkButton small href={`/?${verify.toString()}`}>
          Verify this payment
        </LinkButton>
      }
    >
      <p className="card-note">
        {`${formatAmount(amount, currency)} from ${corridorName(corridor)}, at `}
        <Time at={ranking.evaluated_at} />. Signals are simulated, and nothing is recorded.
      </p>
      <Advice ranking={ranking} />
      <Table
        caption="Partners by score, then by name"
        columns={columnsOf(ranking.recommended_partner)}
        rows={ranking.ranked_partners}
        keyOf={({ partner }) => partner}
      />
    </Card>
  )
}

/** Whether all errors of a request are shown at fields. */
const isShownAtFields = (error: unknown): boolean =>
  error instanceof InvalidRequestError &&
  error.errors.length > 0 &&
  error.errors.every(({ path }) => /^\/(?:corridor|amount|currency|partners)/.test(path))

function PartnerRanking() {
  const [address, change] = useAddress()
  const input = inputIn(address)
  const isSubmitted = address.has('corridor')
  const { data, error, isValidating, mutate } = useQuery(
    isSubmitted ? ['partners', JSON.stringify(input)] : null,
    async (client) => client.comparePartners(requestOf(input)),
    { keepPrevious: false },
  )
  function submit({ partners, ...payment }: RankingInput): void {
    const next = { ...payment, partner: partners }
    if (isSubmitted && JSON.stringify({ ...payment, partners }) === JSON.stringify(input)) void mutate()
    else change(next, { replace: false })
  }
  return (
    <div className="partners">
      <PartnersForm key={address.toString()} {...{ input, error }} busy={isValidating} onSubmit={submit} />
      <div className="stack">
        {error !== undefined && !isShownAtFields(error) && (
          <Problem error={error} onRetry={() => void mutate()} />
        )}
        {data !== undefined && <Ranking ranking={data} />}
        {data === undefined && isSubmitted && error === undefined && (
          <Skeleton height={320} label="Ranking partners" />
        )}
        {(!isSubmitted || isShownAtFields(error)) && (
          <Empty icon="partners" title="No ranking yet">
            Enter a payment and the partners that could carry it, then select Rank partners. Fairway scores
            each partner for this payment and recommends one.
          </Empty>
        )}
      </div>
    </div>
  )
}

export default function PartnersPage() {
  const { mode } = useSession()
  return (
    <Page
      title="Partners"
      lead="Fairway ranks the partners that could carry a payment, and recommends the best one if it is good enough."
    >
      <Keyed what="partner rankings">
        {mode === 'live' ? (
          <NotForLive title="No live ranking">
            Partners are ranked by simulated signals, so a live key has no ranking.
          </NotForLive>
        ) : (
          <PartnerRanking />
        )}
      </Keyed>
    </Page>
  )
}
