/** The feeds file: whatever is wrong with it is told with its line and its field, all of it at once. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from '../../helpers/fast-check.ts'
import { readFeeds, type FeedsFile, type FileFinding } from '../../../src/adapters/feeds/file.ts'
import { signalNames } from '../../../src/core/decision/signals.ts'

type Environment = Readonly<Record<string, string>>

const written = (file: unknown): string => (typeof file === 'string' ? file : JSON.stringify(file, null, 2))

function findingsOf(file: unknown, environment: Environment = {}): readonly FileFinding[] {
  const read = readFeeds(written(file), environment)
  return read.kind === 'bad' ? read.findings : []
}

function fileOf(file: unknown, environment: Environment = {}): FeedsFile {
  const read = readFeeds(written(file), environment)
  return read.kind === 'read' ? read.file : assert.fail(JSON.stringify(read.findings))
}

type Row = readonly [file: unknown, line: number, field: string, message: RegExp]

/** One fault each, at its line and its field, in words that say what it is. */
function checkRows(rows: readonly Row[], environment: Environment = {}): void {
  const told = rows.map(([file]) => findingsOf(file, environment))
  assert.deepEqual(
    told.map((findings) => findings.map(({ line, field }) => [line, field])),
    rows.map(([, line, field]) => [[line, field]]),
  )
  for (const [place, [, , field, message]] of rows.entries()) {
    assert.match(told[place]?.[0]?.message ?? '', message, field)
  }
}

const http = { source: 'http', url: 'https://provider.example/risk', value: '/value' }
// prettier-ignore
const slope = [[0, 1], [1, 0]]
const fx = { source: 'fx-series', url: 'https://x.example/rates.csv', map: { points: slope } }
const feed = (signal: string, spec: unknown): unknown => ({ signals: { [signal]: spec } })
/** In a file as it is written here, the source of the only feed is on line 4, and so on. */
const httpWith = (more: object): unknown => feed('network_healthy', { ...http, ...more })
const at = (member: string): string => `/signals/network_healthy/${member}`
const mapped = (map: object): unknown => httpWith({ map })

test('what is no JSON is told with its line', () => {
  checkRows([
    ['', 1, '', /not valid JSON/],
    ['{\n  "signals": {}', 2, '', /not valid JSON: close brace expected/],
    ['{\n  "signals": {},\n}', 3, '', /not valid JSON: property name expected/],
    ['{\n  // mine\n  "signals": {}\n}', 2, '', /not valid JSON: invalid comment/],
    ['{\n  "signals": {}\n  "deadline_ms": 800\n}', 3, '', /not valid JSON: comma expected/],
    ['{ "signals": {} }\n{}', 2, '', /not valid JSON: end of file expected/],
    ['{ "signals": NaN }', 1, '', /not valid JSON: invalid symbol/],
    ["{ 'signals': {} }", 1, '', /not valid JSON/],
  ])
})

test('a file of another form is told by its field', () => {
  checkRows([
    ['[]', 1, '', /must be object/],
    ['null', 1, '', /must be object/],
    ['{}', 1, '', /needs signals/],
    [{ deadline_ms: 9, signals: {} }, 2, '/deadline_ms', />= 10/],
    [{ deadline_ms: 30_001, signals: {} }, 2, '/deadline_ms', /<= 30000/],
    [{ deadline_ms: '800', signals: {} }, 2, '/deadline_ms', /must be integer/],
    [{ deadline_ms: 10.5, signals: {} }, 2, '/deadline_ms', /must be integer/],
    [
      { recommended_partner: { 'US-JP': 'x' }, signals: {} },
      3,
      '/recommended_partner/US-JP',
      /is not a supported corridor/,
    ],
    [{ recommended_partner: { 'GB-NG': '' }, signals: {} }, 3, '/recommended_partner/GB-NG', /fewer than 1/],
    [{ signals: {}, deadline: 3 }, 3, '/deadline', /unknown/],
    ['{ "signals": {}, "__proto__": {} }', 1, '/__proto__', /unknown/],
    [feed('fraud', http), 3, '/signals/fraud', /unknown/],
    [feed('network_healthy', 'http'), 3, '/signals/network_healthy', /must be object/],
  ])
})

test('a feed of another form is told by its field', () => {
  checkRows([
    [feed('network_healthy', {}), 3, at('source'), /must be one of http, fx-series, outcomes, constant/],
    [httpWith({ source: 'ftp' }), 4, at('source'), /must be one of http, fx-series, outcomes, constant/],
    [httpWith({ source: 'constructor' }), 4, at('source'), /must be one of/],
    [httpWith({ ttl: 3 }), 7, at('ttl'), /unknown/],
    [httpWith({ url: undefined }), 3, '/signals/network_healthy', /needs url/],
    [httpWith({ value: undefined }), 3, '/signals/network_healthy', /needs value/],
    [httpWith({ url: undefined, value: undefined }), 3, '/signals/network_healthy', /needs .*url.*value/],
    [httpWith({ method: 'PUT' }), 7, at('method'), /must be one of GET, POST/],
    [httpWith({ max_age_s: 0 }), 7, at('max_age_s'), />= 1/],
    [httpWith({ cache_ms: -1 }), 7, at('cache_ms'), />= 0/],
    [httpWith({ max_bytes: 10 }), 7, at('max_bytes'), />= 64/],
    [httpWith({ connections: 0 }), 7, at('connections'), />= 1/],
    [httpWith({ breaker: { failures: 0 } }), 8, at('breaker/failures'), />= 1/],
    [httpWith({ breaker: { reset_ms: 9 } }), 8, at('breaker/reset_ms'), />= 10/],
    [httpWith({ breaker: { reset: 1 } }), 8, at('breaker/reset'), /unknown/],
    [httpWith({ value: 'value' }), 6, at('value'), /pointer/],
    [httpWith({ value: '/a~2' }), 6, at('value'), /pointer/],
    [httpWith({ observed_at: { pointer: 'as_of' } }), 8, at('observed_at/pointer'), /pointer/],
    [httpWith({ observed_at: {} }), 7, at('observed_at'), /either a pointer or a header/],
    [httpWith({ observed_at: { pointer: '/a', header: 'date' } }), 7, at('observed_at'), /either/],
    [
      httpWith({ observed_at: { pointer: '/a', format: 'unix' } }),
      9,
      at('observed_at/format'),
      /one of iso8601/,
    ],
  ])
})

test('an address that cannot be asked is told', () => {
  const url = (text: string, message: RegExp): Row => [httpWith({ url: text }), 5, at('url'), message]
  checkRows([
    url('provider.example/risk', /must be a URL/),
    url('https://me:secret@provider.example/', /user or password/),
    url('https://provider.example/{amount}', /\{amount\} only as the complete value of a parameter/),
  ])
  const series = feed('fx_volatility', { ...fx, url: 'https://x.example/?c={corridor}' })
  checkRows([[series, 5, '/signals/fx_volatility/url', /\{name\}/]])
})

test('a map that does not go one way, or not along its scale, is told at the entry', () => {
  const points = (...given: [unknown, number][]): unknown => mapped({ points: given })
  const cases = (...given: [unknown, number][]): unknown => mapped({ cases: given })
  // prettier-ignore
  const both = { points: [[0, 0], [1, 1]], cases: [['a', 1]] }
  checkRows([
    [points([0, 0], [1, 1], [2, 0.5]), 17, at('map/points/2'), /changes direction/],
    [cases(['a', 0], ['b', 1], ['c', 0]), 17, at('map/cases/2'), /changes direction/],
    [points([1, 0], [0, 1]), 13, at('map/points/1'), /larger value/],
    [points([0, 0], [1, 2]), 13, at('map/points/1'), /from 0 to 1/],
    [cases(['a', 1], ['a', 0]), 13, at('map/cases/1'), /repeats a value/],
    [cases(['a', 1], [true, 0]), 8, at('map/cases'), /all strings or all booleans/],
    [points([1, 1]), 8, at('map/points'), /fewer than 2/],
    [points(['0', 1], [2, 1]), 10, at('map/points/0/0'), /must be number/],
    [cases(), 8, at('map/cases'), /fewer than 1/],
    [mapped({}), 7, at('map'), /either points or cases/],
    [mapped(both), 7, at('map'), /either points or cases/],
  ])
  // prettier-ignore
  const flags = feed('fraud_flags', { ...http, map: { points: [[0, 0], [1, 0.5]] } })
  checkRows([[flags, 13, '/signals/fraud_flags/map/points/1', /must map to an integer/]])
})

test('a source that speaks of one thing only is no source of another, and has its own form', () => {
  checkRows([
    [
      feed('network_healthy', { source: 'outcomes', assumed_rate: 0 }),
      4,
      at('source'),
      /only .* historical_failure_rate/,
    ],
    [feed('network_healthy', fx), 4, at('source'), /only be the source of fx_volatility/],
    [feed('fx_volatility', { ...fx, map: undefined }), 3, '/signals/fx_volatility', /needs map/],
    [feed('fx_volatility', { ...fx, pair: 'GBPNGN' }), 18, '/signals/fx_volatility/pair', /currencies/],
    [feed('fx_volatility', { ...fx, days: 4 }), 18, '/signals/fx_volatility/days', />= 5/],
  ])
  const failures = (more: object): unknown =>
    feed('historical_failure_rate', { source: 'outcomes', assumed_rate: 0.02, ...more })
  const field = (member: string): string => `/signals/historical_failure_rate/${member}`
  checkRows([
    [failures({ assumed_rate: undefined }), 3, '/signals/historical_failure_rate', /needs assumed_rate/],
    [failures({ least: 0 }), 6, field('least'), />= 1/],
    [failures({ assumed_rate: 1.5 }), 5, field('assumed_rate'), /<= 1/],
    [failures({ window_days: 366 }), 6, field('window_days'), /<= 365/],
    [failures({ url: 'https://x.example/' }), 6, field('url'), /unknown/],
  ])
})

test('a constant that is not on its scale, or not on its map, is told', () => {
  const constant = (signal: string, value: unknown, map?: object): unknown =>
    feed(signal, { source: 'constant', value, map })
  checkRows([
    [constant('network_healthy', 1.1), 5, at('value'), /not on the scale/],
    [constant('network_healthy', -0.1), 5, at('value'), /not on the scale/],
    [constant('network_healthy', true), 5, at('value'), /wrong type/],
    [constant('network_healthy', null), 5, at('value'), /must be/],
    [constant('network_healthy', 'down', { cases: [['up', 1]] }), 5, at('value'), /not on its map/],
    [constant('network_healthy', 1, { cases: [['up', 1]] }), 5, at('value'), /wrong type/],
    [constant('fraud_flags', 0.5), 5, '/signals/fraud_flags/value', /wrong type/],
    [constant('historical_failure_rate', 2), 5, '/signals/historical_failure_rate/value', /not on the scale/],
  ])
})

test('a header that cannot be sent is told, and what it would have said never is', () => {
  const header = (name: string, text: string): unknown => httpWith({ headers: { [name]: text } })
  const environment = { SECRET: 'hunter2', BROKEN: 'hunter2\nx: y', EMPTY: '', LATER_FILE: '/no/such/file' }
  const rows: Row[] = [
    [
      header('authorization', 'Bearer ${TOKEN}'),
      8,
      at('headers/authorization'),
      /needs TOKEN in the environment/,
    ],
    [header('a', '${SECRET} ${ONE} ${TWO}'), 8, at('headers/a'), /needs ONE, TWO in the environment/],
    [header('a', '${EMPTY}'), 8, at('headers/a'), /needs EMPTY in the environment/],
    [header('a', '${LATER}'), 8, at('headers/a'), /cannot read \/no\/such\/file/],
    [header('a', 'Bearer ${BROKEN}'), 8, at('headers/a'), /cannot carry/],
    [header('Host', '${SECRET}'), 8, at('headers/Host'), /not a header that can be set/],
    [
      header('transfer-encoding', 'chunked'),
      8,
      at('headers/transfer-encoding'),
      /not a header that can be set/,
    ],
    [header('a b', '${SECRET}'), 8, at('headers/a b'), /not a header that can be set/],
    [header('a/b~c', 'x'), 8, at('headers/a~1b~0c'), /not a header that can be set/],
    [header('a', ''), 8, at('headers/a'), /fewer than 1/],
    [httpWith({ headers: { A: 'x', a: '${SECRET}' } }), 9, at('headers/a'), /is duplicated/],
  ]
  checkRows(rows, environment)
  for (const [file] of rows) {
    assert.doesNotMatch(JSON.stringify(findingsOf(file, environment)), /hunter2/)
  }
})

test('a name that stands twice is told, at any depth', () => {
  const one = '{ "source": "constant", "value": 0 }'
  checkRows([
    [
      `{ "signals": {\n"fraud_flags": ${one}, "fraud_flags": ${one} } }`,
      2,
      '/signals/fraud_flags',
      /is duplicated/,
    ],
    [
      '{ "signals": { "fraud_flags": { "source": "constant",\n "value": 0, "value": 1 } } }',
      2,
      '/signals/fraud_flags/value',
      /is duplicated/,
    ],
    ['{ "deadline_ms": 800, "signals": {}, "deadline_ms": 900 }', 1, '/deadline_ms', /is duplicated/],
  ])
})

test('several faults are told at once, in the order of their lines', () => {
  const form = { deadline_ms: 1, signals: { nope: {}, fraud_flags: { source: 'x' } }, extra: 1 }
  assert.deepEqual(
    findingsOf(form).map(({ line, field }) => [line, field]),
    [
      [2, '/deadline_ms'],
      [4, '/signals/nope'],
      [6, '/signals/fraud_flags/source'],
      [9, '/extra'],
    ],
  )
  const feeds = {
    signals: {
      fraud_flags: {
        source: 'http',
        ttl: 1,
        url: 'https://x.example/',
        value: '/v',
        headers: { a: '${NO}' },
      },
      network_healthy: { source: 'x' },
      fx_volatility: { source: 'outcomes', assumed_rate: 0 },
      cop_overridden: { ...http, url: 'ftp://x', headers: { a: '${ONE}', b: '${TWO}' }, map: {} },
    },
  }
  assert.deepEqual(
    findingsOf(feeds).map(({ line, field }) => [line, field]),
    [
      [5, '/signals/fraud_flags/ttl'],
      [13, '/signals/network_healthy/source'],
      [16, '/signals/fx_volatility/source'],
      [21, '/signals/cop_overridden/url'],
      [24, '/signals/cop_overridden/headers/a'],
      [25, '/signals/cop_overridden/headers/b'],
      [27, '/signals/cop_overridden/map'],
    ],
  )
})

test('a good file is read as it stands, with the variables of the environment in its headers', () => {
  const { deadlineMs, world, feeds } = fileOf(
    {
      $schema: 'feeds.schema.json',
      recommended_partner: { 'GB-NG': 'one' },
      signals: {
        cop_overridden: { source: 'constant', value: 'up', map: { cases: [['up', 1]] } },
        fraud_flags: { ...http, headers: { Authorization: 'Bearer ${TOKEN}', 'x-two': '${A}-${A} $A' } },
      },
    },
    { TOKEN: 'hunter2', A: 'a' },
  )
  assert.equal(deadlineMs, 800)
  assert.deepEqual(
    [...world.corridors.values()].map((one) => [one.corridor, one.recommendedPartner]),
    [
      ['GB-NG', 'one'],
      ['NG-GB', null],
    ],
  )
  assert.deepEqual(
    feeds.map(({ signal, map, headers }) => ({ signal, map, headers: { ...headers } })),
    [
      { signal: 'fraud_flags', map: null, headers: { authorization: 'Bearer hunter2', 'x-two': 'a-a $A' } },
      { signal: 'cop_overridden', map: { kind: 'cases', cases: [['up', 1]] }, headers: {} },
    ],
  )
  assert.equal(fileOf({ deadline_ms: 250, signals: {} }).deadlineMs, 250)
  assert.deepEqual(fileOf({ signals: {} }).feeds, [])
  assert.equal(fileOf(feed('network_healthy', { ...http, value: '' })).feeds.length, 1)
})

test('the example file is read, and has a feed for every signal', () => {
  const example = readFileSync(new URL('../../../examples/feeds/feeds.json', import.meta.url), 'utf8')
  const { feeds, deadlineMs } = fileOf(example)
  assert.deepEqual(feeds.map(({ signal }) => signal).toSorted(), signalNames.toSorted())
  assert.equal(deadlineMs, 800)
})

test('no text at all makes the reader throw: it is a file, or it has findings on lines that it has', () => {
  const example = readFileSync(new URL('../../../examples/feeds/feeds.json', import.meta.url), 'utf8')
  const cutOrChanged = fc
    .tuple(
      fc.nat(example.length),
      fc.nat(40),
      fc.oneof(fc.string(), fc.json(), fc.constantFrom('"', '{', '[', ',', 'null')),
    )
    .map(([from, length, put]) => example.slice(0, from) + put + example.slice(from + length))
  fc.assert(
    fc.property(fc.oneof(cutOrChanged, fc.json(), fc.string()), (text) => {
      const read = readFeeds(text, {})
      if (read.kind === 'read') return
      assert.ok(read.findings.length > 0)
      const lines = text.split('\n').length
      for (const { line, message } of read.findings) {
        assert.ok(line >= 1 && line <= lines, `${line} of ${lines}`)
        assert.notEqual(message, '')
      }
    }),
    { numRuns: 300 },
  )
})
