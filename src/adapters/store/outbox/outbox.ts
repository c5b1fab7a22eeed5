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
  InspectedDelivery,
  OutboxTurn,
  OutboxTurnResult,
  Webhook,
  WaitingEndpoint,
} from '../../../app/ports/webhooks.ts'
import { leaseMs } from '../../../core/events/retry-schedule.ts'
import { deliveryColumns } from './announce.ts'
import { admit, forgetHosts, heldUntilSql, noteResults, release } from './failing.ts'
import {
  inRuns,
  parameterList,
  placeholders,
  query,
  sqlForRows,
  type Row,
  type Script,
  type SqlValue,
  type Statement,
} from '../engine/script.ts'
import { readSubjects } from '../events/subjects.ts'
import { numberOf, readList, webhookColumns, webhookOf } from './webhooks.ts'
import { dayMs, minuteMs } from '../../../core/time/durations.ts'

/** Retention of delivered events. Dropped ones are retained as long as their endpoint. */
const deliveredRetentionMs = 30 * dayMs
/** Retention of a removed endpoint's row: longer than any transaction that may still write for it. */
const removedRetentionMs = minuteMs
/** The most rows changed by one maintenance statement. */
const rowsPerStatementMax = 1_000

/** Records ended attempts first, so that released deliveries can be claimed in the same turn. */
export function* recordAndClaim(turn: OutboxTurn): Script<OutboxTurnResult> {
  const { ended, wanted, lease } = turn
  const endStatements = inRuns(ended).map(endStatement)
  const ids = [
    ...new Set([...ended.map(({ delivery }) => delivery.webhookId), ...wanted.map((one) => one.webhookId)]),
  ]
  const groups = yield [...endStatements, ...webhookStatements(ids)]
  const recordedRows = new Set(groups.slice(0, endStatements.length).flat().map(keyOfRow))
  const before = webhooksIn(groups.slice(endStatements.length))
  const { hasChanged, recovered, unanswered } = yield* noteResults(before, turn)
  const webhooks = hasChanged ? webhooksIn(yield webhookStatements(ids)) : before
  const { claimed, unclaimable } = yield* claim(webhooks, turn)
  if (unclaimable.length > 0) {
    const claims = unclaimable.map(({ delivery }) => ({ ...delivery, delivery: { ...delivery, lease } }))
    yield inRuns(claims.map((one): EndedClaim => ({ ...one, result: null, state: 'dropped' }))).map(
      endStatement,
    )
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
    recovered,
    unanswered,
  }
}

/** Oldest first. */
function* claim(webhooks: ReadonlyMap<string, Webhook>, turn: OutboxTurn): Script<Detailed> {
  const { wishes, probes } = yield* admit(webhooks, turn)
  const groups =
    wishes.length === 0 ? [] : yield wishes.map((wish) => claimStatement(wish.webhookId, wish.count, turn))
  const deliveries = groups
    .flat()
    .map(deliveryOf)
    .toSorted((left, right) => (left.eventId < right.eventId ? -1 : 1))
  const busy = new Set(deliveries.map(({ webhookId }) => webhookId))
  yield* release([...probes.values()].filter(({ webhookId }) => !busy.has(webhookId)))
  return yield* withDetails(deliveries, webhooks, turn.lease)
}

const webhookStatements = (ids: readonly string[]): Statement[] =>
  inRuns(ids).map((run) => ({ sql: webhooksSql(run.length), values: run }))

const webhooksIn = (groups: readonly (readonly Row[])[]): ReadonlyMap<string, Webhook> =>
  new Map(groups.flat().map((row) => [String(row['webhook_id']), webhookOf(row)]))

/** Not `state = 'pending'`: the planner would then scan the index of pending deliveries. */
const endSql = sqlForRows(
  (rows) => `WITH done (w, e, l, s, n, d, a, b) AS (VALUES ${placeholders(rows, 8)})
    UPDATE webhook_deliveries SET state = done.s, attempt = CAST(done.n AS integer),
        due_at_ms = CAST(done.d AS bigint), attempts = CASE WHEN lease = done.l THEN done.a ELSE done.b END, lease = NULL
      FROM done WHERE webhook_id = done.w AND event_id = done.e
        AND state NOT IN ('delivered', 'dropped') AND (lease = done.l OR done.s = 'delivered')
    RETURNING webhook_id, event_id`,
)

function endStatement(run: readonly EndedClaim[]): Statement {
  const values: SqlValue[] = []
  for (const { delivery, state, attemptNumber, dueAtMs, attempts } of run) {
    const { webhookId, eventId, lease } = delivery
    values.push(webhookId, eventId, lease, state, attemptNumber, dueAtMs, JSON.stringify(attempts))
    // An erasure ends the lease: an answer may repeat the text that is erased.
    values.push(JSON.stringify(withoutAnswers(attempts)))
  }
  return { sql: endSql(run.length), values }
}

export const withoutAnswers = (attempts: readonly Attempt[]): Attempt[] =>
  attempts.map(({ answer: _answer, ...attempt }) => attempt)

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

/** Adds the current endpoint, and the subject. */
function* withDetails(
  deliveries: readonly Delivery[],
  webhooks: ReadonlyMap<string, Webhook>,
  lease: string,
): Script<Detailed> {
  const detailed: Detailed = { claimed: [], unclaimable: [] }
  if (deliveries.length === 0) return detailed
  const subjects = yield* readSubjects(deliveries.flatMap((one) => entryIdOf(one) ?? []))
  for (const delivery of deliveries) {
    const webhook = webhooks.get(delivery.webhookId)
    const entryId = entryIdOf(delivery)
    const subject = entryId === null ? ({ kind: 'test' } as const) : subjects.get(entryId)
    if (webhook === undefined || webhook.secrets.length === 0 || subject === undefined) {
      detailed.unclaimable.push({ delivery, hasEndpoint: webhook !== undefined })
    } else {
      const { ownerId, url, secrets } = webhook
      detailed.claimed.push({ ...delivery, lease, ownerId, url, secrets, subject })
    }
  }
  return detailed
}

/** The prefix of the entries that an event of each kind is about. */
const prefixes = {
  'payment.override.created': 'ovr',
  'corridor.status.changed': 'act',
  'payment.review.opened': 'rvc',
  'payment.review.closed': 'rvc',
  'webhook.endpoint.suspended': 'act',
} as const

/** The entry of the log that the event is about; null for a test. */
function entryIdOf({ kind, requestId, eventId }: Delivery): string | null {
  if (kind === 'webhook.test') return null
  return kind === 'payment.decision.created' ? requestId : subjectIdOf(eventId, prefixes[kind])
}

const webhooksSql = sqlForRows(
  (rows) =>
    `SELECT ${webhookColumns} FROM webhooks WHERE webhook_id IN (${parameterList(rows)}) AND place IS NOT NULL`,
)

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
      SELECT e.webhook_id, ${dueOf('min')} AS first_due_at_ms, ${dueOf('max')} AS last_due_at_ms,
          webhooks.suspended_at_ms, ${heldUntilSql} AS held_until_ms
        FROM e LEFT JOIN webhooks ON webhooks.webhook_id = e.webhook_id
        WHERE e.webhook_id IS NOT NULL ORDER BY e.webhook_id`,
    [after, limit],
  )
  return rows.map((row) => ({
    webhookId: String(row['webhook_id']),
    firstDueAtMs: Number(row['first_due_at_ms']),
    lastDueAtMs: Number(row['last_due_at_ms']),
    heldUntilMs: numberOf(row['held_until_ms']),
    isSuspended: row['suspended_at_ms'] !== null,
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
  if (after === '') yield* forgetHosts(nowMs)
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

const shownColumns = `${deliveryColumns}, lease, suspended_at_ms, (SELECT ${heldUntilSql} FROM webhooks
  WHERE webhooks.webhook_id = webhook_deliveries.webhook_id AND webhooks.suspended_at_ms IS NULL) AS held_until_ms`

/** The caller must have checked that the endpoint belongs to the owner. */
export function* list(webhookId: string, { limit, before, ended }: DeliveriesQuery): Script<Delivery[]> {
  const values: SqlValue[] = [webhookId, limit]
  const conditions = ['webhook_id = $1']
  if (before !== null) conditions.push(`event_id < $${values.push(before)}`)
  if (ended !== null)
    conditions.push(`state = 'dropped' AND suspended_at_ms IS ${ended === 'suspended' ? 'NOT ' : ''}NULL`)
  const rows = yield* query(
    `SELECT ${shownColumns} FROM webhook_deliveries${ended === null ? '' : ' INDEXED BY webhook_deliveries_dropped'}
      WHERE ${conditions.join(' AND ')} ORDER BY event_id DESC LIMIT $2`,
    values,
  )
  return rows.map(shownDelivery)
}

export function* find(webhookId: string, eventId: EventId): Script<InspectedDelivery | null> {
  const [row] = yield* query(
    `SELECT ${shownColumns} FROM webhook_deliveries WHERE webhook_id = $1 AND event_id = $2`,
    [webhookId, eventId],
  )
  if (row === undefined) return null
  const delivery = shownDelivery(row)
  const webhooks = webhooksIn(yield webhookStatements([webhookId]))
  const { claimed } = yield* withDetails([delivery], webhooks, '')
  return { delivery, subject: claimed[0]?.subject ?? null }
}

/** By primary key: a few events, to each endpoint of the owner. */
export function* listOf(ownerId: string, eventIds: readonly EventId[]): Script<Delivery[]> {
  const rows = yield* query(
    `SELECT ${shownColumns} FROM webhook_deliveries
      WHERE webhook_id IN (SELECT w.webhook_id FROM webhooks w WHERE w.owner_id = $1 AND w.place IS NOT NULL)
        AND event_id IN (${eventIds.map((_, index) => `$${index + 2}`).join(', ')})
      ORDER BY event_id DESC`,
    [ownerId, ...eventIds],
  )
  return rows.map(shownDelivery)
}

const shownDelivery = (row: Row): Delivery => ({ ...deliveryOf(row), dueAtMs: dueTimeOf(row) })

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
    suspendedAtMs: numberOf(row['suspended_at_ms']),
    heldUntilMs: numberOf(row['held_until_ms']),
  }
}

const keyOf = (webhookId: string, eventId: string): string => `${webhookId} ${eventId}`
const keyOfRow = (row: Row): string => keyOf(String(row['webhook_id']), String(row['event_id']))
