/** A local webhook receiver for inspecting deliveries during development. */

import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ReceivedRequest {
  /** Path and query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** The exact bytes, which the signature covers. */
  readonly body: Buffer
  readonly at: Date
}

export interface ReceiverOptions {
  readonly host: string
  /** 0 selects any free port. */
  readonly port: number
  /** The status of every response to a POST. */
  readonly status: number
  readonly onRequest: (request: ReceivedRequest) => void
}

export interface Receiver {
  readonly url: string
  close(): Promise<void>
}

const bodyBytesMax = 1_048_576

/** Rejects with the system error if the port cannot be bound. */
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

/** Passes null if the body is too long. Never calls back if the sender disconnects. */
function readBody(request: IncomingMessage, onRead: (body: Buffer | null) => void): void {
  let chunks: Buffer[] = []
  let byteLength = 0
  request.on('data', (chunk: Buffer) => {
    byteLength += chunk.byteLength
    if (byteLength <= bodyBytesMax) chunks.push(chunk)
    else chunks = []
  })
  // Read to the end even if too long: a client that is still sending does not read the response.
  request.on('end', () => onRead(byteLength > bodyBytesMax ? null : Buffer.concat(chunks)))
}
