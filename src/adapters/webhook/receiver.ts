/** A small receiver of webhooks, to see on one's own machine what arrives. */

import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ReceivedRequest {
  /** With its query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** The exact bytes: a signature is over these. */
  readonly body: Buffer
  readonly at: Date
}

export interface ReceiverOptions {
  readonly host: string
  /** 0 for any that is free. */
  readonly port: number
  /** What every POST is answered with. */
  readonly status: number
  readonly onRequest: (request: ReceivedRequest) => void
}

export interface Receiver {
  readonly url: string
  close(): Promise<void>
}

const bodyBytesMax = 1_048_576

/** Rejects with the system's error where the port cannot be had. */
export async function openReceiver({ host, port, status, onRequest }: ReceiverOptions): Promise<Receiver> {
  const server = createServer((request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405, { allow: 'POST' }).end()
    readBody(request, (body) => {
      if (body === null) return void response.writeHead(413).end()
      onRequest({ path: request.url ?? '/', headers: request.headers, body, at: new Date() })
      response.writeHead(status).end()
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const bound = server.address() as AddressInfo
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Null where it is too long; nothing at all where the other side goes away. */
function readBody(request: IncomingMessage, onRead: (body: Buffer | null) => void): void {
  let chunks: Buffer[] = []
  let byteLength = 0
  request.on('data', (chunk: Buffer) => {
    byteLength += chunk.byteLength
    if (byteLength <= bodyBytesMax) chunks.push(chunk)
    else chunks = []
  })
  // Read to its end in any case: who is still sending does not see the answer.
  request.on('end', () => onRead(byteLength > bodyBytesMax ? null : Buffer.concat(chunks)))
}
