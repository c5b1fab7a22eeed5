/** Answers requests that never reach a route, such as malformed HTTP, with an error in the API's own shape. */

import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Random } from '../../app/ports/system.ts'
import { environmentOf } from '../../app/verify/answer.ts'
import { prefixedId } from '../../app/verify/ids.ts'
import { invalid, problemBody, statusOf, type Problem } from '../errors.ts'
import { contractMajor } from '../openapi/version.ts'
import type { App } from '../types.ts'

const brokenRequests: Readonly<Record<string, Problem>> = {
  ERR_HTTP_REQUEST_TIMEOUT: {
    code: 'REQUEST_TIMEOUT',
    message: 'The request did not arrive in time. Send it again.',
  },
  HPE_HEADER_OVERFLOW: {
    code: 'HEADERS_TOO_LARGE',
    message: 'The request headers are too large: send at most 16 KiB.',
  },
}

/** Answers a request that Node could not parse, if the connection is still open. */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket, random: Random): void {
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
  else
    answerRaw(
      socket,
      brokenRequests[error.code ?? ''] ?? invalid([{ path: '', message: 'is not valid HTTP' }]),
      random,
    )
}

/** Refuses CONNECT and unknown expectations, which Node reports as separate events. */
export function refuseTunnels(app: App, random: Random): void {
  app.server.on('connect', (_request, socket: Socket) => {
    answerRaw(
      socket,
      {
        code: 'METHOD_NOT_ALLOWED',
        message: 'CONNECT is not supported. Use one of the methods in the API reference.',
      },
      random,
    )
  })
  app.server.on('checkExpectation', (request: IncomingMessage) => {
    const message = 'must be 100-continue'
    answerRaw(request.socket, invalid([{ path: '/headers/expect', message }]), random)
  })
}

function answerRaw(socket: Socket, problem: Problem, random: Random): void {
  const requestId = prefixedId('req', random)
  const body = JSON.stringify(problemBody(problem, requestId))
  const head = [
    `HTTP/1.1 ${statusOf[problem.code]} ${problem.code}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    `x-svc-version: ${contractMajor}`,
    `x-svc-environment: ${environmentOf.shadow}`,
    'x-content-type-options: nosniff',
    'cache-control: no-store',
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
