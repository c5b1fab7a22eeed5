/** A server on loopback that answers as it is told, request by request, and the client's world with time in hand. */

import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  FairwayClient,
  type FairwayClientOptions,
  type Runtime,
  type VerifyResult,
} from '../../../client/src/index.ts'

export interface ReceivedRequest {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
  // eslint-disable-next-line typescript/no-explicit-any -- tests look into what was sent freely
  readonly json: any
}

/**
 * `hang` never answers, `drop` closes the connection without one, `half` closes it in the middle of the body, `drip`
 * sends its body byte by byte, and stops before the end.
 */
export type Scripted =
  | 'hang'
  | 'drop'
  | 'half'
  | 'drip'
  | {
      readonly status: number
      readonly body?: unknown
      /** In place of JSON. */
      readonly text?: string | Uint8Array
      readonly headers?: Readonly<Record<string, string>>
      /** The connection ends after the answer, although nothing said so. */
      readonly closes?: true
    }

export interface ScriptedServer {
  readonly url: string
  readonly asked: ReceivedRequest[]
  /** Resolves when so many requests have come. */
  readonly came: (count: number) => Promise<void>
}

/** Answers in the order given; the last answer goes on for ever. */
export async function withScript(
  script: readonly Scripted[],
  work: (server: ScriptedServer) => Promise<void>,
): Promise<void> {
  const asked: ReceivedRequest[] = []
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const text = Buffer.concat(pieces).toString()
      const isJson = request.headers['content-type'] === 'application/json'
      asked.push({
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers,
        text,
        json: isJson ? (JSON.parse(text) as unknown) : undefined,
      })
      server.emit('came')
      const next = script[Math.min(asked.length, script.length) - 1] ?? 'drop'
      if (next === 'hang') return
      if (next === 'drop') return void request.socket.destroy()
      if (next === 'half') {
        response.writeHead(200, { 'content-length': '100' }).write('{"decision"')
        return void setImmediate(() => request.socket.destroy())
      }
      if (next === 'drip') return drip(response)
      const { status, body = {}, text: sent, headers = {}, closes = false } = next
      response.writeHead(status, { 'content-type': 'application/json', ...headers })
      response.end(sent ?? JSON.stringify(body), () => closes && request.socket.destroy())
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  async function came(count: number): Promise<void> {
    while (asked.length < count) await once(server, 'came')
  }
  try {
    await work({ url: `http://127.0.0.1:${port}`, asked, came })
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const dripBytes = 200

/** Each byte soon after the one before it. */
function drip(response: ServerResponse): void {
  response.writeHead(200, { 'content-length': String(2 * dripBytes) })
  let sent = 0
  const timer = setInterval(() => {
    if (sent >= dripBytes) response.destroy()
    else response.write(' ')
    sent += 1
  }, 10)
  response.on('close', () => clearInterval(timer))
}

/** Waiting takes no time and is written down; chance is in the middle by default. */
export class ManualWorld {
  readonly waits: number[] = []
  now = 0
  chance = 0.5
  /** What is called when time is up, in the order it was asked for; those cancelled are gone. */
  readonly timers: { readonly ms: number; readonly work: () => void }[] = []

  readonly runtime: Partial<Runtime> = {
    nowMs: () => this.now,
    random: () => this.chance,
    sleep: async (ms) => {
      this.waits.push(ms)
      this.now += ms
    },
    after: (ms, work) => {
      const timer = { ms, work }
      this.timers.push(timer)
      return () => {
        this.timers.splice(this.timers.indexOf(timer), 1)
      }
    },
  }

  client(baseUrl: string, options: Partial<FairwayClientOptions> = {}): FairwayClient {
    return new FairwayClient({ baseUrl, apiKey: 'pk_test_any', runtime: this.runtime, ...options })
  }
}

/** As little as a decision needs. */
export const decided = (decision = 'GO') => ({
  status: 200,
  body: { decision, score: 0.96, request_id: 'SVC-2026-ONE' },
})

/** An error as Fairway tells it. */
export const refused = (
  status: number,
  code: string,
  headers: Readonly<Record<string, string>> = {},
  more: object = {},
) => ({ status, headers, body: { message: `${code} it is.`, code, request_id: 'req_one', ...more } })

/** In a word. */
export const wordOf = (result: VerifyResult): string => (result.held ? 'HOLD' : result.decision)

/** What a promise is rejected with. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise
  } catch (error) {
    return error
  }
  throw new Error('it did not fail')
}
