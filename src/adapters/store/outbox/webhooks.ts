/** SQL of webhook endpoints, shared by both engines. */

import type { EventId, EventKind, SubscribableKind } from '../../../core/events/event.ts'
import { withNewSecret, type NewSecret } from '../../../core/events/webhook.ts'
import type { Delivery, NewWebhook, Webhook, WebhookSecret } from '../../../app/ports/webhooks.ts'
import { actStatements, type HashedAct } from '../admin/acts.ts'
import { query, type Row, type Script } from '../engine/script.ts'
import { heldUntilSql, soundSql } from './failing.ts'

const newColumns = 'webhook_id, owner_id, url, events, description, secrets, created_at_ms'

/** To be read from `webhooks`. */
export const webhookColumns = `${newColumns}, failing_since_ms, failed_at_ms, suspended_at_ms,
  ${heldUntilSql} AS held_until_ms`

/** A removed endpoint has no place. */
const isActive = 'place IS NOT NULL'

/**
 * Refused if the owner has `countMax` endpoints or one with this URL. Unique places and URLs resolve races; endpoints
 * from before URLs were unique have none, and are compared here. The endpoint receives the entries that are numbered from
 * now on.
 */
export function* insert(
  webhook: NewWebhook,
  countMax: number,
  act: HashedAct | null,
): Script<'inserted' | 'too_many' | 'exists'> {
  // An earlier version, beside this one, removes an endpoint and leaves its URL.
  yield* query(
    `UPDATE webhooks SET unique_url = NULL WHERE owner_id = $1 AND unique_url IS NOT NULL AND NOT ${isActive}`,
    [webhook.ownerId],
  )
  // Every turn that inserts nothing finds another endpoint that was faster.
  for (let turn = 0; turn <= countMax; turn += 1) {
    const rows = yield* query(`SELECT place, url FROM webhooks WHERE owner_id = $1 AND ${isActive}`, [
      webhook.ownerId,
    ])
    if (rows.some((row) => row['url'] === webhook.url)) return 'exists'
    const occupied = new Set(rows.map((row) => Number(row['place'])))
    const place = Array.from({ length: countMax }, (_, index) => index + 1).find(
      (free) => !occupied.has(free),
    )
    if (place === undefined) return 'too_many'
    const inserted = yield* query(
      `INSERT INTO webhooks (${newColumns}, place, unique_url, from_leaf)
        SELECT $1, $2, $3, $4, $5, $6, CAST($7 AS bigint), CAST($8 AS integer), $3, sequenced FROM log_head WHERE true
        ON CONFLICT DO NOTHING RETURNING webhook_id`,
      [
        webhook.webhookId,
        webhook.ownerId,
        webhook.url,
        webhook.events.join(' '),
        webhook.description,
        JSON.stringify(webhook.secrets),
        webhook.createdAtMs,
        place,
      ],
    )
    if (inserted.length === 0) continue
    yield actStatements(act)
    return 'inserted'
  }
  throw new Error('webhooks: no place could be taken for an endpoint')
}

/** By the key of a delivery, for each of the few endpoints. */
export function* findDelivery(
  ownerId: string,
  eventId: EventId,
): Script<Pick<Delivery, 'webhookId' | 'kind'> | null> {
  const [row] = yield* query(
    `SELECT d.webhook_id, d.event FROM webhooks w
      JOIN webhook_deliveries d ON d.webhook_id = w.webhook_id AND d.event_id = $2
      WHERE w.owner_id = $1 AND w.${isActive} ORDER BY d.webhook_id LIMIT 1`,
    [ownerId, eventId],
  )
  return row === undefined ? null : { webhookId: String(row['webhook_id']), kind: row['event'] as EventKind }
}

export function* list(ownerId: string): Script<Webhook[]> {
  const rows = yield* query(
    `SELECT ${webhookColumns} FROM webhooks WHERE owner_id = $1 AND ${isActive} ORDER BY created_at_ms, webhook_id`,
    [ownerId],
  )
  return rows.map(webhookOf)
}

export function* find(
  ownerId: string,
  webhookId: string,
  lock: '' | ' FOR UPDATE' = '',
): Script<Webhook | null> {
  const [row] = yield* query(
    `SELECT ${webhookColumns} FROM webhooks WHERE webhook_id = $1 AND owner_id = $2 AND ${isActive}${lock}`,
    [webhookId, ownerId],
  )
  return row === undefined ? null : webhookOf(row)
}

/** Deletes the secrets at once; the row is deleted after its deliveries are pruned. */
export function* remove(
  ownerId: string,
  webhookId: string,
  atMs: number,
  act: HashedAct | null,
): Script<boolean> {
  const rows = yield* query(
    `UPDATE webhooks SET place = NULL, unique_url = NULL, secrets = '[]', removed_at_ms = $3
      WHERE webhook_id = $1 AND owner_id = $2 AND ${isActive} RETURNING webhook_id`,
    [webhookId, ownerId, atMs],
  )
  if (rows.length === 0) return false
  yield actStatements(act)
  return true
}

/**
 * Ends a suspension, if there is one, and the pause of a host that is spared: it is tried once, now. False if there is no
 * such endpoint.
 */
export function* resume(ownerId: string, webhookId: string, act: HashedAct | null = null): Script<boolean> {
  const webhook = yield* find(ownerId, webhookId, ' FOR UPDATE')
  if (webhook === null) return false
  if (webhook.failing !== null) {
    const change =
      webhook.suspendedAtMs === null ? 'held_until_ms = 0' : `suspended_at_ms = NULL, ${soundSql}`
    yield* query(`UPDATE webhooks SET ${change} WHERE webhook_id = $1`, [webhookId])
  }
  yield actStatements(act)
  return true
}

/** The new secret may be one that can be opened, so the endpoint is tried at once. */
export function* addSecret(
  ownerId: string,
  webhookId: string,
  added: NewSecret,
  act: HashedAct | null,
): Script<Webhook | 'unknown' | 'refused'> {
  const webhook = yield* find(ownerId, webhookId, ' FOR UPDATE')
  if (webhook === null) return 'unknown'
  const secrets = withNewSecret(webhook.secrets, added)
  if (secrets === null) return 'refused'
  const sound = webhook.suspendedAtMs === null ? `, ${soundSql}` : ''
  yield* query(`UPDATE webhooks SET secrets = $2${sound} WHERE webhook_id = $1`, [
    webhookId,
    JSON.stringify(secrets),
  ])
  yield actStatements(act)
  return { ...webhook, secrets }
}

export function* listAll(afterId: string, countMax: number): Script<Webhook[]> {
  const rows = yield* query(
    `SELECT ${webhookColumns} FROM webhooks WHERE webhook_id > $1 AND ${isActive} ORDER BY webhook_id LIMIT $2`,
    [afterId, countMax],
  )
  return rows.map(webhookOf)
}

export function* replaceSecrets(
  { webhookId, secrets: before }: Webhook,
  after: Webhook['secrets'],
): Script<boolean> {
  const rows = yield* query(
    'UPDATE webhooks SET secrets = $3 WHERE webhook_id = $1 AND secrets = $2 RETURNING webhook_id',
    [webhookId, JSON.stringify(before), JSON.stringify(after)],
  )
  return rows.length > 0
}

export function webhookOf(row: Row): Webhook {
  return {
    webhookId: String(row['webhook_id']),
    ownerId: String(row['owner_id']),
    url: String(row['url']),
    events: String(row['events']).split(' ') as SubscribableKind[],
    description: row['description'] as string | null,
    secrets: readList<WebhookSecret>(row['secrets']),
    createdAtMs: Number(row['created_at_ms']),
    failing:
      row['failing_since_ms'] === null
        ? null
        : { sinceMs: Number(row['failing_since_ms']), failedAtMs: Number(row['failed_at_ms']) },
    heldUntilMs: numberOf(row['held_until_ms']),
    suspendedAtMs: numberOf(row['suspended_at_ms']),
  }
}

export const numberOf = (value: Row[string] | undefined): number | null =>
  value === null || value === undefined ? null : Number(value)

/** Returns an empty list for invalid JSON: one bad row must not fail the whole read. */
export function readList<Item>(text: unknown): Item[] {
  try {
    const value: unknown = JSON.parse(String(text))
    return Array.isArray(value) ? (value as Item[]) : []
  } catch {
    return []
  }
}
