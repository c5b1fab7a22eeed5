/** Prepares the large store for the reads: historical rollups, record ids, and an endpoint with deliveries. */

import type { Bench } from '../bench.ts'
import { addHistoricalRollups } from './rollups-history.ts'
import {
  requestOnce,
  onPostgres,
  startService,
  type Answer,
  type Database,
  type Engine,
  type Filled,
  type Server,
} from '../harness/service.ts'
import { runSql } from '../webhooks/setup.ts'

const unlimited = '100000000/1'
const settings = {
  FAIRWAY_LIMIT_KEYED: unlimited,
  FAIRWAY_LIMIT_BATCH: unlimited,
  FAIRWAY_LIMIT_DEMO: unlimited,
  FAIRWAY_LIMIT_PUBLIC: unlimited,
  FAIRWAY_WEBHOOK_ALLOW_PRIVATE: 'true',
}
const deliveriesCount = 1_000

export interface ReadStore {
  readonly service: Server
  readonly key: string
  readonly ids: readonly string[]
  readonly webhookId: string
  close(): Promise<void>
}

export async function openReadStore({ databases, sizes }: Bench, engine: Engine): Promise<ReadStore> {
  const filled = await databases.filled(engine, sizes.readRecords)
  const { database } = filled
  const { key } = database
  await addHistoricalRollups(database)
  const service = await startService(database, settings)
  const webhookId = await registerWebhook(service, key)
  await fillDeliveries(database, webhookId)
  // Otherwise autovacuum would run during the rounds.
  if (engine === 'postgres') await onPostgres(database.url, ['VACUUM ANALYZE', 'CHECKPOINT'])
  return {
    service,
    key,
    ids: await idsOf(service, filled, sizes.readIds),
    webhookId,
    async close() {
      // Later groups use the same store, and its verifies must not send events.
      await requestOnce(service, {
        ...requestWith(key),
        method: 'DELETE',
        path: `/api/v1/webhooks/${webhookId}`,
      })
      await service.stop()
    },
  }
}

const requestWith = (key: string) => ({
  method: 'GET' as const,
  headers: { authorization: `Bearer ${key}` },
  body: null,
  idempotencyKey: null,
})

/** Never called: this group does not verify. */
async function registerWebhook(service: Server, key: string): Promise<string> {
  const body = JSON.stringify({ url: 'http://127.0.0.1:9/events' })
  const path = '/api/v1/webhooks'
  const answer = await requestOnce(service, { ...requestWith(key), method: 'POST', path, body })
  return String((JSON.parse(answer) as Answer)['webhook_id'])
}

async function fillDeliveries(database: Database, webhookId: string): Promise<void> {
  const attempt = { number: 1, atMs: Date.now(), durationMs: 12, status: 200, fault: null }
  await runSql(database, [
    `INSERT INTO webhook_deliveries
        (webhook_id, event_id, event, request_id, created_at_ms, state, attempt, due_at_ms, attempts)
      SELECT '${webhookId}', 'evt_' || lower(substr(request_id, 10)), 'payment.decision.created', request_id,
        recorded_at_ms, 'delivered', 1, recorded_at_ms, '${JSON.stringify([attempt])}'
      FROM verifications
      WHERE owner_id = (SELECT owner_id FROM webhooks WHERE webhook_id = '${webhookId}')
      ORDER BY request_id DESC LIMIT ${deliveriesCount}`,
  ])
}

/** The latest record of the key before each of many times in the span; some times precede the first record. */
async function idsOf(service: Server, { database, fromMs, toMs }: Filled, count: number): Promise<string[]> {
  const ids = new Set<string>()
  for (let place = 1; place <= count; place += 1) {
    const before = new Date(fromMs + ((toMs - fromMs) * place) / count).toISOString()
    const path = `/api/verifications?limit=1&to=${before}`
    const page = JSON.parse(await requestOnce(service, { ...requestWith(database.key), path })) as Answer[]
    for (const record of page) ids.add(String(record['request_id']))
  }
  if (ids.size < count / 2) throw new Error(`found only ${ids.size} of about ${count} records in the history`)
  return [...ids]
}
