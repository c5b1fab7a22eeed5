/** Reviews, money and held requests that wait now. They have the mode of the overview, but no time range. */

import { PermissionError, type Holds, type ReviewSummary } from '@fairway/client'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useMay } from '../../caller.ts'
import { formatAge, formatAmount, formatCount, formatWait } from '../../format.ts'
import type { ModeChoice } from '../../mode-choice.ts'
import { useNowMs } from '../../now.ts'
import { useQuery, type Query } from '../../query.ts'
import { Tile, Tiles } from '../../ui/card.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Skeleton } from '../../ui/state.tsx'
import { holdHours, modeQuery, refreshMs, reviewsHref, type Filters } from './filters.ts'

export interface Waiting {
  readonly reviews: Query<ReviewSummary>
  readonly holds: Query<Holds>
  /** False for a caller without the scope. */
  readonly mayReadReviews: boolean
}

export function useWaiting({ mode, range }: Filters): Waiting {
  const mayReadReviews = useMay('review:read')
  const hours = holdHours(range)
  const reviews = useQuery(
    mayReadReviews ? ['overview-reviews', mode] : null,
    (client) => client.reviewSummary(modeQuery(mode)),
    { refreshMs, keepPrevious: true },
  )
  const holds = useQuery(
    ['overview-holds', mode, hours],
    (client) => client.holds({ ...modeQuery(mode), hours }),
    { refreshMs, keepPrevious: true },
  )
  // The scopes may not be known yet when the server refuses.
  return { reviews, holds, mayReadReviews: mayReadReviews && !(reviews.error instanceof PermissionError) }
}

const reviewCount = (count: number): string => `${formatCount(count)} review${count === 1 ? '' : 's'}`

/** A figure that somebody should act on, with an icon, so that colour is not the only cue. */
function Alert({ children }: { readonly children: ReactNode }) {
  return (
    <span className="overview-alert">
      {children}
      <Icon name="warn" size={20} />
    </span>
  )
}

/** A count that leads to what it counts, unless that is nothing. */
function Count({
  of,
  href,
  unit,
}: {
  readonly of: number
  readonly href: string
  /** Without it the count stands alone. */
  readonly unit?: string
}) {
  const text = unit === undefined ? formatCount(of) : `${formatCount(of)} ${unit}`
  return of === 0 ? text : <Link href={href}>{text}</Link>
}

function NeedsReview({ of: { waiting, unclaimed, proposed }, mode }: Shown) {
  return (
    <Tile
      name="Needs review"
      value={<Count of={waiting} href={reviewsHref({ mode })} />}
      note={
        <>
          <Count of={unclaimed} href={reviewsHref({ mode, claimed_by: 'nobody' })} unit="unclaimed" />
          {proposed > 0 && ', '}
          {proposed > 0 && (
            <Count of={proposed} href={reviewsHref({ mode, status: 'proposed' })} unit="proposed" />
          )}
        </>
      }
    />
  )
}

function dueNote(oldestDueAt: string | null, nowMs: number): string {
  if (oldestDueAt === null) return 'no review is waiting'
  const seconds = (nowMs - Date.parse(oldestDueAt)) / 1_000
  return seconds < 0 ? `next due in ${formatWait(-seconds)}` : `oldest due ${formatAge(seconds)}`
}

function Overdue({ of: { overdue, oldest_due_at: oldest }, mode }: Shown) {
  const nowMs = useNowMs()
  const count = <Count of={overdue} href={reviewsHref({ mode, overdue: 'true' })} />
  return (
    <Tile name="Overdue" value={overdue > 0 ? <Alert>{count}</Alert> : count} note={dueNote(oldest, nowMs)} />
  )
}

function HeldNow({ of: { held_now: now, requests } }: { readonly of: Holds }) {
  return (
    <Tile
      name="Held now"
      value={
        now > 0 ? (
          <Alert>
            <a href="#holds">{formatCount(now)}</a>
          </Alert>
        ) : (
          formatCount(now)
        )
      }
      note={
        now > 0 || requests === 0 ? (
          'in the last 5 minutes'
        ) : (
          <a href="#holds">{formatCount(requests)} earlier</a>
        )
      }
    />
  )
}

const currenciesMax = 4

function Money({ of: { money }, mode }: Shown) {
  // Sums of different currencies cannot be compared.
  const shown = money.toSorted((a, b) => b.reviews - a.reviews).slice(0, currenciesMax)
  const more = money.length - shown.length
  return (
    <Tile
      name="Money waiting"
      value={
        money.length === 0 ? (
          <span className="overview-no-money">None</span>
        ) : (
          <ul className="overview-money">
            {shown.map(({ currency, amount, reviews }) => (
              <li key={currency}>
                {formatAmount(amount, currency)} <small>{reviewCount(reviews)}</small>
              </li>
            ))}
          </ul>
        )
      }
      {...(more > 0 && {
        note: (
          <Link href={reviewsHref({ mode })}>
            and {formatCount(more)} more {more === 1 ? 'currency' : 'currencies'}
          </Link>
        ),
      })}
    />
  )
}

interface Shown {
  readonly of: ReviewSummary
  readonly mode: ModeChoice
}

/** Each part appears without the other: a caller may lack the scope of one, or it may fail. */
export function WaitingTiles({
  waiting: { reviews, holds, mayReadReviews },
  filters: { mode, corridor },
}: {
  readonly waiting: Waiting
  readonly filters: Filters
}) {
  const isLoading = [...(mayReadReviews ? [reviews] : []), holds].some(
    ({ data, error }) => data === undefined && error === undefined,
  )
  const summary = mayReadReviews ? reviews.data : undefined
  if (isLoading) return <Skeleton height={104} label="Loading reviews and holds" />
  if (summary === undefined && holds.data === undefined) return null
  return (
    <section className="card card-primary overview-now" aria-labelledby="waiting-now">
      <h2 id="waiting-now">Waiting now</h2>
      <Tiles>
        {summary !== undefined && <NeedsReview of={summary} mode={mode} />}
        {summary !== undefined && <Overdue of={summary} mode={mode} />}
        {holds.data !== undefined && <HeldNow of={holds.data} />}
        {summary !== undefined && <Money of={summary} mode={mode} />}
      </Tiles>
      {corridor !== '' && <p className="small soft">These figures and the holds cover all corridors.</p>}
    </section>
  )
}
