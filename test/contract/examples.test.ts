/** The examples in the document are real: each is sent as it stands, and the answer is the one that the document shows. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { playDeliveries, playRefusals, playScenes, typeOf } from '../../scripts/examples/record.ts'
import type { Scene } from '../../scripts/examples/scenes.ts'
import type { ExampleRequest } from '../../scripts/examples/stage.ts'
import { documentFile } from '../../scripts/generate-contract.ts'
import { keyPattern } from '../../src/core/identity/api-key.ts'
import { statusOf, type ErrorCode } from '../../src/http/errors.ts'

type ByName<Value> = Readonly<Record<string, Value>>

interface Media {
  readonly example?: unknown
  readonly examples?: ByName<{ readonly summary: string; readonly value: unknown }>
}

interface Operation {
  readonly operationId: string
  readonly parameters?: readonly {
    readonly name: string
    readonly required: boolean
    readonly example?: string | number
  }[]
  readonly requestBody?: { readonly content: ByName<Media> }
  readonly responses: ByName<{ readonly $ref?: string; readonly content?: ByName<Media> }>
}

interface Document {
  readonly paths: ByName<ByName<Operation>>
  readonly webhooks: ByName<{ readonly post: Operation }>
  readonly components: { readonly responses: ByName<{ readonly content: ByName<Media> }> }
}

const text = readFileSync(documentFile, 'utf8')
const document = JSON.parse(text) as Document
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))
const byName = new Map(operations.map((operation) => [operation.operationId, operation]))
const hint = 'run `npm run generate`, and look at what has changed'

/** The request that the document shows, and nothing of the scene. */
function documented(scene: Scene): ExampleRequest {
  const { parameters = [], requestBody } = byName.get(scene.operation) ?? assert.fail(scene.operation)
  const given = parameters.flatMap(({ name, example }) => (example === undefined ? [] : [[name, example]]))
  const type = requestBody === undefined ? null : typeOf(scene)
  return {
    parameters: Object.fromEntries(given) as Record<string, string | number>,
    type,
    body: type === null ? undefined : requestBody?.content[type]?.example,
  }
}

/** Each example of a request and of its answer in the document, as `operation where type`. */
function examplesOf({ operationId, requestBody, responses }: Operation): string[] {
  const shown = (where: string, content: ByName<Media> = {}): string[] =>
    Object.entries(content).flatMap(([type, { example }]) =>
      example === undefined ? [] : [`${operationId} ${where} ${type}`],
    )
  return [...shown('request', requestBody?.content), ...shown('answer', responses['200']?.content)]
}

test('every example of a request gets the answer that the document shows', async () => {
  const sent = new Set<string>()
  for (const { scene, request, answer } of await playScenes(documented)) {
    const { operation } = scene
    const shown = byName.get(operation)?.responses['200']?.content?.[typeOf(scene)]?.example
    assert.deepEqual(answer, shown, `${operation}: ${hint}`)
    if (request.type !== null) sent.add(`${operation} request ${request.type}`)
    sent.add(`${operation} answer ${typeOf(scene)}`)
  }
  assert.deepEqual(sent, new Set(operations.flatMap(examplesOf)), 'an example was not sent')
})

test('every operation has an example of its request and of its answer', () => {
  for (const operation of operations) {
    const { operationId, parameters = [], requestBody, responses } = operation
    const shown = new Set(examplesOf(operation))
    assert.ok(shown.has(`${operationId} answer application/json`), `${operationId} shows no answer`)
    for (const type of Object.keys(requestBody?.content ?? {})) {
      assert.ok(shown.has(`${operationId} request ${type}`), `${operationId} shows no ${type}`)
    }
    const given = parameters.filter(({ example }) => example !== undefined)
    const needed = parameters.filter(({ required }) => required)
    assert.ok(
      needed.every((one) => given.includes(one)),
      `${operationId} lacks a parameter`,
    )
    const asks = requestBody !== undefined || parameters.length === 0 || given.length > 0
    assert.ok(asks, `${operationId} shows no parameter`)
    for (const [status, { $ref, content }] of Object.entries(responses)) {
      if (Number(status) < 400) continue
      assert.ok($ref !== undefined && content === undefined, `${operationId} ${status} is not a shared error`)
    }
  }
})

test('every error in the document is one that the service gives', async () => {
  const given: Record<string, Record<string, unknown>> = {}
  for (const { form, summary, answer } of await playRefusals()) {
    const name = `Error${form}`
    given[name] = { ...given[name], [String(answer['code'])]: { summary, value: answer } }
  }
  const shown = Object.entries(document.components.responses).map(([name, { content }]) => [
    name,
    content['application/json']?.examples,
  ])
  assert.deepEqual(Object.fromEntries(shown), given, hint)
  for (const [name, examples] of Object.entries(given)) {
    for (const code of Object.keys(examples)) {
      assert.ok(name.startsWith(`Error${statusOf[code as ErrorCode]}`), `${name} shows ${code}`)
    }
  }
})

test('every event in the document is one that a receiver gets', async () => {
  const { events } = await playDeliveries()
  const shown = Object.entries(document.webhooks).map(([kind, { post }]) => [
    kind,
    post.requestBody?.content['application/json']?.example,
  ])
  assert.deepEqual(Object.fromEntries(shown), events, hint)
})

test('no key and no secret in the document could be used', () => {
  assert.doesNotMatch(text, keyPattern)
  assert.doesNotMatch(text, /whsec_[A-Za-z0-9+/]/)
  assert.match(text, /"sandbox_key": "svc-sandbox-…"/)
  assert.match(text, /"secret": "whsec_…"/)
})
