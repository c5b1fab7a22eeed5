/** The baseline of deliveries: sends recorded requests concurrently with plain `node:http`, without a store. */

import { Agent, request as startRequest } from 'node:http'
import type { RecordedRequest } from './receiver.ts'

export interface LoopJob {
  readonly port: number
  /** Sent in turn, repeatedly. */
  readonly requests: readonly RecordedRequest[]
  readonly count: number
  readonly concurrency: number
}

/** Null if every response was a 200. */
export type LoopReply = { readonly fault: string | null }

/** A request with its body as bytes, as from an outbox without cost. */
interface Ready {
  readonly path: string
  readonly headers: RecordedRequest['headers']
  readonly bytes: Buffer
}

const agent = new Agent({ keepAlive: true })

function send(port: number, { path, headers, bytes }: Ready): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = startRequest({ agent, method: 'POST', host: '127.0.0.1', port, path, headers })
    request.on('response', (response) => {
      response.resume()
      response.on('end', () => {
        if (response.statusCode === 200) resolve()
        else reject(new Error(`the receiver answered ${response.statusCode}`))
      })
    })
    request.on('error', reject)
    request.end(bytes)
  })
}

async function run({ port, requests, count, concurrency }: LoopJob): Promise<void> {
  const ready = requests.map(({ path, headers, body }) => ({ path, headers, bytes: Buffer.from(body) }))
  let started = 0
  async function worker(): Promise<void> {
    while (started < count) {
      const next = ready[started % ready.length]
      started += 1
      if (next === undefined) throw new Error('no recorded request to send')
      await send(port, next)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
}

async function answerJob(job: LoopJob): Promise<LoopReply> {
  try {
    await run(job)
    return { fault: null }
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) }
  }
}

process.on('message', (job: LoopJob) => {
  void answerJob(job).then((reply) => process.send?.(reply))
})
process.on('disconnect', () => process.exit(0))
