/** Requests whose length can be read in two ways: none is ever answered as two, and no key is lent to another's request. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { answersIn, sendRaw, type RawAnswer } from '../../../torture/raw.ts'
import { checkedFetch } from '../../helpers/process/checked-fetch.ts'
import { freshDatabase, type FreshDatabase } from '../../helpers/database/databases.ts'
import { issueByCli, serve, type Served } from '../../helpers/process/process.ts'

let database: FreshDatabase
let server: Served
let key: string

before(async () => {
  database = await freshDatabase('sqlite')
  key = (await issueByCli(database.url)).key
  server = await serve({ DATABASE_URL: database.url })
})

after(async () => {
  await server.stop()
  await database.drop()
})

async function answersTo(bytes: string): Promise<RawAnswer[]> {
  const received = await sendRaw(Number(new URL(server.url).port), Buffer.from(bytes, 'latin1'))
  assert.ok(received !== null, 'the connection was left open')
  return answersIn(received)
}

const body = '{"corridor":"GB-NG"}'

/** The request that an attacker hides: it has no key of its own, and would count if it were read as one. */
const hidden = 'POST /api/v1/demo-verify HTTP/1.1\r\nHost: x\r\nX-Hidden: 1\r\nContent-Length: 0\r\n\r\n'

const head = (...lines: readonly string[]): string =>
  [
    'POST /api/v1/verify HTTP/1.1',
    'Host: x',
    'Content-Type: application/json',
    `Authorization: Bearer ${key}`,
    ...lines,
    '',
    '',
  ].join('\r\n')

const chunk = (text: string, extension = ''): string =>
  `${text.length.toString(16)}${extension}\r\n${text}\r\n`

async function recorded(): Promise<number> {
  const health = (await (await checkedFetch(`${server.url}/api/health`)).json()) as {
    total_verifications: number
  }
  return health.total_verifications
}

/** Two readings of one message: where the first request ends by its length, and where by its chunks. */
const ambiguous: readonly (readonly [name: string, bytes: () => string])[] = [
  ['CL.TE', () => `${head('Content-Length: 6', 'Transfer-Encoding: chunked')}0\r\n\r\n${hidden}`],
  ['TE.CL', () => `${head('Transfer-Encoding: chunked', 'Content-Length: 4')}${chunk(hidden)}0\r\n\r\n`],
  ['TE.TE', () => `${head('Transfer-Encoding: chunked', 'Transfer-Encoding: x')}0\r\n\r\n${hidden}`],
  ['an unknown coding', () => `${head('Transfer-Encoding: xchunked')}${chunk(body)}0\r\n\r\n${hidden}`],
  ['a coding after chunked', () => `${head('Transfer-Encoding: chunked, identity')}0\r\n\r\n${hidden}`],
  ['a space before the colon', () => `${head('Transfer-Encoding : chunked')}0\r\n\r\n${hidden}`],
  ['two lengths', () => `${head('Content-Length: 20', 'Content-Length: 0')}${body}${hidden}`],
  ['two lengths in one line', () => `${head('Content-Length: 20, 0')}${body}${hidden}`],
  ['a signed length', () => `${head('Content-Length: +20')}${body}${hidden}`],
  ['a length in hex', () => `${head('Content-Length: 0x14')}${body}${hidden}`],
  ['a folded header', () => `${head('X: a', ' Content-Length: 0', 'Content-Length: 20')}${body}`],
  ['a bare LF in the head', () => `${head('X: a\nContent-Length: 0', 'Content-Length: 20')}${body}`],
  ['a bare CR in the head', () => `${head('X: a\rTransfer-Encoding: chunked')}0\r\n\r\n${hidden}`],
  ['a NUL in a value', () => `${head('X: \u0000', 'Content-Length: 0')}${hidden}`],
  ['a chunk size that overflows', () => `${head('Transfer-Encoding: chunked')}10000000000000014\r\n${body}`],
  ['a signed chunk size', () => `${head('Transfer-Encoding: chunked')}-1\r\n${body}\r\n0\r\n\r\n${hidden}`],
  [
    'a chunk longer than it says',
    () => `${head('Transfer-Encoding: chunked')}5\r\n${body}\r\n0\r\n\r\n${hidden}`,
  ],
  ['a bare LF after a chunk', () => `${head('Transfer-Encoding: chunked')}14\n${body}\n0\n\n${hidden}`],
]

test('a message with two readings is refused once, and what hides in it is never answered', async () => {
  const soFar = await recorded()
  for (const [name, bytes] of ambiguous) {
    const answers = await answersTo(bytes())
    assert.deepEqual(
      answers.map(({ status, headers }) => [status, headers['connection']]),
      [[400, 'close']],
      `${name}: ${JSON.stringify(answers)}`,
    )
  }
  assert.equal(await recorded(), soFar, 'one of them was taken for a verification')
})

test('chunks with extensions and trailers are one body, and no header comes in by a trailer', async () => {
  const closing = head('Transfer-Encoding: chunked', 'Connection: close')
  const extended = await answersTo(`${closing}${chunk(body, ';a=b;c="d"')}0\r\n\r\n`)
  assert.deepEqual(
    extended.map(({ status }) => status),
    [200],
  )
  const anonymous = closing.replace(/Authorization: .*\r\n/, '')
  const trailed = await answersTo(
    `${anonymous}${chunk(body)}0\r\nAuthorization: Bearer ${key}\r\nX-API-Key: ${key}\r\n\r\n`,
  )
  assert.deepEqual(
    trailed.map(({ status }) => status),
    [401],
  )
})

test('of requests that follow each other on one connection each has its own key, or none', async () => {
  const own = `${head(`Content-Length: ${body.length}`)}${body}`
  const anonymous = own
    .replace(/Authorization: .*\r\n/, '')
    .replace('Host: x', 'Host: x\r\nConnection: close')
  const answers = await answersTo(`${own}${anonymous}`)
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 401],
  )
})

test('a header that a value tries to add is part of the value, and comes back nowhere', async () => {
  const planted = encodeURIComponent('GB-NG\r\nSet-Cookie: a=b\r\n\r\n<html>')
  const get = `GET /api/v1/corridors/${planted} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-API-Key: ${key}\r\n\r\n`
  const [answer, ...more] = await answersTo(get)
  assert.equal(answer?.status, 400)
  assert.equal(answer.headers['set-cookie'], undefined)
  assert.deepEqual(more, [])
})
