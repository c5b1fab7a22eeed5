/** Fills a database with records like those of real requests: node bench/seed.ts DATABASE_URL COUNT. */

import { randomUUID } from 'node:crypto'
import { leafHashes } from '../src/app/log/leaf.ts'
import { openSigning, Sealer } from '../src/app/log/sealer.ts'
import { openStore } from '../src/adapters/store/open.ts'
import { systemClock as clock, systemRandom as random } from '../src/adapters/system.ts'
import { createIds, prefixedId } from '../src/app/verify/ids.ts'
import type { CommitCommand } from '../src/app/ports/records.ts'
import type { KeyRecord } from '../src/app/ports/keys.ts'
import type { Store } from '../src/app/ports/store.ts'
import { shadowSignals } from '../src/app/verify/shadow-signals.ts'
import { DecisionTimer } from '../src/app/verify/decision-timer.ts'
import { createVerify } from '../src/app/verify/verify.ts'
import { parseCorridor } from '../src/core/reference/corridor.ts'
import { parseCurrency } from '../src/core/reference/currency.ts'
import { standardCap } from '../src/core/decision/policy.ts'

const atOnce = 1_024
const otherOwnersCount = 500
const sayEvery = 100_000

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

/** Real commands, taken from the use case on their way to the store. */
async function templates(store: Store, owner: KeyRecord): Promise<CommitCommand[]> {
  const taken: CommitCommand[] = []
  const verify = createVerify({
    store: {
      ...store,
      look: () => Promise.resolve({ kind: 'open', block: null }),
      commit: (command) => {
        taken.push(command)
        return Promise.resolve({ kind: 'fresh' })
      },
    },
    clock,
    ids: createIds({ clock, random }),
    random,
    signals: { shadow: shadowSignals, live: shadowSignals },
    policy: { standard: standardCap, stricter: new Map() },
    cooldownMs: 0,
  })
  const currency = parseCurrency('GBP')
  for (const [text, amount] of samples) {
    const corridor = parseCorridor(text)
    if (corridor === null || currency === null) throw new Error(`${text} is no corridor`)
    await verify({
      caller: owner,
      mode: null,
      corridor,
      amount,
      currency,
      correlationId: null,
      idempotencyKey: null,
      fingerprint: () => '',
      trace: new DecisionTimer(clock),
    })
  }
  return taken
}

/** Half of the records are the bench's own, half of them came with an idempotency key; the rest are others'. */
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
    const who = place % 2 === 0 ? owner : others[(place >> 1) % others.length]
    if (model === undefined || who === undefined) throw new Error('there is nothing to seed with')
    const { requestId, recordedAtMs } = ids.nextRequest()
    const { record } = model
    const copy = {
      ...record,
      requestId,
      recordedAtMs,
      evaluatedAtMs: recordedAtMs,
      ownerId: who.ownerId,
      keyId: who.keyId,
      answer: record.answer.replace(record.requestId, requestId),
    }
    yield {
      record: copy,
      idempotency: place % 4 < 2 ? { key: randomUUID(), fingerprint: randomUUID().repeat(2) } : null,
      block: null,
      noted: model.noted,
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
      if (claim.kind !== 'fresh') throw new Error(`a seeded record was not taken: ${claim.kind}`)
      done += 1
      if (done % sayEvery === 0) process.stderr.write(`  ${done} of ${count} records\n`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  // As the service does all along: else it would be at it while it is measured.
  const signing = await openSigning({ store, clock, random, seed: null })
  await new Sealer({ store, clock, signing }).turn()
}

const [, , databaseUrl, countText] = process.argv
const count = Number(countText)
if (databaseUrl === undefined || !Number.isSafeInteger(count) || count < 1) {
  throw new Error('usage: node bench/seed.ts DATABASE_URL COUNT')
}
const onFault = (message: string): void => void process.stderr.write(`seed: ${message}\n`)
const { store } = await openStore({ leafHashes, databaseUrl, clock, random, onFault })
try {
  await seed(store, count)
} finally {
  await store.close()
}
