/** Reads and validates the settings from the environment, once, at the start. */

import { parseFourEyesAbove, type ReviewTerms } from './core/review/terms.ts'
import { readSealKeys } from './core/identity/seal-keys.ts'
import { parseCaps, standardCap, type Policy } from './core/decision/policy.ts'
import { maskableNames, parseMaskedNames } from './core/operate/maskable.ts'
import { parseRetryDelays, standardRetryDelaysMs } from './core/events/retry-schedule.ts'
import { integer } from './core/reference/integer.ts'
import { parseTrustProxy, trustProxyRule } from './core/operate/trusted-proxies.ts'
import {
  createSettingsReader,
  type Environment,
  type ReadFile,
  type ReadSetting,
  type SettingRow,
} from './core/operate/settings.ts'
import { readTelemetry, type TelemetrySettings } from './core/operate/telemetry.ts'
import { natsServersRule, parseNatsServers, type NatsSettings } from './core/events/nats-servers.ts'
import { parseRateLimit, windowSecondsMax, type RateLimit } from './core/time/rolling-window.ts'

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
const logFormats = ['json', 'text'] as const

export interface Config {
  /** Every setting as it was read, without secrets. */
  readonly settings: readonly SettingRow[]
  /** Variables with our prefix that are not settings. */
  readonly unknownSettings: readonly string[]
  readonly host: string
  readonly port: number
  readonly databaseUrl: string
  /** How long a start waits for a database that is down. */
  readonly databaseWaitMs: number
  /** The number of processes that serve on the port. */
  readonly workers: number
  readonly logLevel: (typeof logLevels)[number]
  /** `text` is for people at a terminal, `json` for everything that reads logs. */
  readonly logFormat: (typeof logFormats)[number]
  /** Members that logs and exports show as a keyed hash. */
  readonly logMask: readonly string[]
  readonly cooldownMs: number
  /** How long an answer is valid, unless a cut-off or a cooldown ends it. */
  readonly decisionValidMs: number
  /** Whether the decimals of an amount select a simulated scenario, in shadow mode and the demo. */
  readonly hasTestAmounts: boolean
  /** Event loop lag above which requests are refused; 0 disables shedding. */
  readonly shedLagMs: number
  readonly limits: Readonly<
    Record<'verify' | 'keyed' | 'batch' | 'events' | 'demo' | 'access' | 'public' | 'sign-in', RateLimit>
  >
  /** Decisions of one sandbox in a day. */
  readonly sandboxDailyMax: number
  /** False: no proxy is trusted. A number: that many proxies in front. A text: the proxies' addresses. */
  readonly trustProxy: false | number | string
  readonly policy: Policy
  /** The installation's keys, newest first. None: the key is in a file. */
  readonly sealKeys: readonly string[]
  /** The file with the key, if it is not in the settings. */
  readonly sealKeyFile: string
  /** Interval of the corridor probe; 0 disables it. */
  readonly probeEveryMs: number
  /** Null: access requests are accepted without a captcha check. */
  readonly captcha: CaptchaSettings | null
  /** The file that configures the live feeds; null: live mode answers hold. */
  readonly liveFeedsFile: string | null
  /** The origin that browsers use; null: people sign in on this machine alone. */
  readonly publicUrl: string | null
  readonly reviews: ReviewTerms
  /** Whether a key may override only through a review. */
  readonly overrideRequiresReview: boolean
  /** Null: people sign in with local accounts, if there are any. */
  readonly oidc: OidcSettings | null
  /** Null: events are not published. */
  readonly nats: NatsSettings | null
  /** Null: no traces, metrics or logs are exported by OTLP. */
  readonly telemetry: TelemetrySettings | null
  /** How long personal text is kept. */
  readonly retentionDays: number
  /** The folder whose folders are archives that an admin may name; null: archives are a matter of the command line. */
  readonly archives: string | null
  readonly webhooks: {
    /** The delay after each failed attempt except the last. */
    readonly retryDelaysMs: readonly number[]
    /** Allows http and private addresses, for local testing. */
    readonly allowPrivate: boolean
  }
}

interface OidcSettings {
  readonly issuer: string
  readonly clientId: string
  /** Null for a client without one. */
  readonly clientSecret: string | null
  readonly claims: { readonly roles: string; readonly owner: string }
}

interface CaptchaSettings {
  readonly secret: string
  readonly url: string
  /** Minimum captcha score, for services that return one. */
  readonly scoreMin: number
}

interface ReadOptions {
  /** Whether a person reads the output, which chooses the format of the log unless a setting does. */
  readonly isTerminal?: boolean
  /** Reads the files of secrets. */
  readonly readFile?: ReadFile
}

const noFiles: ReadFile = () => ({ kind: 'fault', reason: 'files are not read here' })

export function readConfig(
  environment: Environment,
  { isTerminal = false, readFile = noFiles }: ReadOptions = {},
): Config {
  const { setting, rows, unknownNames } = createSettingsReader(environment, readFile)
  const config = readAll(setting, isTerminal)
  return { ...config, unknownSettings: unknownNames(), settings: rows() }
}

function readAll(setting: ReadSetting, isTerminal: boolean): Omit<Config, 'settings' | 'unknownSettings'> {
  const seconds = (name: string, fallback: string, max = 86_400): number =>
    setting(name, fallback, (text) => integer(text, 0, max), `a number of seconds up to ${max}`) * 1000
  const database = setting(
    'DATABASE_URL',
    'sqlite:data/fairway.db',
    databaseUrl,
    'sqlite:PATH or postgres://…',
  )
  return {
    host: setting('HOST', '127.0.0.1', parseHost, 'a host name or address'),
    port: setting('PORT', '8080', (text) => integer(text, 0, 65_535), 'a port from 0 to 65535'),
    databaseUrl: database,
    databaseWaitMs: seconds('FAIRWAY_DATABASE_WAIT_S', '60', 3_600),
    workers: readWorkers(setting, database),
    ...readLog(setting, isTerminal),
    cooldownMs: seconds('FAIRWAY_COOLDOWN_S', '90'),
    decisionValidMs: readDecisionValid(setting),
    hasTestAmounts: readBoolean(setting, 'FAIRWAY_TEST_AMOUNTS', 'true'),
    shedLagMs: readShedLag(setting),
    limits: readLimits(setting),
    sandboxDailyMax: readSandboxDaily(setting),
    trustProxy: setting('FAIRWAY_TRUST_PROXY', 'false', parseTrustProxy, trustProxyRule).value,
    policy: readPolicy(setting),
    sealKeys: setting(
      'FAIRWAY_SEAL_KEY',
      '',
      readSealKeys,
      '32 bytes in base64, from openssl rand -base64 32; earlier keys may follow, comma-separated',
    ),
    sealKeyFile: setting('FAIRWAY_SEAL_KEY_FILE', keyFileOf(database), (text) => text, 'a path'),
    // At most half an hour: telemetry uses the last hour and needs observations in it.
    probeEveryMs: seconds('FAIRWAY_CIP_PROBE_S', '60', 1_800),
    captcha: readCaptcha(setting),
    liveFeedsFile: setting('FAIRWAY_LIVE_FEEDS', '', (text) => text, 'a path') || null,
    publicUrl: setting('FAIRWAY_PUBLIC_URL', '', parsePublicUrl, publicUrlRule).origin,
    oidc: readOidc(setting),
    reviews: readReviews(setting),
    overrideRequiresReview: readBoolean(setting, 'FAIRWAY_OVERRIDE_REQUIRES_REVIEW', 'false'),
    nats: readNats(setting),
    telemetry: readTelemetry(setting),
    retentionDays: readRetention(setting),
    archives: setting('FAIRWAY_ARCHIVES', '', (text) => text, 'a path') || null,
    webhooks: readWebhooks(setting),
  }
}

function readLog(setting: ReadSetting, isTerminal: boolean) {
  const oneOf = <Value extends string>(name: string, fallback: Value, values: readonly Value[]): Value =>
    setting(
      name,
      fallback,
      (text) => values.find((value) => value === text) ?? null,
      `one of ${values.join(', ')}`,
    )
  const logFormat = oneOf('FAIRWAY_LOG_FORMAT', isTerminal ? 'text' : 'json', logFormats)
  // A person is interrupted only for what needs attention.
  const logMask = setting('FAIRWAY_LOG_MASK', '', parseMaskedNames, `names from ${maskableNames.join(', ')}`)
  return {
    logMask,
    logFormat,
    logLevel: oneOf('LOG_LEVEL', logFormat === 'text' ? 'warn' : 'info', logLevels),
  }
}

const parseHost = (text: string): string | null => (/^\S+$/.test(text) ? text : null)

function readPolicy(setting: ReadSetting): Policy {
  const { reviewAbove, blockAbove } = standardCap
  const rule = `CURRENCY=REVIEW/BLOCK, comma-separated, at most ${reviewAbove}/${blockAbove}`
  return { standard: standardCap, stricter: setting('FAIRWAY_POLICY_CAPS', '', parseCaps, rule) }
}

/** On PostgreSQL each further instance needs a copy of it. */
function keyFileOf(database: string): string {
  return database.startsWith('sqlite:') ? `${database.slice('sqlite:'.length)}.key` : 'data/fairway.key'
}

function readLimits(setting: ReadSetting): Config['limits'] {
  const rule = `COUNT/SECONDS, like 100/60, with at most ${windowSecondsMax} seconds`
  return {
    verify: setting('FAIRWAY_LIMIT_VERIFY', '100/60', parseRateLimit, rule),
    keyed: setting('FAIRWAY_LIMIT_KEYED', '300/60', parseRateLimit, rule),
    batch: setting('FAIRWAY_LIMIT_BATCH', '60/60', parseRateLimit, rule),
    events: setting('FAIRWAY_LIMIT_EVENTS', '600/60', parseRateLimit, rule),
    demo: setting('FAIRWAY_LIMIT_DEMO', '15/900', parseRateLimit, rule),
    access: setting('FAIRWAY_LIMIT_ACCESS', '5/900', parseRateLimit, rule),
    public: setting('FAIRWAY_LIMIT_PUBLIC', '300/60', parseRateLimit, rule),
    'sign-in': setting('FAIRWAY_LIMIT_SIGN_IN', '60/900', parseRateLimit, rule),
  }
}

const reviewSecondsMax = 2_592_000

function readReviews(setting: ReadSetting): ReviewTerms {
  const readSeconds = (name: string, fallback: string, min: number, rule: string): number =>
    setting(name, fallback, (text) => integer(text, min, reviewSecondsMax), `${rule} to ${reviewSecondsMax}`)
  const due = readSeconds('FAIRWAY_REVIEW_DUE_S', '3600', 1, 'a number of seconds from 1')
  const rule = `a number of seconds from FAIRWAY_REVIEW_DUE_S (${due})`
  const expires = readSeconds('FAIRWAY_REVIEW_EXPIRES_S', String(Math.max(86_400, due)), due, rule)
  const limits = 'CURRENCY=AMOUNT, comma-separated, like GBP=1000,NGN=2000000'
  const fourEyesAbove = setting('FAIRWAY_FOUR_EYES_ABOVE', '', parseFourEyesAbove, limits)
  return { dueMs: due * 1000, expiresMs: expires * 1000, fourEyesAbove }
}

function readDecisionValid(setting: ReadSetting): number {
  const rule = 'a number of seconds from 1 to 86400'
  return setting('FAIRWAY_DECISION_VALID_S', '600', (text) => integer(text, 1, 86_400), rule) * 1000
}

function readSandboxDaily(setting: ReadSetting): number {
  const rule = 'a number of decisions from 1 to 999999999'
  return setting('FAIRWAY_SANDBOX_DAILY', '10000', (text) => integer(text, 1, 999_999_999), rule)
}

function readRetention(setting: ReadSetting): number {
  const parse = (text: string): number | null => (text === '' ? Infinity : integer(text, 1, 36_500))
  return setting('FAIRWAY_RETENTION_DAYS', '', parse, 'a whole number of days from 1 to 36500')
}

function readShedLag(setting: ReadSetting): number {
  const rule = 'a number of milliseconds up to 60000'
  return setting('FAIRWAY_SHED_LAG_MS', '1000', (text) => integer(text, 0, 60_000), rule)
}

const workersMax = 64

/** SQLite allows one process only, because its rate limits live in memory. */
function readWorkers(setting: ReadSetting, database: string): number {
  const max = database.startsWith('sqlite:') ? 1 : workersMax
  const rule = `a number of processes from 1 to ${workersMax} (only 1 on SQLite; use PostgreSQL for more)`
  return setting('FAIRWAY_WORKERS', '1', (text) => integer(text, 1, max), rule)
}

function readBoolean(setting: ReadSetting, name: string, fallback: 'true' | 'false'): boolean {
  const parse = (text: string): string | null => (text === 'true' || text === 'false' ? text : null)
  return setting(name, fallback, parse, 'true or false') === 'true'
}

function readWebhooks(setting: ReadSetting): Config['webhooks'] {
  return {
    retryDelaysMs: setting(
      'FAIRWAY_WEBHOOK_RETRY_DELAYS_S',
      standardRetryDelaysMs.map((ms) => ms / 1000).join(','),
      parseRetryDelays,
      `${standardRetryDelaysMs.length} numbers of seconds up to 86400, comma-separated`,
    ),
    allowPrivate: readBoolean(setting, 'FAIRWAY_WEBHOOK_ALLOW_PRIVATE', 'false'),
  }
}

function readNats(setting: ReadSetting): NatsSettings | null {
  const servers = setting('FAIRWAY_NATS_URL', '', parseNatsServers, natsServersRule)
  const replicas = setting(
    'FAIRWAY_NATS_REPLICAS',
    '1',
    (text) => integer(text, 1, 5),
    'a number from 1 to 5',
  )
  return servers === 'none' ? null : { servers, replicas }
}

function readCaptcha(setting: ReadSetting): CaptchaSettings | null {
  const secret = setting('FAIRWAY_RECAPTCHA_SECRET', '', printable, 'a secret without spaces')
  const url = setting(
    'FAIRWAY_RECAPTCHA_URL',
    'https://www.google.com/recaptcha/api/siteverify',
    safeUrl,
    safeUrlRule,
  )
  const scoreMin = setting('FAIRWAY_RECAPTCHA_MIN_SCORE', '0.5', share, 'a number from 0 to 1')
  return secret === '' ? null : { secret, url, scoreMin }
}

const safeUrlRule = 'an https URL (http for localhost only) without a user name or password'

/** Secrets are sent to this URL: it must use TLS or stay on this machine. */
function safeUrl(text: string): string | null {
  if (!URL.canParse(text)) return null
  const { protocol, hostname, username, password } = new URL(text)
  const isLocal = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
  const isUsable = protocol === 'https:' || (protocol === 'http:' && isLocal)
  return isUsable && username === '' && password === '' ? text : null
}

const publicUrlRule = `${safeUrlRule}, a path, a query or a fragment, like https://fairway.example`

/** Wrapped, because an empty setting is valid. */
function parsePublicUrl(text: string): { readonly origin: string | null } | null {
  if (text === '') return { origin: null }
  if (safeUrl(text) === null) return null
  const { origin, pathname, search, hash } = new URL(text)
  return pathname === '/' && search === '' && hash === '' ? { origin } : null
}

function readOidc(setting: ReadSetting): OidcSettings | null {
  const issuer = setting('FAIRWAY_OIDC_ISSUER', '', (text) => (text === '' ? '' : safeUrl(text)), safeUrlRule)
  const clientId = setting(
    'FAIRWAY_OIDC_CLIENT_ID',
    '',
    (text) => (issuer === '' || text !== '' ? text : null),
    'the id of the client at the provider, because FAIRWAY_OIDC_ISSUER is set',
  )
  const secret = setting('FAIRWAY_OIDC_CLIENT_SECRET', '', printable, 'a secret without spaces')
  const claim = (name: string, fallback: string): string =>
    setting(name, fallback, (text) => (text.length <= 200 ? text : null), 'the name of a claim')
  const claims = {
    roles: claim('FAIRWAY_OIDC_ROLES_CLAIM', 'roles'),
    owner: claim('FAIRWAY_OIDC_OWNER_CLAIM', 'owner_id'),
  }
  return issuer === '' ? null : { issuer, clientId, clientSecret: secret === '' ? null : secret, claims }
}

const printable = (text: string): string | null => (/^[\x21-\x7e]*$/.test(text) ? text : null)

function share(text: string): number | null {
  return /^(?:0(?:\.\d{1,3})?|1(?:\.0{1,3})?)$/.test(text) ? Number(text) : null
}

function databaseUrl(text: string): string | null {
  // No URL, URI or in-memory database: the command line must open the same file.
  if (/^sqlite:(?!\/\/|:|file:).+/.test(text)) return text
  return /^postgres(?:ql)?:\/\//.test(text) && URL.canParse(text) ? text : null
}

/** The settings that public endpoints may show. */
export function setupOf({
  limits,
  cooldownMs,
  hasTestAmounts,
  trustProxy,
  webhooks,
  probeEveryMs,
  captcha,
}: Config) {
  return {
    verifyLimit: limits.verify,
    cooldownMs,
    hasTestAmounts,
    isProxyTrusted: trustProxy !== false,
    allowsPrivateWebhooks: webhooks.allowPrivate,
    probeEveryMs,
    captcha: captcha === null ? ('missing' as const) : ('configured' as const),
  }
}
