/** The connections that webhooks go over: kept for the next one, never through a proxy, and judged as they are made. */

import { Agent as PlainAgent, type AgentOptions } from 'node:http'
import { Agent as SecureAgent } from 'node:https'
import { Socket, type LookupFunction } from 'node:net'
import type { Duplex } from 'node:stream'
import { createSecureContext, getCACertificates } from 'node:tls'
import type { SendFault } from '../../app/ports/webhooks.ts'

export interface AgentRules {
  readonly lookup: LookupFunction
  /** Asked about the address that a connection really has, before anything is written to it. */
  readonly mayConnect: (address: string) => boolean
  /** Certificates to believe beside the usual ones. */
  readonly ca?: readonly string[] | undefined
}

export interface Agents {
  readonly plain: PlainAgent
  readonly secure: SecureAgent
  destroy(): void
}

export const idle = {
  /** Longer than most receivers keep a connection that nothing comes over. */
  timeoutMs: 30_000,
  /** As many as may be under way to one endpoint. */
  socketsPerHostMax: 32,
  socketsMax: 256,
} as const

/** Of one address, before the next is tried; Node's 250 ms are too short for the other side of the world. */
const attemptTimeoutMs = 1_000

export function createAgents({ lookup, mayConnect, ca }: AgentRules, keepAlive: boolean): Agents {
  const options: AgentOptions = {
    keepAlive,
    maxFreeSockets: idle.socketsPerHostMax,
    timeout: idle.timeoutMs,
    lookup,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: attemptTimeoutMs,
    // Empty, not absent: no proxy is used, whatever NODE_USE_ENV_PROXY and its kin say.
    proxyEnv: {},
  }
  const trusted = ca === undefined ? {} : { ca: [...getCACertificates('default'), ...ca] }
  const plain = new PlainAgent(options)
  const secure = new SecureAgent({
    ...options,
    // Said aloud, since NODE_TLS_REJECT_UNAUTHORIZED=0 would turn it off.
    rejectUnauthorized: true,
    // Made once: else each connection makes its own, and the certificates become part of the pool's key.
    secureContext: createSecureContext(trusted),
  })
  const waiting = new Set<Duplex>()
  for (const agent of [plain, secure]) {
    judgeConnections(agent, mayConnect)
    limitIdle(agent, waiting)
  }
  return {
    plain,
    secure,
    destroy() {
      plain.destroy()
      secure.destroy()
    },
  }
}

/** The look-up is judged before; this is the last word, whatever way the connection took. */
function judgeConnections(agent: PlainAgent, mayConnect: AgentRules['mayConnect']): void {
  const connect = agent.createConnection.bind(agent)
  agent.createConnection = (options, callback) => {
    const socket = connect(options, callback)
    if (!(socket instanceof Socket)) throw new Error('a connection is not a socket')
    // First of all listeners: the request, or the start of TLS, is written by the next ones.
    socket.prependOnceListener('connect', () => {
      const { remoteAddress } = socket
      if (remoteAddress === undefined || !mayConnect(remoteAddress))
        socket.destroy(faultError('address_refused'))
    })
    return socket
  }
}

/** The agent bounds what waits for one host; here the sum over all hosts is bounded, and the oldest makes room. */
function limitIdle(agent: PlainAgent, waiting: Set<Duplex>): void {
  const keep = agent.keepSocketAlive.bind(agent) as (socket: Duplex) => boolean
  const reuse = agent.reuseSocket.bind(agent)
  const seen = new WeakSet<Duplex>()
  const forget = function (this: Duplex): void {
    waiting.delete(this)
  }
  // The agent reads the answer, though the type has none: without a yes the socket is closed.
  const keepBounded = (socket: Duplex): boolean => {
    if (!keep(socket)) return false
    if (!seen.has(socket)) socket.once('close', forget)
    seen.add(socket)
    waiting.add(socket)
    const [oldest] = waiting
    if (waiting.size > idle.socketsMax && oldest !== undefined) {
      waiting.delete(oldest)
      oldest.destroy()
    }
    return true
  }
  agent.keepSocketAlive = keepBounded
  agent.reuseSocket = (socket, request) => {
    waiting.delete(socket)
    reuse(socket, request)
  }
}

/** An error that carries its own explanation through Node's sockets. */
export function faultError(fault: SendFault): NodeJS.ErrnoException {
  return Object.assign(new Error(fault), { code: `${ourPrefix}${fault}` })
}

const ourPrefix = 'FAIRWAY_'
const ours: readonly SendFault[] = ['address_refused', 'name_not_resolved']

/** What went wrong before there was an answer. Errors of the system look like `ECONNRESET`, all others name their maker. */
export function faultOf({ code = '' }: NodeJS.ErrnoException, isSecure: boolean): SendFault {
  const own = ours.find((fault) => code === `${ourPrefix}${fault}`)
  if (own !== undefined) return own
  if (code.startsWith('HPE_')) return 'invalid_response'
  if (!isSecure || /^E(?!PROTO$)[A-Z\d]+$|^ERR_(?:SOCKET|STREAM|HTTP)_/.test(code)) return 'connection_failed'
  return 'tls_failed'
}
