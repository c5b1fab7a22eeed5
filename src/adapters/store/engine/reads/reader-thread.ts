/**
 * Runs the long reads of SQLite in a thread with a connection of its own, so that no decision waits for them. The thread
 * is started by the first of them, and replaced if it ends.
 */

import type { MessagePort } from 'node:worker_threads'
import { StoreRefusal, StoreUnavailable } from '../../../../app/ports/store.ts'
import type { LeafHashes } from '../../../../app/ports/log.ts'
import { createWorkerPool } from '../../../threads/worker-pool.ts'
import type { Driver } from '../driver.ts'
import { openSqlite, type SqliteDriver } from '../sqlite.ts'
import type { AnyLongRead, LongRead, LongReadName } from './long-reads.ts'

interface ReadJob {
  readonly name: LongReadName
  readonly values: readonly unknown[]
}

type ReadResult =
  | { readonly kind: 'done'; readonly result: unknown }
  | { readonly kind: 'unavailable'; readonly message: string }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'failed'; readonly error: Error }

/** `entry` is the entry file of the thread, which calls `runReader`. */
export function withReader(
  driver: Driver,
  { path, entry }: { readonly path: string; readonly entry: URL },
): Driver {
  const pool = createWorkerPool<ReadJob, ReadResult>(entry, { path })
  const longRead: AnyLongRead = async (name, ...values) => {
    const read = await pool.run({ name, values }).catch((error: Error) => {
      throw new StoreUnavailable(`SQLite reader: ${error.message}`, { cause: error })
    })
    if (read.kind === 'done') return read.result
    if (read.kind === 'failed') throw read.error
    throw read.kind === 'refused' ? new StoreRefusal(read.message) : new StoreUnavailable(read.message)
  }
  return {
    ...driver,
    longRead: longRead as LongRead,
    async close() {
      await pool.close()
      await driver.close()
    },
  }
}

/** A connection that cannot write. */
export function openReader(path: string, leafHashes: LeafHashes): SqliteDriver {
  const driver = openSqlite({ path, leafHashes, mayBlock: true })
  driver.database.exec('PRAGMA query_only=on')
  return driver
}

/** The thread's main function. */
export function runReader(port: MessagePort, path: string, leafHashes: LeafHashes): void {
  const longRead = openReader(path, leafHashes).longRead as AnyLongRead
  port.on('message', ({ name, values }: ReadJob) => {
    void longRead(name, ...values)
      .then((result): ReadResult => ({ kind: 'done', result }), failureOf)
      .then((read) => port.postMessage(read, []))
  })
}

function failureOf(error: unknown): ReadResult {
  if (error instanceof StoreRefusal) return { kind: 'refused', message: error.message }
  if (error instanceof StoreUnavailable) return { kind: 'unavailable', message: error.message }
  return { kind: 'failed', error: error instanceof Error ? error : new Error(String(error)) }
}
