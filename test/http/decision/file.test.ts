/** GET /api/v1/decision/{id}/file: every member is the answer of its own endpoint, as far as the caller may see it. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { simulate } from '../../../src/core/shadow/simulation.ts'
import { withBrokenTable } from '../../helpers/database/broken-table.ts'
import { engines } from '../../helpers/database/databases.ts'
import { withHarness, type Answer, type Harness } from '../../helpers/harness.ts'
import { feedsOf } from '../../helpers/live.ts'
import { withReceiver } from '../../helpers/peers/receiver.ts'
import { post } from '../../helpers/post.ts'
import { goodProposal, reviewOf, reviewsUrl } from '../../helpers/reviews.ts'
import { another, degraded, override, register, trial, webhooksUrl } from '../../helpers/webhooks.ts'

const fileOf = (harness: Harness, key: string, id: string) => harness.get(key, `/api/v1/decision/${id}/file`)

interface Endpoint {
  readonly webhook_id: string
  readonly url: string
  readonly description: string | null
}

/** Of the decision alone, by endpoint, as the separate endpoints show them. */
async function deliveriesOf({ get }: Harness, key: string, id: string) {
  const { body: endpoints } = await get(key, webhooksUrl)
  return Promise.all(
    (endpoints as Endpoint[]).map(async ({ webhook_id, url, description }) => {
      const endpoint = { webhook_id, url, description }
      const { body } = await get(key, `${webhooksUrl}/${endpoint.webhook_id}/deliveries?limit=500`)
      const own = (body as { request_id: string }[]).filter(({ request_id: of }) => of === id)
      return { endpoint, deliveries: own }
    }),
  )
}

/** The file as it is when it is put together from the separate endpoints. */
async function assembled(harness: Harness, key: string, id: string) {
  const read = async (url: string) => (await harness.get(key, url)).body
  const proof = await read(`/api/v1/audit/${id}/proof`)
  const audit = await read(`/api/v1/audit/${id}`)
  const bundle = await read(`/api/v1/audit/export/${id}`)
  const review = await harness.get(
    key,
    `${reviewsUrl}/${reviewOf(audit.cooldown_source_request_id ?? audit.request_id)}`,
  )
  return {
    request_id: id,
    answer: bundle.record.answer,
    audit,
    recording: {
      recorded_at: bundle.record.recorded_at,
      key_id: bundle.record.key_id,
      trace_id: bundle.record.evidence.trace?.trace_id ?? null,
      record_hash: bundle.integrity.record_hash,
    },
    explanation: await read(`/api/v1/decision/${id}/explanation`),
    provenance: await read(`/api/v1/signals/${id}`),
    timeline: await read(`/api/v1/decision/${id}/timeline`),
    impact: await read(`/api/v1/decision/${id}/impact`),
    review: review.status === 404 ? null : review.body,
    deliveries: await deliveriesOf(harness, key, id),
    proof,
    withheld: [],
    unavailable: [],
  }
}

async function checkFile(harness: Harness, key: string, id: string): Promise<Answer['body']> {
  // Nothing is on its way between the reads.
  for (const follower of ['reviews', 'webhooks'] as const) await harness.journal.passed(follower)
  await harness.deliver()
  const expected = await assembled(harness, key, id)
  const { status, body, text } = await fileOf(harness, key, id)
  assert.equal(status, 200, text)
  assert.deepEqual(body, expected)
  return body
}

const act = (harness: Harness, key: string, id: string, name: string, body: object) =>
  post(harness, `${reviewsUrl}/${reviewOf(id)}/${name}`, body, { key })

for (const engine of engines) {
  test(`each member is the answer of its own endpoint: for a GO, an override, an outcome, a review and a repeat (${engine})`, () =>
    withReceiver((receiver) =>
      withHarness({ engine, settings: trial }, async (harness) => {
        const { key, record } = await harness.issue()
        const other = await harness.issue({ ownerId: record.ownerId })
        const all = ['payment.decision.created', 'payment.review.opened', 'payment.review.closed']
        await register(harness, key, receiver.url)
        harness.clock.advance(1_000)
        await register(harness, key, another(receiver.url), { events: all })

        const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
        const payment = { corridor: 'GB-NG', amount: 1000, correlation_id: 'invoice-1' }
        const go = await harness.verify(key, payment, { headers: { traceparent } })
        const plain = await checkFile(harness, key, go.body.request_id)
        assert.equal(plain.recording.trace_id, '0af7651916cd43dd8448eb211c80319c')
        assert.equal(plain.review, null)
        const report = { outcome: 'COMPLETED' }
        await post(harness, `/api/v1/decision/${go.body.request_id}/outcome`, report, { key })
        const ended = await checkFile(harness, key, go.body.request_id)
        assert.equal(ended.audit.outcome.outcome, 'COMPLETED')

        const overridden = await degraded(harness, key)
        assert.equal((await override(harness, key, overridden)).status, 200)
        const { deliveries } = await checkFile(harness, key, overridden)
        assert.deepEqual(
          deliveries.map((one: { deliveries: { event: string; status: string }[] }) =>
            one.deliveries.map(({ event, status }) => `${event} ${status}`).toSorted(),
          ),
          [
            ['payment.decision.created delivered', 'payment.override.created delivered'],
            [
              'payment.decision.created delivered',
              'payment.review.closed delivered',
              'payment.review.opened delivered',
            ],
          ],
        )

        const reviewed = await degraded(harness, key)
        await act(harness, key, reviewed, 'comment', { text: 'The payee is new.' })
        await act(harness, key, reviewed, 'propose', goodProposal)
        assert.equal((await checkFile(harness, key, reviewed)).review.status, 'proposed')
        assert.equal((await act(harness, other.key, reviewed, 'approve', {})).status, 200)
        const approved = await checkFile(harness, key, reviewed)
        assert.equal(approved.audit.human_override.approval.review_id, reviewOf(reviewed))

        const source = await harness.verify(key, { corridor: 'NG-GB', amount: 1.08 })
        harness.clock.advance(5_000)
        const repeat = await harness.verify(key, { corridor: 'NG-GB', amount: 2 })
        const repeated = await checkFile(harness, key, repeat.body.request_id)
        assert.equal(repeated.review.request_id, source.body.request_id)
        assert.equal(repeated.audit.cooldown_source_request_id, source.body.request_id)
        await checkFile(harness, key, source.body.request_id)
      }),
    ))
}

test('a live decision has its feed readings in the file, as its own endpoints have', () =>
  withHarness(
    { feeds: feedsOf(({ corridor, amount, currency }) => simulate({ corridor, amount, currency })) },
    async (harness) => {
      const { key } = await harness.issue({ prefix: 'pk_live_' })
      const { body } = await harness.verify(key, { corridor: 'GB-NG', amount: 1000 })
      const { provenance } = await checkFile(harness, key, body.request_id)
      assert.equal(provenance.signals[0].feed.kind, 'http')
    },
  ))

test('a member that needs a scope the key lacks is null, and listed with the scope', () =>
  withHarness({ settings: trial }, async (harness) => {
    const scopes = ['decision:read', 'audit:read', 'review:read', 'webhook:manage'] as const
    const { record, key } = await harness.issue({ scopes: [...scopes] })
    const id = await degraded(harness, key)
    const whole = await checkFile(harness, key, id)
    const bound = {
      'audit:read': ['answer', 'audit', 'recording', 'proof'],
      'review:read': ['review'],
      'webhook:manage': ['deliveries'],
    } as const
    for (const [scope, members] of Object.entries(bound)) {
      const held = scopes.filter((one) => one !== scope)
      const { key: lesser } = await harness.issue({ ownerId: record.ownerId, scopes: held })
      const { status, body } = await fileOf(harness, lesser, id)
      assert.equal(status, 200)
      const withheld = members.map((member) => ({ member, scope }))
      const empty = Object.fromEntries(members.map((member) => [member, null]))
      assert.deepEqual(body, { ...whole, ...empty, withheld })
    }
    const { key: auditor } = await harness.issue({ ownerId: record.ownerId, scopes: ['audit:read'] })
    assert.equal((await fileOf(harness, auditor, id)).status, 403)
  }))

test('a member that is not up to date is null and listed, and the rest is shown', () =>
  withHarness({ settings: trial, after: (_ms, work) => (setImmediate(work), () => undefined) }, (harness) =>
    withBrokenTable(harness.databaseUrl, 'INSERT ON reviews', async () => {
      const { key } = await harness.issue()
      const id = await degraded(harness, key)
      const { status, body, text } = await fileOf(harness, key, id)
      assert.equal(status, 200, text)
      assert.equal(body.review, null)
      assert.ok(body.unavailable.includes('review'), text)
      assert.equal(body.audit.request_id, id)
    }),
  ))
