/** The OpenAPI document describes the events, and what is sent is what it describes. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemRandom } from '../../../src/adapters/system.ts'
import { actsBy } from '../../../src/app/operate/acts.ts'
import { rowsOf } from '../../helpers/database/sql.ts'
import { Compile } from 'typebox/compile'
import type { TSchema } from 'typebox'
import type { LiveFeeds } from '../../../src/app/ports/feeds.ts'
import { currencyOf } from '../../helpers/check.ts'
import { withoutReferences } from '../../helpers/contract.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { feedsOf } from '../../helpers/live.ts'
import { withReceiver } from '../../helpers/peers/receiver.ts'
import { ask, degraded, override, register, trial, webhooksUrl } from '../../helpers/webhooks.ts'

interface DescribedEvent {
  readonly post: {
    readonly parameters: readonly { readonly name: string; readonly required: boolean }[]
    readonly requestBody: { readonly content: Readonly<Record<string, { readonly schema: TSchema }>> }
  }
}

type Described = Readonly<Record<string, DescribedEvent>>

/** No member that is not described. */
function strict(schema: TSchema): TSchema {
  const copy = structuredClone(schema) as TSchema & { properties?: Record<string, TSchema> }
  if (copy.properties === undefined) return copy
  const properties = Object.entries(copy.properties).map(([name, one]) => [name, strict(one)])
  return {
    ...copy,
    properties: Object.fromEntries(properties) as Record<string, TSchema>,
    additionalProperties: false,
  }
}

/** Feeds of which one fails, also when it is probed. */
const failing: LiveFeeds = {
  current() {
    const set = feedsOf(() => 'network_healthy').current()
    const payment = { ownerId: null, amount: null, currency: currencyOf('GBP') }
    return { ...set, probe: (corridor) => set.read({ ...payment, corridor }) }
  },
}

/** Probes until the failure is announced. */
async function failForLong({ probe, clock }: Harness): Promise<void> {
  await probe()
  clock.advance(60_000)
  await probe()
}

test('every kind of event is described with its headers, and each body fits its description exactly', async () => {
  await withReceiver((receiver) =>
    withHarness({ settings: trial, feeds: failing }, async (harness) => {
      const { body: document } = await harness.get(null, '/openapi.json')
      const described = withoutReferences(document, document.webhooks) as Described
      const { key } = await harness.issue()
      const { webhook_id: webhookId } = await register(harness, key, receiver.url)
      const other = await harness.issue({ ownerLabel: 'Desk' })
      const reviewed = ['payment.review.opened', 'payment.review.closed']
      await register(harness, other.key, receiver.url, { events: reviewed })
      await override(harness, other.key, await degraded(harness, other.key))
      await harness.journal.passed('reviews')
      const requestId = await degraded(harness, key, { correlation_id: 'x' })
      await harness.verify(key, { corridor: 'GB-NG' })
      await override(harness, key, requestId)
      await ask(harness, key, 'POST', `${webhooksUrl}/${webhookId}/test`)
      const live = await harness.issue({ prefix: 'pk_live_' })
      await register(harness, live.key, receiver.url, { events: ['corridor.status.changed'] })
      await failForLong(harness)
      await register(harness, key, `${receiver.url}/other`, { events: ['webhook.endpoint.suspended'] })
      const [{ owner_id: ownerId } = { owner_id: '' }] = await rowsOf(
        harness.databaseUrl,
        `SELECT owner_id FROM webhooks WHERE webhook_id = '${webhookId}'`,
      )
      const detail = { owner_id: String(ownerId), failing_since: '2026-03-01T12:00:00.000Z' }
      const suspension = { kind: 'webhook.suspended', subject: webhookId, detail } as const
      await harness.store.acts.record(
        actsBy('server', { clock: harness.clock, random: systemRandom })(suspension),
      )
      await harness.deliver()
      assert.deepEqual(
        new Set(receiver.requests.map(({ json }) => json.event)),
        new Set(Object.keys(described)),
      )
      for (const { json, headers } of receiver.requests) {
        const { parameters, requestBody } = described[json.event]?.post ?? assert.fail(json.event)
        const schema = requestBody.content['application/json']?.schema ?? assert.fail()
        assert.deepEqual(Compile(strict(schema)).Errors(json), [], json.event)
        for (const { name } of parameters) assert.ok(headers[name.toLowerCase()] !== undefined, name)
      }
    }),
  )
})
