/** The Python clients have every operation that a key may call, and send and repeat each as the TypeScript client does. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { documentFile } from '../../../scripts/generate-contract.ts'
import {
  keyOperations,
  snakeCase,
  type ApiDocument,
  type KeyOperation,
} from '../../../scripts/contract/python/document.ts'
import { FairwayClient } from '../../../client/src/index.ts'
import { runPython } from '../../helpers/process/python.ts'
import { refused, withScript, type ReceivedRequest } from '../../helpers/peers/scripted.ts'

const document = JSON.parse(readFileSync(documentFile, 'utf8')) as ApiDocument
const operations = keyOperations(document)

/** Methods that are no operations: a second form of the history, a probe, and those of the client itself. */
const otherMethods = ['export_verifications', 'ready', 'base_url', 'with_options']

/** In TypeScript the query of these is in the last argument. */
const withoutQuery = new Set([
  'verify',
  'batchAssess',
  'keepBatchReport',
  'batchReport',
  'exportAudit',
  'reportOutcomes',
])

/** Bodies that the client itself looks into. */
const bodies: Readonly<Record<string, unknown>> = {
  verify: { corridor: 'GB-NG', amount: 1, idempotency_key: 'k' },
  reportOutcomes: [{ request_id: 'r', outcome: 'FAILED' }],
}

interface Arguments {
  readonly parts: readonly string[]
  readonly body: readonly unknown[]
  readonly query: Readonly<Record<string, unknown>>
}

function argumentsOf({ operationId, parameters = [], requestBody }: KeyOperation): Arguments {
  const inQuery = parameters.filter((one) => one.in === 'query')
  const names = inQuery.filter(({ required }) => required !== true).map(({ name }) => name)
  const hasQuery = names.length > 0 && !withoutQuery.has(operationId)
  return {
    parts: parameters
      .filter((one) => one.in === 'path' || inQuery.length > names.length)
      .map(() => 'an id/é'),
    body: requestBody === undefined ? [] : [bodies[operationId] ?? { text: 'é', amount: 0.1 }],
    // One value is enough to see its name and its form.
    query: hasQuery
      ? Object.fromEntries([[names.includes('from') ? 'from' : (names[0] ?? ''), 'a b+ü']])
      : {},
  }
}

async function callTypeScript(url: string, operation: KeyOperation): Promise<void> {
  const { operationId: name } = operation
  const runtime = { sleep: async () => undefined }
  const baseUrl = `${url}/ts/${snakeCase(name)}`
  const client = new FairwayClient({ baseUrl, apiKey: 'k', maxRetries: 1, runtime }) as unknown as Record<
    string,
    (...args: unknown[]) => unknown
  >
  const { parts, body, query } = argumentsOf(operation)
  const follows = name === 'events' ? { follow: false } : {}
  const isQueried = Object.keys(query).length > 0
  const answer = client[name]?.(...parts, ...body, ...(isQueried ? [{ ...query, ...follows }] : []))
  if (answer instanceof Promise) await assert.rejects(answer)
  else
    await assert.rejects(async () => {
      for await (const _ of answer as AsyncIterable<unknown>) assert.fail('it has items')
    })
}

function shown({ method, url, headers, text }: ReceivedRequest): object {
  const { pathname, searchParams } = new URL(url, 'http://any')
  searchParams.sort()
  return {
    method,
    path: pathname.replace(/^\/(?:ts|sync|async)\/[a-z_]+/, ''),
    query: searchParams.toString(),
    hasKey: headers.authorization === 'Bearer k',
    accept: headers.accept,
    type: headers['content-type'],
    body: text,
  }
}

test('each operation is one method of both Python clients, whose requests and repeats are those of the TypeScript client', async () => {
  await withScript([refused(500, 'INTERNAL_ERROR')], async ({ url, asked }) => {
    for (const operation of operations) await callTypeScript(url, operation)
    const calls = operations.map((operation) => {
      const { parts, body, query } = argumentsOf(operation)
      const keywords = Object.entries(query).map(([name, value]) => [name === 'from' ? 'from_' : name, value])
      const follows = operation.operationId === 'events' ? { follow: false } : {}
      return {
        name: snakeCase(operation.operationId),
        args: [...parts, ...body],
        keywords: { ...Object.fromEntries(keywords), ...follows } as object,
      }
    })
    const printed = await runPython(join(import.meta.dirname, 'operations.py'), { url, calls })
    const methods = JSON.parse(printed) as Record<'sync' | 'async', string[]>
    const names = [...calls.map(({ name }) => name), ...otherMethods]
    assert.deepEqual(new Set(methods.sync), new Set([...names, 'close']))
    assert.deepEqual(new Set(methods.async), new Set([...names, 'aclose']))

    for (const { name } of calls) {
      const requestsOf = (client: string) =>
        asked.filter((one) => one.url.startsWith(`/${client}/${name}/`)).map(shown)
      const expected = requestsOf('ts')
      assert.ok(expected.length > 0, name)
      assert.deepEqual(requestsOf('sync'), expected, name)
      assert.deepEqual(requestsOf('async'), expected, name)
    }
  })
})
