/** Access requests in the store, on every engine: all or nothing, decided once, and never one key too many. */

import { leafHashes } from '../../../src/app/log/leaf.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openStore, type Opened } from '../../../src/adapters/store/open.ts'
import { systemRandom } from '../../../src/adapters/system.ts'
import { generateKey, newOwnerId, toStore, type IssuedKey } from '../../../src/app/access/keys.ts'
import type { AccessRequest, AccessReview } from '../../../src/app/ports/identity/access.ts'
import type { KeyRecord } from '../../../src/app/ports/identity/keys.ts'
import type { KeyPrefix } from '../../../src/core/identity/api-key.ts'
import { ManualClock } from '../../helpers/clock.ts'
import { engines, freshDatabase, type Engine } from '../../helpers/database/databases.ts'

interface Fixture extends Opened {
  readonly clock: ManualClock
  readonly again: () => Promise<Opened>
  readonly keyOf: (prefix: KeyPrefix, ownerId?: string) => IssuedKey
  /** A request with its key, both not in the store yet. */
  readonly made: (more?: Partial<AccessRequest>) => { request: AccessRequest; key: IssuedKey }
}

async function withStore(engine: Engine, work: (fixture: Fixture) => Promise<void>): Promise<void> {
  const database = await freshDatabase(engine)
  const clock = new ManualClock()
  const random = systemRandom
  const opened: Opened[] = []
  const again = async (): Promise<Opened> => {
    const one = await openStore({ leafHashes, databaseUrl: database.url, clock, onFault: () => {} })
    opened.push(one)
    return one
  }
  const keyOf = (prefix: KeyPrefix, ownerId = newOwnerId(random)): IssuedKey =>
    generateKey({ clock, random }, prefix, { ownerId, ownerLabel: 'Payments', scopes: [], verifyLimit: null })
  let count = 0
  const made: Fixture['made'] = (more = {}) => {
    const key = keyOf('svc-sandbox-')
    const { ownerId, keyId } = key.record
    count += 1
    const request: AccessRequest = {
      accessRequestId: `acr_${String(count).padStart(4, '0')}`,
      name: 'Payments',
      email: 'Payments@example.com',
      reason: 'it’s\n"quoted" \\ ☕',
      captcha: 'verified',
      ownerId,
      sandboxKeyId: keyId,
      createdAtMs: clock.nowMs(),
      status: 'received',
      decision: null,
      ...more,
    }
    return { request, key }
  }
  try {
    await work({ ...(await again()), clock, again, keyOf, made })
  } finally {
    for (const { store } of opened) await store.close()
    await database.drop()
  }
}

const quota = (emailKey: string, keysPerEmailMax = 3, clientGroup = '192.0.2.1') => ({
  emailKey,
  keysPerEmailMax,
  clientGroup,
  keysPerClientMax: 6,
})

function settled(decidedAtMs: number, more: Partial<AccessReview> = {}): AccessReview {
  return {
    status: 'rejected',
    decision: { decidedAtMs, decidedBy: 'ops', note: null, liveKeyId: null, replacedKeyId: null },
    liveKey: null,
    replacedEnd: null,
    revokesSandbox: false,
    ...more,
  }
}

for (const engine of engines) {
  test(`${engine}: a request is read back as it was written, by any instance, newest first and by its status`, async () => {
    await withStore(engine, async ({ store, again, made, clock }) => {
      const first = made()
      const second = made({ captcha: 'not_checked', reason: 'another' })
      for (const { request, key } of [first, second]) {
        assert.equal(
          await store.access.submit(request, toStore(key), quota('payments@example.com')),
          'recorded',
        )
      }
      const { store: other } = await again()
      assert.deepEqual(await other.access.find(first.request.accessRequestId), first.request)
      assert.equal(await other.access.find('acr_none'), null)
      assert.deepEqual(await other.access.list(null), [second.request, first.request])
      assert.deepEqual(await other.keys.find(second.key.record.keyId), second.key.record)
      assert.equal(await store.access.decide(second.request.accessRequestId, settled(clock.nowMs())), true)
      const ids = async (status: AccessRequest['status']): Promise<string[]> =>
        (await other.access.list(status)).map(({ accessRequestId }) => accessRequestId)
      assert.deepEqual(await ids('received'), [first.request.accessRequestId])
      assert.deepEqual(await ids('rejected'), [second.request.accessRequestId])
      assert.deepEqual(await ids('approved'), [])
    })
  })

  test(`${engine}: what is over the quota is written in no part, and quotas of two addresses are two`, async () => {
    await withStore(engine, async ({ store, made }) => {
      const one = made()
      const two = made()
      const three = made()
      assert.equal(await store.access.submit(one.request, toStore(one.key), quota('a@b.co', 1)), 'recorded')
      assert.equal(await store.access.submit(two.request, toStore(two.key), quota('a@b.co', 1)), 'email_full')
      assert.equal(await store.access.find(two.request.accessRequestId), null)
      assert.equal(await store.keys.find(two.key.record.keyId), null)
      assert.equal(
        await store.access.submit(three.request, toStore(three.key), quota('c@b.co', 1)),
        'recorded',
      )
    })
  })

  test(`${engine}: one client address has a total of keys, whatever the emails, and under any race`, async () => {
    await withStore(engine, async ({ store, again, made }) => {
      const { store: other } = await again()
      const submitted = await Promise.all(
        Array.from({ length: 10 }, (_, index) => {
          const { request, key } = made()
          const through = index % 2 === 0 ? store : other
          return through.access.submit(request, toStore(key), quota(`${index}@b.co`, 1))
        }),
      )
      assert.equal(submitted.filter((one) => one === 'recorded').length, 6)
      assert.equal(submitted.filter((one) => one === 'client_full').length, 4)
      const elsewhere = made()
      const quotaThere = quota('x@b.co', 1, '192.0.2.2')
      assert.equal(
        await store.access.submit(elsewhere.request, toStore(elsewhere.key), quotaThere),
        'recorded',
      )
    })
  })

  test(`${engine}: live keys and keys of other owners do not count against an address`, async () => {
    await withStore(engine, async ({ store, made, keyOf }) => {
      const one = made()
      assert.equal(await store.access.submit(one.request, toStore(one.key), quota('a@b.co', 2)), 'recorded')
      const live = toStore(keyOf('svc-live-', one.request.ownerId))
      await store.keys.insert(live.record, live.hash)
      const stranger = toStore(keyOf('svc-sandbox-'))
      await store.keys.insert(stranger.record, stranger.hash)
      const two = made()
      assert.equal(await store.access.submit(two.request, toStore(two.key), quota('a@b.co', 2)), 'recorded')
    })
  })

  test(`${engine}: of two decisions at once, on two instances, one stands and only its key is there`, async () => {
    await withStore(engine, async ({ store, again, made, keyOf, clock }) => {
      const { store: other } = await again()
      for (let round = 0; round < 5; round += 1) {
        const { request, key } = made()
        await store.access.submit(request, toStore(key), quota(`${round}@b.co`))
        const live = [keyOf('svc-live-'), keyOf('svc-live-')] as const
        const deciding = live.map(({ record, key: secret }, index) => {
          const { decision, ...rest } = settled(clock.nowMs(), { status: 'approved' })
          const through = index === 0 ? store : other
          return through.access.decide(request.accessRequestId, {
            ...rest,
            decision: { ...decision, liveKeyId: record.keyId, decidedBy: `ops ${index}` },
            liveKey: toStore({ record, key: secret }),
          })
        })
        const won = await Promise.all(deciding)
        assert.deepEqual(
          won.toSorted((left, right) => Number(left) - Number(right)),
          [false, true],
        )
        const winner = won.indexOf(true)
        const kept = await other.access.find(request.accessRequestId)
        assert.equal(kept?.decision?.decidedBy, `ops ${winner}`)
        assert.notEqual(await store.keys.find(live[winner === 0 ? 0 : 1].record.keyId), null)
        assert.equal(await store.keys.find(live[winner === 0 ? 1 : 0].record.keyId), null)
      }
    })
  })

  test(`${engine}: an approval ends the key that it replaces, and never gives it more time`, async () => {
    await withStore(engine, async ({ store, made, keyOf, clock }) => {
      const nowMs = clock.nowMs()
      const rows: readonly (readonly [Partial<KeyRecord>, Partial<KeyRecord>])[] = [
        [{}, { expiresAtMs: nowMs + 1_000 }],
        [{ expiresAtMs: nowMs + 500 }, { expiresAtMs: nowMs + 500 }],
        [{ revokedAtMs: nowMs - 1 }, { revokedAtMs: nowMs - 1 }],
      ]
      for (const [before, after] of rows) {
        const { request, key } = made()
        await store.access.submit(request, toStore(key), quota('a@b.co'))
        const old = keyOf('svc-live-')
        await store.keys.insert({ ...old.record, ...before }, toStore(old).hash)
        const live = keyOf('svc-live-', old.record.ownerId)
        const { decision, ...rest } = settled(nowMs, { status: 'approved' })
        const isDecided = await store.access.decide(request.accessRequestId, {
          ...rest,
          decision: { ...decision, liveKeyId: live.record.keyId, replacedKeyId: old.record.keyId },
          liveKey: toStore(live),
          replacedEnd: { expiresAtMs: nowMs + 1_000 },
        })
        assert.equal(isDecided, true)
        const ended = await store.keys.find(old.record.keyId)
        assert.deepEqual({ ...ended, ...after }, ended)
      }
    })
  })

  test(`${engine}: a rejection may end the sandbox keys of its request, successors too, and no other key`, async () => {
    await withStore(engine, async ({ store, made, keyOf, clock }) => {
      const mine = made()
      const others = made()
      for (const { request, key } of [mine, others]) {
        await store.access.submit(request, toStore(key), quota('a@b.co'))
      }
      const successor = toStore(keyOf('svc-sandbox-', mine.request.ownerId))
      const live = toStore(keyOf('svc-live-', mine.request.ownerId))
      for (const { record, hash } of [successor, live]) await store.keys.insert(record, hash)
      clock.advance(1_000)
      const atMs = clock.nowMs()
      const settlement = settled(atMs, { revokesSandbox: true })
      assert.equal(await store.access.decide(mine.request.accessRequestId, settlement), true)
      const revoked = async (keyId: string): Promise<number | null | undefined> =>
        (await store.keys.find(keyId))?.revokedAtMs
      assert.equal(await revoked(mine.key.record.keyId), atMs)
      assert.equal(await revoked(successor.record.keyId), atMs)
      assert.equal(await revoked(live.record.keyId), null)
      assert.equal(await revoked(others.key.record.keyId), null)
    })
  })
}
