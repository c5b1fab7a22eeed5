/** HTTP client for a provider: its own connections, no redirects, limits on response size and time. */

import { Pool, type Dispatcher } from 'undici'
import { FeedError } from './source.ts'
import { compileTemplate, type UrlTemplate } from './template.ts'

export interface ProviderRules {
  readonly origin: string
  /** Per feed, so that a hanging provider takes no connections from another feed. */
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
  close(): Promise<void>
}

const headerBytesMax = 16_384

export function openProvider({ origin, connections, bytesMax }: ProviderRules): Provider {
  // Opened by the first request: a file may declare thousands of feeds.
  let pool: Pool | null = null
  const open = (): Pool =>
    new Pool(origin, {
      connections,
      pipelining: 1,
      allowH2: false,
      // Explicit, because NODE_TLS_REJECT_UNAUTHORIZED=0 would turn it off.
      connect: { rejectUnauthorized: true },
      maxHeaderSize: headerBytesMax,
      // The signal ends a request; these timeouts are imprecise.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
  return {
    async send(request, signal) {
      try {
        pool ??= open()
        return await exchange(pool, request, bytesMax, signal)
      } catch (error) {
        throw error instanceof FeedError ? error : faultOf(error as NodeJS.ErrnoException, signal)
      }
    },
    close: async () => pool?.destroy(),
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

export interface AddressSpec {
  readonly url: string
  readonly connections?: number
  readonly max_bytes?: number
}

/** The feeds file is validated earlier, so an invalid URL here is a bug. */
export function openAddress(
  spec: AddressSpec,
  defaults: { readonly connections: number; readonly bytesMax: number },
): { readonly template: UrlTemplate; readonly provider: Provider } {
  const template = compileTemplate(spec.url)
  if (typeof template === 'string') throw new Error(template)
  const provider = openProvider({
    origin: template.origin,
    connections: spec.connections ?? defaults.connections,
    bytesMax: spec.max_bytes ?? defaults.bytesMax,
  })
  return { template, provider }
}
