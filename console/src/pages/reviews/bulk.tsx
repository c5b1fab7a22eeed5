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

const words = {
  claim: { done: 'claimed', taken: 'was claimed by', failed: 'not claimed' },
  release: { done: 'released', taken: 'is claimed by', failed: 'not released' },
} as const satisfies Record<Kind, object>

type Outcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'taken'; readonly by: string }
  | { readonly kind: 'failed'; readonly message: string }

const acts = {
  claim: (client, id) => client.claimReview(id, patience),
  release: (client, id) => client.releaseReview(id, patience),
} satisfies Record<Kind, (client: FairwayClient, id: string) => Promise<Review>>

async function attempt(client: FairwayClient, kind: Kind, id: string): Promise<Outcome> {
  try {
    await acts[kind](client, id)
    return { kind: 'done' }
  } catch (error) {
    if (error instanceof AuthenticationError) throw error
    const { message } = error as Error
    if (!(error instanceof ConflictError)) return { kind: 'failed', message }
    const review = await client.review(id, patience)
    const { claimed_by: by } = review
    return by !== null && isWaiting(review) ? { kind: 'taken', by: nameOf(by) } : { kind: 'failed', message }
  }
}

/** Runs the work for each id; at most `width` at the same time. */
async function forEachFew(
  ids: readonly string[],
  width: number,
  work: (id: string) => Promise<void>,
): Promise<void> {
  const left = [...ids]
  const run = async (): Promise<void> => {
    for (let id = left.shift(); id !== undefined; id = left.shift()) await work(id)
  }
  await Promise.all(Array.from({ length: width }, run))
}

interface Result {
  readonly isWhole: boolean
  /** `4 claimed, 1 was claimed by Ada.` */
  readonly summary: string
  readonly failures: readonly string[]
}

function resultOf(kind: Kind, outcomes: readonly Outcome[]): Result {
  const { done, taken, failed } = words[kind]
  const counts = new Map<string, number>()
  const failures = new Map<string, number>()
  const add = (to: Map<string, number>, text: string): void => void to.set(text, (to.get(text) ?? 0) + 1)
  for (const outcome of outcomes) {
    if (outcome.kind === 'done') add(counts, done)
    else if (outcome.kind === 'taken') add(counts, `${taken} ${outcome.by}`)
    else add(failures, outcome.message)
  }
  const first = counts.get(done) ?? 0
  counts.delete(done)
  const parts = [...counts].map(([text, count]) => `${formatCount(count)} ${text}`)
  return {
    isWhole: first === outcomes.length,
    summary: `${[`${formatCount(first)} ${done}`, ...parts].join(', ')}.`,
    failures: [...failures].map(([message, count]) => `${formatCount(count)} ${failed}. ${message}`),
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
  async function run(act: Kind, ids: readonly string[]): Promise<void> {
    if (client === null || state?.kind === 'running') return
    const outcomes: Outcome[] = []
    setState({ kind: 'running', act, done: 0, all: ids.length })
    try {
      await forEachFew(ids, requestsAtOnce, async (id) => {
        // The reviews that are left stay as they are when the page is left.
        if (!isMounted.current) return
        outcomes.push(await attempt(client, act, id))
        setState({ kind: 'running', act, done: outcomes.length, all: ids.length })
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
    run: (act: Kind, ids: readonly string[]) => void run(act, ids),
    dismiss: () => setState(null),
  }
}

export type Bulk = ReturnType<typeof useBulk>

export function BulkActions({ ids, bulk }: { readonly ids: readonly string[]; readonly bulk: Bulk }) {
  const { state } = bulk
  const running = state?.kind === 'running' ? state : null
  if (ids.length === 0 && running === null) return null
  return (
    <div className="row">
      <Button small icon="user" busy={running?.act === 'claim'} onClick={() => bulk.run('claim', ids)}>
        Claim selected
      </Button>
      <Button small busy={running?.act === 'release'} onClick={() => bulk.run('release', ids)}>
        Release selected
      </Button>
      <span role="status" className="small soft figures">
        {running === null
          ? `${formatCount(ids.length)} selected`
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
