/** No feeds at all: every live signal is unavailable, so live mode holds and never allows. */

import type { FeedFailure, FeedResults, LiveFeeds } from '../../app/ports/feeds.ts'
import { signalNames } from '../../core/decision/signals.ts'

const failure: FeedFailure = {
  kind: 'failed',
  feed: null,
  fault: 'no_feed',
  detail: 'no feeds are set up',
  latencyMs: 0,
}

const results = Object.fromEntries(signalNames.map((signal) => [signal, failure])) as unknown as FeedResults

export const noFeeds: LiveFeeds = {
  states: () => [],
  partnerFor: () => null,
  read: () => Promise.resolve(results),
}
