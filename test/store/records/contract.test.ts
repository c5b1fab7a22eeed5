/** One suite for every engine: what the store promises, whatever is underneath. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leafHashes } from '../../../src/app/log/leaf.ts'
import { openStore, type Opened } from '../../../src/adapters/store/open.ts'
import { keepApart } from '../../../src/app/log/personal-text.ts'
import { systemRandom } from '../../../src/adapters/system.ts'
import { createIds } from '../../../src/app/verify/ids.ts'
import type {
  CommitCommand,
  HistoryQuery,
  RepeatedRecord,
  Verification,
} from '../../../src/app/ports/records.ts'
import type { Corridor } from '../../../src/core/reference/corridor.ts'
import type { Currency } from '../../../src/core/reference/currency.ts'
import { ManualClock } from '../../helpers/clock.ts'
import { engines, freshDatabase, type Engine } from '../../helpers/database/databases.ts'

interface Fixture extends Opened {
  readonly clock: ManualClock
  readonly url: string
  readonly record: (more?: Partial<Verification>) => Verification
  readonly again: () => Promise<Opened>
}

/** As the server has it: threads write, and read what may be long. */
const threaded = 'sqlite with threads'
type Variant = Engine | typeof threaded
const variants: readonly Variant[] = [...engines, threaded]

function optionsOf(variant: Variant) {
  const writerEntry = new URL('../../../src/store-worker.ts', import.meta.url)
  const readerEntry = new URL('../../../src/read-worker.ts', import.meta.url)
  return {
    engine: variant === threaded ? 'sqlite' : variant,
    threads: variant === threaded ? { writerEntry, readerEntry } : {},
  } as const
}

async function withStore(variant: Variant, work: (fixture: Fixture) => Promise<void>): Promise<void> {
  const { engine, threads } = optionsOf(variant)
  const database = await freshDatabase(engine)
  const clock = new ManualClock()
  const ids = createIds({ clock, random: systemRandom })
  const open = (more: { writerEntry?: URL; readerEntry?: URL }): Promise<Opened> =>
    openStore({
      leafHashes,
      databaseUrl: database.url,
      clock,
      onFault: () => {},
      ...more,
    })
  const opened = await open(threads)
  const others: Opened[] = []
  const record = (more: Partial<Verification> = {}): Verification => {
    const correlationId = more.correlationId === undefined ? 'it\u2019s "quoted" \\ ☕' : more.correlationId
    return {
      form: 2,
      ...ids.nextRequest(),
      ownerId: 'own_a',
      keyId: 'key_a',
      mode: 'shadow',
      corridor: 'GB-NG' as Corridor,
      verdict: 'GO',
      scoreHundredths: 96,
      confidenceHundredths: 93,
      amount: 0.1 + 0.2,
      currency: 'GBP' as Currency,
      correlationId,
      personalText: correlationId === null ? null : keepApart(correlationId, systemRandom),
      evaluatedAtMs: clock.nowMs(),
      cooldownSourceId: null,
      answer: '{"decision":"GO"}',
      evidence: '{"composite":1}',
      ...more,
    }
  }
  const again = async (): Promise<Opened> => {
    // One server owns a SQLite file; whoever works beside it is a command, without a thread.
    const other = await open({})
    others.push(other)
    return other
  }
  try {
    await work({ ...opened, clock, url: database.url, record, again })
  } finally {
    for (const one of [opened, ...others]) await one.store.close()
    await database.drop()
  }
}

/** What a replay or a block hands back of a record. */
function repeated(record: Verification): RepeatedRecord {
  const { form, requestId, correlationId, mode, verdict, scoreHundredths, confidenceHundredths } = record
  const { evaluatedAtMs, answer } = record
  const decided = { mode, verdict, scoreHundredths, confidenceHundredths, evaluatedAtMs, answer }
  return { form, requestId, correlationId, ...decided }
}
const rollup = { reasonCodes: [], latencyUs: null }
const plain = (record: Verification): CommitCommand => ({
  record,
  idempotency: null,
  block: null,
  rollup,
})
const all: HistoryQuery = {
  limit: 500,
  before: null,
  verdict: null,
  corridor: null,
  correlationId: null,
  fromMs: null,
  toMs: null,
}

for (const variant of variants) {
  test(`${variant}: a record is read back exactly as it was written, by its owner alone`, async () => {
    await withStore(variant, async ({ store, record, again }) => {
      const written = record()
      const bare = record({ amount: null, correlationId: null })
      assert.deepEqual(await store.commit(plain(written)), { kind: 'fresh' })
      assert.deepEqual(await store.commit(plain(bare)), { kind: 'fresh' })
      assert.deepEqual(await store.forOwner('own_a').find(written.requestId), {
        ...written,
        override: null,
        outcome: null,
      })
      assert.equal(await store.forOwner('own_b').find(written.requestId), null)
      const { store: other } = await again()
      assert.deepEqual(await other.forOwner('own_a').find(bare.requestId), {
        ...bare,
        override: null,
        outcome: null,
      })
      const { evidence: _evidence, ...listed } = written
      assert.deepEqual((await other.forOwner('own_a').list(all)).at(-1), {
        ...listed,
        override: null,
        outcome: null,
      })
      assert.deepEqual(await other.forOwner('own_b').list(all), [])
    })
  })

  test(`${variant}: the first under an idempotency key wins, the same again replays, another body conflicts`, async () => {
    await withStore(variant, async ({ store, record, again }) => {
      const { store: other } = await again()
      const first = record()
      const idempotency = { key: 'k', fingerprint: 'f' }
      const lookAt = (ownerId: string, fingerprint: string) => ({
        ownerId,
        mode: 'shadow' as const,
        corridor: 'GB-NG' as Corridor,
        idempotency: { key: 'k', fingerprint },
      })
      assert.deepEqual(await store.commit({ ...plain(first), idempotency }), { kind: 'fresh' })
      assert.deepEqual(await other.commit({ ...plain(record()), idempotency }), {
        kind: 'replay',
        record: repeated(first),
      })
      assert.deepEqual(await other.look(lookAt('own_a', 'f')), { kind: 'replay', record: repeated(first) })
      assert.deepEqual(await other.look(lookAt('own_a', 'g')), { kind: 'conflict' })
      assert.deepEqual(await other.look(lookAt('own_b', 'f')), { kind: 'open', block: null })
      const altered = { ...plain(record()), idempotency: { key: 'k', fingerprint: 'g' } }
      assert.deepEqual(await other.commit(altered), { kind: 'conflict' })
      assert.equal(await store.countVerifications(), 1)
    })
  })

  test(`${variant}: in one batch, each command gets its own outcome`, async () => {
    await withStore(variant, async ({ store, record }) => {
      const taken = record()
      await store.commit({ ...plain(taken), idempotency: { key: 'taken', fingerprint: 'f' } })
      const records = Array.from({ length: 100 }, (_, index) => record({ amount: index }))
      const outcomes = await Promise.allSettled(
        records.map((one, index) => {
          if (index === 7) return store.commit(plain(taken)) // An id that exists: refused by the database itself.
          const key = index % 10 === 0 ? 'taken' : index % 10 === 5 ? 'shared' : `own ${index}`
          const fingerprint = index === 20 ? 'other' : 'f'
          return store.commit({ ...plain(one), idempotency: { key, fingerprint } })
        }),
      )
      const kinds = outcomes.map((outcome) =>
        outcome.status === 'fulfilled' ? outcome.value.kind : 'failed',
      )
      assert.equal(kinds[7], 'failed')
      assert.equal(kinds[20], 'conflict')
      assert.equal(kinds.filter((kind) => kind === 'failed').length, 1)
      assert.equal(kinds.filter((kind) => kind === 'replay').length, 9 + 9)
      const fresh = kinds.filter((kind) => kind === 'fresh').length
      assert.equal(fresh, 100 - 1 - 1 - 18)
      assert.equal(await store.countVerifications(), fresh + 1)
      assert.equal((await store.forOwner('own_a').list(all)).length, fresh + 1)
    })
  })

  test(`${variant}: a block is of one owner, mode and corridor, and an open window is never moved`, async () => {
    await withStore(variant, async ({ store, record, clock }) => {
      const windowMs = 90_000
      const asked = {
        ownerId: 'own_a',
        mode: 'shadow' as const,
        corridor: 'GB-NG' as Corridor,
        idempotency: null,
      }
      const block = async (): Promise<Verification> => {
        const one = record({ verdict: 'NO-GO' })
        await store.commit({ ...plain(one), block: { blockedAtMs: clock.nowMs(), windowMs } })
        return one
      }
      const first = await block()
      const firstAtMs = clock.nowMs()
      clock.advance(89_999)
      await block()
      assert.deepEqual(await store.look(asked), {
        kind: 'open',
        block: { blockedAtMs: firstAtMs, record: { ...repeated(first), correlationId: null } },
      })
      for (const other of [
        { ownerId: 'own_b' },
        { mode: 'live' as const },
        { corridor: 'NG-GB' as Corridor },
      ]) {
        assert.deepEqual(await store.look({ ...asked, ...other }), { kind: 'open', block: null })
      }
      clock.advance(1)
      const second = await block()
      assert.deepEqual(await store.look(asked), {
        kind: 'open',
        block: { blockedAtMs: clock.nowMs(), record: { ...repeated(second), correlationId: null } },
      })
    })
  })

  test(`${variant}: many blocks and keys at once, from two instances, neither clash nor stall`, async () => {
    await withStore(variant, async ({ store, record, clock, again }) => {
      const { store: other } = await again()
      const corridors = ['GB-NG', 'NG-GB', 'US-MX', 'FR-DE'] as Corridor[]
      const commands = Array.from({ length: 400 }, (_, index): CommitCommand => ({
        ...plain(record({ verdict: 'NO-GO', corridor: corridors[(index * 7) % 4] ?? ('GB-NG' as Corridor) })),
        idempotency: { key: `k${(index * 13) % 100}`, fingerprint: 'f' },
        block: { blockedAtMs: clock.nowMs(), windowMs: 0 },
      }))
      const claims = await Promise.all(
        commands.map((command, index) => (index % 2 === 0 ? store : other).commit(command)),
      )
      assert.equal(claims.filter((claim) => claim.kind === 'fresh').length, 100)
      assert.equal(await store.countVerifications(), 100)
    })
  })

  test(`${variant}: several instances that start at once bring up one schema`, async () => {
    const { engine, threads } = optionsOf(variant)
    const database = await freshDatabase(engine)
    const options = {
      leafHashes,
      databaseUrl: database.url,
      clock: new ManualClock(),
      onFault: () => {},
    }
    // One of them is the server.
    const opened = await Promise.all(
      Array.from({ length: 6 }, (_, place) => openStore({ ...options, ...(place === 0 ? threads : {}) })),
    )
    const counts = await Promise.all(opened.map(({ store }) => store.countVerifications()))
    assert.deepEqual(counts, [0, 0, 0, 0, 0, 0])
    for (const { store } of opened) await store.close()
    await database.drop()
  })

  test(`${variant}: records go on into months and years that nobody has prepared for`, async () => {
    await withStore(variant, async ({ store, record, clock }) => {
      const ids: string[] = []
      for (let month = 0; month < 15; month += 1) {
        const one = record()
        assert.deepEqual(await store.commit(plain(one)), { kind: 'fresh' })
        ids.push(one.requestId)
        clock.advance(31 * 86_400_000)
      }
      const found = await store.forOwner('own_a').list({ ...all, limit: 4 })
      assert.deepEqual(
        found.map((one) => one.requestId),
        ids.toReversed().slice(0, 4),
      )
    })
  })

  test(`${variant}: keys are found by hash alone, and an end once set is never put off`, async () => {
    await withStore(variant, async ({ store }) => {
      const key = {
        keyId: 'key_1',
        ownerId: 'own_1',
        principalId: 'key_1',
        ownerLabel: 'Team',
        type: 'live' as const,
        prefix: 'svc-live-' as const,
        scopes: ['audit:read' as const, 'decision:read' as const],
        verifyLimit: { count: 5, windowMs: 1000 },
        createdAtMs: 10,
        expiresAtMs: 1_000_000,
        revokedAtMs: null,
      }
      await store.keys.insert(key, 'h1')
      assert.deepEqual(await store.keys.findByHash('h1'), key)
      assert.equal(await store.keys.findByHash('key_1'), null)
      assert.equal(await store.keys.revoke('key_2', 5), false)
      const next = {
        ...key,
        keyId: 'key_2',
        scopes: [],
        verifyLimit: null,
        expiresAtMs: null,
        createdAtMs: 20,
      }
      await store.keys.replace('key_1', { expiresAtMs: 500 }, { record: next, hash: 'h2' })
      assert.equal((await store.keys.find('key_1'))?.expiresAtMs, 500)
      const third = { ...next, keyId: 'key_3', createdAtMs: 30 }
      await store.keys.replace('key_1', { expiresAtMs: 900 }, { record: third, hash: 'h3' })
      assert.equal((await store.keys.find('key_1'))?.expiresAtMs, 500, 'never put off')
      await assert.rejects(
        store.keys.replace('key_2', { revokedAtMs: 1 }, { record: { ...next, keyId: 'key_4' }, hash: 'h2' }),
      )
      assert.equal((await store.keys.find('key_2'))?.revokedAtMs, null, 'both or neither')
      assert.equal(await store.keys.revoke('key_2', 700), true)
      assert.equal(await store.keys.revoke('key_2', 800), true)
      const fourth = { record: { ...next, keyId: 'key_4', createdAtMs: 700 }, hash: 'h4' }
      assert.equal(await store.keys.replace('key_2', { expiresAtMs: 900 }, fourth), false)
      assert.equal(await store.keys.replace('key_1', { expiresAtMs: 900 }, fourth), false, 'it has expired')
      assert.equal(await store.keys.find('key_4'), null, 'an ended key has no successor')
      assert.equal(await store.keys.findByHash('h2'), null, 'revoked is as never issued')
      const listed = [{ ...key, expiresAtMs: 500 }, { ...next, revokedAtMs: 700 }, third]
      assert.deepEqual(
        await store.keys.list(),
        listed.map((one) => ({ ...one, lastUsedAtMs: null })),
      )
    })
  })
}
