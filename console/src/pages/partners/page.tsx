/** Partners: ranked for one payment, by the one scorer. Nothing is recorded. */

import { InvalidRequestError, type PartnerRankingResponse } from '@fairway/client'
import { useAddress } from '../../address.ts'
import { useAsk } from '../../ask.ts'
import { corridorName } from '../../countries.ts'
import { formatAmount, formatScore } from '../../format.ts'
import { Keyed } from '../../keyed.tsx'
import { Problem } from '../../problem.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty, Notice, Skeleton } from '../../ui/state.tsx'
import { Table, type Column } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { Chip, toneOf, Verdict } from '../../ui/verdict.tsx'
import { actionWords } from '../../words.ts'
import { PartnersForm } from './form.tsx'
import { askedIn, requestOf, type Asked } from './payment.ts'
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
  { name: 'Verdict', cell: ({ decision }) => <Verdict of={decision} /> },
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
    name: 'What to do',
    cell: ({ recommended_action: action }) => <span className="partner-action">{actionWords(action)}</span>,
  },
]

function Advice({ ranking }: { readonly ranking: PartnerRankingResponse }) {
  const { recommended_partner: recommended, ranked_partners: ranked } = ranking
  const [best] = ranked
  if (recommended !== null && best !== undefined) {
    return (
      <Notice tone={toneOf[best.decision]} title={`Send it through ${recommended}`} live>
        <p>{`It has the best score, ${formatScore(best.score)}. ${actionWords(best.recommended_action)}.`}</p>
      </Notice>
    )
  }
  return best?.decision === 'NO-GO' ? (
    <Notice tone="nogo" title="No partner is recommended" live>
      <p>Even the best of them is a NO-GO: do not send this payment.</p>
    </Notice>
  ) : (
    <Notice tone="info" title="No partner is recommended" live>
      <p>There is no data for this corridor. That is neither a risk nor a yes; no payment on it is GO.</p>
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
        <Time at={ranking.evaluated_at} />. Simulated signals, whatever the key; nothing is recorded.
      </p>
      <Advice ranking={ranking} />
      <Table
        caption="Partners, best first; equal scores by name"
        columns={columnsOf(ranking.recommended_partner)}
        rows={ranking.ranked_partners}
        keyOf={({ partner }) => partner}
      />
    </Card>
  )
}

/** Of a refused request, all that stands beside a field. */
const isBeside = (error: unknown): boolean =>
  error instanceof InvalidRequestError &&
  error.errors.length > 0 &&
  error.errors.every(({ path }) => /^\/(?:corridor|amount|currency|partners)/.test(path))

function PartnersWork() {
  const [address, change] = useAddress()
  const asked = askedIn(address)
  const isAsked = address.has('corridor')
  const { data, error, isValidating, mutate } = useAsk(
    isAsked ? ['partners', JSON.stringify(asked)] : null,
    async (client) => client.comparePartners(requestOf(asked)),
    { keepPrevious: false },
  )
  function ask({ partners, ...payment }: Asked): void {
    const next = { ...payment, partner: partners }
    if (isAsked && JSON.stringify({ ...payment, partners }) === JSON.stringify(asked)) void mutate()
    else change(next, { replace: false })
  }
  return (
    <div className="partners">
      <PartnersForm key={address.toString()} {...{ asked, error }} busy={isValidating} onAsk={ask} />
      <div className="stack">
        {error !== undefined && !isBeside(error) && <Problem error={error} onRetry={() => void mutate()} />}
        {data !== undefined && <Ranking ranking={data} />}
        {data === undefined && isAsked && error === undefined && (
          <Skeleton height={320} label="Ranking the partners" />
        )}
        {(!isAsked || isBeside(error)) && (
          <Empty icon="partners" title="No ranking yet">
            Say what you want to send and who could carry it. Fairway scores each partner for this payment and
            says which one to take.
          </Empty>
        )}
      </div>
    </div>
  )
}

export default function PartnersPage() {
  return (
    <Page
      title="Partners"
      lead="One payment, several partners who could carry it: which one is the best now, and is it good enough?"
    >
      <Keyed what="which partner to take">
        <PartnersWork />
      </Keyed>
    </Page>
  )
}
