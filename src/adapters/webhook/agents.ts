/** HTTP agents for webhooks: connections are reused, never use a proxy, and have their address checked on connect. */

import { Agent as PlainAgent, type AgentOptions } from 'node:http'
import { Agent as SecureAgent } from 'node:https'
import { Socket, type LookupFunction } from 'node:net'
import type { Duplex } from 'node:stream'
import { createSecureContext, getCACertificates } from 'node:tls'
import type { SendFault } from '../../app/ports/webhooks.ts'

export interface AgentRules {
  readonly lookup: LookupFunction
  /** Checks the actual remote address of a connection before anything is written to it. */
  readonly mayConnect: (address: string) => boolean
  /** CA certificates to trust in addition to the default ones. */
  readonly ca?: readonly string[] | undefined
}

export interface Agents {
  readonly plain: PlainAgent
  readonly secure: SecureAgent
  destroy(): void
}

export const idle = {
  /** Longer than most receivers keep an idle connection open. */
  timeoutMs: 30_000,
  /** The maximum of concurrent deliveries to one endpoint. */
  socketsPerHostMax: 32,
  socketsMax: 256,
} as const

/** Connect timeout per address before the next is tried. Node's 250 ms is too short for intercontinental links. */
const attemptTimeoutMs = 1_000

export function createAgents({ lookup, mayConnect, ca }: AgentRules, keepAlive: boolean): Agents {
  const options: AgentOptions = {
    keepAlive,
    maxFreeSockets: idle.socketsPerHostMax,
    timeout: idle.timeoutMs,
    lookup,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: attemptTimeoutMs,
    // Empty, not absent: disables proxies even if NODE_USE_ENV_PROXY or similar variables are set.
    proxyEnv: {},
  }
  const trusted = ca === undefined ? {} : { ca: [...getCACertificates('default'), ...ca] }
  const plain = new PlainAgent(options)
  const secure = new SecureAgent({
    ...options,
    // Explicit, because NODE_TLS_REJECT_UNAUTHORIZED=0 would turn it off.
    rejectUnauthorized: true,
    // Created once: otherwise each connection creates its own, and the certificates become part of the pool's key.
    secureContext: createSecureContext(trusted),
  })
  const idleSockets = new Set<Duplex>()
  for (const agent of [plain, secure]) {
    checkConnections(agent, mayConnect)
    limitIdle(agent, idleSockets)
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

/** The lookup is checked earlier; this final check covers every path to a connection. */
function checkConnections(agent: PlainAgent, mayConnect: AgentRules['mayConnect']): void {
  const connect = agent.createConnection.bind(agent)
  agent.createConnection = (options, callback) => {
    const socket = connect(options, callback)
    if (!(socket instanceof Socket)) throw new Error('the agent returned a connection that is not a socket')
    // Must run first: later listeners write the request or start TLS.
    socket.prependOnceListener('connect', () => {
      const { remoteAddress } = socket
      if (remoteAddress === undefined || !mayConnect(remoteAddress))
        socket.destroy(faultError('address_refused'))
    })
    return socket
  }
}

/** Limits idle sockets over all hosts by closing the oldest. The agent itself only limits them per host. */
function limitIdle(agent: PlainAgent, idleSockets: Set<Duplex>): void {
  const keep = agent.keepSocketAlive.bind(agent) as (socket: Duplex) => boolean
  const reuse = agent.reuseSocket.bind(agent)
  const tracked = new WeakSet<Duplex>()
  const forget = function (this: Duplex): void {
    idleSockets.delete(this)
  }
  // The agent uses the return value, although the type is void: it closes the socket unless it is true.
  const keepBounded = (socket: Duplex): boolean => {
    if (!keep(socket)) return false
    if (!tracked.has(socket)) socket.once('close', forget)
    tracked.add(socket)
    idleSockets.add(socket)
    const [oldest] = idleSockets
    if (idleSockets.size > idle.socketsMax && oldest !== undefined) {
      idleSockets.delete(oldest)
      oldest.destroy()
    }
    return true
  }
  agent.keepSocketAlive = keepBounded
  agent.reuseSocket = (socket, request) => {
    idleSockets.delete(socket)
    reuse(socket, request)
  }
}

/** An error that carries a send fault through Node's sockets. */
export function faultError(fault: SendFault): NodeJS.ErrnoException {
  return Object.assign(new Error(fault), { code: `${ourPrefix}${fault}` })
}

const ourPrefix = 'FAIRWAY_'
const ownFaults: readonly SendFault[] = ['address_refused', 'name_not_resolved']

/** The fault of a request without a response. System error codes look like `ECONNRESET`; others have a prefix. */
export function faultOf({ code = '' }: NodeJS.ErrnoException, isSecure: boolean): SendFault {
  const own = ownFaults.find((fault) => code === `${ourPrefix}${fault}`)
  if (own !== undefined) return own
  if (code.startsWith('HPE_')) return 'invalid_response'
  if (!isSecure || /^E(?!PROTO$)[A-Z\d]+$|^ERR_(?:SOCKET|STREAM|HTTP)_/.test(code)) return 'connection_failed'
  return 'tls_failed'
}
