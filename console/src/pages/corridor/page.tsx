/** The page of one corridor: its health and your decisions on it. */

import type { CorridorHealth } from '@fairway/client'
import type { FormEvent } from 'react'
import { useParams } from 'wouter'
import { useAddress } from '../../address.ts'
import { QueryResult } from '../../query-result.tsx'
import { useQuery, type Query } from '../../query.ts'
import { corridorName } from '../../countries.ts'
import { useDraft } from '../../draft.ts'
import { Keyed } from '../../keyed.tsx'
import { amountIn } from '../../typed-amount.ts'
import { errorOf } from '../../problem.tsx'
import { useSession } from '../../session.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty, Skeleton } from '../../ui/state.tsx'
import { CalendarCard } from './calendar-card.tsx'
import { PartnerFeeds } from './feeds.tsx'
import { HealthCard } from './health-card.tsx'
import { LastDay } from './last-day.tsx'
import { PartnersCard } from './partners-card.tsx'
import { LatestDecisions, TrafficFigures } from './traffic-cards.tsx'
import './corridor.css'

/** Health depends on the amount: larger payments need more of a partner's liquidity. */
function AmountForm({ currency, error }: { readonly currency: string; readonly error: string | undefined }) {
  const [address, change] = useAddress()
  const current = address.get('amount') ?? ''
  const [draft, setDraft] = useDraft(current)
  function submit(event: FormEvent): void {
    event.preventDefault()
    change({ amount: draft.trim() === '' ? null : draft.trim() })
  }
  return (
    <form className="amount-form" noValidate onSubmit={submit}>
      <Field label={`Payment amount (${currency})`} hint="Leave empty for everyday payments." error={error}>
        {(input) => (
          <input
            {...input}
            inputMode="decimal"
            autoComplete="off"
            value={draft}
            onChange={({ target }) => setDraft(target.value)}
          />
        )}
      </Field>
      <span className="row">
        <Button type="submit">Check health</Button>
        {current !== '' && (
          <Button variant="quiet" onClick={() => change({ amount: null })}>
            Clear amount
          </Button>
        )}
      </span>
    </form>
  )
}

/** The amount in the address, as it was typed; the server checks its range. */
function amountOf(text: string | null): { readonly amount?: number } {
  const amount = amountIn(text ?? '')
  return amount === undefined ? {} : { amount }
}

function CorridorWork({
  requested,
  health,
}: {
  readonly requested: string
  readonly health: Query<CorridorHealth>
}) {
  const { data, error } = health
  if (errorOf(error, '/corridor') !== undefined) {
    return (
      <Empty
        icon="route"
        title={`“${requested}” is not a corridor`}
        action={<LinkButton href="/corridors">Show corridors</LinkButton>}
      >
        Enter two countries as FROM-TO, such as GB-NG or United Kingdom-Nigeria.
      </Empty>
    )
  }
  const amountError = errorOf(error, '/amount')
  return (
    <>
      <AmountForm currency={data?.currency ?? 'GBP'} error={amountError} />
      {amountError === undefined && (
        <QueryResult query={health} skeleton={<Skeleton height={420} label="Loading corridor health" />}>
          {(answer) => (
            <>
              <HealthCard health={answer} />
              <PartnersCard health={answer} />
              <LastDay health={answer} />
              <div className="columns corridor-pair">
                <CalendarCard corridor={answer.corridor} />
                <PartnerFeeds health={answer} />
              </div>
            </>
          )}
        </QueryResult>
      )}
      <TrafficFigures corridor={data?.corridor ?? requested} />
      <LatestDecisions corridor={data?.corridor ?? requested} />
    </>
  )
}

/** Invalid percent-encoding is returned unchanged. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The address may spell the corridor in any way; the answer has its code. */
function useHealth(requested: string): Query<CorridorHealth> {
  const [address] = useAddress()
  const amount = address.get('amount')
  return useQuery(
    ['corridor', requested, amount],
    async (client) => client.corridorHealth(requested, amountOf(amount)),
    { refreshMs: 30_000, keepPrevious: false },
  )
}

export default function CorridorPage() {
  const requested = decoded(useParams<{ corridor: string }>().corridor)
  const { mode } = useSession()
  const health = useHealth(requested)
  const code = health.data?.corridor ?? requested.toUpperCase()
  const isKnown = corridorName(code) !== code
  // A live key ranks declared partners, a test key any names.
  const canRank = mode !== 'live' || (health.data?.partners.length ?? 0) > 1
  const query = new URLSearchParams({ corridor: isKnown ? code : requested }).toString()
  return (
    <Page
      title={isKnown ? corridorName(code) : requested}
      lead={isKnown ? `Health of corridor ${code}, and your decisions on it.` : undefined}
      actions={
        isKnown ? (
          <>
            {canRank && <LinkButton href={`/partners?${query}`}>Rank partners</LinkButton>}
            <LinkButton variant="primary" href={`/?${query}`}>
              Verify a payment
            </LinkButton>
          </>
        ) : undefined
      }
    >
      <Keyed what="this corridor’s health">
        <div className="page">
          <CorridorWork requested={requested} health={health} />
        </div>
      </Keyed>
    </Page>
  )
}
