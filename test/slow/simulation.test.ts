/** The simulation in its short form, that it repeats itself exactly, and that it sees: what is planted in it is found. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Driver } from '../../src/adapters/store/engine/driver.ts'
import type { Change } from '../../src/adapters/store/engine/named-changes.ts'
import type { PackedGrowth } from '../../src/adapters/store/log/log-blocks.ts'
import type { FeedReading, FeedResults } from '../../src/app/ports/feeds.ts'
import type { CommitCommand } from '../../src/app/ports/records.ts'
import type { OutboxTurn } from '../../src/app/ports/webhooks.ts'
import { simulate, worldSeed } from '../../torture/experiments/simulation.ts'
import { fixedSeed } from '../helpers/short-form.ts'
import type { Planted } from '../../torture/simulation/instance.ts'

const print = (): void => {}

test('a thousand worlds keep every promise, and each kind of thing comes about in them', async () => {
  const { figures, violations } = await simulate({ seed: fixedSeed, isShort: true, count: null, print })
  assert.deepEqual(violations, [], `seed ${fixedSeed}`)
  assert.equal(figures['worlds'], 1_000)
  const missing = mustComeAbout.filter((what) => figures[what] === undefined)
  assert.deepEqual(missing, [], `seed ${fixedSeed}`)
})

const mustComeAbout = [
  'cooldown hits',
  'crashes',
  'events delivered',
  'events delivered after a failure',
  'events dropped after a failure',
  'overrides',
  'store faults',
  'outcome conflict',
  'outcome cut_off',
  'outcome decided',
  'outcome limited',
  'outcome live_refused',
  'outcome replayed',
  'outcome signals_unavailable',
  'outcome unavailable',
  'uncertain and not recorded',
  'uncertain and recorded',
]

test('a seed gives the same world each time, on its own or among others', async () => {
  const among = await simulate({ seed: fixedSeed, isShort: true, count: 5, print })
  const again = await simulate({ seed: fixedSeed, isShort: true, count: 5, print })
  assert.deepEqual(again.digests, among.digests)
  assert.equal(new Set(among.digests).size, 5)
  const third = await simulate({ seed: worldSeed(fixedSeed, 3), isShort: true, count: 1, print })
  assert.deepEqual(third.digests, among.digests.slice(3, 4))
})

/** A driver of which one change does something else. */
function changing(
  driver: Driver,
  other: (name: string, values: unknown[]) => Promise<unknown> | null,
): Driver {
  const ask = driver.change as (name: string, ...values: unknown[]) => Promise<unknown>
  const change = ((name: string, ...values: unknown[]) =>
    other(name, values) ?? ask(name, ...values)) as Change
  return { ...driver, change }
}

type Ask = (...values: readonly unknown[]) => Promise<unknown>

const bug = (): Promise<never> => Promise.reject(new Error('a bug'))

const invented: FeedReading = {
  kind: 'read',
  feed: 'constant',
  value: 0,
  scaled: 0,
  observedAtMs: null,
  maxAgeMs: 1,
  history: null,
  latencyMs: 0,
}

const plants: Readonly<Record<string, { readonly planted: Planted; readonly found: RegExp }>> = {
  'a store that answers and has not written': {
    planted: {
      driver: ({ driver }) => changing(driver, (name) => (name === 'commit' ? Promise.resolve([]) : null)),
    },
    found: /was answered but has no record/,
  },
  'a store that forgets an event': {
    planted: {
      driver: ({ driver, prepare }) =>
        changing(driver, (name, values) => {
          if (name !== 'commit') return null
          const written = (driver.change as unknown as Ask)(name, ...values)
          prepare("DELETE FROM webhook_deliveries WHERE event_id LIKE '%7'").run()
          return written
        }),
    },
    found: /is not in the outbox/,
  },
  'a store that does not keep idempotency keys': {
    planted: {
      driver: ({ driver }) =>
        changing(driver, (name, values) => {
          if (name !== 'commit') return null
          const [commands, ...rest] = values as [readonly CommitCommand[]]
          const keyless = commands.map((command) => ({ ...command, idempotency: null }))
          return (driver.change as unknown as Ask)(name, keyless, ...rest)
        }),
    },
    found: /has two records|two records under the idempotency key/,
  },
  'a failed delivery that counts as delivered': {
    planted: {
      driver: ({ driver }) =>
        changing(driver, (name, values) => {
          if (name !== 'outboxTurn') return null
          const [turn] = values as [OutboxTurn]
          const ended = turn.ended.map((one) => ({ ...one, state: 'delivered' }))
          return (driver.change as unknown as Ask)(name, { ...turn, ended })
        }),
    },
    found: /its receiver never accepted it/,
  },
  'a log that seals something else': {
    planted: {
      driver: ({ driver }) =>
        changing(driver, (name, values) => {
          if (name !== 'appendToLog') return null
          const [growth] = values as [PackedGrowth]
          const blocks = growth.blocks.map((block) => ({ ...block, entries: block.entries.toLowerCase() }))
          return (driver.change as unknown as Ask)(name, { ...growth, blocks })
        }),
    },
    found: /^the log: /,
  },
  'a fault that the log alone is told of, while events are sent': {
    planted: { driver: ({ driver }) => changing(driver, (name) => (name === 'outboxTurn' ? bug() : null)) },
    found: /\(Error: a bug\)/,
  },
  'a fault that the log alone is told of, while records are sealed': {
    planted: { driver: ({ driver }) => changing(driver, (name) => (name === 'appendToLog' ? bug() : null)) },
    found: /\(Error: a bug\)/,
  },
  'a limiter that admits one too many': {
    planted: {
      limiter: (limiter) => ({
        admit: (bucket, limit) => limiter.admit(bucket, { ...limit, count: limit.count + 1 }),
      }),
    },
    found: /admitted more than 3/,
  },
  'a cooldown that lasts too long': {
    planted: { cooldownMs: 300_000 },
    found: /is a cooldown hit outside the window/,
  },
  'a cooldown that ends too soon': {
    planted: { cooldownMs: 1 },
    found: /blocks its corridor/,
  },
  'live feeds that make up what they cannot read': {
    planted: {
      feeds: (feeds) => ({
        ...feeds,
        async read(query) {
          const results = Object.entries(await feeds.read(query))
          const madeUp = results.map(([signal, one]) => [signal, one.kind === 'read' ? one : invented])
          return Object.fromEntries(madeUp) as FeedResults
        },
      }),
    },
    found: /was decided live while a feed was down/,
  },
}

for (const [name, { planted, found }] of Object.entries(plants)) {
  test(`${name} is found, and the seed that is named shows the same again`, async () => {
    const { violations } = await simulate({ seed: fixedSeed, isShort: true, count: 100, print }, planted)
    const [first = 'nothing was found'] = violations
    assert.match(first, found)
    const own = Number(/\(step \d+; npm run torture -- simulation --seed (\d+) --count 1\)$/.exec(first)?.[1])
    const again = await simulate({ seed: own, isShort: true, count: 1, print }, planted)
    assert.deepEqual(again.violations, [first])
  })
}
