/** Measures exports of a filled store to archives of each format, and the verification of one. */

import { join } from 'node:path'
import { openArchiveFolder } from '../../src/adapters/archive/folder.ts'
import { openParquet } from '../../src/adapters/archive/parquet.ts'
import { openKeyFile } from '../../src/adapters/key-file.ts'
import { openStore } from '../../src/adapters/store/open.ts'
import { systemClock as clock } from '../../src/adapters/system.ts'
import type { ArchiveFormat } from '../../src/app/archive/manifest.ts'
import { verifyArchive } from '../../src/app/archive/verify.ts'
import { exportArchive } from '../../src/app/archive/write.ts'
import { createMask } from '../../src/app/operate/mask.ts'
import { findSigning } from '../../src/app/log/installation-key.ts'
import { leafHashes } from '../../src/app/log/leaf.ts'
import { readConfig } from '../../src/config.ts'
import type { Bench } from '../bench.ts'
import { temporaryDirectory } from '../harness/processes.ts'
import type { Filled } from '../harness/service.ts'
import { medianOf, type Row } from '../report.ts'

const onProgress = (): void => undefined

export async function benchArchives({ databases, sizes, print }: Bench): Promise<Row[]> {
  const filled = await databases.filled('sqlite', sizes.backtestRecords)
  const rates: Record<ArchiveFormat | 'verify', number[]> = { jsonl: [], csv: [], parquet: [], verify: [] }
  for (let round = 1; round <= sizes.rounds; round += 1) {
    for (const format of ['jsonl', 'csv', 'parquet'] as const) {
      const path = join(temporaryDirectory(), 'archive')
      rates[format].push(await exportRate(filled, format, path))
      if (format === 'jsonl') rates.verify.push(await verifyRate(path))
    }
    print(`archives: round ${round} of ${sizes.rounds}`)
  }
  return [
    rowOf('export as JSON lines', rates.jsonl, 50_000),
    rowOf('export as CSV', rates.csv, null),
    rowOf('export as Parquet', rates.parquet, null),
    rowOf('verify an archive of JSON lines', rates.verify, null),
  ]
}

/** Of all owners, in records a second. */
async function exportRate({ database, fromMs, toMs }: Filled, format: ArchiveFormat, path: string) {
  const onFault = (message: string): never => {
    throw new Error(message)
  }
  const { store } = await openStore({ databaseUrl: database.url, clock, leafHashes, onFault })
  const { note } = await store.log.head()
  const file = openKeyFile(readConfig({ DATABASE_URL: database.url }).sealKeyFile)
  const key = await findSigning({ store, keys: [], file }, note ?? '')
  if (key === null) throw new Error('the key of the log is not in its file')
  const folder = await openArchiveFolder(path, { isRead: false })
  const toParquet = format === 'parquet' ? await openParquet() : null
  const times = { fromMs: fromMs - 1_000, toMs: toMs + 1_000 }
  const { records, seconds } = await exportArchive(
    { store, clock, signing: key.signing, folder, toParquet, mask: createMask([]), onProgress },
    { format, ...times, ownerId: null },
  )
  await store.close()
  return records / seconds
}

async function verifyRate(path: string): Promise<number> {
  const folder = await openArchiveFolder(path, { isRead: true })
  const startedMs = performance.now()
  const { records, findings } = await verifyArchive(folder, { trusted: null, onProgress })
  await folder.close()
  if (findings.length > 0) throw new Error(JSON.stringify(findings[0]))
  return (records * 1_000) / (performance.now() - startedMs)
}

function rowOf(name: string, rates: readonly number[], atLeast: number | null): Row {
  return {
    group: 'archives',
    row: `sqlite: ${name}`,
    value: medianOf(rates),
    unit: 'records/s',
    ratio: null,
    target: atLeast === null ? null : { bound: 'at least', value: atLeast },
    detail: { rates },
  }
}
