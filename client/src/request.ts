/** Validates a caller's input before sending. Error messages never contain the key. */

/** Time-outs and retries of one call. */
export interface CallOptions {
  /** Attempts after the first. */
  readonly maxRetries?: number | undefined
  /** For one attempt, in milliseconds. */
  readonly timeoutMs?: number | undefined
  /** For all attempts and the waits between them, in milliseconds. */
  readonly totalTimeoutMs?: number | undefined
  /** Aborts the call at once, even between attempts; the call rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

export interface CallLimits {
  readonly maxRetries: number
  readonly timeoutMs: number
  readonly totalTimeoutMs: number
}

/** Returns the URL without a trailing slash. */
export function checkedBaseUrl(text: string): string {
  if (typeof text !== 'string' || !URL.canParse(text)) {
    throw new TypeError('baseUrl must be a complete URL, like https://fairway.example.com')
  }
  const { protocol, username, password, origin, pathname } = new URL(text)
  if (protocol !== 'https:' && protocol !== 'http:') throw new TypeError('baseUrl must use http or https')
  if (username !== '' || password !== '')
    throw new TypeError('baseUrl must not contain a user name or password')
  if (/[?#]/.test(text)) throw new TypeError('baseUrl must not contain a query or fragment')
  return (origin + pathname).replace(/\/+$/, '')
}

/** Checked here because fetch includes an invalid header value in its error message. */
export function checkedKey(key: string): string {
  if (typeof key === 'string' && /^[\x21-\x7e]+$/.test(key)) return key
  throw new TypeError('apiKey must be the key exactly as issued, without spaces or line breaks')
}

const idempotencyKeyLengthMax = 255

/** Reads the key from the body or the options; null if neither has one. */
export function checkedIdempotencyKey(
  inBody: string | undefined,
  inOptions: string | undefined,
): string | null {
  if (inBody !== undefined && inOptions !== undefined && inBody !== inOptions) {
    throw new TypeError(
      'idempotency_key in the body and idempotencyKey in the options differ: send one, or the same twice',
    )
  }
  const key = inOptions ?? inBody ?? null
  if (key === null) return null
  if (typeof key === 'string' && key.length <= idempotencyKeyLengthMax && /^[\x20-\x7e]+$/.test(key))
    return key
  throw new TypeError('The idempotency key must have 1 to 255 printable ASCII characters')
}

/** Overrides the default limits. Rejects NaN, with which a call would never end or never start. */
export function withLimits(limits: CallLimits, options: CallOptions): CallLimits {
  const {
    maxRetries = limits.maxRetries,
    timeoutMs = limits.timeoutMs,
    totalTimeoutMs = limits.totalTimeoutMs,
  } = options
  if (!Number.isInteger(maxRetries) || maxRetries < 0)
    throw new TypeError('maxRetries must be a whole number, 0 or more')
  if (!(timeoutMs > 0)) throw new TypeError('timeoutMs must be greater than 0')
  if (!(totalTimeoutMs > 0)) throw new TypeError('totalTimeoutMs must be greater than 0')
  return { maxRetries, timeoutMs, totalTimeoutMs }
}

/** Encodes one path segment. An empty segment, `.` or `..` would address another path. */
export function pathPart(text: string): string {
  if (typeof text !== 'string' || /^\.{0,2}$/.test(text))
    throw new TypeError(`"${text}" is not a valid id or corridor`)
  return encodeURIComponent(text)
}

/** The query string with its question mark; empty without parameters. */
export function queryText(query: Readonly<Record<string, string | number | undefined>>): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) params.set(name, String(value))
  }
  const text = params.toString()
  return text === '' ? '' : `?${text}`
}

/** Avoids `crypto.randomUUID`, which pages loaded over http do not have. */
export function uuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const versioned = bytes.map((byte, index) =>
    index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte,
  )
  const hex = Array.from(versioned, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
