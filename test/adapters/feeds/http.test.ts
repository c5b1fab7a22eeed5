/** A signal from an operator's own provider: what is asked, where the value is found, when it was observed, what is refused. */

import assert from 'node:assert/strict'
import { gzipSync } from 'node:zlib'
import { test } from 'node:test'
import { currencyOf } from '../../helpers/check.ts'
import { gist, withFeeds, type FeedsStage } from '../../helpers/peers/feeds.ts'
import {
  httpFeed,
  json,
  startMs,
  text,
  providerBody,
  unwell,
  type FeedSpec,
  type FeedsSpec,
  type Question,
  type Reply,
  type Unwell,
} from '../../helpers/peers/provider.ts'

const signal = 'network_healthy'

/** A file with this feed alone. */
const fileWith =
  (more: FeedSpec) =>
  (origin: string): FeedsSpec => ({
    deadline_ms: 30_000,
    signals: { [signal]: httpFeed(origin, signal, more) },
  })

/** Nothing is told of when a value was observed. */
const plain = { observed_at: undefined }

type Row = readonly [more: FeedSpec, reply: Reply, found: number | string]

/** Each row with feeds of its own: what comes of the answer of a provider. */
async function checkRows(rows: readonly Row[]): Promise<void> {
  const found: (number | string)[] = []
  for (const [more, reply] of rows) {
    await withFeeds({ answer: () => reply, spec: fileWith(more) }, async ({ read }) => {
      found.push(gist(await read(signal)))
    })
  }
  assert.deepEqual(
    found,
    rows.map(([, , expected]) => expected),
  )
}

async function askedOnce(
  more: FeedSpec,
  query: Parameters<FeedsStage['read']>[1] = {},
  environment = {},
): Promise<Question> {
  const questions: Question[] = []
  await withFeeds({ spec: fileWith(more), environment }, async ({ read, provider }) => {
    assert.equal(gist(await read(signal, query)), 1_000)
    questions.push(...provider.questions)
  })
  const [question] = questions
  assert.equal(questions.length, 1)
  return question ?? assert.fail()
}

test('a GET asks at the address of the payment, without a body', async () => {
  const { method, path, body, headers } = await askedOnce({})
  assert.deepEqual([method, path, body], ['GET', '/network_healthy?corridor=GB-NG&amount=1000', ''])
  assert.equal(headers['accept'], 'application/json')
  assert.equal(headers['content-type'], undefined)
  assert.equal((await askedOnce({}, { amount: null })).path, '/network_healthy?corridor=GB-NG')
})

test('a POST sends the payment as JSON, to the same address, and an absent amount is null', async () => {
  const { method, path, body, headers } = await askedOnce({ method: 'POST' })
  assert.deepEqual([method, path], ['POST', '/network_healthy?corridor=GB-NG&amount=1000'])
  assert.deepEqual(JSON.parse(body), { corridor: 'GB-NG', amount: 1_000, currency: 'GBP' })
  assert.equal(headers['content-type'], 'application/json')
  const other = await askedOnce({ method: 'POST' }, { amount: null, currency: currencyOf('NGN') })
  assert.deepEqual(JSON.parse(other.body), { corridor: 'GB-NG', amount: null, currency: 'NGN' })
})

test('headers carry the variables of the environment, and may say what is wanted', async () => {
  const headers = {
    Authorization: 'Bearer ${TOKEN}',
    'X-Both': '${A}/${B}',
    Accept: 'application/vnd.x+json',
  }
  const sent = (await askedOnce({ headers }, {}, { TOKEN: 'hunter2', A: 'a', B: 'b', C: 'c' })).headers
  assert.deepEqual(
    [sent['authorization'], sent['x-both'], sent['accept']],
    ['Bearer hunter2', 'a/b', 'application/vnd.x+json'],
  )
})

test('a pointer leads to the value, or there is none', async () => {
  const at = (value: string, answer: unknown, found: number | string): Row => [
    { ...plain, value },
    json(answer),
    found,
  ]
  await checkRows([
    at('', 0.5, 500),
    at('/a', { a: 0.5 }, 500),
    at('/a/b', { a: { b: 0.5 } }, 500),
    at('/a/1', { a: [0, 0.5] }, 500),
    at('/1', [0, 0.5], 500),
    at('/', { '': 0.5 }, 500),
    at('/a~1b', { 'a/b': 0.5 }, 500),
    at('/a~0b', { 'a~b': 0.5 }, 500),
    at('/a~01', { 'a~1': 0.5 }, 500),
    at('/0', { '0': 0.5 }, 500),
    at('/a', {}, 'no_value'),
    at('/a/b', { a: null }, 'no_value'),
    at('/a/b', { a: 'text' }, 'no_value'),
    at('/a/length', { a: [1] }, 'no_value'),
    at('/a/-', { a: [1] }, 'no_value'),
    at('/a/01', { a: [0, 1] }, 'no_value'),
    at('/a/2', { a: [0, 1] }, 'no_value'),
    at('/constructor', {}, 'no_value'),
    at('/__proto__', {}, 'no_value'),
    at('/toString/length', {}, 'no_value'),
    at('/a', { a: null }, 'wrong_type'),
    at('/a', { a: [1] }, 'wrong_type'),
    at('/a', { a: {} }, 'wrong_type'),
    at('/a', { a: '1' }, 'wrong_type'),
    at('/a', { a: 'x'.repeat(65) }, 'wrong_type'),
    at('/a', { a: true }, 'wrong_type'),
    at('/a', { a: -0.001 }, 'out_of_range'),
    at('/a', { a: 1.001 }, 'out_of_range'),
    [{ ...plain, value: '/a' }, text('{"a": 1e400}'), 'wrong_type'],
  ])
})

const second = 1_000
const isoOf = (ms: number): string => new Date(ms).toISOString()

test('when a value was observed is read in each format, from a pointer or from a header', async () => {
  const rows: [observed: FeedSpec, reply: Reply, observedAtMs: number | string][] = []
  const pointer = (format: string | undefined, at: unknown, expected: number | string): void => {
    rows.push([{ pointer: '/at', format }, json({ value: 1, at }), expected])
  }
  const header = (format: string | undefined, at: string, expected: number | string): void => {
    rows.push([{ header: 'X-At', format }, json({ value: 1 }, { 'x-at': at }), expected])
  }
  const before = startMs - 90 * second
  pointer(undefined, isoOf(before), before)
  pointer('iso8601', '2026-03-01T11:58:30Z', before)
  pointer('iso8601', '2026-03-01T13:58:30+02:00', before)
  pointer('iso8601', '2026-03-01T11:58Z', before - 30 * second)
  pointer('iso8601', '2026-03-01T11:58:30.123456789Z', before + 123)
  pointer('epoch_s', before / second, before)
  pointer('epoch_s', String(before / second), before)
  pointer('epoch_s', before / second + 0.5, before + 500)
  pointer('epoch_ms', before, before)
  pointer('age_s', 90, before)
  pointer('age_s', 0, startMs)
  pointer('http_date', 'Sun, 01 Mar 2026 11:58:30 GMT', before)
  header(undefined, 'Sun, 01 Mar 2026 11:58:30 GMT', before)
  header('iso8601', isoOf(before), before)
  header('epoch_s', String(before / second), before)
  header('epoch_ms', String(before), before)
  header('age_s', '90', before)
  for (const bad of [
    '2026-03-01',
    '2026-03-01T11:58:30',
    'now',
    '',
    1_772_366_310,
    null,
    {},
    '2026-02-30T25:00:00Z',
  ]) {
    pointer('iso8601', bad, 'wrong_type')
  }
  for (const bad of ['90 s', '-1', '', '1e3', '0x10']) header('age_s', bad, 'wrong_type')
  for (const bad of [-1, null, true, '-1', [90]]) pointer('age_s', bad, 'wrong_type')
  header('http_date', isoOf(before), 'wrong_type')
  rows.push([{ pointer: '/elsewhere' }, json({ value: 1 }), 'no_value'])
  rows.push([{ header: 'x-elsewhere' }, json({ value: 1 }), 'no_value'])
  const found: (number | string | null)[] = []
  for (const [observed_at, reply] of rows) {
    await withFeeds({ answer: () => reply, spec: fileWith({ observed_at }) }, async ({ read }) => {
      const result = await read(signal)
      found.push(result.kind === 'read' ? result.observedAtMs : result.fault)
    })
  }
  assert.deepEqual(
    found,
    rows.map(([, , expected]) => expected),
  )
})

test('a header that comes twice tells no time', async () => {
  const twice: Reply = (response) => {
    response.setHeader('x-at', ['90', '90'])
    response.end('{"value": 1}')
  }
  await checkRows([[{ observed_at: { header: 'x-at', format: 'age_s' } }, twice, 'wrong_type']])
})

test('a value of the future is refused, but for the little that two clocks may differ', async () => {
  await checkRows([
    [{}, text(providerBody(1, startMs + 5_000)), 1_000],
    [{}, text(providerBody(1, startMs + 5_001)), 'out_of_range'],
    [{}, text(providerBody(1, startMs + 86_400_000)), 'out_of_range'],
  ])
})

test('a value is stale beyond its largest age by our clock, and fresh up to it', async () => {
  await withFeeds({ spec: fileWith({ max_age_s: 60 }) }, async ({ read, clock }) => {
    assert.equal(gist(await read(signal)), 1_000)
    clock.advance(60_000)
    assert.equal(gist(await read(signal)), 1_000)
    clock.advance(1)
    const late = await read(signal)
    assert.deepEqual(late.kind === 'failed' ? [late.fault, late.detail] : null, [
      'stale',
      'is 60 s old, the maximum is 60 s',
    ])
  })
  await checkRows([
    [{}, text(providerBody(1, startMs - 300_000)), 1_000],
    [{}, text(providerBody(1, startMs - 300_001)), 'stale'],
    [{ max_age_s: 0.5 + 0.5 }, text(providerBody(1, startMs - 1_001)), 'stale'],
  ])
})

test('where freshness is not told, a value is as old as the question', async () => {
  await withFeeds({ spec: fileWith(plain) }, async ({ read, clock }) => {
    clock.advance(10_000_000)
    const result = await read(signal)
    assert.equal(result.kind === 'read' && result.observedAtMs, clock.nowMs())
  })
})

test('only a whole 200 with JSON is an answer', async () => {
  const good = providerBody(1)
  const status = (code: number, fault: string): Row => [
    {},
    text(code === 204 || code === 304 ? '' : good, code),
    fault,
  ]
  await checkRows([
    [{}, text(good), 1_000],
    [{}, text(` \n${good}\t`), 1_000],
    status(201, 'bad_status'),
    status(204, 'bad_status'),
    status(301, 'redirect'),
    status(304, 'redirect'),
    status(307, 'redirect'),
    status(401, 'bad_status'),
    status(404, 'bad_status'),
    status(429, 'bad_status'),
    status(503, 'bad_status'),
    [{}, text(''), 'unreadable'],
    [{}, text('null'), 'no_value'],
    [{}, text(`${good}${good}`), 'unreadable'],
    [{}, text(`\u{feff}${good}`), 1_000],
    [{}, text(Buffer.from([0xff, 0xfe, 0x00])), 'unreadable'],
    [
      {},
      text(Buffer.concat([Buffer.from('{"value":1,"x":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')])),
      'unreadable',
    ],
    [{}, text(gzipSync(good), 200, { 'content-encoding': 'gzip' }), 'unreadable'],
    [{}, text('{"value": NaN}'), 'unreadable'],
    [{}, text('<html></html>', 200, { 'content-type': 'text/html' }), 'unreadable'],
  ])
})

test('an answer has so many bytes and no more, whether it states its length or not', async () => {
  const padded = (bytes: number): string => providerBody(1).padEnd(bytes)
  const stated = (bytes: number): Reply => text(padded(bytes), 200, { 'content-length': String(bytes) })
  const unstated =
    (bytes: number): Reply =>
    (response) => {
      response.writeHead(200)
      response.write(padded(bytes).slice(0, 10))
      response.end(padded(bytes).slice(10))
    }
  const lie: Reply = (response) =>
    void response.writeHead(200, { 'content-length': '1000000000' }).write(providerBody(1))
  await checkRows([
    [{ max_bytes: 100 }, stated(100), 1_000],
    [{ max_bytes: 100 }, unstated(100), 1_000],
    [{ max_bytes: 100 }, stated(101), 'oversized'],
    [{ max_bytes: 100 }, unstated(101), 'oversized'],
    [{ max_bytes: 100 }, lie, 'oversized'],
    [{}, stated(65_536), 1_000],
    [{}, unstated(65_537), 'oversized'],
  ])
})

test('each way in which a provider can be unwell has its own name', async () => {
  const names: Readonly<Record<Unwell, string>> = {
    hanging: 'timeout',
    dripping: 'timeout',
    reset: 'connection_lost',
    'cut short': 'connection_lost',
    'status 500': 'bad_status',
    redirect: 'redirect',
    'not JSON': 'unreadable',
    'wrong type': 'wrong_type',
    'out of range': 'out_of_range',
    stale: 'stale',
    oversized: 'oversized',
  }
  const noHttp: Reply = (response) => void response.socket?.end('220 mail.example ESMTP\r\n')
  const manyHeaders: Reply = (response) =>
    void response.socket?.end(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`)
  const found: Record<string, number | string> = {}
  for (const fault of Object.keys(names) as Unwell[]) {
    const deadline_ms = names[fault] === 'timeout' ? 300 : 30_000
    const spec = (origin: string): FeedsSpec => ({ ...fileWith({})(origin), deadline_ms })
    await withFeeds({ answer: () => unwell[fault](providerBody(1)), spec }, async ({ read }) => {
      found[fault] = gist(await read(signal))
    })
  }
  assert.deepEqual(found, names)
  await checkRows([
    [{}, noHttp, 'unreadable'],
    [{}, manyHeaders, 'unreadable'],
    [{ url: 'http://127.0.0.1:1/' }, text(''), 'refused'],
    [{ url: 'http://nowhere.invalid/' }, text(''), 'refused'],
  ])
})

test('what a failure tells an operator names no address and no value of a header', async () => {
  const more = { url: 'http://127.0.0.1:1/secret-path?key=hunter2', headers: { a: '${A}' } }
  await withFeeds({ spec: fileWith(more), environment: { A: 'hunter2' } }, async ({ read }) => {
    assert.doesNotMatch(JSON.stringify(await read(signal)), /hunter2|secret-path|127\.0\.0\.1/)
  })
})
