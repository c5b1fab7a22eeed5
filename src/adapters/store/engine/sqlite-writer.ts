/**
 * The embedded engine with its changes in a thread of their own, so that the wait for the disk holds up no request. What
 * comes in while one batch is on its way to the disk is the next.
 */

import type { MessagePort, Worker } from 'node:worker_threads'
import { endsInARow, restartPauseMs } from '../../../core/operate/restart-schedule.ts'
import { StoreUnavailable } from '../../../app/ports/store.ts'
import { startThread } from '../../thread.ts'
import type { Change, ChangeName, Hashes } from './named-changes.ts'
import { KeyTaken, SyncFailed, type Driver } from './driver.ts'
import { query } from './script.ts'
import { openSqlite, type SqliteDriver } from './sqlite.ts'

/** What it leaves behind is collected before it adds up. */
const resourceLimits = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 128 }

interface Asked {
  readonly number: number
  readonly name: ChangeName
  readonly values: readonly unknown[]
}

type Outcome =
  | { readonly kind: 'done'; readonly result: unknown }
  | { readonly kind: 'unavailable'; readonly message: string }
  | { readonly kind: 'key_taken'; readonly message: string }
  | { readonly kind: 'failed'; readonly error: Error }

type Answer =
  | { readonly number: number; readonly outcome: Outcome }
  /** The disk did not confirm a write: the last word of the thread. */
  | { readonly lost: string }

interface Waiting {
  readonly resolve: (result: unknown) => void
  readonly reject: (error: Error) => void
}

export interface WriterOptions {
  readonly path: string
  /** The file that the thread runs: it calls `runWriter`. */
  readonly entry: URL
  readonly onFault: (message: string) => void
  /** Called once, when the disk did not confirm a write. From then on nothing is written. */
  readonly onLost: (message: string) => void
}

/** Reads stay here: in WAL mode they wait for no writer. */
export async function withWriter(reader: SqliteDriver, options: WriterOptions): Promise<Driver> {
  const writer = new Writer(options)
  await writer.start()
  return {
    ...reader,
    change: ((name, ...values) => writer.ask(name, values)) as Change,
    async close() {
      await writer.close()
      await reader.close()
    },
  }
}

/** The thread as this one sees it. One that ends is replaced; meanwhile the store is unavailable. */
class Writer {
  readonly #options: WriterOptions
  readonly #waiting = new Map<number, Waiting>()
  /** Null while there is none that takes changes. */
  #worker: Worker | null = null
  #asked = 0
  #startedAtMs = 0
  #endsInARow = 0
  #restart: NodeJS.Timeout | null = null
  #isClosing = false
  #isLost = false

  constructor(options: WriterOptions) {
    this.#options = options
  }

  /** Rejects where it cannot be started; nobody tries again then. */
  async start(): Promise<void> {
    const { path, entry, onFault } = this.#options
    this.#startedAtMs = performance.now()
    const worker = startThread({ entry, given: { path }, resourceLimits })
    worker.on('error', (error) => onFault(`the thread that writes failed: ${error.message}`))
    await isReady(worker)
    worker.on('message', (answer: Answer) => this.#answered(answer))
    worker.on('exit', () => this.#lost())
    this.#worker = worker
  }

  ask(name: ChangeName, values: readonly unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#worker === null || this.#isClosing || this.#isLost)
        throw new StoreUnavailable('there is no thread that writes')
      const number = (this.#asked += 1)
      const asked: Asked = { number, name, values }
      this.#worker.postMessage(asked, [])
      // After the sending: what could not be sent is not waited for.
      this.#waiting.set(number, { resolve, reject })
    })
  }

  /** What was asked before is answered first. */
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

  #answered(answer: Answer): void {
    if ('lost' in answer) {
      this.#isLost = true
      this.#options.onLost(answer.lost)
      this.#rejectAll(answer.lost)
      return
    }
    const { number, outcome } = answer
    const asker = this.#waiting.get(number)
    this.#waiting.delete(number)
    if (outcome.kind === 'done') asker?.resolve(outcome.result)
    else if (outcome.kind === 'failed') asker?.reject(outcome.error)
    else if (outcome.kind === 'key_taken') asker?.reject(new KeyTaken(outcome.message))
    else asker?.reject(new StoreUnavailable(outcome.message))
  }

  /** Whether the last change was made is not known: as with any answer that is lost, the idempotency key tells. */
  #lost(): void {
    this.#worker = null
    this.#rejectAll('the thread that writes ended')
    this.#startAgain()
  }

  #rejectAll(message: string): void {
    for (const { reject } of this.#waiting.values()) reject(new StoreUnavailable(message))
    this.#waiting.clear()
  }

  #startAgain(): void {
    if (this.#isClosing || this.#isLost) return
    this.#endsInARow = endsInARow(this.#endsInARow, performance.now() - this.#startedAtMs)
    this.#restart = setTimeout(() => {
      this.start().catch((error: Error) => {
        this.#options.onFault(`the thread that writes cannot be started: ${error.message}`)
        this.#startAgain()
      })
    }, restartPauseMs(this.#endsInARow))
  }
}

/** Rejects where it ends instead. */
function isReady(worker: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.once('message', () => resolve())
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('it ended before it was ready')))
  })
}

/** In the thread: says that it is ready, then makes one change after the other. */
export async function runWriter(
  port: MessagePort,
  { path }: { readonly path: string },
  leafHashes: Hashes,
): Promise<void> {
  const driver = openSqlite({ path, leafHashes, mayBlock: true })
  const [check] = await driver.read(() => query(driver.checks.durable))
  if (check?.['ok'] !== 1) throw new Error('a commit of this thread would not wait for the disk')
  // What a log holds that an earlier process left may be in memory alone, where its last fsync failed. Written anew, and
  // confirmed, it is on the disk.
  await driver.checkpoint('always')
  const making = createMaking(driver, (answer) => port.postMessage(answer))
  port.on('message', (asked: Asked | null) => {
    if (asked === null) void driver.close().then(() => port.close())
    else void making(asked)
  })
  port.postMessage('ready')
}

/** Makes changes, and answers each, until the disk does not confirm one. */
function createMaking(driver: SqliteDriver, answer: (answer: Answer) => void) {
  const change = driver.change as (name: ChangeName, ...values: readonly unknown[]) => Promise<unknown>
  let isLost = false
  const lose = (error: unknown): void => {
    if (!(error instanceof SyncFailed)) return
    isLost = true
    answer({ lost: error.message })
  }
  return async ({ number, name, values }: Asked): Promise<void> => {
    if (isLost) return
    try {
      const result = await change(name, ...values)
      answer({ number, outcome: { kind: 'done', result } })
    } catch (error) {
      lose(error)
      // Also where the result is nothing that can be sent: a bug, which must not end the thread.
      if (!isLost) answer({ number, outcome: failureOf(error) })
    }
    // After the answer, which does not depend on it. What else may keep it from being made is met again with the next one.
    if (!isLost) await driver.checkpoint('long').catch(lose)
  }
}

function failureOf(error: unknown): Outcome {
  if (error instanceof StoreUnavailable) return { kind: 'unavailable', message: error.message }
  if (error instanceof KeyTaken) return { kind: 'key_taken', message: error.message }
  return { kind: 'failed', error: error instanceof Error ? error : new Error(String(error)) }
}
