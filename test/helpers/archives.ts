/** Archives of a service under test: its decisions, exported to a folder and verified. */

import assert from 'node:assert/strict'
import { openArchiveFolder } from '../../src/adapters/archive/folder.ts'
import { openParquet } from '../../src/adapters/archive/parquet.ts'
import { verifyArchive, type VerifiedArchive } from '../../src/app/archive/verify.ts'
import { exportArchive, type Exported, type ExportRequest } from '../../src/app/archive/write.ts'
import { createMask } from '../../src/app/operate/mask.ts'
import { findSigning } from '../../src/app/log/installation-key.ts'
import type { ArchiveFolder } from '../../src/app/ports/operate/archive.ts'
import type { Store } from '../../src/app/ports/store.ts'
import type { Clock } from '../../src/app/ports/system.ts'
import type { Harness } from './harness.ts'
import { report } from './outcomes.ts'
import { degraded, override } from './webhooks.ts'
import { testKey } from './installation-key.ts'

/** All times that a manual clock is set to. */
export const always = { fromMs: Date.UTC(2020, 0), toMs: Date.UTC(2040, 0), ownerId: null } as const

export interface Exporting {
  readonly store: Store
  readonly clock: Clock
  /** Names of members to mask. */
  readonly masked?: readonly string[]
  /** Of an installation with a key of its own. */
  readonly keys?: readonly string[]
}

export async function exportInto(
  { store, clock, masked = [], keys = testKey.keys }: Exporting,
  folder: ArchiveFolder,
  request: Partial<ExportRequest> = {},
): Promise<Exported> {
  const { note } = await store.log.head()
  const key = await findSigning({ store, ...testKey, keys }, note ?? '')
  assert.ok(key !== null, 'the log is signed by another key than that of the tests')
  const toParquet = request.format === 'parquet' ? await openParquet() : null
  const mask = createMask(masked)
  mask.use(key.maskKey)
  const { signing } = key
  const deps = { store, clock, signing, mask, folder, toParquet, onProgress: () => undefined }
  return exportArchive(deps, { format: 'jsonl', ...always, ...request })
}

export async function exported(
  exporting: Exporting,
  path: string,
  request: Partial<ExportRequest> = {},
): Promise<Exported> {
  return exportInto(exporting, await openArchiveFolder(path, { isRead: false }), request)
}

/** An export that ends when it begins a file whose name starts so. */
export async function interrupted(
  exporting: Exporting,
  path: string,
  { before, ...request }: Partial<ExportRequest> & { readonly before: string },
): Promise<void> {
  const folder = await openArchiveFolder(path, { isRead: false })
  const create = folder.create.bind(folder)
  folder.create = (name) =>
    name.startsWith(before) ? Promise.reject(new Error('interrupted')) : create(name)
  await assert.rejects(exportInto(exporting, folder, request), /interrupted/)
}

export async function verified(path: string): Promise<VerifiedArchive> {
  const folder = await openArchiveFolder(path, { isRead: true })
  try {
    return await verifyArchive(folder, { trusted: null, onProgress: () => undefined })
  } finally {
    await folder.close()
  }
}

export interface Decided {
  readonly key: string
  readonly ownerId: string
  /** In the order of their leaves. */
  readonly ids: readonly string[]
}

/** Decisions of one owner: the second has a correlation id, an override and an outcome. All are sealed. */
export async function decideSome(harness: Harness, count: number): Promise<Decided> {
  const { key, record } = await harness.issue()
  const ids: string[] = []
  for (let place = 0; place < count; place += 1) {
    if (place === 1) {
      const id = await degraded(harness, key, { correlation_id: '=order "7", of a person' })
      await override(harness, key, id)
      assert.equal((await report(harness, key, id, { outcome: 'COMPLETED' })).status, 200)
      ids.push(id)
    } else {
      const { status, body, text } = await harness.verify(key, { corridor: 'GB-NG', amount: 100 + place })
      assert.equal(status, 200, text)
      ids.push(String(body.request_id))
    }
    harness.clock.advance(1_000)
  }
  await harness.seal()
  return { key, ownerId: record.ownerId, ids }
}
