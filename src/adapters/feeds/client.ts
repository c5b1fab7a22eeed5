/** HTTP client for providers: no redirects, limits on requests in flight, response size and time. */

import { Pool, type Dispatcher } from 'undici'
import type { DeclaredFeed } from './feed-spec.ts'
import { FeedError } from './source.ts'
import type { UrlTemplate } from './template.ts'

interface ProviderRules {
  readonly origin: string
  /** Requests of one feed in flight, so that a feed that hangs takes no connections from another. */
  readonly connections: number
  readonly bytesMax: number
}

export interface ProviderRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

export interface ProviderResponse {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Uint8Array
}

export interface Provider {
  /** Throws `FeedError`. */
  send(request: ProviderRequest, signal: AbortSignal): Promise<ProviderResponse>
}

/** The connections of all feeds of a file: one pool for each origin, because a file may declare thousands of feeds. */
export interface Connections {
  poolOf(origin: string): Pool
  close(): Promise<void>
}

const headerBytesMax = 16_384

export function openConnections(): Connections {
  const pools = new Map<string, Pool>()
  return {
    poolOf(origin) {
      const pool = pools.get(origin) ?? openPool(origin)
      pools.set(origin, pool)
      return pool
    },
    async close() {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()))
    },
  }
}

/** Without a limit of its own: each feed has one. */
function openPool(origin: string): Pool {
  return new Pool(origin, {
    connections: null,
    pipelining: 1,
    allowH2: false,
    // Explicit, because NODE_TLS_REJECT_UNAUTHORIZED=0 would turn it off.
    connect: { rejectUnauthorized: true },
    maxHeaderSize: headerBytesMax,
    // The signal ends a request; these timeouts are imprecise.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
}

function openProvider(rules: ProviderRules, connections: Connections): Provider {
  const { origin, bytesMax } = rules
  const slots = new Slots(rules.connections)
  return {
    async send(request, signal) {
      try {
        await slots.take(signal)
        try {
          return await exchange(connections.poolOf(origin), request, bytesMax, signal)
        } finally {
          // Its connection is free a turn after the response ends; until then the pool would open another.
          setImmediate(() => slots.release())
        }
      } catch (error) {
        throw error instanceof FeedError ? error : faultOf(error as NodeJS.ErrnoException, signal)
      }
    },
  }
}

/** At most so many at a time; others wait in line, until their signal aborts. */
class Slots {
  #free: number
  readonly #line: (() => void)[] = []

  constructor(max: number) {
    this.#free = max
  }

  async take(signal: AbortSignal): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1
      return
    }
    await new Promise<void>((resolve, reject) => {
      this.#line.push(resolve)
      const leave = (): void => {
        const place = this.#line.indexOf(resolve)
        if (place < 0) return
        this.#line.splice(place, 1)
        reject(signal.reason as Error)
      }
      signal.addEventListener('abort', leave, { once: true })
    })
  }

  release(): void {
    const next = this.#line.shift()
    if (next === undefined) this.#free += 1
    else next()
  }
}

async function exchange(
  pool: Pool,
  request: ProviderRequest,
  bytesMax: number,
  signal: AbortSignal,
): Promise<ProviderResponse> {
  const { method, path, headers, body } = request
  const response = await pool.request({ method, path, headers, body, signal })
  const { statusCode: status } = response
  const refusal = refusalOf(status, response.headers['content-length'], bytesMax)
  if (refusal !== null) {
    response.body.on('error', () => undefined).destroy()
    throw refusal
  }
  return { headers: response.headers, body: await readBody(response, bytesMax) }
}

/** Statuses below 500 that still mean a provider outage: timeout and rate limit. */
const outageStatuses = new Set([408, 429])

function refusalOf(
  status: number,
  length: string | string[] | undefined,
  bytesMax: number,
): FeedError | null {
  if (status >= 300 && status < 400) return new FeedError('redirect', `answered ${status}`, 'provider')
  if (status !== 200)
    return new FeedError(
      'bad_status',
      `answered ${status}`,
      status >= 500 || outageStatuses.has(status) ? 'provider' : 'query',
    )
  return Number(length ?? 0) > bytesMax ? oversized(bytesMax) : null
}

function oversized(bytesMax: number): FeedError {
  return new FeedError('oversized', `answered with more than ${bytesMax} bytes`, 'provider')
}

async function readBody({ body }: Dispatcher.ResponseData, bytesMax: number): Promise<Uint8Array> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of body as AsyncIterable<Buffer>) {
    bytes += piece.byteLength
    // Leaving the loop closes the connection.
    if (bytes > bytesMax) throw oversized(bytesMax)
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

/** No connection, unknown host, or an untrusted certificate. */
const unreachable =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_\w+|E(?:HOST|NET)UNREACH|ERR_TLS_\w+|ERR_SSL_\w+)$|CERT|SIGNATURE|SELF_SIGNED|ISSUER/

/** Converts a network error into a feed error that does not expose the URL. */
function faultOf(error: NodeJS.ErrnoException, signal: AbortSignal): FeedError {
  const code = error.code ?? ''
  if (signal.aborted || code === 'UND_ERR_CONNECT_TIMEOUT') {
    return new FeedError('timeout', 'did not answer in time', 'provider')
  }
  if (error.name === 'HTTPParserError' || /^HPE_|^UND_ERR_HEADERS_OVERFLOW$/.test(code)) {
    return new FeedError('unreadable', 'sent an invalid HTTP response', 'provider')
  }
  if (unreachable.test(code)) {
    return new FeedError('refused', `cannot be reached (${code})`, 'provider')
  }
  return new FeedError(
    'connection_lost',
    `lost the connection (${/^[A-Z_\d]+$/.test(code) ? code : 'no code'})`,
    'provider',
  )
}

/** The limits of a feed: those of its file, else those of its kind. */
interface AddressLimits {
  readonly connections: number
  readonly max_bytes: number
}

export function openAddress(
  feed: DeclaredFeed,
  limits: AddressLimits,
  all: Connections,
): { readonly template: UrlTemplate; readonly provider: Provider } {
  const { template } = feed
  // The file is validated before it is opened.
  if (template === null) throw new Error('a feed without a URL has no provider')
  const { connections, max_bytes: bytesMax } = limits
  return { template, provider: openProvider({ origin: template.origin, connections, bytesMax }, all) }
}
