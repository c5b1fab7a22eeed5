/** Sends webhooks: one POST each, only to checked addresses, within a time limit that no receiver can exceed. */

import { request as plainRequest, type ClientRequest } from 'node:http'
import { request as secureRequest, type RequestOptions } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { SendFault, SendOutcome, WebhookSender } from '../../app/ports/webhooks.ts'
import { receiverTimeoutMs } from '../../core/events/retry-schedule.ts'
import { kindOf, mayConnect, type AddressKind } from './address.ts'
import { createAgents, faultError, faultOf, type Agents } from './agents.ts'
import { findTargets, type TargetRules } from './endpoint.ts'
import { readUrl, type Endpoint } from './url.ts'

export interface SenderOptions extends TargetRules {
  /** From the start of the name lookup to the last response header. */
  readonly timeoutMs?: number
  /** CA certificates to trust in addition to the default ones. */
  readonly ca?: readonly string[]
}

type Message = Parameters<WebhookSender['send']>[0]

const limits = {
  /** Of a response body. The connection is closed if it is longer. */
  bodyBytesMax: 4_096,
  /** Of a response body, for the eyes of the endpoint's owner. */
  keptBytesMax: 1_000,
  headerBytesMax: 16_384,
  /** Of everything received for one request: parsing costs time, and a receiver can send much that is not body. */
  answerBytesMax: 65_536,
  /** Informational (1xx) responses before the final one. */
  informationMax: 16,
  /** A name may have thousands of addresses: all are checked, and this many tried. */
  addressesMax: 8,
  cachedUrlsMax: 1_000,
} as const

export function createWebhookSender({
  timeoutMs = receiverTimeoutMs,
  ca,
  ...rules
}: SenderOptions): WebhookSender {
  const agentRules = {
    lookup: createLookup(rules),
    mayConnect: (address: string) => mayConnect(address, rules),
    ca,
  }
  const destinations = createDestinationCache(rules.allowPrivate)
  const pool = createAgents(agentRules, true)
  const fresh = createAgents(agentRules, false)
  const pending = new Set<() => void>()
  let isClosed = false
  return {
    async send(message) {
      if (isClosed) return failed('connection_failed')
      const destination = destinations(message.url)
      if (destination === null) return failed('address_refused')
      const { endpoint, literalKind } = destination
      // Node calls the lookup function only for names.
      if (literalKind !== null && !mayConnect(endpoint.host, rules, literalKind))
        return failed('address_refused')
      return exchange({ endpoint, message, pool, fresh, timeoutMs, pending })
    },
    async close() {
      isClosed = true
      for (const stop of pending) stop()
      pool.destroy()
      fresh.destroy()
    },
  }
}

interface Destination {
  readonly endpoint: Endpoint
  /** Null for a name. */
  readonly literalKind: AddressKind | null
}

/** Returns null if the URL is refused. Cached, because parsing costs a fifth of a send and the same URLs recur. */
function createDestinationCache(allowPrivate: boolean): (url: string) => Destination | null {
  const cache = new Map<string, Destination | null>()
  return (url) => {
    const cached = cache.get(url)
    if (cached !== undefined) return cached
    const read = readUrl(url, allowPrivate)
    const destination = read.kind === 'refused' ? null : destinationOf(read.endpoint)
    if (cache.size >= limits.cachedUrlsMax) cache.clear()
    cache.set(url, destination)
    return destination
  }
}

function destinationOf(endpoint: Endpoint): Destination {
  return { endpoint, literalKind: endpoint.isLiteral ? kindOf(endpoint.host) : null }
}

/** Bytes that are no text become replacement characters; one that was cut is left out. */
function answeredWith(status: number, body: readonly Buffer[]): SendOutcome {
  const answer = Buffer.concat(body)
    .toString('utf8')
    .replace(/\uFFFD{1,3}$/, '')
  return answer === '' ? { kind: 'answered', status } : { kind: 'answered', status, answer }
}

const failed = (fault: SendFault): SendOutcome => ({ kind: 'failed', fault })

/** Replaces Node's lookup: checks every result and returns only checked addresses. */
function createLookup(rules: TargetRules): LookupFunction {
  return (host, { all }, callback) => {
    const answer = async (): Promise<void> => {
      const targets = await findTargets(host, false, rules)
      if (targets.kind === 'unresolved') return callback(faultError('name_not_resolved'), [])
      if (targets.kind === 'refused') return callback(faultError('address_refused'), [])
      const addresses = targets.addresses.slice(0, limits.addressesMax)
      const records = addresses.map((address) => ({ address, family: isIP(address) }))
      const [first] = records
      if (all === true || first === undefined) callback(null, records)
      else callback(null, first.address, first.family)
    }
    void answer()
  }
}

interface Exchange {
  readonly endpoint: Endpoint
  readonly message: Message
  readonly pool: Agents
  /** Connections that are new and used once. */
  readonly fresh: Agents
  readonly timeoutMs: number
  /** A stop function for each unfinished exchange. */
  readonly pending: Set<() => void>
}

function exchange({ endpoint, message, pool, fresh, timeoutMs, pending }: Exchange): Promise<SendOutcome> {
  return new Promise((resolve) => {
    let abort: Abort = () => undefined
    const settle = (outcome: SendOutcome): void => {
      clearTimeout(timer)
      pending.delete(stop)
      resolve(outcome)
    }
    const attempt = (agents: Agents): void => {
      try {
        abort = post(endpoint, message, agents, (outcome) => {
          if (outcome.kind === 'stale') attempt(fresh)
          else settle(outcome)
        })
      } catch {
        // Thrown only for headers that HTTP cannot carry, and the headers are our own.
        settle(failed('connection_failed'))
      }
    }
    const stop = (): void => abort('connection_failed')
    const timer = setTimeout(() => abort('timeout'), timeoutMs)
    pending.add(stop)
    attempt(pool)
  })
}

/** Stale: the receiver had closed the reused idle connection, so the request must be sent over a new one. */
type AttemptOutcome = SendOutcome | { readonly kind: 'stale' }

/** Ends an attempt and closes its connection. The fault is ignored if a response has arrived. */
type Abort = (fault: SendFault) => void

type OnEnd = (outcome: AttemptOutcome) => void

/**
 * Ends with the response body, not its headers: an attempt counts as pending while it holds a connection, so receivers
 * with slow bodies cannot accumulate connections. The status is reported however the body ends.
 */
function post(endpoint: Endpoint, message: Message, agents: Agents, onEnd: OnEnd): Abort {
  const request = open(endpoint, message, agents)
  let answer: (() => SendOutcome) | null = null
  let isUnread = true
  let isOver = false
  const end = (outcome: AttemptOutcome): void => {
    if (isOver) return
    isOver = true
    onEnd(answer?.() ?? outcome)
  }
  const abort: Abort = (fault) => {
    end(failed(fault))
    request.destroy()
  }
  let bytesBefore = 0
  let informationCount = 0
  const isTooMuch = (): boolean => (request.socket?.bytesRead ?? 0) - bytesBefore > limits.answerBytesMax
  request.on('information', () => {
    informationCount += 1
    if (informationCount > limits.informationMax || isTooMuch()) abort('invalid_response')
  })
  request.on('socket', (socket) => {
    bytesBefore = socket.bytesRead
    if (request.reusedSocket) socket.once('data', () => (isUnread = false))
  })
  request.on('response', (response) => {
    const { statusCode = 0 } = response
    // Other informational responses are counted above; this is a 101 without an Upgrade header.
    if (statusCode < 200) return abort('invalid_response')
    const body: Buffer[] = []
    let bodyBytes = 0
    const answered = (): SendOutcome => answeredWith(statusCode, body)
    answer = answered
    response.on('data', (chunk: Buffer) => {
      if (bodyBytes < limits.keptBytesMax) body.push(chunk.subarray(0, limits.keptBytesMax - bodyBytes))
      bodyBytes += chunk.byteLength
      if (bodyBytes <= limits.bodyBytesMax && !isTooMuch()) return
      end(answered())
      request.destroy()
    })
    response.on('end', () => {
      end(answered())
      // The response came before the request was sent completely; do not wait for the rest.
      if (!request.writableFinished) request.destroy()
    })
  })
  // The request never asks for an upgrade.
  request.on('upgrade', (_response, socket) => {
    socket.destroy()
    abort('invalid_response')
  })
  request.on('error', (error: NodeJS.ErrnoException) => {
    const isStale = request.reusedSocket && isUnread && /^(?:ECONNRESET|EPIPE)$/.test(error.code ?? '')
    end(isStale ? { kind: 'stale' } : failed(faultOf(error, endpoint.isSecure)))
  })
  request.on('close', () => end(failed('connection_failed')))
  request.end(message.body)
  return abort
}

function open(endpoint: Endpoint, { headers, body }: Message, { plain, secure }: Agents): ClientRequest {
  const { isSecure, host, isLiteral, port, path, authority } = endpoint
  const options: RequestOptions = {
    method: 'POST',
    host,
    port,
    path,
    headers: { ...headers, host: authority, 'content-length': body.byteLength },
    maxHeaderSize: limits.headerBytesMax,
    insecureHTTPParser: false,
  }
  if (!isSecure) return plainRequest({ ...options, agent: plain })
  // The TLS server name must not be an IP address (RFC 6066, 3).
  return secureRequest({ ...options, agent: secure, servername: isLiteral ? '' : host })
}
