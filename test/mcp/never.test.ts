/** What no tool can do: whatever is called, with a key that may do everything, nothing but `verify` changes anything. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { ApiDocument } from '../../scripts/contract/tool-operations.ts'
import { operations } from '../../src/mcp/operations.ts'
import { operationNames, tools } from '../../src/mcp/tools.ts'
import { withDirectDatabase } from '../helpers/database/sql.ts'
import { withHarness, type Harness } from '../helpers/harness.ts'
import { listen, requestsIn, ways, withHost } from '../helpers/mcp.ts'
import { idle, teamOn } from '../helpers/policies.ts'
import { clerkOf, goodProposal, reviewOf } from '../helpers/reviews.ts'

const document = JSON.parse(
  readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'),
) as ApiDocument

/** By the name of the operation: its method and path. */
const published = Object.fromEntries(
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => [
      operationId ?? '',
      `${method.toUpperCase()} ${path}`,
    ]),
  ),
)

test('the table can name no operation that writes, but verify', () => {
  const posts = operationNames.flatMap((name) => {
    const operation = published[name] ?? assert.fail(`the API has no ${name}`)
    return operation.startsWith('GET ') ? [] : [operation]
  })
  assert.deepEqual(posts.toSorted(), ['POST /api/v1/decision/compare', 'POST /api/v1/verify'])
  for (const name of operationNames)
    assert.equal(`${operations[name].method} ${operations[name].path}`, published[name])
  const recording = tools.filter((tool) => 'records' in tool)
  assert.deepEqual(
    recording.map(({ operation }) => operation),
    ['verify'],
  )
  assert.ok(published['override'] !== undefined && published['approveReview'] !== undefined)
})

/** Every row of every table. */
async function everything({ databaseUrl }: Harness): Promise<Readonly<Record<string, string>>> {
  return withDirectDatabase(databaseUrl, async ({ run }) => {
    const tables = await run("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    assert.ok(tables.length > 20, 'the tables were not found')
    const rows: Record<string, string> = {}
    for (const { name } of tables) {
      const read = await run(`SELECT * FROM "${String(name)}"`)
      rows[String(name)] = JSON.stringify(read, (_key, value: unknown) =>
        typeof value === 'bigint'
          ? String(value)
          : value instanceof Uint8Array
            ? Buffer.from(value).toString('hex')
            : value,
      )
    }
    return rows
  })
}

const payment = { corridor: 'GB-NG', amount: 1000.01, currency: 'GBP' }

for (const way of ways) {
  test(`no listed tool sends another request than its own, or changes anything but by verify (${way.name})`, async () => {
    await withHarness({}, async (harness) => {
      const team = await teamOn(harness)
      const policyId = await team.create(idle)
      await team.makeCandidate(policyId)
      const { key } = team.author
      const { body } = await harness.verify(key, payment)
      const id = String(body.request_id)
      const clerk = clerkOf(team.author)
      const propose = { method: 'POST', url: `/api/v1/reviews/${reviewOf(id)}/propose` } as const
      await harness.get(key, '/api/v1/reviews')
      await harness.send({
        method: 'POST',
        url: `/api/v1/reviews/${reviewOf(id)}/claim`,
        headers: clerk.headers,
      })
      assert.equal(
        (await harness.send({ ...propose, headers: clerk.headers, payload: goodProposal })).status,
        200,
      )
      const given: Readonly<Record<string, Record<string, unknown>>> = {
        verify: payment,
        explain: { id },
        compare_partners: { ...payment, partners: ['sim-partner-acacia', 'sim-partner-birch'] },
        list_corridors: {},
        corridor: { corridor: 'GB-NG' },
        history: {},
        list_reviews: {},
        review: { review_id: reviewOf(id) },
        list_policies: {},
        policy_report: { policy_id: policyId },
        calibration: {},
      }
      await withHost(way, { url: await listen(harness), key }, async ({ client, call }) => {
        const { tools: listed } = await client.listTools()
        assert.deepEqual(listed.map(({ name }) => name).toSorted(), Object.keys(given).toSorted())
        const readOnly = listed.filter(({ name }) => name !== 'verify')
        // A first time, after which all that follows the journal has followed it, and the log is sealed.
        for (const { name } of readOnly) await call(name, given[name] ?? {})
        await client.readResource({ uri: `fairway://decision/${id}` })
        const before = await everything(harness)
        const from = harness.log.length
        for (const { name } of readOnly) {
          const { isError, text } = await call(name, given[name] ?? {})
          assert.equal(isError, false, text)
        }
        await client.readResource({ uri: 'fairway://methodology' })
        await client.readResource({ uri: `fairway://decision/${id}` })
        assert.deepEqual(await everything(harness), before)
        const records = await harness.store.countVerifications()
        await call('verify', payment)
        assert.equal(await harness.store.countVerifications(), records + 1)
        const sent = requestsIn(harness, from)
        assert.equal(sent.length, listed.length + 1)
        const writes = sent.filter((request) => !request.startsWith('GET '))
        assert.deepEqual(writes.toSorted(), ['POST /api/v1/decision/compare', 'POST /api/v1/verify'])
      })
    })
  })
}
