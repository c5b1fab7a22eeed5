/** Checks the store's schema, durability and triggers by querying the database. */

import type { SelfCheck } from '../../../app/ports/store.ts'
import { migrations } from './migrations.ts'
import type { Driver } from './driver.ts'
import type { Script } from './script.ts'

export function* selfCheck(driver: Driver, nowMs: number): Script<SelfCheck> {
  const active = 'revoked_at_ms IS NULL AND (expires_at_ms IS NULL OR expires_at_ms > $1)'
  const [schema, durable, guarded, keys, liveKeys, webhooks] = yield [
    { sql: 'SELECT max(number) AS number FROM schema_migrations', values: [] },
    { sql: driver.checks.durable, values: [] },
    { sql: driver.checks.guarded, values: [] },
    { sql: `SELECT 1 AS ok FROM api_keys WHERE ${active} LIMIT 1`, values: [nowMs] },
    { sql: `SELECT 1 AS ok FROM api_keys WHERE ${active} AND type = 'live' LIMIT 1`, values: [nowMs] },
    { sql: 'SELECT 1 AS ok FROM webhooks WHERE place IS NOT NULL LIMIT 1', values: [] },
  ]
  const isOk = (rows: typeof schema): boolean => Number(rows?.[0]?.['ok'] ?? 0) === 1
  return {
    schema: Number(schema?.[0]?.['number'] ?? 0),
    schemaKnown: migrations.length,
    isShared: driver.isShared,
    isDurable: isOk(durable),
    isWriteOnce: isOk(guarded),
    hasKey: isOk(keys),
    hasLiveKey: isOk(liveKeys),
    hasWebhook: isOk(webhooks),
  }
}
