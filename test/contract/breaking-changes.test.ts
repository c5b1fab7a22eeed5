/** Each kind of breaking change, made to a copy of the real document, is found, and nothing else with it. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { breakingChanges } from '../../scripts/contract/breaking-changes.ts'
import { documentFile } from '../../scripts/generate-contract.ts'

const text = readFileSync(documentFile, 'utf8')

// eslint-disable-next-line typescript/no-explicit-any -- a document that is taken apart freely
type Loose = any
type Row = readonly [kind: string, change: (document: Loose) => void, ...found: string[]]

const verify = (document: Loose): Loose => document.paths['/api/v1/verify'].post
const schema = (document: Loose, name: string): Loose => document.components.schemas[name]
const member = (document: Loose, name: string, at: string): Loose => schema(document, name).properties[at]
const parameter = (operation: Loose, name: string): Loose =>
  operation.parameters.find((one: Loose) => one.name === name)
const without = (list: Loose[], ...gone: Loose[]): Loose[] => list.filter((item) => !gone.includes(item))
const event = (document: Loose): Loose => document.webhooks['payment.decision.created'].post

const answer = 'schemas/VerifyResponse (output)'
const request = 'schemas/VerifyRequest (input)'

const operations: readonly Row[] = [
  ['a path is gone', (d) => delete d.paths['/api/v1/replay'], 'POST /api/v1/replay: removed'],
  ['a method is gone', (d) => delete d.paths['/api/v1/webhooks'].get, 'GET /api/v1/webhooks: removed'],
  [
    'an operation has another name',
    (d) => (verify(d).operationId = 'check'),
    'POST /api/v1/verify: operationId is check, was verify',
  ],
  [
    'a status is gone',
    (d) => delete verify(d).responses['409'],
    'POST /api/v1/verify, response 409: removed',
  ],
  [
    'a media type of a request is gone',
    (d) => delete d.paths['/api/v1/batch-assess'].post.requestBody.content['text/csv'],
    'POST /api/v1/batch-assess, request body: text/csv removed',
  ],
  [
    'a media type of an answer is gone',
    (d) => delete d.paths['/api/v1/batch-assess'].post.responses['200'].content['text/csv'],
    'POST /api/v1/batch-assess, response 200: text/csv removed',
  ],
  [
    'a header of an answer is gone',
    (d) => delete verify(d).responses['200'].headers['X-Request-ID'],
    'POST /api/v1/verify, response 200, header X-Request-ID: removed',
  ],
  [
    'a header is of another type',
    (d) => (d.components.headers['X-Request-ID'].schema.type = 'integer'),
    'headers/X-Request-ID (output): may now be number',
  ],
  [
    'a header of an error is gone',
    (d) => delete d.components.responses.Error429.headers['Retry-After'],
    'responses/Error429 (output), header Retry-After: removed',
  ],
  [
    'a key is needed where none was',
    (d) => (d.paths['/api/health'].get.security = [{ bearer: [] }]),
    'GET /api/health: no key no longer sufficient',
  ],
  [
    'another scope is needed',
    (d) => (verify(d).security[0] = { bearer: ['audit:read'] }),
    'POST /api/v1/verify: bearer decision:read no longer sufficient',
  ],
  [
    'one way to authenticate is gone',
    (d) => verify(d).security.splice(1, 1),
    'POST /api/v1/verify: apiKey decision:read no longer sufficient',
  ],
  [
    'a key goes elsewhere',
    (d) => (d.components.securitySchemes.apiKey.name = 'X-Key'),
    'security scheme apiKey: changed',
  ],
  ['the server is another', (d) => (d.servers[0].url = '/v2'), 'server /: removed'],
]

const requests: readonly Row[] = [
  [
    'a new field is required',
    (d) => {
      schema(d, 'VerifyRequest').properties.purpose = { type: 'string' }
      schema(d, 'VerifyRequest').required.push('purpose')
    },
    `${request}/purpose: now required`,
  ],
  [
    'a field is required that was not',
    (d) => schema(d, 'VerifyRequest').required.push('amount'),
    `${request}/amount: now required`,
  ],
  [
    'a field is gone',
    (d) => delete schema(d, 'VerifyRequest').properties.correlation_id,
    `${request}/correlation_id: removed`,
  ],
  [
    'a field takes another type',
    (d) => (member(d, 'VerifyRequest', 'amount').type = 'string'),
    `${request}/amount: number no longer accepted`,
  ],
  [
    'a field takes whole numbers only',
    (d) => (member(d, 'VerifyRequest', 'amount').type = 'integer'),
    `${request}/amount: type is "integer", was "number"`,
  ],
  [
    'a field takes no null any more',
    (d) => (member(d, 'WebhookRequest', 'description').type = 'string'),
    'schemas/WebhookRequest (input)/description: null no longer accepted',
  ],
  [
    'a longest text is shorter',
    (d) => (member(d, 'VerifyRequest', 'correlation_id').maxLength = 10),
    `${request}/correlation_id: maxLength is 10, was 255`,
  ],
  [
    'a largest number is smaller',
    (d) => (member(d, 'VerifyRequest', 'amount').maximum = 10),
    `${request}/amount: maximum is 10, was 1000000000000000`,
  ],
  [
    'a smallest number is larger',
    (d) => (member(d, 'VerifyRequest', 'amount').minimum = 1),
    `${request}/amount: minimum is 1, was 0`,
  ],
  [
    'a limit is new',
    (d) => (member(d, 'AccessRequest', 'email').pattern = '@'),
    'schemas/AccessRequest (input)/email: pattern is "@", was absent',
  ],
  [
    'fewer rows are taken',
    (d) => (member(d, 'BatchRequest', 'transactions').maxItems = 100),
    'schemas/BatchRequest (input)/transactions: maxItems is 100, was 500',
  ],
  [
    'a pattern is another',
    (d) => (member(d, 'VerifyRequest', 'currency').pattern = '^[A-Z]{3}$'),
    String.raw`${request}/currency: pattern is "^[A-Z]{3}$", was "^[^\\u0000-\\u001f\\u007f-\\u009f]*$"`,
  ],
  [
    'a text may be one of a few only',
    (d) => (member(d, 'VerifyRequest', 'currency').enum = ['GBP']),
    `${request}/currency: enum is ["GBP"], was absent`,
  ],
  [
    'a value of a field is gone',
    (d) => schema(d, 'PaymentOutcome').enum.pop(),
    'schemas/PaymentOutcome (output): value PENDING removed',
    'schemas/PaymentOutcome (input): value PENDING removed',
  ],
  [
    'a body is required',
    (d) => (d.paths['/api/v1/demo-verify'].post.requestBody.required = true),
    'POST /api/v1/demo-verify, request body: now required',
  ],
  [
    'unknown members are refused',
    (d) => (schema(d, 'VerifyRequest').additionalProperties = false),
    `${request}/(any other): no longer accepted`,
  ],
]

const parameters: readonly Row[] = [
  [
    'a value of a parameter is gone',
    (d) => (parameter(verify(d), 'mode').schema.enum = ['shadow']),
    'POST /api/v1/verify, query parameter mode: value live removed',
  ],
  [
    'a parameter is gone',
    (d) => verify(d).parameters.shift(),
    'POST /api/v1/verify, query parameter mode: removed',
  ],
  [
    'a new parameter is required',
    (d) => verify(d).parameters.push({ in: 'query', name: 'tenant', required: true, schema: {} }),
    'POST /api/v1/verify, query parameter tenant: now required',
  ],
  [
    'a header is required that was not',
    (d) => (parameter(verify(d), 'idempotency-key').required = true),
    'POST /api/v1/verify, header parameter idempotency-key: now required',
  ],
  [
    'a page may be no longer than before',
    (d) => (parameter(d.paths['/api/verifications'].get, 'limit').schema.maximum = 10),
    'GET /api/verifications, query parameter limit: maximum is 10, was 500',
  ],
]

const answers: readonly Row[] = [
  [
    'a field is gone',
    (d) => {
      delete schema(d, 'VerifyResponse').properties.volatility
      schema(d, 'VerifyResponse').required = without(schema(d, 'VerifyResponse').required, 'volatility')
    },
    `${answer}/volatility: removed`,
  ],
  [
    'a field may be missing',
    (d) => (schema(d, 'VerifyResponse').required = without(schema(d, 'VerifyResponse').required, 'mode')),
    `${answer}/mode: now optional`,
  ],
  [
    'a field is of another type',
    (d) => (member(d, 'VerifyResponse', 'api_version').type = 'number'),
    `${answer}/api_version: may now be number`,
  ],
  [
    'a field may be null',
    (d) =>
      (schema(d, 'VerifyResponse').properties.corridor = { anyOf: [{ type: 'string' }, { type: 'null' }] }),
    `${answer}/corridor: may now be null`,
  ],
  [
    'whole numbers are not whole any more',
    (d) => (member(d, 'VerifyResponse', 'probe_count').type = 'number'),
    `${answer}/probe_count: type is "number", was "integer"`,
  ],
  [
    'a number leaves its bounds',
    (d) => (member(d, 'VerifyResponse', 'score').maximum = 100),
    `${answer}/score: maximum is 100, was 1`,
  ],
  [
    'a promise on the form is taken back',
    (d) => delete member(d, 'VerifyResponse', 'request_id').pattern,
    `${answer}/request_id: pattern is absent, was "^SVC-"`,
  ],
  [
    'a field deep inside is gone',
    (d) => delete schema(d, 'Explanation').properties.counterfactuals.items.properties.kind,
    'schemas/Explanation (output)/counterfactuals/*/kind: removed',
  ],
  [
    'a reason code is gone',
    (d) => (schema(d, 'ReasonCode').enum = without(schema(d, 'ReasonCode').enum, 'POLICY_CAP_APPLIED')),
    'schemas/ReasonCode (output): value POLICY_CAP_APPLIED removed',
  ],
  [
    'an error code is gone',
    (d) => (member(d, 'Error', 'code').enum = without(member(d, 'Error', 'code').enum, 'OVERRIDE_EXISTS')),
    'schemas/Error (output)/code: value OVERRIDE_EXISTS removed',
  ],
  [
    'what was one of a few may be anything',
    (d) => {
      delete schema(d, 'Mode').enum
      schema(d, 'Mode').type = 'string'
    },
    'schemas/Mode (output): enum is absent, was ["shadow","live"]',
  ],
]

const events: readonly Row[] = [
  [
    'an event is gone',
    (d) => delete d.webhooks['payment.override.created'],
    'event payment.override.created: removed',
  ],
  [
    'a field of an event is gone',
    (d) => delete schema(d, 'DecisionEventData').properties.amount,
    'schemas/DecisionEventData (output)/amount: removed',
  ],
  [
    'a field of an event may be missing',
    (d) => (schema(d, 'DecisionEvent').required = without(schema(d, 'DecisionEvent').required, 'attempt')),
    'schemas/DecisionEvent (output)/attempt: now optional',
  ],
  [
    'a header of an event is gone',
    (d) => (event(d).parameters = without(event(d).parameters, parameter(event(d), 'X-SVC-Signature'))),
    'event payment.decision.created, header parameter x-svc-signature: removed',
  ],
  [
    'a header of an event may be missing',
    (d) => (parameter(event(d), 'X-SVC-Attempt').required = false),
    'event payment.decision.created, header parameter x-svc-attempt: now optional',
  ],
  [
    'a receiver may not answer as it did',
    (d) => (event(d).responses = { '200': { description: 'Taken.' } }),
    'event payment.decision.created, response 2XX: removed',
  ],
]

const groups: Readonly<Record<string, readonly Row[]>> = { operations, requests, parameters, answers, events }

for (const [group, rows] of Object.entries(groups)) {
  for (const [kind, change, ...found] of rows) {
    test(`it is found in ${group} that ${kind}`, () => {
      const after: Loose = JSON.parse(text)
      change(after)
      assert.deepEqual(breakingChanges(JSON.parse(text), after).toSorted(), found.toSorted())
    })
  }
}
