/** Settings by their names: which are misspelt, which belong to others, and what is shown of each. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../../../src/config.ts'
import { nearestSetting, ownNames } from '../../../src/core/operate/setting-names.ts'
import { BadSetting, type ReadFile, type SettingRow } from '../../../src/core/operate/settings.ts'
import { check } from '../../helpers/check.ts'

const settings = readConfig({}).settings.map(({ name }) => name)
const files: Readonly<Record<string, string>> = {
  '/database': 'postgres://u:hunter2@db.example:5432/fairway\n',
  '/secret': 'hunter2\r\n',
  '/empty': ' \n',
}
const readFile: ReadFile = (path) =>
  files[path] === undefined
    ? { kind: 'fault', reason: `cannot read ${path}: there is no such file` }
    : { kind: 'read', text: files[path] }

const read = (environment: Record<string, string>) => readConfig(environment, { readFile })

function refusal(environment: Record<string, string>): string {
  try {
    read(environment)
  } catch (error) {
    if (error instanceof BadSetting) return error.message
    throw error
  }
  return 'none'
}

test('a misspelt setting, or one without its unit, is refused and the right one named', () => {
  check<string, string | null>(
    [
      ['FAIRWAY_OVERRIDE_REQUIRE_REVIEW', 'FAIRWAY_OVERRIDE_REQUIRES_REVIEW'],
      ['FAIRWAY_COOLDOWN', 'FAIRWAY_COOLDOWN_S'],
      ['FAIRWAY_COOLDOWN_MS', 'FAIRWAY_COOLDOWN_S'],
      ['FAIRWAY_COOLDOWN_SECONDS', 'FAIRWAY_COOLDOWN_S'],
      ['FAIRWAY_COLDOWN', 'FAIRWAY_COOLDOWN_S'],
      ['FAIRWAY_RETENTION', 'FAIRWAY_RETENTION_DAYS'],
      ['FAIRWAY_SHED_LAG', 'FAIRWAY_SHED_LAG_MS'],
      ['FAIRWAY_LIMIT_VERFIY', 'FAIRWAY_LIMIT_VERIFY'],
      ['FAIRWAY_SEAL_KEYS', 'FAIRWAY_SEAL_KEY'],
      ['FAIRWAY_SEAL_KEYFILE', 'FAIRWAY_SEAL_KEY_FILE'],
      ['FAIRWAY_OIDC_CLIENT_SECRETFILE', 'FAIRWAY_OIDC_CLIENT_SECRET_FILE'],
      ['FAIRWY_LIVE_FEEDS', 'FAIRWAY_LIVE_FEEDS'],
      ['fairway_cooldown_s', 'FAIRWAY_COOLDOWN_S'],
      ['OTEL_METRICS_EXPORT_INTERVAL', 'OTEL_METRIC_EXPORT_INTERVAL'],
      ['OTEL_EXPORTER_OTLP_ENDPONT', 'OTEL_EXPORTER_OTLP_ENDPOINT'],
    ],
    (name) =>
      /^(\S+) is not a setting: correct it to (\S+), or unset it$/.exec(refusal({ [name]: '1' }))?.[2] ??
      null,
  )
  assert.equal(refusal({ FAIRWAY_COOLDOWN: ' ' }), 'none', 'an empty one counts as unset')
})

/** Kubernetes names them after each Service of the namespace. */
const injected = ['', '_POSTGRES', '_NATS', '_DATABASE', '_CONSOLE', '_API', '_METRICS'].flatMap((service) =>
  [
    'SERVICE_HOST',
    'SERVICE_PORT',
    'SERVICE_PORT_HTTP',
    'PORT',
    'PORT_80_TCP',
    'PORT_8080_TCP',
    'PORT_8080_TCP_PROTO',
    'PORT_8080_TCP_PORT',
    'PORT_8080_TCP_ADDR',
  ].map((part) => `FAIRWAY${service}_${part}`),
)

/** Variables of the standard that the SDK reads by itself. */
const ofTheSdk = [
  'OTEL_SERVICE_NAME',
  'OTEL_RESOURCE_ATTRIBUTES',
  'OTEL_PROPAGATORS',
  'OTEL_TRACES_SAMPLER',
  'OTEL_TRACES_SAMPLER_ARG',
  'OTEL_METRICS_EXEMPLAR_FILTER',
  'OTEL_NODE_RESOURCE_DETECTORS',
  'OTEL_ENTITIES',
  'OTEL_CONFIG_FILE',
  ...['BSP', 'BLRP'].flatMap((processor) =>
    ['SCHEDULE_DELAY', 'EXPORT_TIMEOUT', 'MAX_QUEUE_SIZE', 'MAX_EXPORT_BATCH_SIZE'].map(
      (part) => `OTEL_${processor}_${part}`,
    ),
  ),
  ...['', 'SPAN_', 'EVENT_', 'LINK_', 'LOGRECORD_'].flatMap((part) => [
    `OTEL_${part}ATTRIBUTE_COUNT_LIMIT`,
    `OTEL_${part}ATTRIBUTE_VALUE_LENGTH_LIMIT`,
    `OTEL_${part}EVENT_COUNT_LIMIT`,
    `OTEL_${part}LINK_COUNT_LIMIT`,
  ]),
  ...['', 'TRACES_', 'METRICS_', 'LOGS_'].flatMap((signal) =>
    ['TIMEOUT', 'COMPRESSION', 'CERTIFICATE', 'CLIENT_KEY', 'CLIENT_CERTIFICATE', 'INSECURE'].map(
      (part) => `OTEL_EXPORTER_OTLP_${signal}${part}`,
    ),
  ),
  'OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE',
  'OTEL_EXPORTER_OTLP_METRICS_DEFAULT_HISTOGRAM_AGGREGATION',
]

test('no name of Kubernetes, of the SDK or of our own programs is near to a setting', () => {
  const near = [...injected, ...ofTheSdk, ...ownNames].filter(
    (name) => nearestSetting(name, settings) !== null,
  )
  assert.deepEqual(near, [])
  assert.ok(injected.includes('FAIRWAY_PORT_8080_TCP_ADDR'))
})

test('no two settings are so near that one could be meant by the other', () => {
  const others = (name: string): string[] => settings.filter((other) => other !== name)
  const near = settings.filter((name) => nearestSetting(name, others(name)) !== null)
  assert.deepEqual(near, [])
})

test('other names with our prefix are reported, and those of our own programs are not', () => {
  const environment = Object.fromEntries(
    [...injected, ...ownNames, 'OTEL_SERVICE_NAME', 'HOME'].map((name) => [name, 'x']),
  )
  assert.deepEqual(read(environment).unknownSettings, injected)
  assert.deepEqual(read({ FAIRWAY_NEWER_SETTING: 'x' }).unknownSettings, ['FAIRWAY_NEWER_SETTING'])
  assert.deepEqual(read({ FAIRWAY_COOLDOWN_S: '5', FAIRWAY_SERVICE_HOST: '' }).unknownSettings, [])
})

const rowOf = (environment: Record<string, string>, name: string): SettingRow | undefined =>
  read(environment).settings.find((row) => row.name === name)

test('every setting is listed with its value, its source and its default', () => {
  assert.deepEqual(rowOf({ FAIRWAY_COOLDOWN_S: ' 5 ' }, 'FAIRWAY_COOLDOWN_S'), {
    name: 'FAIRWAY_COOLDOWN_S',
    value: '5',
    source: 'environment',
    default: '90',
  })
  assert.deepEqual(rowOf({}, 'FAIRWAY_LIVE_FEEDS'), {
    name: 'FAIRWAY_LIVE_FEEDS',
    value: null,
    source: 'default',
    default: null,
  })
  assert.deepEqual(new Set(settings).size, settings.length)
  // Listed whatever their neighbours say.
  for (const environment of [{ OTEL_SDK_DISABLED: 'true' }, { DATABASE_URL: 'postgres://u@h/d' }])
    for (const name of settings.filter((one) => !one.startsWith('OTEL_')))
      assert.notEqual(rowOf(environment, name), undefined, name)
})

test('no list shows a secret, or the password of an address', () => {
  const key = Buffer.alloc(32, 7).toString('base64')
  const { settings: rows } = read({
    DATABASE_URL: 'postgres://fairway:hunter2,@hunter2@db.example:5432/x?password=hunter2&sslmode=require',
    FAIRWAY_NATS_URL: 'nats://hunter2@a:1,nats://user:hunter2@b:2',
    FAIRWAY_RECAPTCHA_SECRET: 'hunter2',
    FAIRWAY_RECAPTCHA_URL: 'https://captcha.example/verify?token=hunter2',
    FAIRWAY_OIDC_ISSUER: 'https://id.example',
    FAIRWAY_OIDC_CLIENT_ID: 'fairway',
    FAIRWAY_OIDC_CLIENT_SECRET: 'hunter2',
    FAIRWAY_SEAL_KEY: key,
    OTEL_EXPORTER_OTLP_ENDPOINT: 'https://user:hunter2@collector.example:4318',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=hunter2',
  })
  const text = JSON.stringify(rows)
  assert.ok(!text.includes('hunter2') && !text.includes(key), text)
  const shown = Object.fromEntries(rows.map(({ name, value }) => [name, value]))
  assert.equal(
    shown['DATABASE_URL'],
    'postgres://fairway:[secret]@db.example:5432/x?password=[secret]&sslmode=require',
  )
  assert.equal(shown['FAIRWAY_NATS_URL'], 'nats://[secret]@a:1,nats://[secret]@b:2')
  assert.equal(shown['FAIRWAY_SEAL_KEY'], '[secret]')
})

test('a secret comes from the file that its setting names, without the end of its line', () => {
  const environment = {
    DATABASE_URL_FILE: '/database',
    FAIRWAY_RECAPTCHA_SECRET_FILE: '/secret',
    FAIRWAY_OIDC_CLIENT_SECRET_FILE: ' /secret ',
    FAIRWAY_OIDC_CLIENT_SECRET: '',
    FAIRWAY_OIDC_ISSUER: 'https://id.example',
    FAIRWAY_OIDC_CLIENT_ID: 'fairway',
  }
  const { databaseUrl, captcha, oidc, unknownSettings } = read(environment)
  assert.deepEqual(
    [databaseUrl, captcha?.secret, oidc?.clientSecret],
    ['postgres://u:hunter2@db.example:5432/fairway', 'hunter2', 'hunter2'],
  )
  assert.deepEqual(unknownSettings, [])
  assert.deepEqual(rowOf(environment, 'DATABASE_URL'), {
    name: 'DATABASE_URL',
    value: 'postgres://u:[secret]@db.example:5432/fairway',
    source: 'file',
    default: 'sqlite:data/fairway.db',
  })
})

test('a file that gives no secret is refused by its setting, and no message has its contents', () => {
  check<Record<string, string>, string>(
    [
      [{ DATABASE_URL_FILE: '/none' }, 'DATABASE_URL_FILE: cannot read /none: there is no such file'],
      [
        { FAIRWAY_RECAPTCHA_SECRET_FILE: '/empty' },
        'FAIRWAY_RECAPTCHA_SECRET_FILE: the file is empty; it must hold the value of FAIRWAY_RECAPTCHA_SECRET',
      ],
      [
        { DATABASE_URL_FILE: '/secret' },
        'DATABASE_URL_FILE must name a file with sqlite:PATH or postgres://…',
      ],
      [
        { DATABASE_URL: 'sqlite:x.db', DATABASE_URL_FILE: '/database' },
        'DATABASE_URL and DATABASE_URL_FILE are both set: unset one of them',
      ],
      [
        { FAIRWAY_SEAL_KEY: Buffer.alloc(32).toString('base64'), FAIRWAY_SEAL_KEY_FILE: '/key' },
        'FAIRWAY_SEAL_KEY and FAIRWAY_SEAL_KEY_FILE are both set: unset one of them',
      ],
    ],
    refusal,
  )
})

test('the file of the installation key is not read with the settings: the first start may make it', () => {
  const { sealKeys, sealKeyFile } = read({ FAIRWAY_SEAL_KEY_FILE: '/not/there/yet' })
  assert.deepEqual([sealKeys, sealKeyFile], [[], '/not/there/yet'])
})
