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
  readonly statusCode: number
  readonly onRequest: (request: ReceivedRequest) => void
}

export interface Receiver {
  readonly url: string
  close(): Promise<void>
}

const bodyBytesMax = 1_048_576

/** Rejects with the system's error where the port cannot be had. */
export async function openReceiver({
  host,
  port,
  statusCode,
  onRequest,
}: ReceiverOptions): Promise<Receiver> {
  const server = createServer((request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405, { allow: 'POST' }).end()
    readBody(request, (body) => {
      // Whoever sends so much may be at it for long; the connection ends with the answer.
      if (body === null) return void response.writeHead(413, { connection: 'close' }).end()
      onRequest({ path: request.url ?? '/', headers: request.headers, body, at: new Date() })
      response.writeHead(statusCode).end()
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
    const wasTooLong = byteLength > bodyBytesMax
    byteLength += chunk.byteLength
    if (byteLength <= bodyBytesMax) return void chunks.push(chunk)
    chunks = []
    if (!wasTooLong) onRead(null)
  })
  request.on('end', () => {
    if (byteLength <= bodyBytesMax) onRead(Buffer.concat(chunks))
  })
}
