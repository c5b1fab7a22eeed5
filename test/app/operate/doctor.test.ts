/** The doctor's rules by themselves: versions, rights, room, clocks, followers and feeds, each on both sides of its limit. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FeedCheck } from '../../../src/app/inspect/check-feeds.ts'
import { clockFindings, databaseFindings } from '../../../src/app/operate/doctor/database.ts'
import type { DoctorDeps } from '../../../src/app/operate/doctor/deps.ts'
import { worstOf, type State } from '../../../src/app/operate/doctor/findings.ts'
import { lagFinding } from '../../../src/app/operate/doctor/followers.ts'
import { diskFinding, nodeFinding, rightsFindings } from '../../../src/app/operate/doctor/machine.ts'
import { readFindings } from '../../../src/app/operate/doctor/outside.ts'
import { lookAtDatabase } from '../../../src/adapters/store/look.ts'
import { leafHashes } from '../../../src/app/log/leaf.ts'
import { signalNames } from '../../../src/core/decision/signals.ts'
import { check, corridorOf, currencyOf } from '../../helpers/check.ts'
import { ManualClock } from '../../helpers/clock.ts'
import { migratedDatabase } from '../../helpers/database/databases.ts'

test('a version in one of the ranges is new enough, and no other is', () => {
  check<string, State>(
    [
      ['22.20.0', 'ok'],
      ['22.21.1', 'ok'],
      ['24.7.0', 'ok'],
      ['25.0.0', 'ok'],
      ['22.19.9', 'fault'],
      ['23.11.0', 'fault'],
      ['24.6.0', 'fault'],
      ['9.30.0', 'fault'],
    ],
    (version) => nodeFinding({ version, needed: '^22.20.0 || >=24.7.0' }).state,
  )
  assert.equal(
    nodeFinding({ version: '23.1.0', needed: '^22.20.0 || >=24.7.0' }).action,
    'Install Node.js 22.20.0, 24.7.0 or later',
  )
  check<string, State>(
    [
      ['24.0.0', 'ok'],
      ['23.11.0', 'fault'],
    ],
    (version) => nodeFinding({ version, needed: '>=24' }).state,
  )
})

test('what cannot be read or written by this user is a fault', () => {
  const look = { kind: 'file', isReadable: true, isWritable: true, mode: 0o600, bytes: 1 } as const
  const watched = { path: 'fairway.db', kind: 'file', isWritten: true, secrets: 'some' } as const
  const foundOf = (more: Partial<typeof look> | object): string[] =>
    rightsFindings(watched, { ...look, ...more }, 'fairway').map(({ state, found }) => `${state}: ${found}`)
  assert.deepEqual(foundOf({}), [])
  assert.deepEqual(foundOf({ mode: null }), [])
  assert.deepEqual(foundOf({ isWritable: false }), ['fault: fairway.db cannot be written by fairway'])
  assert.deepEqual(foundOf({ kind: 'unknown', isReadable: false, isWritable: false, mode: null }), [
    'fault: fairway.db cannot be read by fairway',
  ])
  assert.deepEqual(foundOf({ mode: 0o604 }), [
    'warning: fairway.db holds secrets and is open to others (mode 604)',
  ])
  const read = { ...watched, isWritten: false, secrets: 'none' } as const
  assert.deepEqual(rightsFindings(read, { ...look, isWritable: false, mode: 0o444 }, 'fairway'), [])
})

test('room is scarce below 1 GB or a second copy of the database, and gone below 100 MB', () => {
  check<readonly [free: number, database: number], State>(
    [
      [[99_999_999, 0], 'fault'],
      [[100_000_000, 0], 'warning'],
      [[999_999_999, 0], 'warning'],
      [[1_000_000_000, 0], 'ok'],
      [[5_000_000_000, 5_000_000_001], 'warning'],
      [[5_000_000_000, 5_000_000_000], 'ok'],
    ],
    ([free, database]) => diskFinding('data', free, database).state,
  )
  assert.equal(
    diskFinding('data', 2_400_000_000, 12_000_000).found,
    '2.4 GB free in data for a database of 12.0 MB: room for about 1,000,000 decisions',
  )
})

test('a clock may be two seconds from another, and a record as far ahead of it', () => {
  const nowMs = Date.parse('2026-03-01T12:00:00.000Z')
  const statesOf = (newestMs: number | null, serverMs: number | null, roundTripMs = 0): State[] =>
    clockFindings({
      nowMs,
      newestAtMs: newestMs === null ? null : nowMs + newestMs,
      server: serverMs === null ? null : { nowMs: nowMs + serverMs, roundTripMs },
    }).map(({ state }) => state)
  assert.deepEqual(statesOf(null, null), ['ok'])
  assert.deepEqual(statesOf(2_000, 2_000), ['ok'])
  assert.deepEqual(statesOf(2_001, null), ['fault'])
  assert.deepEqual(statesOf(-86_400_000, -2_001), ['warning'])
  assert.deepEqual(statesOf(null, 2_001), ['warning'])
  assert.deepEqual(statesOf(60_000, 60_000), ['fault', 'warning'])
  assert.deepEqual(
    statesOf(null, -6_000, 6_000),
    ['ok'],
    'a slow answer may have been read at any time of its way',
  )
  const [behind] = clockFindings({
    nowMs,
    newestAtMs: null,
    server: { nowMs: nowMs + 90_000, roundTripMs: 0 },
  })
  assert.match(
    behind?.found ?? '',
    /^This clock is 90 s behind that of the database server; instances tolerate 2 s$/,
  )
})

test('a follower may be 30 seconds late where a server runs, and waits where none does', () => {
  const stateOf = (entries: number, seconds: number, isServed: boolean): State | null =>
    lagFinding({ follower: 'totals', entries, seconds }, isServed)[0]?.state ?? null
  assert.equal(stateOf(0, 0, true), null)
  assert.equal(stateOf(900, 30, true), null)
  assert.equal(stateOf(1, 30.1, true), 'warning')
  assert.equal(stateOf(1, 0.2, false), 'note')
  assert.equal(stateOf(0, 0, false), null)
})

/** All signals of a partner, these with their fault. */
function feedCheck(
  corridor: string,
  partner: string | null,
  errors: Readonly<Record<string, string>>,
): FeedCheck {
  const feeds = signalNames.map((signal) => {
    const error = (errors[signal] ?? null) as FeedCheck['feeds'][number]['error']
    const detail = error === null ? null : 'detail'
    return {
      signal,
      source: 'http' as const,
      value: 1,
      risk_value: 1,
      age_ms: null,
      latency_ms: 1,
      error,
      detail,
    }
  })
  return { corridor: corridorOf(corridor), partner, amount: 1, currency: currencyOf('GBP'), feeds }
}

test('a feed that fails is a fault where it holds a corridor, and a warning where another partner is left', () => {
  const statesOf = (...checks: FeedCheck[]): State[] => readFindings(checks).map(({ state }) => state)
  const [one, other] = [
    feedCheck('GB-NG', 'one', {}),
    feedCheck('GB-NG', 'other', { fraud_flags: 'timeout' }),
  ]
  assert.deepEqual(statesOf(one), ['ok'])
  assert.deepEqual(statesOf(one, other), ['warning'])
  assert.deepEqual(statesOf(other), ['fault'])
  assert.deepEqual(statesOf(one, other, feedCheck('NG-GB', null, { fraud_flags: 'stale' })), [
    'fault',
    'warning',
  ])
  const noOwner = feedCheck('GB-NG', null, { historical_failure_rate: 'no_history' })
  const [alone] = readFindings([noOwner])
  assert.equal(alone?.state, 'ok')
  assert.match(alone?.found ?? '', /^6 signals read .*; 1 need the outcomes of an owner/)
  const all = Object.fromEntries(signalNames.map((signal) => [signal, 'timeout']))
  const many = readFindings([feedCheck('GB-NG', null, all)])
  assert.equal(many.length, 6)
  assert.equal(many.at(-1)?.found, '2 more signals cannot be read')
})

test('a standby, and a database that does not wait for its disk, are faults', async () => {
  const database = await migratedDatabase('postgres')
  const look = (await lookAtDatabase({ databaseUrl: database.url, leafHashes })) ?? assert.fail()
  const deps = { clock: new ManualClock() } as unknown as DoctorDeps
  const { store } = look
  const careless = {
    ...store,
    selfCheck: async (nowMs: number) => ({ ...(await store.selfCheck(nowMs)), isDurable: false }),
  }
  const found = await databaseFindings(deps, {
    kind: 'open',
    look: { ...look, isPrimary: false, store: careless },
  })
  assert.deepEqual(
    found.map(({ state, found: text }) => [state, text.replace(/PostgreSQL [\d.]+\S*/, 'PostgreSQL')]),
    [
      ['fault', 'PostgreSQL is a standby, which takes no decisions'],
      ['fault', 'The database does not wait for the disk: a crash could lose decisions'],
    ],
  )
  await assert.rejects(store.probeWrite(0), /read-only/)
  await look.close()
  await database.drop()
})

test('the worst finding counts, and what was not checked least', () => {
  const worst = (...states: State[]): State => worstOf(states.map((state) => ({ state })))
  assert.equal(worst('ok', 'fault', 'warning'), 'fault')
  assert.equal(worst('note', 'ok'), 'note')
  assert.equal(worst('skipped', 'ok'), 'ok')
  assert.equal(worst('skipped'), 'skipped')
})
