/** Hashes files in a thread of its own, while this one prepares their next bytes. */

import { entryFile } from '../threads/installation.ts'
import { startThread } from '../threads/thread.ts'

export interface HashJob {
  readonly file: number
  /** Null at the end of the file: the answer is then its hash. */
  readonly bytes: Uint8Array | null
}

export interface FileHash {
  /** The bytes must not change before it is done. */
  update(bytes: Uint8Array): Promise<void>
  /** SHA-256 in hexadecimal digits. */
  digest(): Promise<string>
}

const smallHeap = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 32 }

export class HashThread {
  readonly #worker = startThread({
    entry: entryFile('hash-worker'),
    input: null,
    resourceLimits: smallHeap,
  })
  /** Of the jobs under way; the thread answers in their order. */
  readonly #waiting: PromiseWithResolvers<string>[] = []
  #files = 0

  constructor() {
    this.#worker.unref()
    this.#worker.on('message', (answer: string) => {
      this.#waiting.shift()?.resolve(answer)
      // Alone it keeps no process from ending.
      if (this.#waiting.length === 0) this.#worker.unref()
    })
    const fail = (error: Error): void => {
      for (const { reject } of this.#waiting.splice(0)) reject(error)
    }
    this.#worker.on('error', fail)
    this.#worker.on('exit', (code) => fail(new Error(`the thread that hashes ended with code ${code}`)))
  }

  open(): FileHash {
    this.#files += 1
    const file = this.#files
    return {
      update: async (bytes) => {
        await this.#run({ file, bytes })
      },
      digest: () => this.#run({ file, bytes: null }),
    }
  }

  async close(): Promise<void> {
    await this.#worker.terminate()
  }

  #run(job: HashJob): Promise<string> {
    const waiting = Promise.withResolvers<string>()
    this.#waiting.push(waiting)
    this.#worker.ref()
    this.#worker.postMessage(job, [])
    return waiting.promise
  }
}
