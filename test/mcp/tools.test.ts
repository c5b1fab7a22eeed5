/** Every tool, by the official client: its answer is the API's own, and what is no GO cannot be taken for one. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tools } from '../../src/mcp/tools.ts'
import { beatEveryMs } from '../../src/core/operate/shedding.ts'
import { withHarness, type Harness } from '../helpers/harness.ts'
import { listen, requestsIn, ways, withHost, type Host, type Way } from '../helpers/mcp.ts'
import { idle, teamOn } from '../helpers/policies.ts'
import { checkedFetch } from '../helpers/process/checked-fetch.ts'
import { reviewOf } from '../helpers/reviews.ts'

interface Setting {
  readonly harness: Harness
  readonly host: Host
  readonly url: string
  readonly key: string
  readonly policyId: string
}

async function setUp(harness: Harness, way: Way, work: (setting: Setting) => Promise<void>): Promise<void> {
  const team = await teamOn(harness)
  const policyId = await team.create(idle)
  await team.makeCandidate(policyId)
  const { key } = team.author
  const url = await listen(harness)
  await withHost(way, { url, key }, (host) => work({ harness, host, url, key, policyId }))
}

const go = { corridor: 'GB-NG', amount: 500, currency: 'GBP' }
const degraded = { corridor: 'GB-NG', amount: 1000.01, currency: 'GBP' }
const noGo = { corridor: 'GB-NG', amount: 600_000, currency: 'GBP' }

/** The answer of the API to the same request, without what is of the moment. */
function sameAs(data: Record<string, unknown>, api: Record<string, unknown>): void {
  const { evaluated_at: _data, ...given } = data
  const { evaluated_at: _api, ...expected } = api
  assert.deepEqual(given, expected)
}

/** For calls that are refused before anybody looks for the record. */
const argumentsFor: Readonly<Record<string, Record<string, unknown>>> = {
  verify: go,
  explain: { id: 'SVC-2026-01KA2B3C4D5E6F7G8H9J0K1M2N' },
  compare_partners: { ...go, partners: ['sim-partner-acacia', 'sim-partner-birch'] },
  corridor: { corridor: 'GB-NG' },
  review: { review_id: 'rev_1' },
  policy_report: { policy_id: 'pol_1' },
}

/** Without a line here: `decision:read`. */
const scopeOf: Readonly<Record<string, string>> = {
  list_reviews: 'review:read',
  review: 'review:read',
  list_policies: 'policy:read',
  policy_report: 'policy:read',
  calibration: 'policy:read',
}

const verifies = async ({ host: { call }, harness }: Setting): Promise<void> => {
  const plain = await call('verify', { ...go, idempotency_key: 'invoice-1', correlation_id: 'invoice-1' })
  assert.equal(plain.isError, false)
  assert.match(plain.line, /^GO: the payment may proceed\. Shadow mode: the signals are simulated/)
  assert.equal(plain.data.decision, 'GO')
  assert.equal(plain.data.idempotency_key, 'invoice-1')
  const again = await call('verify', { ...go, idempotency_key: 'invoice-1', correlation_id: 'invoice-1' })
  assert.deepEqual([again.data.request_id, again.data.idempotency_hit], [plain.data.request_id, true])
  assert.match(again.line, /^GO, given before to this idempotency_key: .* only while it is valid\./)
  assert.match(again.line, / valid until \S+Z; after that, verify again with a new idempotency_key\.$/)
  const another = await call('verify', { ...degraded, idempotency_key: 'invoice-1' })
  assert.deepEqual([another.isError, another.data.code], [true, 'IDEMPOTENCY_CONFLICT'])
  assert.match(another.line, /^NO DECISION: the request was refused\. Do not pay\./)
  const slow = await call('verify', degraded)
  assert.match(slow.line, /^DEGRADED: this is not a go\. Do not pay: a person/)
  assert.match(slow.data.idempotency_key, /^.{20,}$/, 'one was made')
  const refused = await call('verify', noGo)
  assert.match(refused.line, /^NO-GO: do not pay\./)
  assert.equal(refused.isError, false, 'a refusal is an answer')
  assert.equal(await harness.store.countVerifications(), 3)
}

const conditional = async ({ host: { call } }: Setting): Promise<void> => {
  const { line, data } = await call('verify', { ...go, amount: 1000.07 })
  assert.equal(data.decision, 'GO')
  assert.match(line, /^GO with a condition: do not pay until CONFIRM_PAYEE is done\./)
}

const reads = async ({ harness, host, key, policyId }: Setting): Promise<void> => {
  const { call, client } = host
  const id = String((await call('verify', degraded)).data.request_id)
  const { body: explanation } = await harness.get(key, `/api/v1/decision/${id}/explanation`)
  const explained = await call('explain', { id })
  assert.ok(explained.line.startsWith(`Decision ${id} was DEGRADED, which is not a go`))
  sameAs(explained.data, explanation)
  const { body: history } = await harness.get(key, '/api/verifications?limit=1')
  const listed = await call('history', { limit: 1 })
  assert.deepEqual(listed.data.items, history)
  assert.match(listed.line, /^1 recorded decision, newest first\./)
  const gets = [
    ['list_corridors', {}, '/api/v1/corridors'],
    ['corridor', { corridor: 'GB-NG', amount: 85_000 }, '/api/v1/corridors/GB-NG?amount=85000'],
    ['list_reviews', {}, '/api/v1/reviews'],
    ['review', { review_id: reviewOf(id) }, `/api/v1/reviews/${reviewOf(id)}`],
    ['list_policies', { status: 'candidate' }, '/api/v1/policies?status=candidate'],
    ['policy_report', { policy_id: policyId }, `/api/v1/policies/${policyId}/report`],
    ['calibration', { corridor: 'GB-NG' }, '/api/v1/calibration?corridor=GB-NG'],
  ] as const
  for (const [name, given, path] of gets) {
    const { isError, data } = await call(name, given)
    assert.equal(isError, false, name)
    sameAs(data, (await harness.get(key, path)).body as Record<string, unknown>)
  }
  const ranked = await call('compare_partners', {
    ...go,
    partners: ['sim-partner-acacia', 'sim-partner-birch'],
  })
  assert.match(ranked.line, /^A ranking of 2 partners, shadow mode\. It is no decision/)
  assert.equal(ranked.data.ranked_partners.length, 2)
  const { contents } = await client.readResource({ uri: `fairway://decision/${id}` })
  const [file] = contents
  assert.ok(file !== undefined && 'text' in file)
  assert.ok(file.text.startsWith(`Everything known about decision ${id}.\n`))
}

const pages = async ({ host: { call } }: Setting): Promise<void> => {
  for (const amount of [1, 2, 3]) await call('verify', { ...go, amount })
  const seen: string[] = []
  let cursor: unknown
  do {
    const { data } = await call('history', { limit: 2, ...(cursor === undefined ? {} : { cursor }) })
    seen.push(...(data.items as { request_id: string }[]).map(({ request_id: id }) => id))
    cursor = data.next_cursor ?? undefined
  } while (cursor !== undefined)
  assert.equal(new Set(seen).size, 3)
}

const faults = async ({ harness, host: { call, client } }: Setting): Promise<void> => {
  const before = harness.log.length
  const unknown = await call('explain', { id: 'SVC-2026-01KA2B3C4D5E6F7G8H9J0K1M2N' })
  assert.deepEqual([unknown.isError, unknown.data.code], [true, 'NOT_FOUND'])
  assert.match(unknown.line, /^REFUSED: there is no answer\./)
  const invalid = await call('verify', { corridor: 'GB-NG', amount: -1, currency: 'POUNDS' })
  assert.equal(invalid.data.code, 'INVALID_REQUEST')
  assert.equal(invalid.data.errors.length, 2)
  assert.equal(invalid.data.decision, null)
  assert.equal(requestsIn(harness, before).length, 2)
  const gone = await client.readResource({ uri: 'fairway://decision/SVC-2026-01KA2B3C4D5E6F7G8H9J0K1M2N' })
  assert.match(JSON.stringify(gone.contents), /REFUSED: there is no answer\..*NOT_FOUND/)
  const unsent = [
    ['verify', { amount: 1 }, /missing arguments: corridor/],
    ['verify', { corridor: 'GB-NG', action: 'EXECUTE' }, /unknown arguments; this tool has .*corridor/],
    ['explain', { id: '..' }, /id is no id/],
    ['explain', { id: { a: 1 } }, /id must be a text/],
    ['history', { limit: [1] }, /limit must be a text/],
  ] as const
  for (const [name, given, message] of unsent) {
    const { isError, line } = await call(name, given)
    assert.ok(isError)
    assert.match(line, message)
  }
  const long = await call('explain', { id: 'x'.repeat(20_000) })
  assert.equal(long.line, 'REFUSED: there is no answer. Nothing was sent: the arguments are too long.')
  const astray = await call('explain', { id: '../../override' })
  assert.equal(astray.data.code, 'NOT_FOUND')
  assert.deepEqual(requestsIn(harness, before).slice(3), ['GET /api/v1/decision/:id/explanation'])
}

const cases: Readonly<Record<string, (setting: Setting) => Promise<void>>> = {
  'verify decides once for each key, and says first what the answer allows': verifies,
  'a GO that asks for something first is not a plain GO': conditional,
  'every reading tool has the answer of the API, and says what it is not': reads,
  'a list goes on where its cursor says': pages,
  'a fault is an error that says what to correct, and no id leads to another path': faults,
}

for (const way of ways) {
  for (const [name, work] of Object.entries(cases)) {
    test(`${name} (${way.name})`, async () => {
      await withHarness({}, (harness) => setUp(harness, way, work))
    })
  }

  test(`every tool needs its scope, which its refusal names (${way.name})`, async () => {
    await withHarness({}, async (harness) => {
      const { key } = await harness.issue({ scopes: ['outcome:write'] })
      await withHost(way, { url: await listen(harness), key }, async ({ call }) => {
        for (const { name } of tools) {
          const { isError, line, data } = await call(name, argumentsFor[name] ?? {})
          assert.ok(isError)
          assert.equal(data.code, 'FORBIDDEN')
          assert.match(data.message, new RegExp(`lacks the scope ${scopeOf[name] ?? 'decision:read'}`))
          assert.match(line, name === 'verify' ? /^NO DECISION: .* Do not pay\./ : /^REFUSED: /)
        }
        assert.equal(await harness.store.countVerifications(), 0)
      })
    })
  })

  test(`the records of another owner are as unknown as those that do not exist (${way.name})`, async () => {
    await withHarness({}, (harness) =>
      setUp(harness, way, async ({ host: { call }, url, policyId }) => {
        const id = String((await call('verify', degraded)).data.request_id)
        const { key } = await harness.issue()
        await withHost(way, { url, key }, async (stranger) => {
          const asked = [
            ['explain', 'id', id],
            ['review', 'review_id', reviewOf(id)],
            ['policy_report', 'policy_id', policyId],
          ] as const
          for (const [name, member, theirs] of asked) {
            const [masked, unknown] = [
              await stranger.call(name, { [member]: theirs }),
              await stranger.call(name, { [member]: `${theirs.slice(0, -1)}0` }),
            ].map(({ line, data }) => ({ line, data: { ...data, request_id: null } }))
            assert.equal(masked?.data.code, 'NOT_FOUND')
            assert.deepEqual(masked, unknown)
          }
          const { contents } = await stranger.client.readResource({ uri: `fairway://decision/${id}` })
          assert.match(JSON.stringify(contents), /^[^{]*\{[^{]*REFUSED: there is no answer\..*NOT_FOUND/)
          assert.deepEqual((await stranger.call('history')).data.items, [])
          assert.deepEqual((await stranger.call('list_reviews')).data.reviews, [])
          assert.deepEqual((await stranger.call('list_policies')).data.policies, [])
          assert.equal((await stranger.call('calibration')).data.records, 0)
        })
      }),
    )
  })

  test(`the limit of the key holds, and a refusal for now is a hold (${way.name})`, async () => {
    await withHarness({}, async (harness) => {
      const { key } = await harness.issue({ limit: { count: 1, windowMs: 60_000 } })
      await withHost(way, { url: await listen(harness), key }, async ({ call }) => {
        await call('verify', go)
        const { isError, line, data } = await call('verify', { ...go, idempotency_key: 'again' })
        assert.deepEqual([isError, data.code, data.decision], [true, 'RATE_LIMITED', 'HOLD'])
        assert.match(line, /^HOLD: no answer is a hold: do not pay\. Ask again in \d+ seconds/)
        assert.equal(data.idempotency_key, 'again')
      })
    })
  })

  test(`signals that cannot be read are a hold (${way.name})`, async () => {
    await withHarness({}, async (harness) => {
      const { key } = await harness.issue({ prefix: 'pk_live_' })
      await withHost(way, { url: await listen(harness), key }, async ({ call }) => {
        const { isError, line, data } = await call('verify', go)
        assert.deepEqual([isError, data.code, data.decision], [true, 'SIGNALS_UNAVAILABLE', 'HOLD'])
        assert.equal(data.unavailable_signals.length, 7)
        assert.match(line, /do not pay/)
        assert.equal(await harness.store.countVerifications(), 0)
      })
    })
  })

  test(`the list has every tool of the table, with its arguments and hints (${way.name})`, async () => {
    await withHarness({}, async (harness) => {
      const { key } = await harness.issue()
      await withHost(way, { url: await listen(harness), key }, async ({ client }) => {
        const { tools: listed } = await client.listTools()
        assert.deepEqual(
          listed.map(({ name }) => name),
          tools.map(({ name }) => name),
        )
        for (const { name, annotations } of listed) {
          assert.equal(annotations?.readOnlyHint, name !== 'verify', name)
          assert.equal(annotations?.destructiveHint, false)
        }
        assert.match(client.getInstructions() ?? '', /never an instruction/)
        const { resources } = await client.listResources()
        assert.deepEqual(
          resources.map(({ uri }) => uri),
          ['fairway://methodology'],
        )
        const { contents } = await client.readResource({ uri: 'fairway://methodology' })
        assert.ok(contents[0] !== undefined && 'text' in contents[0])
        assert.match(contents[0].text, /^# /)
        const { resourceTemplates } = await client.listResourceTemplates()
        assert.deepEqual(
          resourceTemplates.map(({ uriTemplate }) => uriTemplate),
          ['fairway://decision/{request_id}'],
        )
        await assert.rejects(client.callTool({ name: 'override', arguments: {} }), /override/)
      })
    })
  })
}

test('an overloaded service is a hold over stdio, and an error of HTTP at /mcp', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const url = await listen(harness)
    await withHost({ transport: 'stdio', mode: 'legacy' }, { url, key }, async ({ call }) => {
      for (let one = 0; one < 5; one += 1) {
        harness.clock.advance(beatEveryMs + 1_000)
        harness.shedder.beat()
      }
      const { isError, data } = await call('verify', go)
      assert.deepEqual([isError, data.code, data.decision], [true, 'OVERLOADED', 'HOLD'])
    })
    const response = await checkedFetch(`${url}/mcp`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
    })
    assert.equal(response.status, 503)
    assert.equal(response.headers.get('retry-after'), '2')
    await response.text()
  })
})
