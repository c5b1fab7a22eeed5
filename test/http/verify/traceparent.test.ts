/** The caller's trace: kept with the record, in the log, and passed on with a span of ours; a bad header is as none. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyBundle } from '../../../src/app/audit/verify.ts'
import { engines } from '../../helpers/database/databases.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { values, withLive } from '../../helpers/peers/provider.ts'
import { withReceiver } from '../../helpers/peers/receiver.ts'
import { register, trial } from '../../helpers/webhooks.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const parentId = '00f067aa0ba902b7'
const traceparent = `00-${traceId}-${parentId}-01`
const headers = { traceparent }
const kept = { trace_id: traceId, parent_id: parentId, is_sampled: true }
const payment = { corridor: 'GB-NG', amount: 100 }

async function bundleOf(harness: Harness, key: string, id: unknown) {
  const { text, body } = await harness.get(key, `/api/v1/audit/export/${String(id)}`)
  return { text, trace: body.record.evidence.trace as unknown }
}

/** A span of ours in the caller's trace. */
function checkChild(header: unknown): void {
  assert.match(String(header), new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`))
  assert.ok(!String(header).includes(parentId), 'the span is not the caller’s own')
}

for (const engine of engines) {
  test(`a trace is kept with its record, sealed with it and in its export, and goes on to receivers (${engine})`, async () => {
    await withReceiver((receiver) =>
      withHarness({ engine, settings: trial }, async (harness) => {
        const { key } = await harness.issue()
        await register(harness, key, receiver.url)
        const traced = await harness.verify(key, payment, { headers })
        const plain = await harness.verify(key, payment)
        await harness.seal()
        const { text, trace } = await bundleOf(harness, key, traced.body.request_id)
        assert.deepEqual(trace, kept)
        assert.deepEqual(verifyBundle(text).findings, [])
        assert.equal((await bundleOf(harness, key, plain.body.request_id)).trace, undefined)
        await harness.deliver()
        const sent = new Map(
          receiver.requests.map((one) => [String(one.json.data.request_id), one.headers['traceparent']]),
        )
        checkChild(sent.get(String(traced.body.request_id)))
        assert.equal(sent.get(String(plain.body.request_id)), undefined)
      }),
    )
  })
}

test('a cooldown keeps the trace of its own request, not that of the decision which it repeats', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    await harness.verify(key, { corridor: 'GB-NG', amount: 600_000 })
    const repeated = await harness.verify(key, payment, { headers })
    assert.equal(repeated.body.decision, 'NO-GO')
    const { text, trace } = await bundleOf(harness, key, repeated.body.request_id)
    assert.deepEqual(trace, kept)
    assert.deepEqual(verifyBundle(text).findings, [])
  })
})

test('a trace that was put into an export, or changed in it, is found', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const { body } = await harness.verify(key, payment, { headers })
    const { text } = await bundleOf(harness, key, body.request_id)
    assert.notDeepEqual(verifyBundle(text.replace(parentId, 'b7ad6b7169203331')).findings, [])
  })
})

test('live feeds over HTTP are asked within the trace, and without a header where there is none', async () => {
  await withLive({ answer: values() }, async ({ harness, provider }) => {
    const { key } = await harness.issue({ prefix: 'pk_live_' })
    assert.equal((await harness.verify(key, payment)).status, 200)
    assert.ok(provider.questions.every((question) => question.headers['traceparent'] === undefined))
    const before = provider.questions.length
    assert.equal((await harness.verify(key, payment, { headers })).status, 200)
    const asked = provider.questions.slice(before)
    assert.equal(asked.length, 7)
    for (const question of asked) checkChild(question.headers['traceparent'])
  })
})

test('the log names the trace in the lines of its request, and a header that is none is ignored', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    await harness.verify(key, { corridor: 'nowhere' }, { headers })
    assert.match(harness.log.at(-1) ?? '', new RegExp(`"trace_id":"${traceId}".*"status":400`))
    for (const bad of ['hello', `ff-${traceId}-${parentId}-01`, `${traceparent}, ${traceparent}`]) {
      const { status, body } = await harness.verify(key, payment, { headers: { traceparent: bad } })
      assert.equal(status, 200)
      assert.doesNotMatch(harness.log.at(-1) ?? '', /trace_id/)
      assert.equal((await bundleOf(harness, key, body.request_id)).trace, undefined)
    }
  })
})
