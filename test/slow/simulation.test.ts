/** The simulation in its short form, that it repeats itself exactly, and that it sees: what is planted in it is found. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Driver } from '../../src/adapters/store/engine/driver.ts'
import type { ProjectionName } from '../../src/app/ports/journal.ts'
import type { FeedReading, FeedResults } from '../../src/app/ports/feeds.ts'
import type { CommitCommand } from '../../src/app/ports/records.ts'
import type { OutboxTurn } from '../../src/app/ports/webhooks.ts'
import { simulate, worldSeed } from '../../torture/experiments/simulation.ts'
import { fixedSeed } from '../helpers/short-form.ts'
import type { Schedule } from '../../torture/simulation/schedule.ts'
import type { WorldDatabase } from '../../torture/simulation/world-database.ts'
import { askOf, changing, print, testPlants, type Plant } from './planted.ts'

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
  'crashes between append and follow',
  'events delivered',
  'events delivered after a failure',
  'events dropped after a failure',
  'overrides',
  'pauses',
  'reads',
  'reports recorded',
  'reports refused',
  'outcomes in calibration',
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
  'queues',
  'reviews of a GO',
  'review changes approved',
  'review changes claimed',
  'review changes commented',
  'review changes expired',
  'review changes overridden',
  'review changes proposed',
  'review changes rejected',
  'review changes released',
  'reviewer cut_off',
  'reviewer refused another_proposal',
  'reviewer refused claimed_by_another',
  'reviewer refused closed',
  'reviewer refused expired',
  'reviewer refused four_eyes',
  'reviewer refused no_proposal',
  'reviewer unavailable',
  'reviewer unknown',
]

test('a seed gives the same world each time, on its own or among others', async () => {
  const among = await simulate({ seed: fixedSeed, isShort: true, count: 5, print })
  const again = await simulate({ seed: fixedSeed, isShort: true, count: 5, print })
  assert.deepEqual(again.digests, among.digests)
  assert.equal(new Set(among.digests).size, 5)
  const third = await simulate({ seed: worldSeed(fixedSeed, 3), isShort: true, count: 1, print })
  assert.deepEqual(third.digests, among.digests.slice(3, 4))
})

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

/** Invents a value for every signal that could not be read. */
function madeUp(results: FeedResults): FeedResults {
  const entries = Object.entries(results).map(([signal, one]) => [
    signal,
    one.kind === 'read' ? one : invented,
  ])
  return Object.fromEntries(entries) as FeedResults
}

type Prepare = WorldDatabase['prepare']

const rowOf: Readonly<Record<ProjectionName, readonly [table: string, where: string]>> = {
  totals: ['followers', "name = 'totals'"],
  webhooks: ['followers', "name = 'webhooks'"],
  calibration: ['calibration_follower', 'follower = 1'],
  events: ['events_follower', 'follower = 1'],
}

function positionOf(prepare: Prepare, follower: ProjectionName): number {
  const [table, where] = rowOf[follower]
  const row = prepare(`SELECT position FROM ${table} WHERE ${where}`).get() as { position: number }
  return row.position
}

function setPosition(prepare: Prepare, follower: ProjectionName, position: number): void {
  const [table, where] = rowOf[follower]
  prepare(`UPDATE ${table} SET position = ? WHERE ${where}`).run(position)
}

/** Every third time the process is killed after the results and before the position. */
function followingApart(driver: Driver, prepare: Prepare): Driver {
  let times = 0
  return changing(driver, (name, values) => {
    if (name !== 'follow') return null
    const follower = values[0] as ProjectionName
    const position = positionOf(prepare, follower)
    const followed = askOf(driver)(name, follower)
    times += 1
    if (times % 3 === 0) setPosition(prepare, follower, position)
    return followed
  })
}

/** Of two rows that are committed together, the one with the lower number comes too late for it. */
function skippingLate(driver: Driver, prepare: Prepare): Driver {
  const skipped = new Set<number>()
  return changing(driver, (name) => {
    if (name !== 'sequence') return null
    const rows = prepare('SELECT number, entries, records FROM journal_queue ORDER BY number').all() as {
      number: number
      entries: string
      records: number
    }[]
    const left = rows.filter(({ number }) => !skipped.has(number))
    if (left.length > 1) skipped.add(left[0]?.number ?? 0)
    const late = rows.filter(({ number }) => skipped.has(number))
    for (const { number } of late) prepare('DELETE FROM journal_queue WHERE number = ?').run(number)
    const sequenced = askOf(driver)(name)
    const insert = prepare('INSERT INTO journal_queue (number, entries, records) VALUES (?, ?, ?)')
    for (const { number, entries, records } of late) insert.run(number, entries, records)
    return sequenced
  })
}

/** Whoever wants the lease has it, and a position that was read is written later, whoever has moved it meanwhile. */
function followingUnlocked(driver: Driver, prepare: Prepare, schedule: Schedule): Driver {
  return changing(driver, (name, values) => {
    if (name === 'replaceLease') return Promise.resolve(true)
    if (name !== 'follow') return null
    const follower = values[0] as ProjectionName
    const position = positionOf(prepare, follower)
    return new Promise((resolve, reject) => {
      schedule.after(20, () => {
        setPosition(prepare, follower, position)
        askOf(driver)(name, follower).then(resolve, reject)
      })
    })
  })
}

/** Entries that were followed twice, in the words of whichever check comes first. */
const effectTwice =
  /counts \d+ of \d+|counts .* its records are|^calibration of .* differs|went back|has not been followed|UNIQUE constraint failed/

const plants: Readonly<Record<string, Plant>> = {
  'a store that answers and has not written': {
    planted: {
      driver: ({ driver }) => changing(driver, (name) => (name === 'commit' ? Promise.resolve([]) : null)),
    },
    found: /was answered but has no record|got 'unavailable' without a store fault/,
  },
  'a store that forgets an event': {
    planted: {
      driver: ({ driver, prepare }) =>
        changing(driver, (name, values) => {
          if (name !== 'follow') return null
          const followed = askOf(driver)(name, ...values)
          prepare("DELETE FROM webhook_deliveries WHERE event_id LIKE '%7'").run()
          return followed
        }),
    },
    found: /is not in the outbox/,
  },
  'an outcome that counts twice': {
    planted: {
      driver: ({ driver, prepare }) =>
        changing(driver, (name, values) => {
          if (name !== 'follow' || values[0] !== 'calibration') return null
          const followed = askOf(driver)(name, ...values)
          prepare('UPDATE calibration SET cells = replace(cells, ?, ?)').run('"GO":[97,1,', '"GO":[97,2,')
          return followed
        }),
    },
    found: /^calibration of .* (?:differs|shows)/,
  },
  'a store that does not keep idempotency keys': {
    planted: {
      driver: ({ driver }) =>
        changing(driver, (name, values) => {
          if (name !== 'commit') return null
          const [commands, ...rest] = values as [readonly CommitCommand[]]
          const keyless = commands.map((command) => ({ ...command, idempotency: null }))
          return askOf(driver)(name, keyless, ...rest)
        }),
    },
    found: /has two records|two records under the idempotency key|got 'unavailable' without a store fault/,
  },
  'a failed delivery that counts as delivered': {
    planted: {
      driver: ({ driver }) =>
        changing(driver, (name, values) => {
          if (name !== 'outboxTurn') return null
          const [turn] = values as [OutboxTurn]
          const ended = turn.ended.map((one) => ({ ...one, state: 'delivered' }))
          return askOf(driver)(name, { ...turn, ended })
        }),
    },
    found: /its receiver never accepted it/,
  },
  'a log that seals something else': {
    planted: {
      driver: ({ driver, prepare }) =>
        changing(driver, (name) => {
          const space = "instr(entries, ' ')"
          const sql = `UPDATE journal_queue
            SET entries = substr(entries, 1, ${space}) || 'A' || substr(entries, ${space} + 2)`
          if (name === 'sequence') prepare(sql).run()
          return null
        }),
    },
    found: /^the log: /,
  },
  'a follower whose position is committed apart from its results': {
    planted: { driver: ({ driver, prepare }) => followingApart(driver, prepare) },
    found: effectTwice,
  },
  'a sequencer that skips what was committed late': {
    planted: { driver: ({ driver, prepare }) => skippingLate(driver, prepare) },
    found: /a reader saw the past|not everything is followed|was made by no act/,
  },
  'a lease that is not checked, and followers that do not lock': {
    planted: { driver: ({ driver, prepare }, schedule) => followingUnlocked(driver, prepare, schedule) },
    found: effectTwice,
  },
  'a reader that does not wait': {
    planted: { readers: (store) => store },
    found: /a reader saw the past/,
  },
  'a cooldown that is ignored': {
    planted: {
      driver: ({ driver, prepare }) =>
        changing(driver, (name, values) => {
          if (name !== 'commit') return null
          const written = askOf(driver)(name, ...values)
          prepare('DELETE FROM cooldowns').run()
          return written
        }),
    },
    found: /is a GO after the NO-GO|blocks its corridor/,
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
    found: /blocks its corridor|is a GO after the NO-GO/,
  },
  'live feeds that make up what they cannot read': {
    planted: {
      feeds: (feeds) => ({
        current: () => ({
          ...feeds.current(),
          async read(query) {
            const routes = await feeds.current().read(query)
            return routes.map(({ partner, results }) => ({ partner, results: madeUp(results) }))
          },
        }),
      }),
    },
    found: /was decided live while a feed was down/,
  },
}

testPlants(plants)
