/** SQL of endpoints that fail and of their hosts: records what failed, and grants a spared host its one attempt at a time. */

import {
  afterFailure,
  heldUntilMs,
  hostFailuresMax,
  hostRememberedMs,
  isHeld,
  isUnanswered,
  type FailureRun,
} from '../../../core/events/failing.ts'
import type { EndedClaim, OutboxTurn, Unanswered, Webhook } from '../../../app/ports/webhooks.ts'
import { inLockOrder, query, type Script, type Statement } from '../engine/script.ts'

/** The end of the hold of the endpoint `webhooks`; null unless its host is spared. */
export const heldUntilSql = `(SELECT webhooks.held_until_ms FROM webhook_hosts h
  WHERE webhooks.held_until_ms IS NOT NULL AND h.owner_id = webhooks.owner_id AND h.host = webhooks.failing_host
    AND h.failures >= ${hostFailuresMax})`

/** An endpoint that does not fail. */
export const soundSql =
  'failing_host = NULL, failing_since_ms = NULL, failed_at_ms = NULL, held_until_ms = NULL'

/** By host name: the port and a final dot do not matter. */
const hostOf = ({ url }: Webhook): string => new URL(url).hostname.replace(/\.$/, '')

interface Host {
  readonly ownerId: string
  readonly host: string
  isSpared: boolean
  /** Since it was last delivered to. */
  failures: number
  /** Whether a failing endpoint was delivered to. One that never failed shows nothing. */
  isBack: boolean
  /** Those whose attempts have ended. */
  readonly leases: Set<string>
}

interface Results {
  /** The state of each endpoint after its attempts. */
  readonly runs: Map<Webhook, FailureRun | null>
  readonly hosts: Map<string, Host>
}

interface Noted {
  readonly hasChanged: boolean
  readonly recovered: readonly string[]
  readonly unanswered: readonly Unanswered[]
}

/** Endpoints that were removed are not among the webhooks. */
export function* noteResults(
  webhooks: ReadonlyMap<string, Webhook>,
  { ended, nowMs, pauses }: OutboxTurn,
): Script<Noted> {
  const { runs, hosts } = resultsOf(ended, webhooks, nowMs)
  const changes = [...runs].filter(([{ failing }, run]) => run !== null || failing !== null)
  const touched = inLockOrder([...hosts.values()], ({ ownerId, host }) => `${ownerId} ${host}`)
  const statements = [
    ...touched
      .filter(({ isBack, isSpared }) => isBack && isSpared)
      .map(({ ownerId, host }) => ({ sql: oldestFirstSql, values: [ownerId, host, nowMs] })),
    ...inLockOrder(changes, ([{ webhookId }]) => webhookId).map(([webhook, run]): Statement =>
      run === null
        ? { sql: `UPDATE webhooks SET ${soundSql} WHERE webhook_id = $1`, values: [webhook.webhookId] }
        : {
            sql: `UPDATE webhooks SET failing_host = $2, failing_since_ms = $3, failed_at_ms = $4, held_until_ms = $5
                WHERE webhook_id = $1 AND place IS NOT NULL`,
            values: [
              webhook.webhookId,
              hostOf(webhook),
              run.sinceMs,
              run.failedAtMs,
              heldUntilMs(run, pauses),
            ],
          },
    ),
    ...touched.flatMap((host) => hostStatements(host, nowMs)),
  ]
  if (statements.length > 0) yield statements
  const recovered = changes.filter(([, run]) => run === null).map(([{ webhookId }]) => webhookId)
  return { hasChanged: statements.length > 0, recovered, unanswered: changes.flatMap(unansweredOf) }
}

function resultsOf(
  ended: readonly EndedClaim[],
  webhooks: ReadonlyMap<string, Webhook>,
  nowMs: number,
): Results {
  const runs: Results['runs'] = new Map()
  const hosts: Results['hosts'] = new Map()
  for (const { delivery, result } of ended) {
    const webhook = webhooks.get(delivery.webhookId)
    if (webhook === undefined) continue
    const { failing, ownerId } = webhook
    const run = runs.has(webhook) ? (runs.get(webhook) ?? null) : failing
    if (result !== 'failed' && run === null) continue
    const name = hostOf(webhook)
    const key = `${ownerId} ${name}`
    const host = hosts.get(key) ?? newHost(ownerId, name)
    hosts.set(key, host)
    host.isSpared ||= webhook.heldUntilMs !== null
    if (failing !== null) host.leases.add(delivery.lease)
    if (result === null) continue
    runs.set(webhook, result === 'failed' ? afterFailure(run, nowMs) : null)
    host.failures = result === 'failed' ? host.failures + 1 : 0
    host.isBack ||= result === 'delivered'
  }
  return { runs, hosts }
}

const newHost = (ownerId: string, host: string): Host => ({
  ownerId,
  host,
  isSpared: false,
  failures: 0,
  isBack: false,
  leases: new Set(),
})

function hostStatements({ ownerId, host, failures, isBack, leases }: Host, nowMs: number): Statement[] {
  const statements: Statement[] = []
  if (isBack) statements.push({ sql: backSql, values: [ownerId, host] })
  if (failures > 0) {
    const values = [ownerId, host, failures, nowMs, nowMs - hostRememberedMs]
    statements.push({ sql: failedSql, values })
  }
  for (const lease of isBack ? [] : leases)
    statements.push({ sql: `${freeSql} AND lease = $3`, values: [ownerId, host, lease] })
  return statements
}

const failedSql = `INSERT INTO webhook_hosts (owner_id, host, failures, failed_at_ms)
    VALUES ($1, $2, CAST($3 AS integer), CAST($4 AS bigint))
  ON CONFLICT (owner_id, host) DO UPDATE SET failed_at_ms = excluded.failed_at_ms,
    failures = CASE WHEN webhook_hosts.failed_at_ms < CAST($5 AS bigint) THEN excluded.failures
      ELSE webhook_hosts.failures + excluded.failures END`

const backSql = 'DELETE FROM webhook_hosts WHERE owner_id = $1 AND host = $2'
const freeSql = 'UPDATE webhook_hosts SET lease = NULL WHERE owner_id = $1 AND host = $2'

/** Events that were tried while the host was spared are older than those behind them. */
const oldestFirstSql = `UPDATE webhook_deliveries SET due_at_ms = created_at_ms
  WHERE webhook_id IN (SELECT w.webhook_id FROM webhooks w WHERE w.owner_id = $1 AND w.failing_host = $2)
    AND state = 'pending' AND due_at_ms <= $3 AND attempt > 1 AND lease IS NULL`

function unansweredOf([webhook, run]: readonly [Webhook, FailureRun | null]): Unanswered[] {
  if (run === null || webhook.suspendedAtMs !== null || !isUnanswered(run)) return []
  return [{ webhookId: webhook.webhookId, ownerId: webhook.ownerId, sinceMs: run.sinceMs }]
}

type Wish = OutboxTurn['wanted'][number]

interface Admitted {
  readonly wishes: readonly Wish[]
  /** Those with the one attempt to their host. */
  readonly probes: ReadonlyMap<string, Webhook>
}

/** Leaves out endpoints that are suspended or held; of those whose host is spared, one may have one attempt. */
export function* admit(
  webhooks: ReadonlyMap<string, Webhook>,
  { wanted, lease, nowMs, leaseEndsAtMs, pauses }: OutboxTurn,
): Script<Admitted> {
  const wishes: Wish[] = []
  const due: Webhook[] = []
  for (const wish of wanted) {
    const webhook = webhooks.get(wish.webhookId)
    if (webhook === undefined || (webhook.suspendedAtMs === null && webhook.heldUntilMs === null)) {
      wishes.push(wish)
    } else if (webhook.suspendedAtMs === null && !isHeld(webhook.heldUntilMs, nowMs, pauses))
      due.push(webhook)
  }
  if (due.length === 0) return { wishes, probes: new Map() }
  const groups = yield due.map((webhook) => ({
    sql: leaseSql,
    values: [webhook.ownerId, hostOf(webhook), lease, nowMs, leaseEndsAtMs],
  }))
  const granted = due.filter((_, place) => (groups[place]?.length ?? 0) > 0)
  return {
    wishes: [...wishes, ...granted.map(({ webhookId }) => ({ webhookId, count: 1 }))],
    probes: new Map(granted.map((webhook) => [webhook.webhookId, webhook])),
  }
}

/** Skips a host that another instance writes about: a wait could be a deadlock. */
const leaseSql = `WITH free AS MATERIALIZED (
    SELECT owner_id AS o, host AS h FROM webhook_hosts
    WHERE owner_id = $1 AND host = $2 AND (lease IS NULL OR lease_ends_at_ms <= $4) FOR UPDATE SKIP LOCKED)
  UPDATE webhook_hosts SET lease = $3, lease_ends_at_ms = $5 FROM free
    WHERE owner_id = free.o AND host = free.h RETURNING host`

/** Gives back what was granted to an endpoint that had nothing due. */
export function* release(webhooks: readonly Webhook[]): Script<void> {
  if (webhooks.length > 0)
    yield webhooks.map((webhook) => ({ sql: freeSql, values: [webhook.ownerId, hostOf(webhook)] }))
}

/** So that a host which was forgotten is not spared. */
export function* forgetHosts(nowMs: number): Script<void> {
  yield* query('DELETE FROM webhook_hosts WHERE failed_at_ms < $1', [nowMs - hostRememberedMs])
}
