/** Claims or releases several reviews, a few at a time, and says what became of each. */

import { AuthenticationError, ConflictError, type FairwayClient, type Review } from '@fairway/client'
import { useEffect, useRef, useState } from 'react'
import { formatCount } from '../../format.ts'
import { useSession } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/state.tsx'
import { isWaiting } from './filters.ts'
import { nameOf } from './parts.tsx'
import { useRefreshReviews } from './queries.ts'

type Kind = 'claim' | 'release'

const requestsAtOnce = 3
/** Waits out rate limits. */
const patience = { maxRetries: 5, totalTimeoutMs: 120_000 }

/** Somebody else has it, or nobody. */
type Untouched = { readonly kind: 'unclaimed' } | { readonly kind: 'taken'; readonly by: string }

type Outcome = Untouched | { readonly kind: 'done' } | { readonly kind: 'failed'; readonly message: string }

const acts = {
  claim: (client, id) => client.claimReview(id, patience),
  release: (client, id) => client.releaseReview(id, patience),
} satisfies Record<Kind, (client: FairwayClient, id: string) => Promise<Review>>

async function attempt(
  client: FairwayClient,
  kind: Kind,
  { review_id: id, status }: Review,
): Promise<Outcome> {
  if (kind === 'release' && status === 'proposed')
    return { kind: 'failed', message: 'A release would withdraw the proposal: open the review to do that.' }
  try {
    await acts[kind](client, id)
    return { kind: 'done' }
  } catch (error) {
    if (error instanceof AuthenticationError) throw error
    const { message } = error as Error
    if (!(error instanceof ConflictError)) return { kind: 'failed', message }
    const review = await client.review(id, patience).catch(() => null)
    if (review === null || !isWaiting(review)) return { kind: 'failed', message }
    return review.claimed_by === null
      ? { kind: 'unclaimed' }
      : { kind: 'taken', by: nameOf(review.claimed_by) }
  }
}

/** Runs the work for each review; at most `width` at the same time. */
async function forEachFew(
  reviews: readonly Review[],
  width: number,
  work: (review: Review) => Promise<void>,
): Promise<void> {
  const left = [...reviews]
  const run = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) await work(next)
  }
  await Promise.all(Array.from({ length: width }, run))
}

interface Result {
  readonly isWhole: boolean
  /** `4 claimed, 1 was claimed by Ada.` */
  readonly summary: string
  readonly failures: readonly string[]
}

/** The end of `1 …` and of `2 …`. */
function phraseOf(kind: Kind, outcome: Untouched): readonly [string, string] {
  if (outcome.kind === 'unclaimed') return ['is unclaimed', 'are unclaimed']
  const { by } = outcome
  return kind === 'claim'
    ? [`was claimed by ${by}`, `were claimed by ${by}`]
    : [`is claimed by ${by}`, `are claimed by ${by}`]
}

/** Those with equal texts are counted together, in the order of their first. */
function counted(texts: readonly (readonly [one: string, several: string])[]): string[] {
  const counts = new Map<string, { count: number; several: string }>()
  for (const [one, several] of texts) counts.set(one, { several, count: (counts.get(one)?.count ?? 0) + 1 })
  return [...counts].map(
    ([one, { count, several }]) => `${formatCount(count)} ${count === 1 ? one : several}`,
  )
}

function resultOf(kind: Kind, outcomes: readonly Outcome[]): Result {
  const done = outcomes.filter((outcome) => outcome.kind === 'done')
  const others = outcomes.filter((outcome) => outcome.kind === 'taken' || outcome.kind === 'unclaimed')
  const failed = outcomes.filter((outcome) => outcome.kind === 'failed')
  const word = kind === 'claim' ? 'claimed' : 'released'
  const parts = counted(others.map((outcome) => phraseOf(kind, outcome)))
  return {
    isWhole: done.length === outcomes.length,
    summary: `${[`${formatCount(done.length)} ${word}`, ...parts].join(', ')}.`,
    failures: counted(
      failed.map(({ message }) => [`not ${word}. ${message}`, `not ${word}. ${message}`] as const),
    ),
  }
}

type State =
  | { readonly kind: 'running'; readonly act: Kind; readonly done: number; readonly all: number }
  | { readonly kind: 'ended'; readonly result: Result }

export function useBulk(onDone: () => void) {
  const { client, reject } = useSession()
  const refresh = useRefreshReviews()
  const [state, setState] = useState<State | null>(null)
  const isMounted = useRef(true)
  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
    }
  }, [])
  async function run(act: Kind, reviews: readonly Review[]): Promise<void> {
    if (client === null || state?.kind === 'running') return
    const outcomes: Outcome[] = []
    setState({ kind: 'running', act, done: 0, all: reviews.length })
    try {
      await forEachFew(reviews, requestsAtOnce, async (review) => {
        // The reviews that are left stay as they are when the page is left.
        if (!isMounted.current) return
        outcomes.push(await attempt(client, act, review))
        setState({ kind: 'running', act, done: outcomes.length, all: reviews.length })
      })
      setState({ kind: 'ended', result: resultOf(act, outcomes) })
      onDone()
    } catch (error) {
      if (error instanceof AuthenticationError) reject()
      const failed = { kind: 'failed', message: (error as Error).message } as const
      setState({ kind: 'ended', result: resultOf(act, [...outcomes, failed]) })
    }
    refresh()
  }
  return {
    state,
    run: (act: Kind, reviews: readonly Review[]) => void run(act, reviews),
    dismiss: () => setState(null),
  }
}

export type Bulk = ReturnType<typeof useBulk>

export function BulkActions({ reviews, bulk }: { readonly reviews: readonly Review[]; readonly bulk: Bulk }) {
  const { state } = bulk
  const running = state?.kind === 'running' ? state : null
  if (reviews.length === 0 && running === null) return null
  return (
    <div className="row">
      <Button small icon="user" busy={running?.act === 'claim'} onClick={() => bulk.run('claim', reviews)}>
        Claim selected
      </Button>
      <Button small busy={running?.act === 'release'} onClick={() => bulk.run('release', reviews)}>
        Release selected
      </Button>
      <span role="status" className="small soft figures">
        {running === null
          ? `${formatCount(reviews.length)} selected`
          : `${formatCount(running.done)} of ${formatCount(running.all)} done`}
      </span>
    </div>
  )
}

export function BulkResult({ bulk: { state, dismiss } }: { readonly bulk: Bulk }) {
  if (state?.kind !== 'ended') return null
  const { isWhole, summary, failures } = state.result
  return (
    <Notice tone={isWhole ? 'go' : 'degraded'} title={summary} live>
      {failures.map((text) => (
        <p key={text}>{text}</p>
      ))}
      <Button small variant="quiet" onClick={dismiss}>
        Dismiss
      </Button>
    </Notice>
  )
}
