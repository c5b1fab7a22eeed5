/** Live feeds by themselves, on a provider and a manual clock, without a service around them. */

import assert from 'node:assert/strict'
import type { FeedStateChange } from '../../../src/adapters/feeds/feed.ts'
import { readFeeds } from '../../../src/adapters/feeds/file.ts'
import { openFeeds, type OpenFeeds } from '../../../src/adapters/feeds/open.ts'
import type { FeedResult, SignalQuery } from '../../../src/app/ports/feeds.ts'
import type { SignalName } from '../../../src/core/decision/signals.ts'
import { corridorOf, currencyOf } from '../check.ts'
import { ManualClock } from '../clock.ts'
import {
  feedsAt,
  openTestProvider,
  values,
  type Answering,
  type FeedsSpec,
  type TestProvider,
} from './provider.ts'

export interface FeedsStage {
  readonly feeds: OpenFeeds
  readonly provider: TestProvider
  readonly clock: ManualClock
  /** What was told of feeds that began to fail, or work again. */
  readonly turns: FeedStateChange[]
  readonly read: (signal: SignalName, query?: Partial<SignalQuery>) => Promise<FeedResult>
}

export interface FeedsOptions {
  readonly answer?: Answering
  readonly spec?: (origin: string) => FeedsSpec
  readonly environment?: Readonly<Record<string, string>>
}

export const payment: SignalQuery = {
  corridor: corridorOf('GB-NG'),
  amount: 1_000,
  currency: currencyOf('GBP'),
  ownerId: null,
}

export async function withFeeds(
  options: FeedsOptions,
  work: (stage: FeedsStage) => Promise<void>,
): Promise<void> {
  const { answer = values(), spec = feedsAt, environment = {} } = options
  const provider = await openTestProvider(answer)
  const found = readFeeds(JSON.stringify(spec(provider.origin)), environment)
  const file = found.kind === 'read' ? found.file : assert.fail(JSON.stringify(found.findings))
  const clock = new ManualClock()
  const countOutcomes = () => Promise.resolve({ ended: 0, failed: 0, newestAtMs: null })
  const turns: FeedStateChange[] = []
  const onStateChange = (turn: FeedStateChange): void => void turns.push(turn)
  const feeds = openFeeds(file, { clock, countOutcomes, environment, onStateChange })
  const read: FeedsStage['read'] = async (signal, query) =>
    (await feeds.read({ ...payment, ...query }))[0]?.results[signal] ?? assert.fail('no results')
  try {
    await work({ feeds, provider, clock, turns, read })
  } finally {
    await feeds.close()
    await provider.close()
  }
}

/** What a result comes to: the value on its scale, or why there is none. */
export const gist = (result: FeedResult): number | string =>
  result.kind === 'read' ? result.scaled : result.fault
