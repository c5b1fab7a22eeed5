/**
 * One server at a time owns a SQLite file: rate limits and followers run in its process. The lock is SQLite's own, on a
 * file beside the database, so the system releases it when the process ends, however it ends.
 */

import { existsSync, mkdirSync, realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import { StoreUnavailable } from '../../../app/ports/store.ts'

/** How long a starting server waits for the owner to go, as in a restart. */
const ownerWaitMs = 10_000
const retryEveryMs = 50

/** SQLite's result codes: busy, locked. */
const heldCodes = new Set([5, 6])

/** Resolves with a function that gives the file up. */
export async function ownFile(path: string, waitMs = ownerWaitMs): Promise<() => void> {
  const lock = openLock(path)
  const startedMs = performance.now()
  for (;;) {
    if (isTaken(lock)) return () => lock.close()
    if (performance.now() - startedMs >= waitMs) {
      lock.close()
      throw new Error(`another server is using ${path}: stop it, or give this server another DATABASE_URL`)
    }
    await setTimeout(retryEveryMs)
  }
}

function openLock(path: string): DatabaseSync {
  try {
    mkdirSync(dirname(path), { recursive: true })
    // The same lock by whichever path the file is reached.
    return new DatabaseSync(`${existsSync(path) ? realpathSync(path) : path}-owner`)
  } catch (error) {
    throw new StoreUnavailable(`cannot open ${path}-owner: ${(error as Error).message}`, { cause: error })
  }
}

/** Takes the lock, unless another process holds it. Nothing is ever written, so no journal is needed beside it. */
function isTaken(lock: DatabaseSync): boolean {
  try {
    lock.exec('PRAGMA journal_mode=MEMORY; BEGIN EXCLUSIVE')
    return true
  } catch (error) {
    const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0
    if (heldCodes.has(code)) return false
    throw new StoreUnavailable(`cannot lock the database file: ${(error as Error).message}`, { cause: error })
  }
}
