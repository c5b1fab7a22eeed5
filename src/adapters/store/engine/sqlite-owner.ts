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

/** Whether a server owns the file now. Only looks: where there is no lock file, none is made. */
export function isOwned(path: string): boolean {
  const lockPath = lockOf(path)
  if (!existsSync(lockPath)) return false
  const lock = new DatabaseSync(lockPath, { readOnly: true })
  try {
    lock.prepare('SELECT 1 FROM sqlite_schema').all()
    return false
  } catch (error) {
    if (heldCodes.has(codeOf(error))) return true
    throw error
  } finally {
    lock.close()
  }
}

/** The same lock by whichever path the file is reached. */
const lockOf = (path: string): string => `${existsSync(path) ? realpathSync(path) : path}-owner`

function openLock(path: string): DatabaseSync {
  try {
    mkdirSync(dirname(path), { recursive: true })
    return new DatabaseSync(lockOf(path))
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
    if (heldCodes.has(codeOf(error))) return false
    throw new StoreUnavailable(`cannot lock the database file: ${(error as Error).message}`, { cause: error })
  }
}

function codeOf(error: unknown): number {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0
}
