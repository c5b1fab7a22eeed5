/** Asks a captcha service whether a person sent a token, by the siteverify protocol; whatever is not a clear yes is none. */

import { Agent } from 'undici'
import type { Captcha, CaptchaVerdict } from '../app/ports/access.ts'

interface SiteverifySettings {
  readonly secret: string
  readonly url: string
  /** Of a service that gives one: below it, nobody is taken for a person. */
  readonly scoreMin: number
}

export interface CaptchaOptions {
  /** Null where nobody is to be asked. */
  readonly settings: SiteverifySettings | null
  readonly log: { warn(fields: object, message: string): void }
  /** From the start of the name's look-up to the last byte of the answer. */
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

/** Those that are about our own settings: the caller cannot help them. */
const ourFaults: ReadonlySet<unknown> = new Set([
  'missing-input-secret',
  'invalid-input-secret',
  'bad-request',
])

/** Why there is no verdict, in a word for the log. */
class Unusable extends Error {
  override readonly name = 'Unusable'
}

/** Nobody is asked, and every request is marked so. */
const noCaptcha: OpenCaptcha = {
  check: () => Promise.resolve('not_checked'),
  close: () => Promise.resolve(),
}

/** The captcha that the settings ask for. */
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
    // Said aloud, since NODE_TLS_REJECT_UNAUTHORIZED=0 would turn it off.
    connect: { timeout: timeoutMs, rejectUnauthorized: true },
  })

  /** The answer's text. The agent follows no redirect: the secret goes where the settings say and nowhere else. */
  async function ask(form: URLSearchParams, signal: AbortSignal): Promise<string> {
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
    throw new Unusable(`it answered ${statusCode}`)
  }

  return {
    async check(token, clientAddress) {
      const form = new URLSearchParams({ secret: settings.secret, response: token })
      if (clientAddress !== '') form.set('remoteip', clientAddress)
      const giveUp = new AbortController()
      const timer = setTimeout(() => giveUp.abort(new Unusable('it took too long')), timeoutMs)
      try {
        return verdictOf(await ask(form, giveUp.signal), settings.scoreMin)
      } catch (error) {
        log.warn({ cause: causeOf(error) }, 'the captcha service is unavailable: access requests are held')
        return 'unavailable'
      } finally {
        clearTimeout(timer)
      }
    },
    // Those who still wait are not waited for.
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
  if (typeof success !== 'boolean') throw new Unusable('its answer says neither yes nor no')
  if (!success) {
    const ours = Array.isArray(codes) ? codes.filter((code) => ourFaults.has(code)) : []
    if (ours.length > 0) throw new Unusable(`it does not take our settings: ${ours.join(', ')}`)
    return 'refused'
  }
  if (score !== null && typeof score !== 'number') throw new Unusable('its score is no number')
  return score === null || score >= scoreMin ? 'verified' : 'refused'
}

function answerOf(text: string): Answer {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // What it says instead may repeat what it was sent.
    throw new Unusable('its answer is not JSON')
  }
  if (typeof value !== 'object' || value === null) throw new Unusable('its answer is no object')
  return value
}

/** Our own words, or the code of a network's error: its message could say more than belongs in a log. */
function causeOf(error: unknown): string {
  if (error instanceof Unusable) return error.message
  const { code, name } = error as { code?: unknown; name?: unknown }
  return typeof code === 'string' ? code : String(name)
}
