/** Reads the feeds of a corridor for all its partners at once, under one deadline. */

import type { FeedPlace, FeedResult, FeedResults, RouteResults, SignalQuery } from '../../app/ports/feeds.ts'
import type { After } from '../../app/ports/system.ts'
import type { LiveCorridor, LivePartner } from '../../core/live/world.ts'
import { signalNames, type SignalName } from '../../core/decision/signals.ts'
import type { Corridor } from '../../core/reference/corridor.ts'
import type { Feed } from './feed.ts'
import { resolveFeed } from './world-spec.ts'

/** The feeds of one partner, in the order of `signalNames`; null for a signal without a feed. */
export interface Route {
  readonly partner: LivePartner | null
  readonly feeds: readonly (Feed | null)[]
}

/** One for each partner; a corridor without partners has one of its own. */
export function routesOf({ corridor, partners }: LiveCorridor, feeds: ReadonlyMap<string, Feed>): Route[] {
  return (partners.length === 0 ? [null] : partners).map((partner) => ({
    partner,
    feeds: signalNames.map((signal) => resolveFeed(feeds, signal, corridor, partner?.id ?? null)),
  }))
}

/** Signals of a corridor, or of one of its partners, that have no feed. */
export interface FeedGap extends FeedPlace {
  readonly signals: readonly SignalName[]
}

export function gapOf(corridor: Corridor, { partner, feeds }: Route): FeedGap[] {
  const signals = signalNames.filter((_, place) => feeds[place] === null)
  return signals.length === 0 ? [] : [{ corridor, partner: partner?.id ?? null, signals }]
}

/** The same route without the feeds that need a payment. */
export function onlyProbed({ partner, feeds }: Route): Route {
  return { partner, feeds: feeds.map((feed) => (feed?.source.isProbed === true ? feed : null)) }
}

const noFeed: FeedResult = {
  kind: 'failed',
  feed: null,
  fault: 'no_feed',
  detail: 'has no feed in the feeds file',
  latencyMs: 0,
}

/** The results of live mode without a feeds file. */
export const notConfigured: RouteResults = {
  partner: null,
  results: resultsOf(() => ({ ...noFeed, detail: 'no feeds are configured' })),
}

interface Deadline {
  readonly after: After
  readonly deadlineMs: number
}

type Read = FeedResult | Promise<FeedResult>

export async function readRoutes(
  routes: readonly Route[],
  query: SignalQuery,
  deadline: Deadline,
): Promise<RouteResults[]> {
  const reads = startReads(routes, query)
  const isWaiting = reads.some((route) => route.some((one) => one instanceof Promise))
  const all = isWaiting ? await beforeDeadline(routes, reads, deadline) : (reads as FeedResult[][])
  return routes.map(({ partner }, route) => ({
    partner,
    results: resultsOf((place) => all[route]?.[place] ?? noFeed),
  }))
}

/** Starts every read at once. A feed that does not depend on the partner is read for the first of them. */
function startReads(routes: readonly Route[], query: SignalQuery): Read[][] {
  const shared = new Map<Feed, Read>()
  return routes.map(({ partner, feeds }) => {
    const own = { ...query, partner: partner?.id ?? null }
    return feeds.map((feed): Read => {
      if (feed === null) return noFeed
      if (routes.length === 1 || feed.source.isPerPartner) return feed.read(own)
      const read = shared.get(feed) ?? feed.read(own)
      shared.set(feed, read)
      return read
    })
  })
}

function resultsOf(resultAt: (place: number) => FeedResult): FeedResults {
  const results = {} as Record<SignalName, FeedResult>
  for (const [place, signal] of signalNames.entries()) results[signal] = resultAt(place)
  return results
}

/** Each flight has its own deadline, but may first have waited for a breaker's trial. */
async function beforeDeadline(
  routes: readonly Route[],
  reads: readonly (readonly Read[])[],
  { after, deadlineMs }: Deadline,
): Promise<FeedResult[][]> {
  const { promise: late, resolve } = Promise.withResolvers<null>()
  const cancel = after(deadlineMs, () => resolve(null))
  const inTime = async (read: Read): Promise<FeedResult | null> =>
    read instanceof Promise ? Promise.race([read, late]) : read
  const results = await Promise.all(reads.map((route) => Promise.all(route.map(inTime))))
  cancel()
  return results.map((route, at) =>
    route.map((result, place): FeedResult => {
      if (result !== null) return result
      const feed = routes[at]?.feeds[place]?.source.kind ?? null
      return {
        kind: 'failed',
        feed,
        fault: 'timeout',
        detail: 'did not answer in time',
        latencyMs: deadlineMs,
      }
    }),
  )
}

/** The results of these signals alone. */
export function pick(results: FeedResults, isWanted: (signal: SignalName) => boolean): Partial<FeedResults> {
  return Object.fromEntries(
    signalNames.flatMap((signal) => (isWanted(signal) ? [[signal, results[signal]]] : [])),
  )
}
