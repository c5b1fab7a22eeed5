/** The example requests of the document, ordered so that each finds the data that it needs. */

import assert from 'node:assert/strict'
import type { Answer } from '../../test/helpers/harness.ts'
import { degraded } from '../../test/helpers/webhooks.ts'
import type { Stage } from './stage.ts'
import { hourMs } from '../../src/core/time/durations.ts'

export interface Scene {
  readonly operation: string
  /** Setup that is not part of the example. */
  readonly before?: (stage: Stage) => Promise<void>
  readonly parameters?: (ids: Stage['ids']) => Readonly<Record<string, string | number>>
  readonly body?: (ids: Stage['ids']) => unknown
  /** The key that sends it, empty for none; default: that of the stage. */
  readonly key?: (ids: Stage['ids']) => string
  /** Headers that are not part of the example, such as the cookie of a session. */
  readonly headers?: (ids: Stage['ids']) => Readonly<Record<string, string>>
  /** Media type of request and response, if the response is not JSON in any case; default: JSON. */
  readonly type?: 'text/csv'
  readonly after?: (answer: Answer, stage: Stage) => Promise<void> | void
}

const payment = { corridor: 'GB-NG', amount: 1000, currency: 'GBP' }
const rows = [
  { id: 'pay-1', corridor: 'GB-NG', amount: 1000, currency: 'GBP', actual_outcome: 'COMPLETED' },
  { id: 'pay-2', corridor: 'GB-NG', amount: 85_000, currency: 'GBP', actual_outcome: 'FAILED' },
]

/** Both forms of the same rows have one answer: the same ids, at the same moment. */
async function beginKeeping({ ids, clock, begin }: Stage): Promise<void> {
  const atMs = (ids['kept_at_ms'] ??= String(clock.nowMs()))
  begin('a kept report')
  clock.setWall(Number(atMs))
}

/** Its id is needed for the next. */
async function removeKept({ body }: Answer, { send, key }: Stage): Promise<void> {
  const headers = { authorization: `Bearer ${key}` }
  await send({ method: 'DELETE', url: `/api/v1/batch-reports/${body.report_id}`, headers })
}

/** The id recorded under a name by an earlier scene. */
export const idOf = (ids: Stage['ids'], name: string): string =>
  ids[name] ?? assert.fail(`no scene has recorded ${name} yet`)

const overview: readonly Scene[] = [
  { operation: 'methodology' },
  { operation: 'cipStatus', before: ({ probe }) => probe() },
  { operation: 'signalStatus' },
  { operation: 'readiness' },
  { operation: 'demoVerify', body: () => payment },
  { operation: 'demoCompare', body: () => ({ payment: { ...payment, amount: 85_000 } }) },
  {
    operation: 'requestAccess',
    body: () => ({
      name: 'Payments team',
      email: 'payments@example.com',
      reason: 'We pay suppliers in Lagos and want to hold payments that would fail.',
      recaptcha_token: '03AFcWeA…',
    }),
  },
]

const decisions: readonly Scene[] = [
  {
    operation: 'verify',
    parameters: () => ({ mode: 'shadow', 'idempotency-key': '5f0c8a52-9d0c-4c0e-8a57-3d2f6b1e7c44' }),
    body: () => ({ ...payment, correlation_id: 'invoice-2041' }),
    after: ({ body }, { ids }) => void (ids['go'] = body.request_id),
  },
  {
    operation: 'override',
    before: async (stage) => {
      stage.ids['degraded'] = await degraded(stage, stage.key, { corridor: 'GB-NG', amount: 85_000 })
    },
    body: (ids) => ({
      request_id: idOf(ids, 'degraded'),
      action: 'EXECUTE',
      reason_code: 'COMPLIANCE_APPROVED',
      justification: 'Payee confirmed by telephone; invoice seen.',
    }),
  },
  {
    operation: 'reportOutcome',
    before: async ({ clock }) => clock.advance(hourMs),
    parameters: (ids) => ({ id: idOf(ids, 'go') }),
    body: () => ({ outcome: 'COMPLETED', occurred_at: '2026-03-01T12:20:00Z' }),
  },
  { operation: 'verifications', parameters: () => ({ limit: 2, corridor: 'GB-NG' }) },
  {
    operation: 'verificationsSummary',
    parameters: () => ({
      from: '2026-03-01T11:00:00Z',
      to: '2026-03-01T14:00:00Z',
      corridor: 'GB-NG',
      mode: 'shadow',
    }),
  },
  { operation: 'verificationsTotals', parameters: () => ({ corridor: 'GB-NG', amount_min: 500 }) },
  { operation: 'events', parameters: () => ({ limit: 3 }) },
  { operation: 'search', parameters: (ids) => ({ q: idOf(ids, 'degraded') }) },
  { operation: 'audit', parameters: (ids) => ({ request_id: idOf(ids, 'degraded') }) },
  { operation: 'explainDecision', parameters: (ids) => ({ id: idOf(ids, 'degraded') }) },
  { operation: 'decisionImpact', parameters: (ids) => ({ id: idOf(ids, 'degraded') }) },
  { operation: 'decisionTimeline', parameters: (ids) => ({ id: idOf(ids, 'degraded') }) },
  { operation: 'signalProvenance', parameters: (ids) => ({ decision_id: idOf(ids, 'degraded') }) },
  {
    operation: 'auditProof',
    before: async ({ seal }) => void (await seal()),
    parameters: (ids) => ({ id: idOf(ids, 'degraded') }),
  },
  { operation: 'decisionFile', parameters: (ids) => ({ id: idOf(ids, 'degraded') }) },
  { operation: 'auditCheckpoint', parameters: () => ({ from: 1 }) },
  { operation: 'exportAudit', parameters: (ids) => ({ id: idOf(ids, 'go') }) },
  { operation: 'corridorHealth', parameters: () => ({ corridor: 'GB-NG', amount: 85_000 }) },
  {
    operation: 'replay',
    body: () => ({
      ...payment,
      amount: 60_000,
      occurred_at: '2026-03-01T09:30:00Z',
      actual_outcome: 'FAILED',
    }),
  },
  {
    operation: 'comparePartners',
    body: () => ({ ...payment, partners: ['sim-partner-alder', 'sim-partner-birch'] }),
  },
  { operation: 'batchAssess', body: () => ({ report_name: 'March', transactions: rows }) },
  {
    operation: 'batchAssess',
    type: 'text/csv',
    body: () => 'corridor,amount,actual_outcome\nGB-NG,1000,COMPLETED\n',
  },
  {
    operation: 'keepBatchReport',
    type: 'text/csv',
    before: beginKeeping,
    parameters: () => ({ report_name: 'March' }),
    body: () => 'id,corridor,amount,actual_outcome\npay-1,GB-NG,1000,COMPLETED\npay-2,GB-NG,85000,FAILED\n',
    after: removeKept,
  },
  {
    operation: 'keepBatchReport',
    before: beginKeeping,
    parameters: () => ({ report_name: 'March' }),
    body: () => ({ transactions: rows }),
    after: ({ body }, { ids }) => void (ids['report'] = body.report_id),
  },
  { operation: 'batchReports' },
  { operation: 'batchReport', parameters: (ids) => ({ report_id: idOf(ids, 'report') }) },
  { operation: 'removeBatchReport', parameters: (ids) => ({ report_id: idOf(ids, 'report') }) },
  { operation: 'organisationSettings' },
  { operation: 'health' },
]

const oneWebhook = (ids: Stage['ids']) => ({ webhook_id: idOf(ids, 'webhook') })

const oneDelivery = (ids: Stage['ids']) => ({ ...oneWebhook(ids), event_id: idOf(ids, 'event') })

/** No event may occur while this endpoint is registered: its address is real. */
const endpoints: readonly Scene[] = [
  {
    operation: 'registerWebhook',
    body: () => ({
      url: 'https://hooks.example.com/fairway',
      events: ['payment.decision.created', 'payment.override.created'],
      description: 'Payments desk',
    }),
    after: ({ body }, { ids }) => void (ids['webhook'] = body.webhook_id),
  },
  { operation: 'webhooks' },
  { operation: 'webhook', parameters: oneWebhook },
  { operation: 'rotateWebhookSecret', parameters: oneWebhook },
  { operation: 'removeWebhook', parameters: oneWebhook },
]

/** Scenes that need a registered receiver. */
const deliveries: readonly Scene[] = [
  // Delivered before the clock advances: the dispatcher has already claimed it.
  { operation: 'testWebhook', parameters: oneWebhook, after: (_answer, { deliver }) => deliver() },
  {
    operation: 'webhookDeliveries',
    parameters: (ids) => ({ ...oneWebhook(ids), limit: 2 }),
    after: ({ body }, { ids }) => void (ids['event'] = body[0].event_id),
  },
  { operation: 'webhookDelivery', parameters: oneDelivery },
  { operation: 'resendDelivery', parameters: oneDelivery },
  {
    operation: 'resendDeliveries',
    parameters: oneWebhook,
    body: () => ({ since: '2026-03-01T12:00:00Z' }),
  },
]

/** Scenes of a live key, on declared corridors. */
const live: readonly Scene[] = [
  { operation: 'corridors' },
  { operation: 'corridorCalendar', parameters: () => ({ corridor: 'GB-KE' }) },
  {
    operation: 'liveFeeds',
    before: async ({ get, key }) => void (await get(key, '/api/v1/corridors/GB-KE')),
  },
]

export const acts = { alone: [...overview, ...decisions, ...endpoints], withReceiver: deliveries, live }
