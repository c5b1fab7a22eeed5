/** Verifies captcha tokens with the siteverify protocol. Only an explicit success counts as verified. */

import { Agent } from 'undici'
import type { Captcha, CaptchaVerdict } from '../app/ports/identity/access.ts'

interface SiteverifySettings {
  readonly secret: string
  readonly url: string
  /** The minimum captcha score, for services that return one. */
  readonly scoreMin: number
}

export interface CaptchaOptions {
  /** Null disables the captcha check. */
  readonly settings: SiteverifySettings | null
  readonly log: { warn(fields: object, message: string): void }
  /** From the start of the name lookup to the last byte of the response. */
  readonly timeoutMs?: number
}

export interface OpenCaptcha extends Captcha {
  close(): Promise<void>
}

const limits = {
  timeoutMs: 5_000,
  answerBytesMax: 65_536,
  connectionsMax: 16,
} as const

/** Error codes caused by our own settings, not by the caller. */
const settingsFaults: ReadonlySet<unknown> = new Set([
  'missing-input-secret',
  'invalid-input-secret',
  'bad-request',
])

/** The service returned no verdict. The message is the cause for the log. */
class InvalidCaptchaResponse extends Error {
  override readonly name = 'Unusable'
}

/** Used when no captcha is configured: every request is marked as not checked. */
const noCaptcha: OpenCaptcha = {
  check: () => Promise.resolve('not_checked'),
  close: () => Promise.resolve(),
}

export function openCaptcha({ settings, ...options }: CaptchaOptions): OpenCaptcha {
  return settings === null ? noCaptcha : openSiteverify(settings, options)
}

function openSiteverify(
  settings: SiteverifySettings,
  { log, timeoutMs = limits.timeoutMs }: Omit<CaptchaOptions, 'settings'>,
): OpenCaptcha {
  const { origin, pathname, search } = new URL(settings.url)
  const agent = new Agent({
    connections: limits.connectionsMax,
    maxResponseSize: limits.answerBytesMax,
    allowH2: false,
    // Explicit, because NODE_TLS_REJECT_UNAUTHORIZED=0 would turn it off.
    connect: { timeout: timeoutMs, rejectUnauthorized: true },
  })

  /** Returns the response text. Redirects are not followed, so the secret is sent only to the configured URL. */
  async function post(form: URLSearchParams, signal: AbortSignal): Promise<string> {
    const { statusCode, body } = await agent.request({
      origin,
      path: pathname + search,
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: form.toString(),
      signal,
    })
    if (statusCode === 200) return body.text()
    body.on('error', () => {}).destroy()
    throw new InvalidCaptchaResponse(`unexpected status ${statusCode}`)
  }

  return {
    async check(token, clientAddress) {
      const form = new URLSearchParams({ secret: settings.secret, response: token })
      if (clientAddress !== '') form.set('remoteip', clientAddress)
      const abort = new AbortController()
      const timer = setTimeout(() => abort.abort(new InvalidCaptchaResponse('timeout')), timeoutMs)
      try {
        return verdictOf(await post(form, abort.signal), settings.scoreMin)
      } catch (error) {
        log.warn({ cause: causeOf(error) }, 'captcha: service unavailable, refusing access requests with 503')
        return 'unavailable'
      } finally {
        clearTimeout(timer)
      }
    },
    // Aborts pending requests.
    close: () => agent.destroy(),
  }
}

interface Answer {
  readonly success?: unknown
  readonly score?: unknown
  readonly 'error-codes'?: unknown
}

function verdictOf(text: string, scoreMin: number): CaptchaVerdict {
  const { success, score = null, 'error-codes': codes } = answerOf(text)
  if (typeof success !== 'boolean') throw new InvalidCaptchaResponse('"success" is not a boolean')
  if (!success) {
    const faults = Array.isArray(codes) ? codes.filter((code) => settingsFaults.has(code)) : []
    if (faults.length > 0) throw new InvalidCaptchaResponse(`settings refused: ${faults.join(', ')}`)
    return 'refused'
  }
  if (score !== null && typeof score !== 'number') throw new InvalidCaptchaResponse('"score" is not a number')
  return score === null || score >= scoreMin ? 'verified' : 'refused'
}

function answerOf(text: string): Answer {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // The parse error is dropped: it may quote the secret or the token.
    throw new InvalidCaptchaResponse('response is not JSON')
  }
  if (typeof value !== 'object' || value === null)
    throw new InvalidCaptchaResponse('response is not an object')
  return value
}

/** Our own message, or the code of a network error, whose message could expose secrets. */
function causeOf(error: unknown): string {
  if (error instanceof InvalidCaptchaResponse) return error.message
  const { code, name } = error as { code?: unknown; name?: unknown }
  return typeof code === 'string' ? code : String(name)
}
