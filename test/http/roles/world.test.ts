/** The world that a person sees, and the one that a person decides in: never live money without a live key. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { revokeKey } from '../../../src/app/access/keys.ts'
import { keyLifetimeMs } from '../../../src/core/identity/api-key.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { simulatedFeeds } from '../../helpers/live.ts'
import { anotherSession, person, read, unlimited, write, type SignedInPerson } from '../../helpers/people.ts'
import { withLive } from '../../helpers/peers/provider.ts'
import { networks, worldAt } from '../../helpers/peers/world.ts'

test('a payment that a person tries is shadow, also where the owner has a live key, and live mode is refused', async () => {
  await withHarness({ feeds: simulatedFeeds, settings: unlimited }, async (harness) => {
    const { key, record } = await harness.issue({ prefix: 'svc-live-' })
    const payment = { corridor: 'GB-NG', amount: 10 }
    assert.equal((await harness.verify(key, payment)).body.mode, 'live')
    const { ownerId } = record
    const admin = await person(harness, 'admin', null)
    const forOwner = { headers: { ...admin.headers, 'x-fairway-owner': ownerId } }
    for (const someone of [await person(harness, ['approver', 'admin'], ownerId), forOwner]) {
      const own = await write(harness, someone, '/api/v1/verify', payment)
      assert.deepEqual([own.status, own.body.mode], [200, 'shadow'], own.text)
      assert.equal(own.headers['x-svc-environment'], 'sandbox')
      const shadow = await write(harness, someone, '/api/v1/verify?mode=shadow', payment)
      assert.equal(shadow.body.mode, 'shadow')
      const live = await write(harness, someone, '/api/v1/verify?mode=live', payment)
      assert.deepEqual([live.status, live.body.code], [403, 'FORBIDDEN'])
    }
    const { body } = await harness.get(key, '/api/verifications')
    const modes = Map.groupBy(body as { mode: string }[], ({ mode }) => mode)
    assert.deepEqual([modes.get('live')?.length, modes.get('shadow')?.length], [1, 4])
  })
})

interface Seen {
  readonly mode: string
  readonly corridors: string[]
  readonly feeds: number
  readonly calendar: number
  readonly health: { supported: boolean; environment: string; partners: number }
}

/** What the routes that depend on the mode show to a person. */
async function seenBy(harness: Harness, someone: Pick<SignedInPerson, 'headers'>): Promise<Seen> {
  const list = await read(harness, someone, '/api/v1/corridors')
  const page = await read(harness, someone, '/api/v1/corridors/GB-KE')
  assert.deepEqual([list.status, page.status], [200, 200])
  return {
    mode: (await read(harness, someone, '/api/v1/me')).body.mode,
    corridors: list.body.corridors.map(({ corridor }: { corridor: string }) => corridor),
    feeds: (await read(harness, someone, '/api/v1/feeds')).body.feeds.length,
    calendar: (await read(harness, someone, '/api/v1/corridors/GB-NG/calendar')).status,
    health: {
      supported: page.body.corridor_supported,
      environment: page.body.environment,
      partners: page.body.partners.length,
    },
  }
}

const shadowWorld: Seen = {
  mode: 'shadow',
  corridors: ['GB-NG', 'NG-GB'],
  feeds: 0,
  calendar: 404,
  health: { supported: false, environment: 'sandbox', partners: 0 },
}

test("a person sees the operator's world exactly while the owner has an active live key", async () => {
  await withLive({ answer: networks(), feeds_file: worldAt }, async ({ harness }) => {
    const { store, clock } = harness
    const { ownerId } = (await harness.issue()).record
    const viewer = await person(harness, 'viewer', ownerId)
    assert.deepEqual(await seenBy(harness, viewer), shadowWorld)
    await harness.issue({ prefix: 'pk_live_' })
    assert.deepEqual(await seenBy(harness, viewer), shadowWorld, "another owner's live key")
    const { record } = await harness.issue({ prefix: 'pk_live_', ownerId })
    const seen = await seenBy(harness, viewer)
    assert.deepEqual(
      { ...seen, feeds: seen.feeds > 0, health: null },
      { mode: 'live', corridors: ['GB-KE', 'GB-NG', 'US-MX'], feeds: true, calendar: 200, health: null },
    )
    await revokeKey({ keys: store.keys, clock }, record.keyId)
    assert.deepEqual(await seenBy(harness, viewer), shadowWorld, 'revoked')
    await harness.issue({ prefix: 'svc-live-', ownerId })
    assert.equal((await seenBy(harness, viewer)).mode, 'live')
    clock.advance(keyLifetimeMs.live ?? 0)
    const later = await anotherSession(harness, viewer.personId)
    assert.deepEqual(await seenBy(harness, later), shadowWorld, 'expired')
  })
})

test('an admin of the installation sees the world of the owner that is chosen', async () => {
  await withLive({ answer: networks(), feeds_file: worldAt }, async ({ harness }) => {
    const { ownerId: plain } = (await harness.issue()).record
    const { ownerId: live } = (await harness.issue({ prefix: 'pk_live_' })).record
    const admin = await person(harness, 'admin', null)
    const forOwner = (ownerId: string) => ({ headers: { ...admin.headers, 'x-fairway-owner': ownerId } })
    assert.deepEqual(await seenBy(harness, forOwner(plain)), shadowWorld)
    const seen = await seenBy(harness, forOwner(live))
    assert.deepEqual([seen.mode, seen.calendar, seen.health.partners], ['live', 200, 2])
  })
})

test('a person of a sandbox has no more decisions in a day than its keys', async () => {
  await withHarness({ settings: { ...unlimited, FAIRWAY_SANDBOX_DAILY: '2' } }, async (harness) => {
    const { key, record } = await harness.issue({ prefix: 'svc-sandbox-' })
    const viewer = await person(harness, 'viewer', record.ownerId)
    const payment = { corridor: 'GB-NG', amount: 10 }
    const tryOut = async (): Promise<number> =>
      (await write(harness, viewer, '/api/v1/verify', payment)).status
    assert.deepEqual([await tryOut(), (await harness.verify(key, payment)).status], [200, 200])
    assert.equal(await tryOut(), 429)
  })
})

test('the page of a corridor is of the same world as the list that leads to it', async () => {
  await withLive({ answer: networks(), feeds_file: worldAt }, async ({ harness }) => {
    const { key, record } = await harness.issue({ prefix: 'pk_live_' })
    const viewer = await person(harness, 'viewer', record.ownerId)
    const { body: asKey } = await harness.get(key, '/api/v1/corridors/GB-KE')
    const { body: asPerson, headers } = await read(harness, viewer, '/api/v1/corridors/GB-KE')
    assert.deepEqual(
      [asPerson.corridor_supported, asPerson.environment, asPerson.partners.length],
      [asKey.corridor_supported, asKey.environment, asKey.partners.length],
    )
    assert.equal(headers['x-svc-environment'], asPerson.environment)
  })
})
