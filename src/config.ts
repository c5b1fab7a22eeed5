/** Settings: the environment, read once, into one value. A bad one is a sentence, not a surprise later. */

import { parseCurrency, type Currency } from './core/reference/currency.ts'
import { standardCap, type Cap, type Policy } from './core/decision/policy.ts'
import { standardRetryDelaysMs } from './core/events/retry-schedule.ts'
import type { RateLimit } from './core/time/rolling-window.ts'

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

export interface Config {
  readonly host: string
  readonly port: number
  readonly databaseUrl: string
  /** How many processes serve on the port. */
  readonly workers: number
  readonly logLevel: (typeof logLevels)[number]
  readonly cooldownMs: number
  /** How late the event loop may be before requests are refused; 0: however late. */
  readonly shedLagMs: number
  readonly limits: Readonly<Record<'verify' | 'keyed' | 'batch' | 'demo' | 'access', RateLimit>>
  /** False: nobody may say for whom it speaks. A number: so many proxies stand before us. A list: these are proxies. */
  readonly trustProxy: false | number | string
  readonly policy: Policy
  /** What checkpoints of the log are signed with; null: a key that is made once and kept with the records. */
  readonly sealSeed: Uint8Array | null
  /** How often every supported corridor is observed; 0: never. */
  readonly probeEveryMs: number
  /** Null: nobody is asked whether a person sent an access request. */
  readonly captcha: CaptchaSettings | null
  /** The file that gives each signal a live source; null: live mode holds. */
  readonly liveFeedsFile: string | null
  readonly webhooks: {
    /** After each failed attempt but the last. */
    readonly retryDelaysMs: readonly number[]
    /** For a trial on one machine: http, and addresses that are not public. */
    readonly allowPrivate: boolean
  }
}

interface CaptchaSettings {
  readonly secret: string
  readonly url: string
  /** Of a service that gives one: below it, nobody is taken for a person. */
  readonly scoreMin: number
}

/** A setting that cannot be used. Its message is one line that names it. */
export class BadSetting extends Error {
  override readonly name = 'BadSetting'
}

type Environment = Readonly<Record<string, string | undefined>>

/** A setting's value, or that of the fallback where it is not set. */
type ReadSetting = <Value>(
  name: string,
  fallback: string,
  parse: (text: string) => Value | null,
  rule: string,
) => Value

export function readConfig(environment: Environment): Config {
  const setting: ReadSetting = (name, fallback, parse, rule) => {
    const given = environment[name]?.trim()
    const text = given === undefined || given === '' ? fallback : given
    const value = parse(text)
    if (value === null) throw new BadSetting(`${name} must be ${rule}, not ${quoted(name, text)}`)
    return value
  }
  const seconds = (name: string, fallback: string, most = 86_400): number =>
    setting(name, fallback, (text) => wholeNumber(text, 0, most), `a number of seconds up to ${most}`) * 1000
  const countInSeconds = 'COUNT/SECONDS, like 100/60, within a day'
  const database = setting(
    'DATABASE_URL',
    'sqlite:data/fairway.db',
    databaseUrl,
    'sqlite:PATH or postgres://…',
  )
  return {
    host: setting(
      'HOST',
      '127.0.0.1',
      (text) => (/^\S+$/.test(text) ? text : null),
      'a host name or address',
    ),
    port: setting('PORT', '8080', (text) => wholeNumber(text, 0, 65_535), 'a port from 0 to 65535'),
    databaseUrl: database,
    workers: readWorkers(setting, database),
    logLevel: setting(
      'LOG_LEVEL',
      'info',
      (text) => logLevels.find((level) => level === text) ?? null,
      `one of ${logLevels.join(', ')}`,
    ),
    cooldownMs: seconds('FAIRWAY_COOLDOWN_S', '90'),
    shedLagMs: readShedLag(setting),
    limits: {
      verify: setting('FAIRWAY_LIMIT_VERIFY', '100/60', parseRateLimit, countInSeconds),
      keyed: setting('FAIRWAY_LIMIT_KEYED', '300/60', parseRateLimit, countInSeconds),
      batch: setting('FAIRWAY_LIMIT_BATCH', '60/60', parseRateLimit, countInSeconds),
      demo: setting('FAIRWAY_LIMIT_DEMO', '15/900', parseRateLimit, countInSeconds),
      access: setting('FAIRWAY_LIMIT_ACCESS', '5/900', parseRateLimit, countInSeconds),
    },
    trustProxy: setting('FAIRWAY_TRUST_PROXY', 'false', parseTrustProxy, trustProxyRule).value,
    policy: {
      standard: standardCap,
      stricter: setting(
        'FAIRWAY_POLICY_CAPS',
        '',
        parseCaps,
        `CURRENCY=REVIEW/BLOCK, comma-separated, no looser than ${standardCap.reviewAbove}/${standardCap.blockAbove}`,
      ),
    },
    sealSeed: setting('FAIRWAY_SEAL_KEY', '', parseSeed, '32 bytes in base64: openssl rand -base64 32').value,
    // So often that the last hour, of which telemetry is made, always has some.
    probeEveryMs: seconds('FAIRWAY_CIP_PROBE_S', '60', 1_800),
    captcha: readCaptcha(setting),
    liveFeedsFile: setting('FAIRWAY_LIVE_FEEDS', '', (text) => text, 'a path') || null,
    webhooks: readWebhooks(setting),
  }
}

/** A key is as long as it is: neither more nor less of it is taken. */
function parseSeed(text: string): { readonly value: Uint8Array | null } | null {
  if (text === '') return { value: null }
  return /^[A-Za-z0-9+/]{43}=$/.test(text) ? { value: Buffer.from(text, 'base64') } : null
}

function readShedLag(setting: ReadSetting): number {
  const rule = 'a number of milliseconds up to 60000'
  return setting('FAIRWAY_SHED_LAG_MS', '1000', (text) => wholeNumber(text, 0, 60_000), rule)
}

const workersMax = 64

/** One process owns a SQLite database: its limits are in its memory. */
function readWorkers(setting: ReadSetting, database: string): number {
  const most = database.startsWith('sqlite:') ? 1 : workersMax
  const rule = `a number of processes from 1 to ${workersMax}, and 1 on SQLite: several need PostgreSQL`
  return setting('FAIRWAY_WORKERS', '1', (text) => wholeNumber(text, 1, most), rule)
}

function readWebhooks(setting: ReadSetting): Config['webhooks'] {
  const truth = (text: string): string | null => (text === 'true' || text === 'false' ? text : null)
  return {
    retryDelaysMs: setting(
      'FAIRWAY_WEBHOOK_RETRY_DELAYS_S',
      standardRetryDelaysMs.map((ms) => ms / 1000).join(','),
      parseRetryDelays,
      `${standardRetryDelaysMs.length} numbers of seconds up to 86400, comma-separated`,
    ),
    allowPrivate: setting('FAIRWAY_WEBHOOK_ALLOW_PRIVATE', 'false', truth, 'true or false') === 'true',
  }
}

function readCaptcha(setting: ReadSetting): CaptchaSettings | null {
  const secret = setting(
    'FAIRWAY_RECAPTCHA_SECRET',
    '',
    (text) => (/^[\x21-\x7e]*$/.test(text) ? text : null),
    'a secret without spaces',
  )
  const url = setting(
    'FAIRWAY_RECAPTCHA_URL',
    'https://www.google.com/recaptcha/api/siteverify',
    captchaUrl,
    'an https address (http for this machine only) without a user',
  )
  const scoreMin = setting('FAIRWAY_RECAPTCHA_MIN_SCORE', '0.5', share, 'a number from 0 to 1')
  return secret === '' ? null : { secret, url, scoreMin }
}

/** The secret goes there: over TLS, or not out of the machine. */
function captchaUrl(text: string): string | null {
  if (!URL.canParse(text)) return null
  const { protocol, hostname, username, password } = new URL(text)
  const isHere = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
  const isUsable = protocol === 'https:' || (protocol === 'http:' && isHere)
  return isUsable && username === '' && password === '' ? text : null
}

function share(text: string): number | null {
  return /^(?:0(?:\.\d{1,3})?|1(?:\.0{1,3})?)$/.test(text) ? Number(text) : null
}

const secretSettings = new Set([
  'DATABASE_URL',
  'FAIRWAY_RECAPTCHA_SECRET',
  'FAIRWAY_RECAPTCHA_URL',
  'FAIRWAY_SEAL_KEY',
])

/** A database URL may hold a password: it is never repeated, nor is any other secret. */
function quoted(name: string, text: string): string {
  return secretSettings.has(name) ? 'what was given' : JSON.stringify(text.slice(0, 60))
}

function wholeNumber(text: string, least: number, most: number): number | null {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  return value >= least && value <= most ? value : null
}

function databaseUrl(text: string): string | null {
  // Not an address, a URI or memory: the command line must find the same file.
  if (/^sqlite:(?!\/\/|:|file:).+/.test(text)) return text
  return /^postgres(?:ql)?:\/\//.test(text) && URL.canParse(text) ? text : null
}

/** A day: admissions are forgotten after it. */
const windowSecondsMax = 86_400

/** `100/60`: a hundred in any sixty seconds. */
export function parseRateLimit(text: string): RateLimit | null {
  const [, count, seconds] = /^(\d{1,9})\/(\d{1,6})$/.exec(text) ?? []
  const limit = { count: Number(count), windowMs: Number(seconds) * 1000 }
  return limit.count > 0 && limit.windowMs > 0 && limit.windowMs <= windowSecondsMax * 1000 ? limit : null
}

const trustProxyRule =
  'false, true (one proxy), the number of proxies, or their addresses and networks, comma-separated'

/** Wrapped, since false is a value here. */
function parseTrustProxy(text: string): { readonly value: false | number | string } | null {
  if (text === 'false' || text === '0') return { value: false }
  if (text === 'true') return { value: 1 }
  const hops = wholeNumber(text, 1, 10)
  if (hops !== null) return { value: hops }
  const named = text.split(',').map((one) => one.trim())
  return named.every(isProxy) ? { value: named.join(',') } : null
}

/** An address, a network as 10.0.0.0/8, or a name for the usual private ones. */
function isProxy(text: string): boolean {
  if (/^(?:loopback|linklocal|uniquelocal)$/.test(text)) return true
  const [, address = '', bits = '1'] = /^([\da-fA-F:.]+)(?:\/(\d+))?$/.exec(text) ?? []
  if (address.includes(':')) return URL.canParse(`http://[${address}]`) && wholeNumber(bits, 1, 128) !== null
  const octets = address.split('.').map((one) => wholeNumber(one, 0, 255))
  const isPlain = octets.join('.') === address && octets.length === 4
  return isPlain && wholeNumber(bits, 1, 32) !== null
}

/** One fewer than there are attempts; `0.5` is half a second. */
function parseRetryDelays(text: string): number[] | null {
  const delays = text.split(',').map((part) => {
    const seconds = /^\d{1,5}(?:\.\d{1,3})?$/.test(part.trim()) ? Number(part) : Number.NaN
    return seconds <= 86_400 ? Math.round(seconds * 1000) : Number.NaN
  })
  const usable = delays.length === standardRetryDelaysMs.length && delays.every((ms) => !Number.isNaN(ms))
  return usable ? delays : null
}

/** `NGN=20000/200000,USD=40000/400000` */
function parseCaps(text: string): ReadonlyMap<Currency, Cap> | null {
  const caps = new Map<Currency, Cap>()
  for (const part of text.split(',').filter((one) => one.trim() !== '')) {
    const [, code, review, block] = /^\s*([A-Z]{3})=(\d+)\/(\d+)\s*$/.exec(part) ?? []
    const currency = parseCurrency(code ?? '')
    const cap = { reviewAbove: Number(review), blockAbove: Number(block) }
    const stricter = cap.reviewAbove <= standardCap.reviewAbove && cap.blockAbove <= standardCap.blockAbove
    if (currency === null || !stricter || cap.reviewAbove > cap.blockAbove || caps.has(currency)) return null
    caps.set(currency, cap)
  }
  return caps
}

/** What may be told of the settings to whoever asks. */
export function setupOf({ limits, cooldownMs, trustProxy, webhooks, probeEveryMs, captcha }: Config) {
  return {
    verifyLimit: limits.verify,
    cooldownMs,
    isProxyTrusted: trustProxy !== false,
    allowsPrivateWebhooks: webhooks.allowPrivate,
    probeEveryMs,
    captcha: captcha === null ? ('missing' as const) : ('configured' as const),
  }
}
