/** Seeds records over several months, newest last: node bench/reads/partitions-seed.ts DATABASE_URL COUNT MONTHS. */

import { followAll } from '../../src/app/followers/catch-up.ts'
import { leafHashes } from '../../src/app/log/leaf.ts'
import pg from 'pg'
import { openStore } from '../../src/adapters/store/open.ts'
import { ensurePartitions } from '../../src/adapters/store/months/partitions.ts'
import { systemClock, systemRandom as random } from '../../src/adapters/system.ts'
import { createIds } from '../../src/app/verify/ids.ts'
import type { Clock } from '../../src/app/ports/system.ts'
import type { KeyRecord } from '../../src/app/ports/identity/keys.ts'
import type { Store } from '../../src/app/ports/store.ts'
import { createShadowSignals } from '../../src/app/verify/shadow-signals.ts'
import { DecisionTimer } from '../../src/app/verify/decision-timer.ts'
import { createVerify } from '../../src/app/verify/verify.ts'
import { parseCorridor } from '../../src/core/reference/corridor.ts'
import { parseCurrency } from '../../src/core/reference/currency.ts'
import { noPolicies } from '../../src/app/policy/active.ts'
import { standardCap } from '../../src/core/decision/policy.ts'

const concurrency = 256
/** Payments of every verdict. */
const samples: readonly (readonly [corridor: string, amount: number])[] = [
  ['GB-NG', 1000],
  ['GB-NG', 60_000],
  ['NG-GB', 75],
  ['NG-GB', 1000.02],
  ['GB-NG', 600_000],
]
/** Has a single record, which the benchmark queries by corridor. */
const rareCorridor = 'FR-JP'

/** The simulated time of the next records. */
let nowMs = systemClock.nowMs()
const clock: Clock = { nowMs: () => nowMs, monotonicMs: () => systemClock.monotonicMs() }

function verifierOf(store: Store, caller: KeyRecord): (text: string, amount: number) => Promise<void> {
  const verify = createVerify({
    store,
    clock,
    ids: createIds({ clock, random }),
    random,
    signals: { shadow: createShadowSignals(true), live: createShadowSignals(true) },
    policies: noPolicies,
    policy: { standard: standardCap, stricter: new Map() },
    cooldownMs: 0,
    validMs: 600_000,
  })
  const currency = parseCurrency('GBP')
  return async (text, amount) => {
    const corridor = parseCorridor(text)
    if (corridor === null || currency === null) throw new Error(`${text} is not a corridor`)
    const command = {
      mode: null,
      corridor,
      amount,
      currency,
      correlationId: null,
      idempotencyKey: null,
      warnings: [],
    }
    await verify({ ...command, caller, fingerprint: () => '', timer: new DecisionTimer(clock) })
  }
}

/** The middle of this month and of each month before it, oldest first. */
function monthsBack(months: number): number[] {
  const now = new Date(systemClock.nowMs())
  return Array.from({ length: months }, (_, place) =>
    Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - (months - 1 - place), 15),
  )
}

async function seed(store: Store, count: number, months: readonly number[]): Promise<void> {
  const [owner] = await store.keys.list()
  if (owner === undefined) throw new Error('issue a key first: it owns the records')
  const verify = verifierOf(store, owner)
  const each = Math.floor(count / months.length)
  for (const [place, month] of months.entries()) {
    nowMs = month
    // One record of the rare corridor in the oldest month: a page of it must search all months.
    if (place === 0) await verify(rareCorridor, 20)
    for (let done = 0; done < each; done += concurrency) {
      nowMs += 60_000
      const size = Math.min(concurrency, each - done)
      const batch = Array.from({ length: size }, (_, index) => samples[index % samples.length])
      await Promise.all(batch.map(([text, amount] = ['GB-NG', 1]) => verify(text, amount)))
    }
  }
  // Otherwise the service would follow all records while it is measured.
  await followAll(store.journal)
}

const [, , databaseUrl, countText, monthsText] = process.argv
const [count, months] = [Number(countText), Number(monthsText)]
if (databaseUrl === undefined || !Number.isSafeInteger(count) || !Number.isSafeInteger(months)) {
  throw new Error('usage: node bench/reads/partitions-seed.ts DATABASE_URL COUNT MONTHS')
}
const pool = new pg.Pool({ connectionString: databaseUrl })
const onFault = (message: string): void => void process.stderr.write(`seed: ${message}\n`)
const { store } = await openStore({ leafHashes, databaseUrl, clock: systemClock, onFault })
try {
  const middles = monthsBack(months)
  for (const middle of middles) await ensurePartitions(pool, middle)
  await seed(store, count, middles)
} finally {
  await store.close()
  await pool.end()
}
