/** Seeds a database with realistic records: node bench/harness/seed.ts DATABASE_URL COUNT. */

import { randomUUID } from 'node:crypto'
import { leafHashes } from '../../src/app/log/leaf.ts'
import { followAll } from '../../src/app/followers/catch-up.ts'
import { openInstallationKey } from '../../src/app/log/installation-key.ts'
import { Sealer } from '../../src/app/log/sealer.ts'
import { openKeyFile } from '../../src/adapters/key-file.ts'
import { openStore } from '../../src/adapters/store/open.ts'
import { systemClock as clock, systemRandom as random } from '../../src/adapters/system.ts'
import { createIds, prefixedId } from '../../src/app/verify/ids.ts'
import type { CommitCommand } from '../../src/app/ports/records.ts'
import type { KeyRecord } from '../../src/app/ports/identity/keys.ts'
import type { Store } from '../../src/app/ports/store.ts'
import { createShadowSignals } from '../../src/app/verify/shadow-signals.ts'
import { DecisionTimer } from '../../src/app/verify/decision-timer.ts'
import { createVerify } from '../../src/app/verify/verify.ts'
import { readConfig } from '../../src/config.ts'
import { parseCorridor } from '../../src/core/reference/corridor.ts'
import { parseCurrency } from '../../src/core/reference/currency.ts'
import { noPolicies } from '../../src/app/policy/active.ts'
import { standardCap } from '../../src/core/decision/policy.ts'

const concurrency = 1_024
const otherOwnersCount = 500
const reportEvery = 100_000

const samples: readonly (readonly [corridor: string, amount: number])[] = [
  ['GB-NG', 1000],
  ['GB-NG', 60_000],
  ['GB-NG', 250.06],
  ['NG-GB', 75],
  ['NG-GB', 1000.02],
  ['GB-KE', 500],
  ['GB-NG', 600_000],
  ['FR-JP', 20],
]

/** Real commit commands, captured from the use case. */
async function templates(store: Store, owner: KeyRecord): Promise<CommitCommand[]> {
  const captured: CommitCommand[] = []
  const verify = createVerify({
    store: {
      ...store,
      look: () => Promise.resolve({ kind: 'open', block: null }),
      commit: (command) => {
        captured.push(command)
        return Promise.resolve({ kind: 'fresh' })
      },
    },
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
  for (const [text, amount] of samples) {
    const corridor = parseCorridor(text)
    if (corridor === null || currency === null) throw new Error(`${text} is not a corridor`)
    await verify({
      caller: owner,
      mode: null,
      corridor,
      amount,
      currency,
      correlationId: null,
      idempotencyKey: null,
      warnings: [],
      fingerprint: () => '',
      timer: new DecisionTimer(clock),
    })
  }
  return captured
}

/** Half of the records belong to the benchmark's key, the rest to other owners. Half have an idempotency key. */
function* commands(
  count: number,
  owner: KeyRecord,
  models: readonly CommitCommand[],
): Generator<CommitCommand> {
  const ids = createIds({ clock, random })
  const others = Array.from({ length: otherOwnersCount }, () => ({
    ownerId: prefixedId('own', random),
    keyId: prefixedId('key', random),
  }))
  for (let place = 0; place < count; place += 1) {
    const model = models[Math.floor(place / 4) % models.length]
    const creator = place % 2 === 0 ? owner : others[(place >> 1) % others.length]
    if (model === undefined || creator === undefined) throw new Error('no command templates')
    const { requestId, recordedAtMs } = ids.nextRequest()
    const { record } = model
    const copy = {
      ...record,
      requestId,
      recordedAtMs,
      evaluatedAtMs: recordedAtMs,
      ownerId: creator.ownerId,
      keyId: creator.keyId,
      answer: record.answer.replace(record.requestId, requestId),
    }
    yield {
      record: copy,
      idempotency: place % 4 < 2 ? { key: randomUUID(), fingerprint: randomUUID().repeat(2) } : null,
      block: null,
      rollup: model.rollup,
    }
  }
}

async function seed(store: Store, count: number): Promise<void> {
  const [owner] = await store.keys.list()
  if (owner === undefined) throw new Error('issue a key first: it owns half of the records')
  const models = await templates(store, owner)
  const source = commands(count, owner, models)
  let done = 0
  async function worker(): Promise<void> {
    for (const command of source) {
      const claim = await store.commit(command)
      if (claim.kind !== 'fresh') throw new Error(`a seeded record was not stored: ${claim.kind}`)
      done += 1
      if (done % reportEvery === 0) process.stderr.write(`  ${done} of ${count} records\n`)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  // Follow and seal now: otherwise the service would do so for all records while it is measured.
  await followAll(store.journal)
  const { sealKeyFile: file } = readConfig({
    DATABASE_URL: databaseUrl,
    FAIRWAY_SEAL_KEY_FILE: process.env['FAIRWAY_SEAL_KEY_FILE'],
  })
  const { signing } = await openInstallationKey({ store, clock, random, keys: [], file: openKeyFile(file) })
  await new Sealer({ store, clock, signing }).turn()
}

const [, , databaseUrl, countText] = process.argv
const count = Number(countText)
if (databaseUrl === undefined || !Number.isSafeInteger(count) || count < 1) {
  throw new Error('usage: node bench/harness/seed.ts DATABASE_URL COUNT')
}
const onFault = (message: string): void => void process.stderr.write(`seed: ${message}\n`)
const { store } = await openStore({ leafHashes, databaseUrl, clock, onFault })
try {
  await seed(store, count)
} finally {
  await store.close()
}
