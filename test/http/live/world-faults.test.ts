/** Whatever goes wrong with whichever signals of a declared corridor or partner: it is held or left out, never allowed. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SignalName } from '../../../src/core/decision/signals.ts'
import type { Answer, Harness } from '../../helpers/harness.ts'
import {
  amountOf,
  casesOf,
  endless,
  faults,
  hitBy,
  ManualDeadlines,
  replyFor,
  together,
  type Case,
} from '../../helpers/peers/fault-cases.ts'
import {
  feedsAt,
  httpFeed,
  nobody,
  partnerFeeds,
  withLive,
  type Answering,
  type FeedsSpec,
} from '../../helpers/peers/provider.ts'
import { rowCounts } from '../../helpers/post.ts'

/** Added to the amount of a case that hits every partner, not only the first. */
const everyPartner = 100_000

const answer: Answering = ({ signal, partner, amount }) => {
  const isHit = partner !== 'beta' || (amount ?? 0) >= everyPartner
  return replyFor(signal, isHit ? (amount ?? 0) % everyPartner : 0)
}

/** One corridor with feeds of its own, and one with two partners that share nothing. */
function world(origin: string): FeedsSpec {
  const { signals } = feedsAt(origin, {}, { connections: together })
  const own = { signals: partnerFeeds(origin, { connections: together }) }
  return {
    deadline_ms: 30_000,
    corridors: { 'GB-GH': { signals }, 'GB-KE': { partners: ['alpha', 'beta'] } },
    partners: { alpha: own, beta: own },
  }
}

interface Place {
  readonly corridor: string
  readonly moreAmount: number
  /** How many feeds a request reads, and how many of them one missing signal hits. */
  readonly feeds: number
  readonly hitFeeds: number
}

const places: Readonly<Record<'a corridor' | 'one partner' | 'every partner', Place>> = {
  'a corridor': { corridor: 'GB-GH', moreAmount: 0, feeds: 7, hitFeeds: 1 },
  'one partner': { corridor: 'GB-KE', moreAmount: 0, feeds: 14, hitFeeds: 1 },
  'every partner': { corridor: 'GB-KE', moreAmount: everyPartner, feeds: 14, hitFeeds: 2 },
}

type Ask = (one: Case) => Promise<Answer>

/** Held with exactly the signals that were missing, and nothing stored. */
async function checkHeld(harness: Harness, cases: readonly Case[], answers: () => Promise<Answer[]>) {
  const before = rowCounts(harness)
  const held = await answers()
  assert.deepEqual(
    held.map(({ status, body }) => [status, body.code, body.unavailable_signals]),
    cases.map(({ subset }) => [503, 'SIGNALS_UNAVAILABLE', hitBy(subset)]),
  )
  assert.deepEqual(rowCounts(harness), before)
}

/** The other partner decides, and the record says which signals kept the first one out. */
async function checkLeftOut(
  harness: Harness,
  key: string,
  cases: readonly Case[],
  answers: readonly Answer[],
): Promise<void> {
  assert.deepEqual(
    answers.map(({ status, body }) => [status, body.decision, body.recommended_partner]),
    cases.map(() => [200, 'GO', 'beta']),
  )
  const explained = await Promise.all(
    answers.map(({ body }) => harness.get(key, `/api/v1/decision/${body.request_id}/explanation`)),
  )
  const leftOut = explained.map(({ body }) =>
    (body.partners as { partner: string; available: boolean; unavailable_signals: string[] }[])
      .filter(({ available }) => !available)
      .map(({ partner, unavailable_signals: signals }) => [partner, signals.toSorted()]),
  )
  assert.deepEqual(
    leftOut,
    cases.map(({ subset }) => [['alpha', hitBy(subset)]]),
  )
}

async function checkPlace(
  harness: Harness,
  name: keyof typeof places,
  cases: readonly Case[],
  answersOf: (ask: Ask, place: Place) => Promise<Answer[]>,
): Promise<void> {
  const place = places[name]
  const limit = { count: 100_000, windowMs: 60_000 }
  const { key } = await harness.issue({ prefix: 'pk_live_', limit })
  const ask: Ask = ({ subset, fault }) => {
    const amount = fault === 'refused' ? 0 : amountOf({ subset, fault }) + place.moreAmount
    return harness.verify(key, { corridor: place.corridor, amount })
  }
  if (name === 'one partner') await checkLeftOut(harness, key, cases, await answersOf(ask, place))
  else await checkHeld(harness, cases, () => answersOf(ask, place))
}

const settings = { FAIRWAY_LIMIT_KEYED: '1000000/60', FAIRWAY_CIP_PROBE_S: '0' }

for (const name of Object.keys(places) as (keyof typeof places)[]) {
  test(`any signals of ${name} whose provider is unwell: 127 subsets with each fault that ends by itself`, async () => {
    const cases = faults.filter((one) => !endless.some((other) => other === one)).flatMap(casesOf)
    assert.equal(cases.length, 127 * (faults.length - endless.length))
    await withLive({ answer, feeds_file: world, settings }, ({ harness }) =>
      checkPlace(harness, name, cases, async (ask) => {
        const answers: Answer[] = []
        for (let from = 0; from < cases.length; from += 127)
          answers.push(...(await Promise.all(cases.slice(from, from + 127).map(ask))))
        return answers
      }),
    )
  })

  test(`any signals of ${name} whose provider hangs or drips: 127 subsets each`, async () => {
    const cases = endless.flatMap(casesOf)
    const deadlines = new ManualDeadlines()
    await withLive({ answer, feeds_file: world, settings, feedsAfter: deadlines.after }, ({ harness }) =>
      checkPlace(harness, name, cases, async (ask, { feeds, hitFeeds }) => {
        const answers: Answer[] = []
        for (let from = 0; from < cases.length; from += together) {
          const some = cases.slice(from, from + together)
          const asked = Promise.all(some.map(ask))
          // One deadline for each flight that is left, and one for each request.
          const left = some.reduce((sum, { subset }) => sum + hitFeeds * hitBy(subset).length + 1, 0)
          await deadlines.endAt(some.length * (feeds + 1), left)
          answers.push(...(await asked))
        }
        return answers
      }),
    )
  })

  test(`any signals of ${name} whose provider refuses the connection: 127 subsets`, async () => {
    const cases = casesOf('refused')
    await withLive({ answer, feeds_file: world, settings }, ({ harness, provider, rewrite }) =>
      checkPlace(harness, name, cases, async (ask) => {
        const answers: Answer[] = []
        for (const one of cases) {
          rewrite(refusing(provider.origin, name, hitBy(one.subset)))
          assert.deepEqual(harness.feeds?.reload(), [])
          answers.push(await ask(one))
        }
        return answers
      }),
    )
  })
}

/** The world with nobody behind these signals of a place. */
function refusing(origin: string, name: keyof typeof places, away: readonly SignalName[]): FeedsSpec {
  const { corridors, partners, ...rest } = world(origin)
  const gone = Object.fromEntries(away.map((signal) => [signal, httpFeed(nobody, signal)]))
  const { signals } = feedsAt(origin)
  const own = { signals: { ...partnerFeeds(origin), ...gone } }
  return {
    ...rest,
    corridors: { ...corridors, 'GB-GH': { signals: { ...signals, ...(name === 'a corridor' ? gone : {}) } } },
    partners: {
      ...partners,
      ...(name === 'a corridor' ? {} : { alpha: own }),
      ...(name === 'every partner' ? { beta: own } : {}),
    },
  }
}
