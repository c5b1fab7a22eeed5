/** The queue: its rows, the actions on several of them, and the text in their place if there are none. */

import { InvalidRequestError, type FairwayError, type Review } from '@fairway/client'
import { useState, type ReactNode } from 'react'
import { useMay } from '../../caller.ts'
import { formatCount } from '../../format.ts'
import { useNowMs } from '../../now.ts'
import { ScopeProblem } from '../../scope-problem.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import type { IconName } from '../../ui/icon.tsx'
import { Empty, Notice, Skeleton } from '../../ui/state.tsx'
import type { Sorter } from '../../ui/table-sort.tsx'
import { ActProblem, type Claim } from './acts.tsx'
import { BulkActions, BulkResult, useBulk } from './bulk.tsx'
import {
  addressOf,
  approvalView,
  isSame,
  isWaiting,
  mineView,
  noFilters,
  overdueView,
  unclaimedView,
  type Filters,
} from './filters.ts'
import { KeyHint } from './keys.tsx'
import type { useQueue } from './queries.ts'
import { Rows } from './rows.tsx'

interface EmptyText {
  readonly filters: Filters
  readonly icon: IconName
  readonly title: string
  readonly text: string
}

const emptyTexts: readonly EmptyText[] = [
  {
    filters: noFilters,
    icon: 'check',
    title: 'Nothing waits',
    text: 'No payment needs a person right now. New reviews appear here by themselves.',
  },
  {
    filters: unclaimedView.filters,
    icon: 'check',
    title: 'Nothing is unclaimed',
    text: 'Somebody takes care of every payment that waits.',
  },
  {
    filters: mineView.filters,
    icon: 'user',
    title: 'You have claimed nothing',
    text: 'Reviews that you claim are listed here until they are closed.',
  },
  {
    filters: approvalView.filters,
    icon: 'check',
    title: 'Nothing to approve',
    text: 'Proposals of your colleagues appear here by themselves.',
  },
  {
    filters: overdueView.filters,
    icon: 'check',
    title: 'Nothing is overdue',
    text: 'Every payment that waits still has time.',
  },
]

function NoReviews({ filters }: { readonly filters: Filters }) {
  const known = emptyTexts.find((one) => isSame(one.filters, filters))
  const { icon, title, text } = known ?? {
    icon: 'search' as const,
    title: 'No matching reviews',
    text: 'No review matches all of these filters.',
  }
  return (
    <Empty
      icon={icon}
      title={title}
      action={
        !isSame(filters, noFilters) && <LinkButton href={addressOf(noFilters)}>Show all that wait</LinkButton>
      }
    >
      {text}
    </Empty>
  )
}

function QueueProblem({ error, onRetry }: { readonly error: FairwayError; readonly onRetry: () => void }) {
  if (error instanceof InvalidRequestError) {
    return (
      <Notice tone="nogo" title="Invalid filter" live>
        {error.errors.map(({ path, message }) => (
          <p key={path + message}>
            <code>{path.slice(1)}</code> {message}
          </p>
        ))}
        <LinkButton small href={addressOf(noFilters)}>
          Show all that wait
        </LinkButton>
      </Notice>
    )
  }
  return (
    <ScopeProblem error={error} scope="review:read" title="This key cannot read reviews" onRetry={onRetry} />
  )
}

/** The last claim by key or button; a failure is shown in the pane if that review is open there. */
function ClaimResult({
  claim: { state },
  openId,
}: {
  readonly claim: Claim
  readonly openId: string | null
}) {
  return (
    <>
      <p role="status" className="small desk-claim-result">
        {(state?.kind === 'done' || state?.kind === 'pointless') && state.text}
      </p>
      {state?.kind === 'failed' && state.id !== openId && <ActProblem error={state.error} />}
    </>
  )
}

/** The reviews that are checked and can still be claimed or released. */
function useChecked(items: readonly Review[]) {
  const [checked, setChecked] = useState<ReadonlySet<string>>(new Set())
  const possible = items.filter(isWaiting)
  return {
    checked,
    possible,
    chosen: possible.filter(({ review_id: id }) => checked.has(id)),
    check: (id: string, isChecked: boolean): void =>
      setChecked((before) => new Set(isChecked ? [...before, id] : [...before].filter((one) => one !== id))),
    set: (reviews: readonly Review[]): void => setChecked(new Set(reviews.map(({ review_id: id }) => id))),
  }
}

export function Queue({
  queue: { shown, error, isStale, reload },
  items,
  filters,
  sorter,
  selectedId,
  openId,
  claim,
  onReach,
  onMore,
}: {
  readonly queue: ReturnType<typeof useQueue>
  /** Those that are shown, in their order. */
  readonly items: readonly Review[]
  readonly filters: Filters
  readonly sorter: Sorter
  readonly selectedId: string | null
  readonly openId: string | null
  readonly claim: Claim
  readonly onReach: (id: string) => void
  readonly onMore: () => void
}) {
  const mayWrite = useMay('review:write')
  const nowMs = useNowMs(5_000)
  const { checked, possible, chosen, check, set } = useChecked(items)
  const bulk = useBulk(() => set([]))
  const rows = {
    items,
    filters,
    sorter,
    selectedId,
    nowMs,
    onReach,
    onCheck: check,
    checked: mayWrite ? checked : null,
  }
  return (
    <section className="card desk-queue" aria-label="Queue">
      {error !== undefined && <QueueProblem error={error} onRetry={reload} />}
      {shown === undefined && error === undefined && <Skeleton height={420} label="Loading reviews" />}
      {items.length > 0 && (
        <QueueHead mayWrite={mayWrite} possible={possible} chosen={chosen} onSet={set}>
          <BulkActions reviews={chosen} bulk={bulk} />
        </QueueHead>
      )}
      <BulkResult bulk={bulk} />
      <ClaimResult claim={claim} openId={openId} />
      {shown !== undefined && items.length === 0 && <NoReviews filters={filters} />}
      {items.length > 0 && <Rows {...rows} stale={isStale} />}
      {shown?.hasMore === true && (
        <div className="row desk-more">
          <Button onClick={onMore}>Show more</Button>
          <span className="small soft figures">{formatCount(items.length)} shown</span>
        </div>
      )}
    </section>
  )
}

function QueueHead({
  mayWrite,
  possible,
  chosen,
  onSet,
  children,
}: {
  readonly mayWrite: boolean
  readonly possible: readonly Review[]
  readonly chosen: readonly Review[]
  readonly onSet: (reviews: readonly Review[]) => void
  readonly children: ReactNode
}) {
  return (
    <div className="desk-head">
      {mayWrite && possible.length > 0 && (
        <label className="check desk-all">
          <input
            type="checkbox"
            checked={chosen.length === possible.length}
            onChange={({ target }) => onSet(target.checked ? possible : [])}
          />
          <span>Select all</span>
        </label>
      )}
      {children}
      <KeyHint mayClaim={mayWrite} />
    </div>
  )
}
