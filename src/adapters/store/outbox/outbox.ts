/** SQL of the outbox: claims deliveries under a lease, records the results of attempts, and prunes. */

import { eventIdOf, subjectIdOf, type EventId, type EventKind } from '../../../core/events/event.ts'
import { firstRequestIdAt, type RequestId } from '../../../core/identity/request-id.ts'
import type {
  Attempt,
  ClaimedDelivery,
  DeliveriesQuery,
  Delivery,
  DeliveryState,
  EndedClaim,
  EventSubject,
  OutboxTurn,
  OutboxTurnResult,
  ReviewEvent,
  WaitingEndpoint,
} from '../../../app/ports/webhooks.ts'
import { leaseMs } from '../../../core/events/retry-schedule.ts'
import type { Act, Override } from '../../../app/ports/records.ts'
import { actColumns, actOf } from '../admin/acts.ts'
import { deliveryColumns } from './announce.ts'
import { overrideColumns, overrideOf } from '../records/overrides.ts'
import {
  inRuns,
  placeholders,
  query,
  sqlForRows,
  type Row,
  type Script,
  type SqlValue,
  type Statement,
} from '../engine/script.ts'
import { eventColumns, eventRecordOf, type EventRecord } from './event-rows.ts'
import { reviewEventColumns, reviewEventOf, reviewEventTables } from '../reviews/reviews.ts'
import { readList, webhookColumns, webhookOf } from './webhooks.ts'
import { dayMs, minuteMs } from '../../../core/time/durations.ts'

/** Retention of delivered events. Dropped ones are retained as long as their endpoint. */
const deliveredRetentionMs = 30 * dayMs
/** Retention of a removed endpoint's row: longer than any transaction that may still write for it. */
const removedRetentionMs = minuteMs
/** The most rows changed by one maintenance statement. */
const rowsPerStatementMax = 1_000

/** Adds one event for one endpoint, regardless of its subscriptions. */
export function* announceTo(
  ownerId: string,
  webhookId: string,
  { eventId, kind, createdAtMs }: { eventId: EventId; kind: EventKind; createdAtMs: number },
): Script<boolean> {
  const rows = yield* query(
    `INSERT INTO webhook_deliveries (${deliveryColumns})
      SELECT webhook_id, $3, $4, NULL, CAST($5 AS bigint), 'pending', 1, CAST($5 AS bigint), '[]' FROM webhooks
      WHERE webhook_id = $1 AND owner_id = $2 AND place IS NOT NULL RETURNING webhook_id`,
    [webhookId, ownerId, eventId, kind, createdAtMs],
  )
  return rows.length > 0
}

/** Records ended attempts first, so that released deliveries can be claimed in the same turn. */
export function* recordAndClaim({
  ended,
  wanted,
  lease,
  nowMs,
  leaseEndsAtMs,
}: OutboxTurn): Script<OutboxTurnResult> {
  const endStatements = inRuns(ended).map(endStatement)
  const groups = yield [
    ...endStatements,
    ...wanted.map(({ webhookId, count }) =>
      claimStatement(webhookId, count, { lease, nowMs, leaseEndsAtMs }),
    ),
  ]
  const recordedRows = new Set(groups.slice(0, endStatements.length).flat().map(keyOfRow))
  const deliveries = groups.slice(endStatements.length).flat().map(deliveryOf)
  const { claimed, unclaimable } = yield* withDetails(deliveries, lease)
  if (unclaimable.length > 0) {
    const claims = unclaimable.map(({ delivery }) => ({ ...delivery, delivery: { ...delivery, lease } }))
    yield inRuns(claims.map((claim): EndedClaim => ({ ...claim, state: 'dropped' }))).map(endStatement)
  }
  return {
    claimed,
    // Deliveries of a removed endpoint are dropped on purpose, so they are not reported.
    abandoned: unclaimable.filter(({ hasEndpoint }) => hasEndpoint).map(({ delivery }) => delivery),
    recorded: new Set(
      [...ended.keys()].filter((place) => {
        const delivery = ended[place]?.delivery
        return delivery !== undefined && recordedRows.has(keyOf(delivery.webhookId, delivery.eventId))
      }),
    ),
  }
}

/** Not `state = 'pending'`: the planner would then scan the index of pending deliveries. */
const endSql = sqlForRows(
  (rows) => `WITH done (w, e, l, s, n, d, a) AS (VALUES ${placeholders(rows, 7)})
    UPDATE webhook_deliveries SET state = done.s, attempt = CAST(done.n AS integer),
        due_at_ms = CAST(done.d AS bigint), attempts = done.a, lease = NULL
      FROM done WHERE webhook_id = done.w AND event_id = done.e
        AND state NOT IN ('delivered', 'dropped') AND (lease = done.l OR done.s = 'delivered')
    RETURNING webhook_id, event_id`,
)

function endStatement(run: readonly EndedClaim[]): Statement {
  const values: SqlValue[] = []
  for (const { delivery, state, attemptNumber, dueAtMs, attempts } of run) {
    const { webhookId, eventId, lease } = delivery
    values.push(webhookId, eventId, lease, state, attemptNumber, dueAtMs, JSON.stringify(attempts))
  }
  return { sql: endSql(run.length), values }
}

/** Skips rows that another instance is claiming. */
function claimStatement(
  webhookId: string,
  count: number,
  { lease, nowMs, leaseEndsAtMs }: Pick<OutboxTurn, 'lease' | 'nowMs' | 'leaseEndsAtMs'>,
): Statement {
  return {
    sql: `WITH picked AS MATERIALIZED (
        SELECT event_id AS chosen FROM webhook_deliveries
        WHERE webhook_id = $1 AND state = 'pending' AND due_at_ms <= $2
        ORDER BY due_at_ms LIMIT $3 FOR UPDATE SKIP LOCKED)
      UPDATE webhook_deliveries SET lease = $4, due_at_ms = $5 FROM picked
        WHERE webhook_id = $1 AND event_id = picked.chosen
      RETURNING ${deliveryColumns}`,
    values: [webhookId, nowMs, count, lease, leaseEndsAtMs],
  }
}

interface Detailed {
  readonly claimed: ClaimedDelivery[]
  /** The endpoint was removed, or the event's subject is missing. */
  readonly unclaimable: { readonly delivery: Delivery; readonly hasEndpoint: boolean }[]
}

/** Adds the current endpoint and the record or override. */
function* withDetails(deliveries: readonly Delivery[], lease: string): Script<Detailed> {
  const detailed: Detailed = { claimed: [], unclaimable: [] }
  if (deliveries.length === 0) return detailed
  const webhookIds = [...new Set(deliveries.map(({ webhookId }) => webhookId))]
  const idsOf = (kind: EventKind): RequestId[] => [
    ...new Set(
      deliveries.flatMap((one) => (one.kind === kind && one.requestId !== null ? [one.requestId] : [])),
    ),
  ]
  const subjectIds = (prefix: 'act' | 'rvc', kinds: readonly EventKind[]): string[] => [
    ...new Set(
      deliveries.flatMap(({ kind, eventId }) => (kinds.includes(kind) ? [subjectIdOf(eventId, prefix)] : [])),
    ),
  ]
  const statements = [
    manyStatements(webhooksSql, webhookIds),
    manyStatements(recordsSql, idsOf('payment.decision.created')),
    manyStatements(overridesSql, idsOf('payment.override.created')),
    manyStatements(actsSql, subjectIds('act', ['corridor.status.changed'])),
    manyStatements(reviewsSql, subjectIds('rvc', reviewKinds)),
  ]
  const groups = yield statements.flat()
  let taken = 0
  const [webhookRows = [], recordRows = [], overrideRows = [], actRows = [], reviewRows = []] =
    statements.map(({ length }) => groups.slice(taken, (taken += length)).flat())
  const webhooks = new Map(webhookRows.map(webhookOf).map((one) => [one.webhookId, one]))
  const subjects: Subjects = {
    records: new Map(recordRows.map(eventRecordOf).map((one) => [one.requestId, one])),
    overrides: new Map(
      overrideRows.map(overrideOf).flatMap((one) => (one === null ? [] : [[one.requestId, one] as const])),
    ),
    acts: new Map(actRows.map(actOf).map((one) => [one.actId, one])),
    reviews: new Map(reviewRows.map(reviewEventOf).map((one) => [one.change.changeId, one])),
  }
  for (const delivery of deliveries) {
    const webhook = webhooks.get(delivery.webhookId)
    const subject = subjectOf(delivery, subjects)
    if (webhook === undefined || webhook.secrets.length === 0 || subject === null) {
      detailed.unclaimable.push({ delivery, hasEndpoint: webhook !== undefined })
    } else {
      const { ownerId, url, secrets } = webhook
      detailed.claimed.push({ ...delivery, lease, ownerId, url, secrets, subject })
    }
  }
  return detailed
}

interface Subjects {
  readonly records: ReadonlyMap<RequestId, EventRecord>
  readonly overrides: ReadonlyMap<RequestId, Override>
  readonly acts: ReadonlyMap<string, Act>
  readonly reviews: ReadonlyMap<string, ReviewEvent>
}

const reviewKinds: readonly EventKind[] = ['payment.review.opened', 'payment.review.closed']

function subjectOf({ kind, requestId, eventId }: Delivery, subjects: Subjects): EventSubject | null {
  const { records, overrides, acts, reviews } = subjects
  if (kind === 'webhook.test') return { kind: 'test' }
  if (kind === 'corridor.status.changed') {
    const act = acts.get(subjectIdOf(eventId, 'act'))
    return act === undefined ? null : { kind: 'status', act }
  }
  if (reviewKinds.includes(kind)) {
    const event = reviews.get(subjectIdOf(eventId, 'rvc'))
    return event === undefined ? null : { kind: 'review', ...event }
  }
  if (requestId === null) return null
  if (kind === 'payment.decision.created') {
    const record = records.get(requestId)
    return record === undefined ? null : { kind: 'decision', record }
  }
  const override = overrides.get(requestId)
  return override === undefined ? null : { kind: 'override', override }
}

const manySql = (select: string, key: string, more = '') =>
  sqlForRows((rows) => `${select} WHERE ${key} IN ${placeholders(1, rows)}${more}`)
const webhooksSql = manySql(`SELECT ${webhookColumns} FROM webhooks`, 'webhook_id', ' AND place IS NOT NULL')
const recordsSql = manySql(`SELECT ${eventColumns} FROM verifications v`, 'v.request_id')
const overridesSql = manySql(`SELECT ${overrideColumns} FROM overrides o`, 'o.request_id')
const actsSql = manySql(`SELECT ${actColumns} FROM acts a`, 'a.act_id')
const reviewsSql = manySql(`SELECT ${reviewEventColumns} FROM ${reviewEventTables}`, 'c.change_id')

function manyStatements(sql: (rows: number) => string, ids: readonly string[]): Statement[] {
  return inRuns(ids).map((run) => ({ sql: sql(run.length), values: run }))
}

/** Jumps from endpoint to endpoint in the index of pending deliveries, however many each has. */
export function* waiting({ after, limit }: { after: string; limit: number }): Script<WaitingEndpoint[]> {
  const nextAfter = (place: string): string =>
    `(SELECT d.webhook_id FROM webhook_deliveries d WHERE d.state = 'pending' AND d.webhook_id > ${place}
      ORDER BY d.webhook_id LIMIT 1)`
  const dueOf = (end: 'min' | 'max'): string =>
    `(SELECT ${end}(d.due_at_ms) FROM webhook_deliveries d WHERE d.state = 'pending' AND d.webhook_id = e.webhook_id)`
  const rows = yield* query(
    `WITH RECURSIVE e (webhook_id, place) AS (
        SELECT ${nextAfter('$1')}, 1
        UNION ALL
        SELECT ${nextAfter('e.webhook_id')}, e.place + 1 FROM e WHERE e.webhook_id IS NOT NULL AND e.place < $2)
      SELECT e.webhook_id, ${dueOf('min')} AS first_due_at_ms, ${dueOf('max')} AS last_due_at_ms
        FROM e WHERE e.webhook_id IS NOT NULL`,
    [after, limit],
  )
  return rows.map((row) => ({
    webhookId: String(row['webhook_id']),
    firstDueAtMs: Number(row['first_due_at_ms']),
    lastDueAtMs: Number(row['last_due_at_ms']),
  }))
}

export function* bringForward(webhookId: string, dueAfterMs: number, nowMs: number): Script<void> {
  yield* query(
    `UPDATE webhook_deliveries SET due_at_ms = $3 WHERE webhook_id = $1 AND event_id IN (
        SELECT event_id FROM webhook_deliveries WHERE webhook_id = $1 AND state = 'pending' AND due_at_ms > $2
        ORDER BY due_at_ms LIMIT $4) AND state NOT IN ('delivered', 'dropped')`,
    [webhookId, dueAfterMs, nowMs, rowsPerStatementMax],
  )
}

/** The cursor is an endpoint and the last event processed, or an endpoint alone if all of its events are. */
export function* prune({ after, nowMs }: { after: string; nowMs: number }): Script<string> {
  const [webhookBefore = '', eventBefore] = after.split(' ')
  const [webhook] = yield* query(
    `SELECT webhook_id, removed_at_ms FROM webhooks WHERE webhook_id ${eventBefore === undefined ? '>' : '>='} $1
      ORDER BY webhook_id LIMIT 1`,
    [webhookBefore],
  )
  if (webhook === undefined) return ''
  const webhookId = String(webhook['webhook_id'])
  const removedAtMs = webhook['removed_at_ms'] as number | null
  const from = webhookId === webhookBefore ? (eventBefore ?? '') : ''
  const last = yield* pruneSome(webhookId, from, removedAtMs === null ? oldAt(nowMs) : 'all')
  if (last !== null) return `${webhookId} ${last}`
  if (removedAtMs !== null && removedAtMs < nowMs - removedRetentionMs) {
    yield* query('DELETE FROM webhooks WHERE webhook_id = $1 AND place IS NULL', [webhookId])
  }
  return webhookId
}

function oldAt(nowMs: number): EventId {
  return eventIdOf(firstRequestIdAt(Math.max(0, nowMs - deliveredRetentionMs)))
}

/** Returns the last event read, or null if there are no more. Keeps dropped deliveries, except with `all`. */
function* pruneSome(webhookId: string, after: string, old: EventId | 'all'): Script<EventId | null> {
  const values: SqlValue[] = [webhookId, after, rowsPerStatementMax]
  const isOld = old === 'all' ? '' : `AND event_id < $${values.push(old)}`
  const rows = yield* query(
    `SELECT event_id FROM webhook_deliveries WHERE webhook_id = $1 AND event_id > $2 ${isOld}
      ORDER BY event_id LIMIT $3`,
    values,
  )
  const last = rows.at(-1)?.['event_id'] as EventId | undefined
  if (last === undefined) return null
  yield* query(
    `DELETE FROM webhook_deliveries WHERE webhook_id = $1 AND event_id > $2 AND event_id <= $3
      ${old === 'all' ? '' : "AND state = 'delivered'"}`,
    [webhookId, after, last],
  )
  return rows.length < rowsPerStatementMax ? null : last
}

/** The caller must have checked that the endpoint belongs to the owner. */
export function* list(
  webhookId: string,
  { limit, before, droppedOnly }: DeliveriesQuery,
): Script<Delivery[]> {
  const values: SqlValue[] = [webhookId, limit]
  const conditions = ['webhook_id = $1']
  if (before !== null) conditions.push(`event_id < $${values.push(before)}`)
  if (droppedOnly) conditions.push("state = 'dropped'")
  const rows = yield* query(
    `SELECT ${deliveryColumns}, lease FROM webhook_deliveries${droppedOnly ? ' INDEXED BY webhook_deliveries_dropped' : ''}
      WHERE ${conditions.join(' AND ')} ORDER BY event_id DESC LIMIT $2`,
    values,
  )
  return rows.map((row) => ({ ...deliveryOf(row), dueAtMs: dueTimeOf(row) }))
}

/** When the next attempt is or was due. While it is being made, the column has the end of its lease. */
function dueTimeOf(row: Row): number {
  const dueAtMs = Number(row['due_at_ms'])
  if (row['lease'] === null) return dueAtMs
  return Number(row['attempt']) === 1 ? Number(row['created_at_ms']) : dueAtMs - leaseMs
}

function deliveryOf(row: Row): Delivery {
  return {
    webhookId: String(row['webhook_id']),
    eventId: row['event_id'] as EventId,
    kind: row['event'] as EventKind,
    requestId: row['request_id'] as RequestId | null,
    createdAtMs: Number(row['created_at_ms']),
    state: row['state'] as DeliveryState,
    attemptNumber: Number(row['attempt']),
    dueAtMs: Number(row['due_at_ms']),
    attempts: readList<Attempt>(row['attempts']),
  }
}

const keyOf = (webhookId: string, eventId: string): string => `${webhookId} ${eventId}`
const keyOfRow = (row: Row): string => keyOf(String(row['webhook_id']), String(row['event_id']))
