/**
 * The embedded engine with its changes in a thread of their own, so that the wait for the disk holds up no request. What
 * comes in while one batch is on its way to the disk is the next.
 */

import { once } from 'node:events'
import { Worker, type MessagePort } from 'node:worker_threads'
import { StoreUnavailable } from '../../app/ports.ts'
import type { ChangeName, Change } from './changes.ts'
import { KeyTaken, type Driver } from './script.ts'
import { openSqlite, type SqliteDriver } from './sqlite.ts'

/** What it leaves behind is collected before it adds up. */
const resourceLimits = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 128 }

interface Asked {
  readonly name: ChangeName
  readonly values: readonly unknown[]
}

type Answer =
  | { readonly kind: 'done'; readonly result: unknown }
  | { readonly kind: 'unavailable'; readonly message: string }
  | { readonly kind: 'key_taken'; readonly message: string }
  | { readonly kind: 'failed'; readonly error: Error }

interface Waiting {
  readonly resolve: (result: unknown) => void
  readonly reject: (error: Error) => void
}

export interface WriterOptions {
  readonly path: string
  /** The file that the thread runs: it calls `runWriter`. */
  readonly entry: URL
  readonly onFault: (message: string) => void
}

/** Reads stay here: in WAL mode they wait for no writer. */
export async function withWriter(reader: SqliteDriver, options: WriterOptions): Promise<Driver> {
  const { path, entry, onFault } = options
  /** It answers in the order in which it was asked. */
  const waiting: Waiting[] = []
  let isClosing = false
  let writer = hire()
  await once(writer, 'message')
  writer.on('message', answered)

  function hire(): Worker {
    const worker = new Worker(entry, { workerData: { path }, resourceLimits })
    worker.on('error', (error) => onFault(`the thread that writes failed: ${error.message}`))
    worker.on('exit', () => (isClosing ? undefined : lost()))
    return worker
  }

  function answered(answer: Answer): void {
    const asker = waiting.shift()
    if (answer.kind === 'done') asker?.resolve(answer.result)
    else if (answer.kind === 'failed') asker?.reject(answer.error)
    else if (answer.kind === 'key_taken') asker?.reject(new KeyTaken(answer.message))
    else asker?.reject(new StoreUnavailable(answer.message))
  }

  /** Whether the last change was made is not known: as with any answer that is lost, the idempotency key tells. */
  function lost(): void {
    for (const { reject } of waiting.splice(0)) reject(new StoreUnavailable('the thread that writes ended'))
    writer = hire()
    writer.once('message', () => writer.on('message', answered))
  }

  const ask = (asked: Asked): Promise<unknown> =>
    new Promise((resolve, reject) => {
      waiting.push({ resolve, reject })
      writer.postMessage(asked, [])
    })

  return {
    ...reader,
    change: ((name, ...values) => ask({ name, values })) as Change,
    async close() {
      isClosing = true
      const ended = once(writer, 'exit')
      writer.postMessage(null, [])
      await ended
      await reader.close()
    },
  }
}

/** In the thread: says that it is ready, then makes one change after the other. */
export function runWriter(port: MessagePort, { path }: { readonly path: string }): void {
  const driver = openSqlite({ path, mayBlock: true })
  const change = driver.change as (name: ChangeName, ...values: readonly unknown[]) => Promise<unknown>
  port.on('message', (asked: Asked | null) => {
    if (asked === null) void driver.close().then(() => port.close())
    else
      void change(asked.name, ...asked.values).then(
        (result) => port.postMessage({ kind: 'done', result } satisfies Answer),
        (error: unknown) => port.postMessage(failureOf(error)),
      )
  })
  port.postMessage('ready')
}

function failureOf(error: unknown): Answer {
  if (error instanceof StoreUnavailable) return { kind: 'unavailable', message: error.message }
  if (error instanceof KeyTaken) return { kind: 'key_taken', message: error.message }
  return { kind: 'failed', error: error instanceof Error ? error : new Error(String(error)) }
}
