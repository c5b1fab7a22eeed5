/** Every answer in the tests is held against the document, and nothing that is not in it passes unseen. */

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { sep } from 'node:path'
import { test } from 'node:test'
import { publishedPaths } from '../helpers/process/checked-fetch.ts'
import { checkAnswer, type Seen } from '../helpers/contract.ts'

const folder = new URL('..', import.meta.url)

/** Files that ask somebody else without the check, or are the check, each with its reason. */
const exempt: Readonly<Record<string, string>> = {
  'helpers/process/checked-fetch.ts': 'checks',
  'helpers/harness.ts': 'checks',
  'e2e/cli/webhooks-listen.test.ts': 'asks the receiver of `fairway webhooks listen`',
  'e2e/recipes/gate.test.ts': 'asks the programs of the recipes',
  'e2e/recipes/slack.test.ts': 'asks the program of the recipe',
  'e2e/cli/feeds.test.ts': 'tells a provider of signals how to behave',
  'adapters/webhook/receiver.test.ts': 'asks a receiver',
  'helpers/peers/visitor.ts': 'asks the identity provider',
  'helpers/peers/prometheus.ts': 'asks Prometheus',
  'http/service/guard.test.ts': 'asks a route of its own behind the guard, which the service does not serve',
}

test('no test asks the service around the check', () => {
  const files = globSync('**/*.ts', { cwd: folder, exclude: ['runtimes/**'] }).map((path) =>
    path.split(sep).join('/'),
  )
  const around = files.filter((path) =>
    /(?<![\w.])fetch\(|\.inject\(/.test(readFileSync(new URL(path, folder), 'utf8')),
  )
  assert.deepEqual(around.toSorted(), Object.keys(exempt).toSorted())
})

const error = (code: string) => ({ message: 'No.', code, request_id: 'req_1' })
const common = {
  'content-type': 'application/json; charset=utf-8',
  'x-request-id': 'req_1',
  'x-svc-version': 'v1',
  'x-svc-environment': 'sandbox',
}
const health = {
  status: 'healthy',
  version: '1.3.0',
  contract_version: '1.2.0',
  timestamp: '2026-03-01T12:00:00.000Z',
  total_verifications: 1,
  message: 'Up.',
  mode: 'shadow',
  modes: ['shadow'],
  environment: 'sandbox',
}
const good: Seen = { method: 'GET', path: '/api/health', status: 200, headers: common, body: health }
const { 'x-svc-version': _version, ...headersShort } = common
const { mode: _mode, ...bodyShort } = health

const passing: readonly [name: string, seen: Partial<Seen>][] = [
  ['what the document says', {}],
  ['its headers alone', { method: 'HEAD', body: undefined }],
  ['404 of a path that nobody has', { path: '/nowhere', status: 404, body: error('NOT_FOUND') }],
  ['405 of a path that is there', { method: 'PUT', status: 405, body: error('METHOD_NOT_ALLOWED') }],
  ['a page', { path: '/docs/', headers: { 'content-type': 'text/html' }, body: undefined }],
]

const failing: readonly [name: string, seen: Partial<Seen>, why: RegExp][] = [
  ['a path that is not documented', { path: '/api/v1/secret' }, /is not documented, and answers/],
  ['a method that is not documented', { method: 'DELETE' }, /is not documented, and answers/],
  ['404 of a method', { method: 'PUT', status: 404, body: error('NOT_FOUND') }, /is not documented/],
  ['a status that is not documented', { status: 201 }, /does not document 201/],
  ['a header that is missing', { headers: headersShort }, /lacks the header X-SVC-Version/],
  ['another type', { headers: { ...common, 'content-type': 'text/csv' } }, /does not document text\/csv/],
  ['no type', { headers: { ...common, 'content-type': undefined } }, /does not document/],
  ['a member that is missing', { body: bodyShort }, /does not fit/],
  ['a member of another type', { body: { ...health, total_verifications: '1' } }, /does not fit/],
  ['a member that is not described', { body: { ...health, more: 1 } }, /has more than its schema says/],
  ['an error of another shape', { status: 500, body: { error: 'no' } }, /an error of another shape/],
]

for (const [name, seen] of passing) {
  test(`the check passes ${name}`, () => checkAnswer(publishedPaths(), { ...good, ...seen }))
}

for (const [name, seen, why] of failing) {
  test(`the check refuses ${name}`, () => {
    assert.throws(() => checkAnswer(publishedPaths(), { ...good, ...seen }), why)
  })
}
