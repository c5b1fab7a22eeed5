/** Changes that break nobody pass the guard: the contract can grow. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { breakingChanges } from '../../scripts/contract/breaking-changes.ts'
import { documentFile } from '../../scripts/generate-contract.ts'

const text = readFileSync(documentFile, 'utf8')

// eslint-disable-next-line typescript/no-explicit-any -- a document that is taken apart freely
type Loose = any

const verify = (document: Loose): Loose => document.paths['/api/v1/verify'].post
const schema = (document: Loose, name: string): Loose => document.components.schemas[name]
const member = (document: Loose, name: string, at: string): Loose => schema(document, name).properties[at]

const rows: readonly [kind: string, change: (document: Loose) => void][] = [
  ['nothing is changed', () => {}],
  ['a path is new', (d) => (d.paths['/api/v1/new'] = { get: verify(d) })],
  ['a method is new', (d) => (d.paths['/api/v1/verify'].get = d.paths['/api/health'].get)],
  ['a status is new', (d) => (verify(d).responses['418'] = { description: 'New.' })],
  ['a media type is new', (d) => (verify(d).responses['200'].content['text/csv'] = {})],
  ['a header of an answer is new', (d) => (verify(d).responses['200'].headers['X-New'] = { schema: {} })],
  ['no key is needed any more', (d) => (verify(d).security = [])],
  [
    'a scope is not needed any more',
    (d) => (verify(d).security = [{ bearer: [] }, { apiKey: [] }, { session: [] }]),
  ],
  ['another way to authenticate is taken', (d) => verify(d).security.push({ mutual: [] })],
  ['an event is new', (d) => (d.webhooks['payment.new'] = d.webhooks['webhook.test'])],
  ['a header of events is new', (d) => d.webhooks['webhook.test'].post.parameters.push(header('X-New'))],
  ['a parameter is new', (d) => verify(d).parameters.push({ in: 'query', name: 'n', schema: {} })],
  ['a header is spelled otherwise', (d) => (verify(d).parameters[1].name = 'Idempotency-Key')],
  ['a field of a request is new', (d) => (schema(d, 'VerifyRequest').properties.n = { type: 'string' })],
  ['a field of a request may be missing', (d) => (schema(d, 'VerifyRequest').required = [])],
  [
    'a field of a request may be null',
    (d) => (member(d, 'VerifyRequest', 'amount').type = ['number', 'null']),
  ],
  ['a body may be missing', (d) => (verify(d).requestBody.required = false)],
  ['a limit is wider', (d) => (member(d, 'VerifyRequest', 'correlation_id').maxLength = 1_000)],
  ['a limit is gone', (d) => delete member(d, 'VerifyRequest', 'currency').pattern],
  ['a field of an answer is new', (d) => addField(schema(d, 'VerifyResponse'))],
  ['a field of an answer is always there', (d) => schema(d, 'VerifyResponse').required.push('cooldown')],
  ['a field of an answer is never null', (d) => noNull(schema(d, 'VerifyResponse').properties)],
  ['a number of an answer is whole', (d) => (member(d, 'VerifyResponse', 'volatility').type = 'integer')],
  ['a number of an answer has narrower bounds', (d) => (member(d, 'VerifyResponse', 'score').maximum = 0.99)],
  ['a reason code is new', (d) => schema(d, 'ReasonCode').enum.push('NEW_REASON')],
  ['an error code is new', (d) => member(d, 'Error', 'code').enum.push('NEW_ERROR')],
  ['a value of a request is new', (d) => schema(d, 'PaymentOutcome').enum.push('RETURNED')],
  [
    'values are listed in another order',
    (d) => (schema(d, 'ReasonCode').enum = schema(d, 'ReasonCode').enum.toReversed()),
  ],
  ['a type is said that the values have', (d) => (schema(d, 'PaymentOutcome').type = 'string')],
  ['words are other words', (d) => (verify(d).summary = schema(d, 'Error').description = 'Other words.')],
  ['an example is another', (d) => (verify(d).requestBody.content['application/json'].example = {})],
  ['a schema has another name', (d) => rename(d)],
  ['a schema is written where it is used', (d) => inline(d)],
]

const header = (name: string): Loose => ({ in: 'header', name, required: true, schema: { type: 'string' } })

function addField(described: Loose): void {
  described.properties.added = { type: 'string' }
  described.required.push('added')
}

function noNull(properties: Loose): void {
  properties.recommended_partner = { type: 'string' }
}

function rename(document: Loose): void {
  const { schemas } = document.components
  schemas.Answer = schemas.VerifyResponse
  delete schemas.VerifyResponse
  verify(document).responses['200'].content['application/json'].schema.$ref = '#/components/schemas/Answer'
}

function inline(document: Loose): void {
  const media = verify(document).requestBody.content['application/json']
  media.schema = schema(document, 'VerifyRequest')
  delete document.components.schemas.VerifyRequest
}

for (const [kind, change] of rows) {
  test(`it passes that ${kind}`, () => {
    const after: Loose = JSON.parse(text)
    change(after)
    assert.deepEqual(breakingChanges(JSON.parse(text), after), [])
  })
}

test('a change under another name is found where it is used', () => {
  const after: Loose = JSON.parse(text)
  delete schema(after, 'VerifyResponse').properties.mode
  rename(after)
  assert.deepEqual(breakingChanges(JSON.parse(text), after), [
    'POST /api/v1/verify, response 200/mode: removed',
  ])
})

test('a default that is another breaks callers, and a schema that holds itself comes to an end', () => {
  const document = (assumed: number): Loose => {
    const self = { type: 'array', items: { $ref: '#/components/schemas/Tree' } }
    const tree = { type: 'object', properties: { count: { type: 'integer', default: assumed }, parts: self } }
    const content = { 'application/json': { schema: { $ref: '#/components/schemas/Tree' } } }
    const post = { requestBody: { content }, responses: {} }
    return { paths: { '/trees': { post } }, components: { schemas: { Tree: tree } } }
  }
  assert.deepEqual(breakingChanges(document(1), document(2)), [
    'schemas/Tree (input)/count: default is 2, was 1',
  ])
})
