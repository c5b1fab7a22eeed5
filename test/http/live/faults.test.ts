/** Whatever goes wrong with whichever signals, a live verify is held with exactly these named, and nothing is kept of it. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signalNames, type SignalName } from '../../../src/core/decision/signals.ts'
import type { Answer, Harness } from '../../helpers/harness.ts'
import { rowCounts } from '../../helpers/post.ts'
import {
  amountOf,
  casesOf,
  endless,
  everySubset,
  faults,
  healthyAmount,
  hitBy,
  ManualDeadlines,
  replyFor,
  together,
  type Case,
} from '../../helpers/peers/fault-cases.ts'
import { feedsAt, httpFeed, nobody, withLive, type Answering } from '../../helpers/peers/provider.ts'

const answer: Answering = ({ signal, amount }) => replyFor(signal, amount ?? 0)

async function liveKey(harness: Harness): Promise<string> {
  const limit = { count: 100_000, windowMs: 60_000 }
  return (await harness.issue({ prefix: 'pk_live_', limit })).key
}

type Ask = (one: Case, amount: number) => Promise<Answer>

const askerOf =
  (harness: Harness, key: string): Ask =>
  ({ fault, subset }, amount) => {
    const headers = { 'idempotency-key': `payment ${subset} (${fault})` }
    return harness.verify(key, { corridor: 'GB-NG', amount }, { headers })
  }

/** All that a caller is told of a request that is held, and all of it that matters. */
function held({ status, headers, body }: Answer) {
  const { code, unavailable_signals: signals } = body
  return { status, retry: headers['retry-after'], code, signals, members: Object.keys(body) }
}

const heldFor = ({ subset }: Case): ReturnType<typeof held> => ({
  status: 503,
  retry: '120',
  code: 'SIGNALS_UNAVAILABLE',
  signals: hitBy(subset),
  members: ['message', 'code', 'request_id', 'unavailable_signals'],
})

/** Each case with an idempotency key of its own; after them every key is still free, for another body too. */
async function checkAll(
  harness: Harness,
  cases: readonly Case[],
  answersOf: (ask: Ask) => Promise<Answer[]>,
): Promise<void> {
  const ask = askerOf(harness, await liveKey(harness))
  const before = rowCounts(harness)
  const answers = await answersOf(ask)
  assert.deepEqual(rowCounts(harness), before)
  assert.deepEqual(answers.map(held), cases.map(heldFor))

  for (const { status, body } of await Promise.all(cases.map((one) => ask(one, healthyAmount)))) {
    assert.deepEqual([status, body.decision, body.idempotency_hit], [200, 'GO', false])
  }
  const { body } = await harness.get(null, '/api/health')
  assert.equal(body.total_verifications, cases.length)
}

const allAtOnce =
  (cases: readonly Case[]) =>
  (ask: Ask): Promise<Answer[]> =>
    Promise.all(cases.map((one) => ask(one, amountOf(one))))

test('there are 127 subsets of the signals, and no two cases are one', () => {
  const subsets = new Set(everySubset.map((subset) => hitBy(subset).join()))
  assert.equal(subsets.size, 127)
  assert.ok(!subsets.has(''))
  const amounts = new Set(faults.flatMap(casesOf).map(amountOf))
  assert.equal(amounts.size, 127 * faults.length)
  assert.ok(!amounts.has(healthyAmount))
})

for (const fault of faults.filter((one) => !endless.some((other) => other === one))) {
  test(`any signals whose provider is unwell (${fault}) are named, and no payment passes`, async () => {
    const cases = casesOf(fault)
    await withLive({ answer }, ({ harness }) => checkAll(harness, cases, allAtOnce(cases)))
  })
}

test('any signals whose provider hangs or drips are named, and no payment passes', async () => {
  const cases = endless.flatMap(casesOf)
  const deadlines = new ManualDeadlines()
  /** Those that go together: one deadline for each flight, and one for the request that waits for it. */
  const askTogether = async (ask: Ask, some: readonly Case[]): Promise<Answer[]> => {
    const answers = allAtOnce(some)(ask)
    const left = some.reduce((sum, { subset }) => sum + hitBy(subset).length + 1, 0)
    await deadlines.endAt(some.length * (signalNames.length + 1), left)
    return answers
  }
  await withLive(
    {
      answer,
      feedsAfter: deadlines.after,
      feeds_file: (origin) => feedsAt(origin, {}, { connections: together }),
    },
    ({ harness }) =>
      checkAll(harness, cases, async (ask) => {
        const answers: Answer[] = []
        for (let from = 0; from < cases.length; from += together) {
          answers.push(...(await askTogether(ask, cases.slice(from, from + together))))
        }
        return answers
      }),
  )
})

test('any signals whose provider refuses the connection are named, and no payment passes', async () => {
  const cases = casesOf('refused')
  await withLive({ answer }, async ({ harness, provider, rewrite }) => {
    const reload = (away: readonly SignalName[]): void => {
      const gone = away.map((signal) => [signal, httpFeed(nobody, signal)])
      rewrite(feedsAt(provider.origin, Object.fromEntries(gone)))
      assert.deepEqual(harness.feeds?.reload(), [])
    }
    await checkAll(harness, cases, async (ask) => {
      const answers: Answer[] = []
      for (const one of cases) {
        reload(hitBy(one.subset))
        answers.push(await ask(one, healthyAmount))
      }
      reload([])
      return answers
    })
  })
})
