/** The yardstick of deliveries: sends requests that were recorded, so many at once, over plain `node:http` and no store. */

import { Agent, request as startRequest } from 'node:http'
import type { KeptRequest } from './webhooks-receiver.ts'

export interface LoopJob {
  readonly port: number
  /** Sent in turn, again and again. */
  readonly requests: readonly KeptRequest[]
  readonly count: number
  readonly atOnce: number
}

/** Null when all were answered with a 200; else what went wrong. */
export type LoopReply = { readonly fault: string | null }

/** Each with its bytes, as they would come from an outbox that costs nothing. */
interface Ready {
  readonly path: string
  readonly headers: KeptRequest['headers']
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

async function run({ port, requests, count, atOnce }: LoopJob): Promise<void> {
  const ready = requests.map(({ path, headers, body }) => ({ path, headers, bytes: Buffer.from(body) }))
  let started = 0
  async function worker(): Promise<void> {
    while (started < count) {
      const next = ready[started % ready.length]
      started += 1
      if (next === undefined) throw new Error('there is nothing to send')
      await send(port, next)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
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
