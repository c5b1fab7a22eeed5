/** Whatever goes wrong with whichever signals, a live verify is held with exactly these named, and nothing is kept of it. */

import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { After } from '../../../src/app/ports/system.ts'
import { signalNames, type SignalName } from '../../../src/core/decision/signals.ts'
import type { Answer, Harness } from '../../helpers/harness.ts'
import { rowCounts } from '../../helpers/post.ts'
import {
  calm,
  feedsAt,
  httpFeed,
  nobody,
  text,
  providerBody,
  unwell,
  withLive,
  type Answering,
  type Unwell,
} from '../../helpers/peers/provider.ts'

const everySubset = Array.from({ length: 2 ** signalNames.length - 1 }, (_, place) => place + 1)
const faults = Object.keys(unwell) as Unwell[]

/** Which signals are hit, a bit for each in their order, and by what. The amount of the payment tells the provider. */
interface Case {
  readonly subset: number
  readonly fault: Unwell | 'refused'
}

const amountOf = ({ subset, fault }: Case): number => subset + 1_000 * faults.indexOf(fault as Unwell)
const healthyAmount = 0

const isHit = (subset: number, signal: string): boolean =>
  (subset & (1 << signalNames.indexOf(signal as SignalName))) !== 0
const hitBy = (subset: number): SignalName[] =>
  signalNames.filter((signal) => isHit(subset, signal)).toSorted()

const answer: Answering = ({ signal, amount }) => {
  const well = providerBody(calm[signal as SignalName])
  const fault = faults[Math.floor((amount ?? 0) / 1_000)]
  return fault !== undefined && isHit((amount ?? 0) % 1_000, signal) ? unwell[fault](well) : text(well)
}

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

const casesOf = (fault: Case['fault']): Case[] => everySubset.map((subset) => ({ subset, fault }))

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

/** These end by the deadline alone. */
const endless = ['hanging', 'dripping'] as const satisfies Unwell[]
/** So many requests at once, each with seven connections of its own. */
const together = 16

/** Deadlines that come when the test says so: once nothing but the endless is waited for, however busy the machine is. */
class ManualDeadlines {
  readonly #waiting = new Set<() => void>()
  readonly #changed = new EventEmitter()
  #begun = 0

  readonly after: After = (_ms, work) => {
    this.#waiting.add(work)
    this.#begun += 1
    return () => {
      this.#waiting.delete(work)
      this.#changed.emit('cancelled')
    }
  }

  /** Ends those that are left, once all have begun and so many are. */
  async endAt(begun: number, left: number): Promise<void> {
    this.#begun = 0
    do await once(this.#changed, 'cancelled')
    while (this.#begun < begun || this.#waiting.size > left)
    // The last answer is on its way to its request: it gets there within this turn.
    await setImmediate()
    for (const work of this.#waiting) work()
  }
}

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
