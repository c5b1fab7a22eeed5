/** The partners page: ranks partners for one payment. Nothing is recorded. */

import { InvalidRequestError, type PartnerRankingResponse } from '@fairway/client'
import { useAddress } from '../../address.ts'
import { QueryResult } from '../../query-result.tsx'
import { useQuery } from '../../query.ts'
import { corridorName } from '../../countries.ts'
import { formatAmount, formatScore } from '../../format.ts'
import { Keyed } from '../../keyed.tsx'
import { Fee, PartnerName, PartnerScore, PartnerVerdict } from '../../partner.tsx'
import { Problem } from '../../problem.tsx'
import { useSession } from '../../session.tsx'
import { useCorridors, type SupportedCorridor } from '../../supported.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty, Notice, Skeleton } from '../../ui/state.tsx'
import { StackTable, type StackColumn } from '../../ui/stack-table.tsx'
import { Time } from '../../ui/time.tsx'
import { toneOf, type Tone } from '../../ui/verdict.tsx'
import { actionLabel } from '../../labels.ts'
import { PartnersForm } from './form.tsx'
import { LiveForm } from './live-form.tsx'
import { inputIn, liveInputIn, partnersMin, requestOf, type RankingInput } from './payment.ts'
import './partners.css'

type Ranked = PartnerRankingResponse['ranked_partners'][number]

/** The names of declared partners by id. */
type Names = ReadonlyMap<string, string>

/** A phrase of the service as a sentence. */
const sentence = (phrase: string): string => `${phrase.charAt(0).toUpperCase()}${phrase.slice(1)}.`

const feeColumn: StackColumn<Ranked> = { name: 'Fee', number: true, cell: (one) => <Fee of={one} /> }

const columnsOf = (ranking: PartnerRankingResponse, names: Names): readonly StackColumn<Ranked>[] => [
  {
    name: 'Partner',
    fluid: 3,
    cell: ({ rank, partner }) => (
      <PartnerName
        {...{ rank, partner }}
        name={names.get(partner)}
        isRecommended={partner === ranking.recommended_partner}
      />
    ),
  },
  {
    name: 'Decision',
    place: 'plain',
    fluid: 2,
    cell: (one) => (
      <PartnerVerdict of={one} otherwise={sentence(one.unavailable_reason ?? 'not available')} />
    ),
  },
  { name: 'Score', number: true, cell: (one) => <PartnerScore of={one} /> },
  ...(ranking.mode === 'live' ? [feeColumn] : []),
  {
    name: 'Recommended action',
    cell: ({ recommended_action: action }) => (action === null ? '–' : actionLabel(action)),
  },
]

/** Why none is recommended. */
function noneText({ mode, ranked_partners: [best] }: PartnerRankingResponse): readonly [Tone, string] {
  if (best?.decision === 'NO-GO') {
    return ['nogo', 'Even the best partner is NO-GO: do not send this payment.']
  }
  return mode === 'live'
    ? ['degraded', 'No partner takes this amount. Split the payment, or send it another way.']
    : ['info', 'No data for this corridor. No payment on it is GO: decide manually.']
}

function Advice({ ranking, names }: { readonly ranking: PartnerRankingResponse; readonly names: Names }) {
  const { recommended_partner: recommended, ranked_partners: ranked } = ranking
  const [best] = ranked
  if (recommended !== null && best?.decision && best.score !== null && best.recommended_action !== null) {
    const { decision, score, recommended_action: action } = best
    return (
      <Notice tone={toneOf[decision]} title={`Send through ${names.get(recommended) ?? recommended}`} live>
        {/* A cheaper partner within the cost tolerance can come before a better score. */}
        <p>{`${ranking.mode === 'live' ? 'Score' : 'Best score'}: ${formatScore(score)}. ${actionLabel(action)}.`}</p>
      </Notice>
    )
  }
  const [tone, text] = noneText(ranking)
  return (
    <Notice tone={tone} title="No partner recommended" live>
      <p>{text}</p>
    </Notice>
  )
}

function Ranking({ ranking, names }: { readonly ranking: PartnerRankingResponse; readonly names: Names }) {
  const { corridor, amount, currency } = ranking
  const verify = new URLSearchParams({
    corridor,
    currency,
    ...(amount !== null && { amount: String(amount) }),
  })
  return (
    <Card
      isPrimary
      title="Ranking"
      actions={
        <LinkButton small href={`/?${verify.toString()}`}>
          Verify this payment
        </LinkButton>
      }
    >
      <p className="card-note">
        {`${formatAmount(amount, currency)} from ${corridorName(corridor)}, at `}
        <Time at={ranking.evaluated_at} />
        {ranking.mode === 'live'
          ? '. Nothing is recorded.'
          : '. Signals are simulated, and nothing is recorded.'}
      </p>
      <Advice {...{ ranking, names }} />
      <StackTable
        caption={
          ranking.mode === 'live' ? 'Partners by decision, score and fee' : 'Partners by score, then by name'
        }
        columns={columnsOf(ranking, names)}
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

/** Declared corridors with a live key; null with a test key, which ranks names of your choice. */
function PartnerRanking({ corridors }: { readonly corridors: readonly SupportedCorridor[] | null }) {
  const [address, change] = useAddress()
  const input = corridors === null ? inputIn(address) : liveInputIn(address, corridors)
  const isSubmitted = address.has('corridor') && (corridors === null || input.partners.length >= partnersMin)
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
  const declared = corridors?.find(({ corridor }) => corridor === input.corridor)?.partners ?? []
  const names = new Map(declared.map(({ partner, name }) => [partner, name]))
  const form = { input, error, busy: isValidating, onSubmit: submit }
  return (
    <div className="partners">
      {corridors === null ? (
        <PartnersForm key={address.toString()} {...form} />
      ) : (
        <LiveForm key={address.toString()} {...form} corridors={corridors} />
      )}
      <div className="stack">
        {error !== undefined && !isShownAtFields(error) && (
          <Problem error={error} onRetry={() => void mutate()} />
        )}
        {data !== undefined && <Ranking ranking={data} names={names} />}
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

function LiveRanking() {
  return (
    <QueryResult query={useCorridors()} skeleton={<Skeleton height={320} label="Loading partners" />}>
      {({ corridors }) =>
        corridors.some(({ partners }) => partners.length >= partnersMin) ? (
          <PartnerRanking corridors={corridors} />
        ) : (
          <Card>
            <Empty icon="partners" title="No live ranking">
              No corridor has two declared partners. Declare them in the feeds file: <code>docs/live.md</code>{' '}
              describes it.
            </Empty>
          </Card>
        )
      }
    </QueryResult>
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
        {mode === 'live' ? <LiveRanking /> : <PartnerRanking corridors={null} />}
      </Keyed>
    </Page>
  )
}
