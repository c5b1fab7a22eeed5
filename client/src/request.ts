/** What a caller gives, checked before anything is sent; a secret that is refused is not repeated. */

/** How long and how often one call is tried. */
export interface CallOptions {
  /** Tries after the first. */
  readonly maxRetries?: number | undefined
  /** For one try, in milliseconds. */
  readonly timeoutMs?: number | undefined
  /** For all tries and the waiting between them, in milliseconds. */
  readonly totalTimeoutMs?: number | undefined
  /** Ends the call at once, also while it waits; it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

export interface CallLimits {
  readonly maxRetries: number
  readonly timeoutMs: number
  readonly totalTimeoutMs: number
}

/** Without the slash at its end. */
export function checkedBaseUrl(text: string): string {
  if (typeof text !== 'string' || !URL.canParse(text)) {
    throw new TypeError('baseUrl must be a whole address, like https://fairway.example.com')
  }
  const { protocol, username, password, origin, pathname } = new URL(text)
  if (protocol !== 'https:' && protocol !== 'http:') throw new TypeError('baseUrl must be http or https')
  if (username !== '' || password !== '') throw new TypeError('baseUrl must not carry a name or a password')
  if (/[?#]/.test(text)) throw new TypeError('baseUrl must end with its path')
  return (origin + pathname).replace(/\/+$/, '')
}

/** Checked here: what fetch says of a bad header has the header in it. */
export function checkedKey(key: string): string {
  if (typeof key === 'string' && /^[\x21-\x7e]+$/.test(key)) return key
  throw new TypeError('apiKey must be the key as it was issued, without spaces or line ends')
}

const idempotencyKeyLengthMax = 255

/** From the body or the options; null where neither has one. */
export function checkedIdempotencyKey(inBody: string | undefined, given: string | undefined): string | null {
  if (inBody !== undefined && given !== undefined && inBody !== given) {
    throw new TypeError('The idempotency key of the body differs from that of the options.')
  }
  const key = given ?? inBody ?? null
  if (key === null) return null
  if (typeof key === 'string' && key.length <= idempotencyKeyLengthMax && /^[\x20-\x7e]+$/.test(key))
    return key
  throw new TypeError('An idempotency key has 1 to 255 printable ASCII characters.')
}

/** What is given in place of what was there. One that is no number would never end, or never begin. */
export function withLimits(limits: CallLimits, given: CallOptions): CallLimits {
  const {
    maxRetries = limits.maxRetries,
    timeoutMs = limits.timeoutMs,
    totalTimeoutMs = limits.totalTimeoutMs,
  } = given
  if (!Number.isInteger(maxRetries) || maxRetries < 0)
    throw new TypeError('maxRetries must be 0 or more, and whole')
  if (!(timeoutMs > 0)) throw new TypeError('timeoutMs must be more than 0')
  if (!(totalTimeoutMs > 0)) throw new TypeError('totalTimeoutMs must be more than 0')
  return { maxRetries, timeoutMs, totalTimeoutMs }
}

/** One step of a path. A step of dots, or none, would lead elsewhere. */
export function pathPart(text: string): string {
  if (typeof text !== 'string' || /^\.{0,2}$/.test(text))
    throw new TypeError(`"${text}" cannot be looked up.`)
  return encodeURIComponent(text)
}

/** With its question mark; nothing where nothing is asked. */
export function queryText(query: Readonly<Record<string, string | number | undefined>>): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) params.set(name, String(value))
  }
  const text = params.toString()
  return text === '' ? '' : `?${text}`
}

/** Not `crypto.randomUUID`: pages that came over http do not have it. */
export function uuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const versioned = bytes.map((byte, index) =>
    index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte,
  )
  const hex = Array.from(versioned, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
