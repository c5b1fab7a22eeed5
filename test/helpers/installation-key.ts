/** The key of installations under test, and where their processes find it. */

import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openKeyFile } from '../../src/adapters/key-file.ts'
import { systemRandom as random } from '../../src/adapters/system.ts'
import { lazyInstallationKey } from '../../src/app/log/installation-key.ts'
import type { Store } from '../../src/app/ports/store.ts'
import type { Clock } from '../../src/app/ports/system.ts'
import { keyPathOf } from './database/databases.ts'

/** In place of a new one: all who open a store under test have the same. */
const seed = Buffer.alloc(32, 9).toString('base64')

/** For a database that another start gave the key of the tests. */
export const testKeySetting = { FAIRWAY_SEAL_KEY: seed } as const

export const testKey = { keys: [seed], file: openKeyFile(join(tmpdir(), 'no-key')) } as const

export const keyOf = (store: Store, clock: Clock) => lazyInstallationKey({ store, clock, random, ...testKey })

/** The instances of one database on PostgreSQL find the same file, and those of another database do not. */
export function keyFileSetting({
  DATABASE_URL: url = '',
  FAIRWAY_SEAL_KEY: key = '',
}: Readonly<Record<string, string | undefined>>): Record<string, string> {
  if (key !== '' || !url.startsWith('postgres') || !URL.canParse(url)) return {}
  return { FAIRWAY_SEAL_KEY_FILE: keyPathOf(new URL(url).pathname.slice(1)) }
}

/** Gives a database without a log the key of the tests. */
export async function placeTestKey(store: Store, path: string): Promise<void> {
  if ((await store.log.keys()).length === 0) await openKeyFile(path).create(`${seed}\n`)
}
