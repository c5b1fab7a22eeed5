/** The settings of the public and batch limits, of the proxies that may speak for others, of webhooks and of reviews. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../src/config.ts'
import { BadSetting } from '../src/core/operate/settings.ts'
import { check } from './helpers/check.ts'

const trusted = (text: string): unknown => readConfig({ FAIRWAY_TRUST_PROXY: text }).trustProxy

test('the limits are by default 15 in 15 minutes an address and 60 batches a minute a key', () => {
  const { limits, trustProxy } = readConfig({})
  assert.deepEqual(limits.demo, { count: 15, windowMs: 900_000 })
  assert.deepEqual(limits.batch, { count: 60, windowMs: 60_000 })
  assert.equal(trustProxy, false)
  const told = readConfig({ FAIRWAY_LIMIT_DEMO: '2/10', FAIRWAY_LIMIT_BATCH: ' 7/3 ' }).limits
  assert.deepEqual(
    [told.demo, told.batch],
    [
      { count: 2, windowMs: 10_000 },
      { count: 7, windowMs: 3_000 },
    ],
  )
})

test('a limit that is none is refused by name', () => {
  for (const name of ['FAIRWAY_LIMIT_DEMO', 'FAIRWAY_LIMIT_BATCH']) {
    for (const text of ['15', '0/900', '15/0', '-1/60', '1/86401', 'many', '15/900/1', '1.5/60']) {
      assert.throws(
        () => readConfig({ [name]: text }),
        (error) => error instanceof BadSetting && error.message.startsWith(`${name} must be`),
        text,
      )
    }
  }
})

test('nobody is believed, one proxy, so many, or those of a list', () => {
  check<string, unknown>(
    [
      ['', false],
      ['false', false],
      ['0', false],
      ['true', 1],
      ['1', 1],
      ['10', 10],
      ['10.0.0.1', '10.0.0.1'],
      ['10.0.0.0/8, 2001:db8::/32 ,::1', '10.0.0.0/8,2001:db8::/32,::1'],
      ['loopback', 'loopback'],
      ['loopback,linklocal,uniquelocal,192.0.2.1', 'loopback,linklocal,uniquelocal,192.0.2.1'],
      ['::ffff:192.0.2.1', '::ffff:192.0.2.1'],
    ],
    trusted,
  )
})

test('a proxy that is none is refused at the start, by name and in one line', () => {
  const refused = [
    'yes',
    'TRUE',
    '-1',
    '11',
    '1.5',
    'proxy.example.org',
    'everybody',
    '10.0.0.1;10.0.0.2',
    '10.0.0.1 10.0.0.2',
    '10.0.0.1,,10.0.0.2',
    '10.0.0.1,',
    ',',
    '999.1.1.1',
    '1.2.3',
    '1.2.3.4.5',
    '010.0.0.1',
    '10.0.0.1:80',
    '10.0.0.1/33',
    '10.0.0.1/0',
    '10.0.0.1/',
    '10.0.0.1/8/8',
    '::1/129',
    ':::',
    ':',
    '.',
    '2001:db8::1::2',
    'a.b',
  ]
  for (const text of refused) {
    assert.throws(
      () => trusted(text),
      (error) => error instanceof BadSetting && /^FAIRWAY_TRUST_PROXY must be [^\n]+$/.test(error.message),
      text,
    )
  }
})

const retryDelays = (text: string): readonly number[] =>
  readConfig({ FAIRWAY_WEBHOOK_RETRY_DELAYS_S: text }).webhooks.retryDelaysMs

test('by default a failed webhook is tried again after 1, 5, 15 and 30 minutes, to public addresses only', () => {
  const { webhooks } = readConfig({})
  assert.deepEqual(webhooks, { retryDelaysMs: [60_000, 300_000, 900_000, 1_800_000], allowPrivate: false })
  check<string, readonly number[]>(
    [
      ['', [60_000, 300_000, 900_000, 1_800_000]],
      ['60,300,900,1800', [60_000, 300_000, 900_000, 1_800_000]],
      [' 1, 2 ,3,4 ', [1_000, 2_000, 3_000, 4_000]],
      ['0,0,0,0', [0, 0, 0, 0]],
      ['0.5,0.001,1.25,86400', [500, 1, 1_250, 86_400_000]],
    ],
    retryDelays,
  )
})

test('delays that are not four numbers of seconds within a day are refused by name', () => {
  const refused = ['60', '60,300,900', '60,300,900,1800,3600', '60,300,900,', ',,,', '60;300;900;1800']
  const numbers = [
    '-1',
    'x',
    '1e3',
    '0x10',
    '86401',
    '86400.001',
    '1.2345',
    'Infinity',
    'NaN',
    '',
    '.5',
    '1 0',
  ]
  for (const text of [...refused, ...numbers.map((one) => `1,2,${one},4`)]) {
    assert.throws(
      () => retryDelays(text),
      (error) =>
        error instanceof BadSetting &&
        /^FAIRWAY_WEBHOOK_RETRY_DELAYS_S must be 4 numbers of seconds [^\n]+$/.test(error.message),
      text,
    )
  }
})

test('private addresses are allowed by the word true alone, and nothing else is taken for it', () => {
  const allowed = (text: string): boolean =>
    readConfig({ FAIRWAY_WEBHOOK_ALLOW_PRIVATE: text }).webhooks.allowPrivate
  check<string, boolean>(
    [
      ['', false],
      ['false', false],
      ['true', true],
      [' true ', true],
    ],
    allowed,
  )
  for (const text of ['1', '0', 'yes', 'no', 'TRUE', 'True', 'on', 'truefalse', 'null']) {
    assert.throws(
      () => allowed(text),
      (error) =>
        error instanceof BadSetting &&
        error.message === `FAIRWAY_WEBHOOK_ALLOW_PRIVATE must be true or false, not ${JSON.stringify(text)}`,
      text,
    )
  }
})

test('by default access requests are five in 15 minutes an address, without a captcha and without live feeds', () => {
  const { limits, captcha, liveFeedsFile } = readConfig({})
  assert.deepEqual([limits.access, captcha, liveFeedsFile], [{ count: 5, windowMs: 900_000 }, null, null])
  const told = readConfig({
    FAIRWAY_LIMIT_ACCESS: '2/10',
    FAIRWAY_RECAPTCHA_SECRET: 'a-secret',
    FAIRWAY_LIVE_FEEDS: ' feeds.json ',
  })
  assert.deepEqual(told.limits.access, { count: 2, windowMs: 10_000 })
  assert.equal(told.liveFeedsFile, 'feeds.json')
  assert.deepEqual(told.captcha, {
    secret: 'a-secret',
    url: 'https://www.google.com/recaptcha/api/siteverify',
    scoreMin: 0.5,
  })
})

test('the secret of the captcha goes over TLS or stays on this machine, and no fault repeats it', () => {
  const secret = 'FAIRWAY_RECAPTCHA_SECRET'
  const good = [
    'https://captcha.example/verify',
    'http://127.0.0.1:9/x',
    'http://localhost/',
    'http://[::1]:9/',
  ]
  for (const url of good) {
    assert.equal(readConfig({ [secret]: 's', FAIRWAY_RECAPTCHA_URL: url }).captcha?.url, url)
  }
  const bad: [Record<string, string>, RegExp][] = [
    [{ FAIRWAY_RECAPTCHA_URL: 'http://captcha.example/' }, /^FAIRWAY_RECAPTCHA_URL must be/],
    [{ FAIRWAY_RECAPTCHA_URL: 'http://127.0.0.1.example/' }, /^FAIRWAY_RECAPTCHA_URL must be/],
    [{ FAIRWAY_RECAPTCHA_URL: 'https://u:hunter2@captcha.example/' }, /^FAIRWAY_RECAPTCHA_URL must be/],
    [{ FAIRWAY_RECAPTCHA_URL: 'captcha' }, /^FAIRWAY_RECAPTCHA_URL must be/],
    [{ FAIRWAY_RECAPTCHA_SECRET: 'hunter2 hunter2' }, /^FAIRWAY_RECAPTCHA_SECRET must be/],
    [{ FAIRWAY_RECAPTCHA_MIN_SCORE: '1.1' }, /^FAIRWAY_RECAPTCHA_MIN_SCORE must be/],
    [{ FAIRWAY_RECAPTCHA_MIN_SCORE: '-0' }, /^FAIRWAY_RECAPTCHA_MIN_SCORE must be/],
  ]
  for (const [environment, message] of bad) {
    assert.throws(
      () => readConfig(environment),
      (error) => {
        assert.ok(error instanceof BadSetting)
        assert.match(error.message, message)
        assert.doesNotMatch(error.message, /hunter2/)
        return true
      },
    )
  }
})

test('by default one process serves; several need PostgreSQL', () => {
  const workers = (text: string, DATABASE_URL = 'postgres://u@h/d'): number =>
    readConfig({ FAIRWAY_WORKERS: text, DATABASE_URL }).workers
  check<string, number>(
    [
      ['', 1],
      ['1', 1],
      ['2', 2],
      ['64', 64],
    ],
    workers,
  )
  assert.equal(workers('1', 'sqlite:x.db'), 1)
  const refused = [['0'], ['65'], ['-1'], ['1.5'], ['many'], ['2', 'sqlite:x.db'], ['2', '']] as const
  for (const [text, databaseUrl] of refused) {
    assert.throws(
      () => workers(text, databaseUrl),
      (error) => error instanceof BadSetting && error.message.startsWith('FAIRWAY_WORKERS must be'),
    )
  }
})

test('reviews are due after an hour and expire after a day, with four eyes on every amount and direct overrides, unless set', () => {
  const { reviews, overrideRequiresReview } = readConfig({})
  assert.deepEqual(reviews, { dueMs: 3_600_000, expiresMs: 86_400_000, fourEyesAbove: new Map() })
  assert.equal(overrideRequiresReview, false)
  const set = readConfig({
    FAIRWAY_REVIEW_DUE_S: '60',
    FAIRWAY_REVIEW_EXPIRES_S: '60',
    FAIRWAY_FOUR_EYES_ABOVE: 'GBP=1000,NGN=2000000',
    FAIRWAY_OVERRIDE_REQUIRES_REVIEW: 'true',
  })
  assert.deepEqual([set.reviews.dueMs, set.reviews.expiresMs], [60_000, 60_000])
  assert.deepEqual(Object.fromEntries(set.reviews.fourEyesAbove), { GBP: 1_000, NGN: 2_000_000 })
  assert.equal(set.overrideRequiresReview, true)
  // A review is never over before it is due.
  const { dueMs, expiresMs } = readConfig({ FAIRWAY_REVIEW_DUE_S: '172800' }).reviews
  assert.ok(expiresMs >= dueMs)
})

test('settings of reviews that are none are refused by name, in one sentence that says what they must be', () => {
  const seconds = ['0', '-1', '1.5', 'x', '2592001', '1h', '1e3']
  const refused: Readonly<Record<string, readonly string[]>> = {
    FAIRWAY_REVIEW_DUE_S: seconds,
    // Also below the due time of an hour.
    FAIRWAY_REVIEW_EXPIRES_S: [...seconds, '3599'],
    FAIRWAY_FOUR_EYES_ABOVE: ['1000', 'gbp=1000', 'GBP=-1', 'GBP=1.5', 'ZZZ=1', 'GBP=1,GBP=2', 'GBP=1;NGN=2'],
    FAIRWAY_OVERRIDE_REQUIRES_REVIEW: ['yes', '1', 'TRUE', 'on'],
  }
  for (const [name, texts] of Object.entries(refused)) {
    for (const text of texts) {
      assert.throws(
        () => readConfig({ [name]: text }),
        (error) => error instanceof BadSetting && new RegExp(`^${name} must be [^\\n]+$`).test(error.message),
        `${name}=${text}`,
      )
    }
  }
})

test('the log is text for a person and JSON for a program, unless a setting chooses', () => {
  const read = (environment: Readonly<Record<string, string>>, isTerminal: boolean): string => {
    const { logFormat, logLevel } = readConfig(environment, { isTerminal })
    return `${logFormat} ${logLevel}`
  }
  assert.equal(read({}, false), 'json info')
  assert.equal(read({}, true), 'text warn')
  assert.equal(read({ FAIRWAY_LOG_FORMAT: 'json' }, true), 'json info')
  assert.equal(read({ FAIRWAY_LOG_FORMAT: 'text' }, false), 'text warn')
  assert.equal(read({ LOG_LEVEL: 'info' }, true), 'text info')
})

test('OpenTelemetry is on for the signals that an endpoint or an exporter names, and off without one', () => {
  const signals = (settings: Readonly<Record<string, string>>): string => {
    const { traces, metrics, logs } = readConfig(settings).telemetry ?? {}
    return Object.entries({ traces, metrics, logs })
      .filter(([, isOn]) => isOn)
      .map(([name]) => name)
      .join(' ')
  }
  const endpoint = 'http://127.0.0.1:4318'
  const table: [Readonly<Record<string, string>>, string][] = [
    [{}, ''],
    [{ OTEL_SERVICE_NAME: 'payments', OTEL_TRACES_SAMPLER: 'always_on' }, ''],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }, 'traces metrics logs'],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_LOGS_EXPORTER: 'none' }, 'traces metrics'],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SDK_DISABLED: 'true' }, ''],
    [{ OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: endpoint }, 'logs'],
    [{ OTEL_METRICS_EXPORTER: 'otlp' }, 'metrics'],
    [{ OTEL_TRACES_EXPORTER: 'none' }, ''],
  ]
  check(table, signals)
})

test('a wrong setting of OpenTelemetry is refused by name, and an endpoint is never repeated', () => {
  const wrong = {
    OTEL_EXPORTER_OTLP_ENDPOINT: '127.0.0.1:4318/secret',
    OTEL_TRACES_EXPORTER: 'console',
    OTEL_METRICS_EXPORTER: 'prometheus',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http',
    OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: 'json',
    OTEL_METRIC_EXPORT_INTERVAL: '0',
  }
  for (const [name, text] of Object.entries(wrong)) {
    assert.throws(
      () => readConfig({ [name]: text }),
      (error) =>
        error instanceof BadSetting &&
        error.message.startsWith(`${name} must be`) &&
        !error.message.includes('secret'),
      name,
    )
  }
})
