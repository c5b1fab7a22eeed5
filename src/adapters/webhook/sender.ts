/** Sends webhooks: one POST each, to checked addresses only, over in a bounded time whatever the other side does. */

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
  /** From the start of the name's look-up to the last header of the answer. */
  readonly timeoutMs?: number
  /** Certificates to believe beside the usual ones. */
  readonly ca?: readonly string[]
}

type Message = Parameters<WebhookSender['send']>[0]

const limits = {
  /** Of an answer's body; one that is longer costs the receiver its connection. */
  bodyBytesMax: 4_096,
  headerBytesMax: 16_384,
  /** Of all that comes over the wire for one request: parsing is work, and there are ways to send much that is no body. */
  answerBytesMax: 65_536,
  /** Early hints and their like, before the answer itself. */
  informationMax: 16,
  /** A name may have thousands of addresses: all are judged, and these many tried. */
  addressesMax: 8,
  recalledMax: 1_000,
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
  const recall = createRecall(rules.allowPrivate)
  const pool = createAgents(agentRules, true)
  const fresh = createAgents(agentRules, false)
  const underWay = new Set<() => void>()
  let isClosed = false
  return {
    async send(message) {
      if (isClosed) return failed('connection_failed')
      const destination = recall(message.url)
      if (destination === null) return failed('address_refused')
      const { endpoint, literalKind } = destination
      // Node asks its look-up about names alone.
      if (literalKind !== null && !mayConnect(endpoint.host, rules, literalKind))
        return failed('address_refused')
      return exchange({ endpoint, message, pool, fresh, timeoutMs, underWay })
    },
    async close() {
      isClosed = true
      for (const stop of underWay) stop()
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

/** Null where the URL is refused. To read one costs a fifth of a send, and the same ones come again and again. */
function createRecall(allowPrivate: boolean): (url: string) => Destination | null {
  const known = new Map<string, Destination | null>()
  return (url) => {
    const before = known.get(url)
    if (before !== undefined) return before
    const read = readUrl(url, allowPrivate)
    const destination = read.kind === 'refused' ? null : destinationOf(read.endpoint)
    if (known.size >= limits.recalledMax) known.clear()
    known.set(url, destination)
    return destination
  }
}

function destinationOf(endpoint: Endpoint): Destination {
  return { endpoint, literalKind: endpoint.isLiteral ? kindOf(endpoint.host) : null }
}

const failed = (fault: SendFault): SendOutcome => ({ kind: 'failed', fault })

/** In place of Node's own: each look-up is judged, and only judged addresses are handed on. */
function createLookup(rules: TargetRules): LookupFunction {
  return (host, { all }, callback) => {
    const answer = async (): Promise<void> => {
      const targets = await findTargets(host, false, rules)
      if (targets.kind === 'unresolved') return callback(faultError('name_not_resolved'), [])
      if (targets.kind === 'refused') return callback(faultError('address_refused'), [])
      const found = targets.addresses.slice(0, limits.addressesMax)
      const records = found.map((address) => ({ address, family: isIP(address) }))
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
  /** Connections that nobody used before, and nobody will use again. */
  readonly fresh: Agents
  readonly timeoutMs: number
  /** How to stop each exchange that has not ended. */
  readonly underWay: Set<() => void>
}

function exchange({ endpoint, message, pool, fresh, timeoutMs, underWay }: Exchange): Promise<SendOutcome> {
  return new Promise((resolve) => {
    let giveUp: GiveUp = () => undefined
    const settle = (outcome: SendOutcome): void => {
      clearTimeout(timer)
      underWay.delete(stop)
      resolve(outcome)
    }
    const attempt = (agents: Agents): void => {
      try {
        giveUp = post(endpoint, message, agents, (ending) => {
          if (ending.kind === 'stale') attempt(fresh)
          else settle(ending)
        })
      } catch {
        // Only headers that HTTP cannot carry come here, and those are ours.
        settle(failed('connection_failed'))
      }
    }
    const stop = (): void => giveUp('connection_failed')
    const timer = setTimeout(() => giveUp('timeout'), timeoutMs)
    underWay.add(stop)
    attempt(pool)
  })
}

/** Stale: the receiver had closed the idle connection that was taken, so that the request is to be sent over another one. */
type Ending = SendOutcome | { readonly kind: 'stale' }

/** Ends an attempt now and takes its connection with it. The fault counts unless there is an answer already. */
type GiveUp = (fault: SendFault) => void

/**
 * Ends with the answer's body, not with its headers: an attempt counts as under way while it has a connection, so that
 * receivers who drip their bodies cannot gather connections. The status is told however the body ends.
 */
function post(endpoint: Endpoint, message: Message, agents: Agents, onEnd: (ending: Ending) => void): GiveUp {
  const request = open(endpoint, message, agents)
  let answer: SendOutcome | null = null
  let isUnread = true
  let isOver = false
  const end = (ending: Ending): void => {
    if (isOver) return
    isOver = true
    onEnd(answer ?? ending)
  }
  const giveUp: GiveUp = (fault) => {
    end(failed(fault))
    request.destroy()
  }
  let bytesBefore = 0
  const isTooMuch = (): boolean => (request.socket?.bytesRead ?? 0) - bytesBefore > limits.answerBytesMax
  let informationCount = 0
  request.on('information', () => {
    informationCount += 1
    if (informationCount > limits.informationMax || isTooMuch()) giveUp('invalid_response')
  })
  request.on('socket', (socket) => {
    bytesBefore = socket.bytesRead
    if (request.reusedSocket) socket.once('data', () => (isUnread = false))
  })
  request.on('response', (response) => {
    const { statusCode = 0 } = response
    // Other informational answers are counted above; this is a switch of protocols that names none.
    if (statusCode < 200) return giveUp('invalid_response')
    const answered: SendOutcome = { kind: 'answered', status: statusCode }
    answer = answered
    let bodyBytes = 0
    response.on('data', (chunk: Buffer) => {
      bodyBytes += chunk.byteLength
      if (bodyBytes <= limits.bodyBytesMax && !isTooMuch()) return
      end(answered)
      request.destroy()
    })
    response.on('end', () => {
      end(answered)
      // It came before the whole request was taken; the rest is not waited for.
      if (!request.writableFinished) request.destroy()
    })
  })
  // Nothing was asked of the receiver that would be spoken after an upgrade.
  request.on('upgrade', (_response, socket) => {
    socket.destroy()
    giveUp('invalid_response')
  })
  request.on('error', (error: NodeJS.ErrnoException) => {
    const isStale = request.reusedSocket && isUnread && /^(?:ECONNRESET|EPIPE)$/.test(error.code ?? '')
    end(isStale ? { kind: 'stale' } : failed(faultOf(error, endpoint.isSecure)))
  })
  request.on('close', () => end(failed('connection_failed')))
  request.end(message.body)
  return giveUp
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
  // A name that TLS is told is never an address (RFC 6066, 3).
  return secureRequest({ ...options, agent: secure, servername: isLiteral ? '' : host })
}
