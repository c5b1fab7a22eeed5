/**
 * Runs the writes of the SQLite engine in a writer thread, so that waiting for the disk blocks no request. Changes that
 * arrive while a batch is being written form the next batch.
 */

import type { MessagePort, Worker } from 'node:worker_threads'
import { consecutiveExits, restartPauseMs } from '../../../core/operate/restart-schedule.ts'
import { StoreRefusal, StoreUnavailable } from '../../../app/ports/store.ts'
import { startThread } from '../../threads/thread.ts'
import type { LeafHashes } from '../../../app/ports/log.ts'
import type { Change, ChangeName } from './named-changes.ts'
import { DuplicateIdempotencyKey, SyncFailed, type Driver } from './driver.ts'
import { query } from './script.ts'
import { openSqlite, type SqliteDriver } from './sqlite.ts'

/** Small, so that garbage is collected early. */
const resourceLimits = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 128 }

interface ChangeRequest {
  readonly number: number
  readonly name: ChangeName
  readonly values: readonly unknown[]
}

type Outcome =
  | { readonly kind: 'done'; readonly result: unknown }
  | { readonly kind: 'unavailable'; readonly message: string }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'key_taken'; readonly message: string }
  | { readonly kind: 'failed'; readonly error: Error }

type WriterMessage =
  | { readonly number: number; readonly outcome: Outcome }
  /** An fsync failed. The thread sends nothing after this. */
  | { readonly syncFailure: string }

interface PendingChange {
  readonly resolve: (result: unknown) => void
  readonly reject: (error: Error) => void
}

export interface WriterOptions {
  readonly path: string
  /** The entry file of the thread, which calls `runWriter`. */
  readonly entry: URL
  readonly onFault: (message: string) => void
  /** Called once, when an fsync fails. Nothing is written after it. */
  readonly onSyncFailed: (message: string) => void
}

/** Reads stay in this thread: in WAL mode they do not wait for a writer. */
export async function withWriter(reader: SqliteDriver, options: WriterOptions): Promise<Driver> {
  const writer = new Writer(options)
  await writer.start()
  return {
    ...reader,
    change: ((name, ...values) => writer.send(name, values)) as Change,
    async close() {
      await writer.close()
      await reader.close()
    },
  }
}

/** The main thread's handle on the writer thread. Restarts a thread that exits; meanwhile the store is unavailable. */
class Writer {
  readonly #options: WriterOptions
  readonly #pending = new Map<number, PendingChange>()
  /** Null while no thread is running. */
  #worker: Worker | null = null
  #lastNumber = 0
  #startedAtMs = 0
  #consecutiveExits = 0
  #restart: NodeJS.Timeout | null = null
  #isClosing = false
  #hasSyncFailed = false

  constructor(options: WriterOptions) {
    this.#options = options
  }

  /** Rejects if the thread cannot start. It does not retry. */
  async start(): Promise<void> {
    const { path, entry, onFault } = this.#options
    this.#startedAtMs = performance.now()
    const worker = startThread({ entry, input: { path }, resourceLimits })
    worker.on('error', (error) => onFault(`SQLite writer: thread failed: ${error.message}`))
    await untilReady(worker)
    worker.on('message', (message: WriterMessage) => this.#onMessage(message))
    worker.on('exit', () => this.#onExit())
    this.#worker = worker
  }

  send(name: ChangeName, values: readonly unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#worker === null || this.#isClosing || this.#hasSyncFailed)
        throw new StoreUnavailable('the SQLite writer thread is not running')
      const number = (this.#lastNumber += 1)
      const request: ChangeRequest = { number, name, values }
      this.#worker.postMessage(request, [])
      // Added after sending: a request that cannot be sent is not pending.
      this.#pending.set(number, { resolve, reject })
    })
  }

  /** Completes pending changes first. */
  async close(): Promise<void> {
    this.#isClosing = true
    if (this.#restart !== null) clearTimeout(this.#restart)
    const worker = this.#worker
    if (worker === null) return
    await new Promise<void>((resolve) => {
      worker.once('exit', () => resolve())
      worker.postMessage(null, [])
    })
  }

  #onMessage(message: WriterMessage): void {
    if ('syncFailure' in message) {
      this.#hasSyncFailed = true
      this.#options.onSyncFailed(message.syncFailure)
      this.#rejectAll(message.syncFailure)
      return
    }
    const { number, outcome } = message
    const change = this.#pending.get(number)
    this.#pending.delete(number)
    if (outcome.kind === 'done') change?.resolve(outcome.result)
    else if (outcome.kind === 'failed') change?.reject(outcome.error)
    else if (outcome.kind === 'key_taken') change?.reject(new DuplicateIdempotencyKey(outcome.message))
    else if (outcome.kind === 'refused') change?.reject(new StoreRefusal(outcome.message))
    else change?.reject(new StoreUnavailable(outcome.message))
  }

  /** The last change may or may not have been committed. A retry under its idempotency key finds out. */
  #onExit(): void {
    this.#worker = null
    this.#rejectAll('the SQLite writer thread exited')
    this.#scheduleRestart()
  }

  #rejectAll(message: string): void {
    for (const { reject } of this.#pending.values()) reject(new StoreUnavailable(message))
    this.#pending.clear()
  }

  #scheduleRestart(): void {
    if (this.#isClosing || this.#hasSyncFailed) return
    this.#consecutiveExits = consecutiveExits(this.#consecutiveExits, performance.now() - this.#startedAtMs)
    this.#restart = setTimeout(() => {
      this.start().catch((error: Error) => {
        this.#options.onFault(`SQLite writer: cannot start the thread, will retry: ${error.message}`)
        this.#scheduleRestart()
      })
    }, restartPauseMs(this.#consecutiveExits))
  }
}

/** Rejects if the thread exits before it is ready. */
function untilReady(worker: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.once('message', () => resolve())
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('the SQLite writer thread exited before it was ready')))
  })
}

/** The thread's main function: reports that it is ready, then runs changes one by one. */
export async function runWriter(
  port: MessagePort,
  { path }: { readonly path: string },
  leafHashes: LeafHashes,
): Promise<void> {
  const driver = openSqlite({ path, leafHashes, mayBlock: true })
  const [check] = await driver.read(() => query(driver.checks.durable))
  if (check?.['ok'] !== 1)
    throw new Error('the SQLite writer thread is not durable: PRAGMA synchronous is below FULL')
  // If an earlier process ended after a failed fsync, its WAL may be in the page cache only. A checkpoint writes it to
  // the database file, with an fsync.
  await driver.checkpoint('always')
  const runChange = createChangeRunner(driver, (message) => port.postMessage(message))
  port.on('message', (request: ChangeRequest | null) => {
    if (request === null) void driver.close().then(() => port.close())
    else void runChange(request)
  })
  port.postMessage('ready')
}

/** Runs changes and reports each result, until an fsync fails. */
function createChangeRunner(driver: SqliteDriver, send: (message: WriterMessage) => void) {
  const change = driver.change as (name: ChangeName, ...values: readonly unknown[]) => Promise<unknown>
  let hasSyncFailed = false
  const checkSync = (error: unknown): void => {
    if (!(error instanceof SyncFailed)) return
    hasSyncFailed = true
    send({ syncFailure: error.message })
  }
  return async ({ number, name, values }: ChangeRequest): Promise<void> => {
    if (hasSyncFailed) return
    try {
      const result = await change(name, ...values)
      send({ number, outcome: { kind: 'done', result } })
    } catch (error) {
      checkSync(error)
      // Also reached if the result cannot be cloned: a bug that must not end the thread.
      if (!hasSyncFailed) send({ number, outcome: failureOf(error) })
    }
    // After the reply, which does not depend on it. Other errors recur with the next checkpoint.
    if (!hasSyncFailed) await driver.checkpoint('long').catch(checkSync)
  }
}

function failureOf(error: unknown): Outcome {
  if (error instanceof StoreRefusal) return { kind: 'refused', message: error.message }
  if (error instanceof StoreUnavailable) return { kind: 'unavailable', message: error.message }
  if (error instanceof DuplicateIdempotencyKey) return { kind: 'key_taken', message: error.message }
  return { kind: 'failed', error: error instanceof Error ? error : new Error(String(error)) }
}
