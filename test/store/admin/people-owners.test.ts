/** The owners of an installation, as an admin looks for them, on every engine. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyLifetimeMs } from '../../../src/core/identity/api-key.ts'
import type { Owner } from '../../../src/app/ports/identity/keys.ts'
import { engines } from '../../helpers/database/databases.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'

const all = { text: '', after: '', limit: 100 }

const found = ({ store, clock }: Harness, more: object = {}): Promise<Owner[]> =>
  store.keys.owners({ ...all, nowMs: clock.nowMs(), ...more })

for (const engine of engines) {
  test(`${engine}: every owner is listed once, with the label of its newest key and whether a live key is active`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { record: first } = await harness.issue({ ownerLabel: 'Old name' })
      harness.clock.advance(1)
      await harness.issue({ ownerLabel: 'New name', ownerId: first.ownerId, prefix: 'svc-live-' })
      const { record: sandbox } = await harness.issue({ ownerLabel: 'Sandbox', prefix: 'svc-sandbox-' })
      const expected = [
        { ownerId: first.ownerId, name: 'New name', hasLiveKey: true, isSandbox: false },
        { ownerId: sandbox.ownerId, name: 'Sandbox', hasLiveKey: false, isSandbox: true },
      ].toSorted((one, other) => (one.ownerId < other.ownerId ? -1 : 1))
      assert.deepEqual(await found(harness), expected)
      harness.clock.advance(keyLifetimeMs.live ?? 0)
      const later = await found(harness)
      assert.deepEqual(
        later.map(({ hasLiveKey }) => hasLiveKey),
        [false, false],
        'the live key has expired',
      )
      const { keys } = harness.store
      for (const owner of later)
        assert.deepEqual(await keys.findOwner(owner.ownerId, harness.clock.nowMs()), owner)
      assert.equal(await keys.findOwner('own_none', harness.clock.nowMs()), null)
    })
  })

  test(`${engine}: pages follow each other without a gap or a repeat`, async () => {
    await withHarness({ engine }, async (harness) => {
      const ids: string[] = []
      for (let count = 0; count < 7; count += 1) ids.push((await harness.issue()).record.ownerId)
      const seen: string[] = []
      for (let after = ''; ; after = seen.at(-1) ?? '') {
        const page = await found(harness, { after, limit: 3 })
        seen.push(...page.map(({ ownerId }) => ownerId))
        if (page.length < 3) break
      }
      assert.deepEqual(seen, ids.toSorted())
    })
  })

  test(`${engine}: an owner is found by a part of its name, or by its whole id, and wildcards stand for themselves`, async () => {
    await withHarness({ engine }, async (harness) => {
      const names = ['Acme Payments', '100% Sure_Co', 'Élan & Söhne', "O'Brien; DROP TABLE people --"]
      const ids = new Map<string, string>()
      for (const name of names) ids.set(name, (await harness.issue({ ownerLabel: name })).record.ownerId)
      const search = async (text: string): Promise<string[]> =>
        (await found(harness, { text })).map(({ name }) => name)
      const rows: readonly (readonly [string, string | null])[] = [
        ['acme', 'Acme Payments'],
        ['PAYMENTS', 'Acme Payments'],
        ['100%', '100% Sure_Co'],
        ['sure_', '100% Sure_Co'],
        ['%', '100% Sure_Co'],
        ['_', '100% Sure_Co'],
        ['!', null],
        ["o'brien; drop", "O'Brien; DROP TABLE people --"],
        ['nobody', null],
        ['Élan', 'Élan & Söhne'],
        ['söhne', 'Élan & Söhne'],
      ]
      for (const [text, name] of rows) assert.deepEqual(await search(text), name === null ? [] : [name], text)
      const id = ids.get('Acme Payments') ?? ''
      assert.deepEqual(await search(id), ['Acme Payments'])
      assert.deepEqual(await search(id.slice(0, -1)), [], 'a part of an id is none')
    })
  })
}
