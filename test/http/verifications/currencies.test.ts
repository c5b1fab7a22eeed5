/** Whose currency an answer says: `request_currency` and `settlement_currency` mean one thing wherever a decision is read. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { engines } from '../../helpers/database/databases.ts'
import type { Harness } from '../../helpers/harness.ts'
import { networks, worldAt } from '../../helpers/peers/world.ts'
import { withLive, type FeedsSpec } from '../../helpers/peers/provider.ts'
import { withReceiver, type TestReceiver } from '../../helpers/peers/receiver.ts'
import { expireOn, reviewOf } from '../../helpers/reviews.ts'
import { register, trial } from '../../helpers/webhooks.ts'

/** A declared corridor that settles in another currency than its destination's. */
const worldOf = (settled: string) => (origin: string) => {
  const world = worldAt(origin)
  const declared = { settlement_currency: settled, currencies: ['USD', 'MXN'] }
  return { ...world, corridors: { ...world.corridors, 'US-MX': declared } } satisfies FeedsSpec
}

const shadowPayment = { corridor: 'GB-NG', amount: 60_000, currency: 'USD' }
const livePayment = { corridor: 'US-MX', amount: 60_000, currency: 'MXN' }
const cases = [
  { name: 'in shadow mode', prefix: 'pk_test_', payment: shadowPayment, settled: 'NGN' },
  { name: 'on a declared corridor in live mode', prefix: 'pk_live_', payment: livePayment, settled: 'USD' },
] as const

const decisionEvents = ['payment.decision.created', 'payment.review.opened', 'payment.review.closed']

type Members = Readonly<Record<string, unknown>>

interface Recorded {
  readonly harness: Harness
  readonly receiver: TestReceiver
  readonly key: string
  readonly id: string
}

/** Reads of a recorded decision, each with the request's currency as `currency`. */
const places: Readonly<Record<string, (of: Recorded) => Promise<Members> | Members>> = {
  audit: async ({ harness, key, id }) => (await harness.get(key, `/api/v1/audit/${id}`)).body,
  history: async ({ harness, key }) => (await harness.get(key, '/api/verifications')).body[0],
  'history by a filter': async ({ harness, key }) =>
    (await harness.get(key, '/api/verifications?amount_min=1')).body[0],
  'history in CSV': async ({ harness, key }) =>
    parse<Members>((await harness.get(key, '/api/verifications?format=csv')).text, { columns: true })[0] ??
    {},
  search: async ({ harness, key, id }) =>
    (await harness.get(key, `/api/v1/search?q=${id}`)).body.results[0].payment,
  review: async ({ harness, key, id }) => (await harness.get(key, `/api/v1/reviews/${reviewOf(id)}`)).body,
  reviews: async ({ harness, key }) => (await harness.get(key, '/api/v1/reviews')).body.reviews[0],
  ...Object.fromEntries(
    decisionEvents.flatMap((kind) => [
      [`${kind} in the stream`, (of: Recorded) => streamed(of, kind)],
      [`${kind} to a webhook`, (of: Recorded) => sent(of, kind)],
    ]),
  ),
}

async function streamed({ harness, key }: Recorded, kind: string): Promise<Members> {
  const { body } = await harness.get(key, '/api/v1/events')
  return body.events.find(({ type }: { type: string }) => type === kind).data
}

const sent = ({ receiver }: Recorded, kind: string): Members =>
  receiver.requests.find(({ json }) => json.event === kind)?.json.data

for (const engine of engines) {
  for (const { name, prefix, payment, settled } of cases) {
    test(`${engine}: every answer about a decision ${name} says whose currency it is`, async () => {
      const options = { engine, settings: trial, answer: networks(), feeds_file: worldOf('USD') }
      await withReceiver((receiver) =>
        withLive(options, async ({ harness, provider, rewrite }) => {
          const { key } = await harness.issue({ prefix })
          await register(harness, key, receiver.url, { events: decisionEvents })
          const { body: answer } = await harness.verify(key, payment)
          assert.deepEqual([answer.currency, answer.request_currency], [settled, payment.currency])

          // What was recorded counts, not what the operator declares later.
          rewrite(worldOf('MXN')(provider.origin))
          assert.deepEqual(harness.feeds?.reload(), [])
          await harness.journal.passed('reviews')
          harness.clock.advance(30 * 86_400_000)
          await expireOn(harness)
          await harness.deliver()
          const recorded = { harness, receiver, key, id: String(answer.request_id) }
          const { currency } = payment
          for (const [place, read] of Object.entries(places)) {
            const shown = await read(recorded)
            assert.deepEqual(
              [shown['currency'], shown['request_currency'], shown['settlement_currency']],
              [currency, currency, settled],
              place,
            )
          }
        }),
      )
    })
  }
}
