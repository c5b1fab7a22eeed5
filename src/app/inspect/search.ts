/** One search for an id of any kind, or a correlation id, among what the caller may see. */

import type { Verdict } from '../../core/decision/score.ts'
import { parseEventId, subjectIdOf, type EventId } from '../../core/events/event.ts'
import { isWebhookId } from '../../core/events/webhook.ts'
import type { Scope } from '../../core/identity/api-key.ts'
import { parseRequestId, requestIdOfDigits, type RequestId } from '../../core/identity/request-id.ts'
import { isReviewId } from '../../core/review/terms.ts'
import { iso } from '../../core/time/durations.ts'
import type { PolicyDocument } from '../../core/policy/document.ts'
import type { OwnPolicies, PoliciesFor } from '../policy/policies.ts'
import type { ListedVerification } from '../ports/records.ts'
import type { OwnerRecords, Store } from '../ports/store.ts'
import { currencyMembers, readAnswerExcerpt } from '../verify/answer.ts'

/** The decisions of one correlation id that are listed. */
const correlatedMax = 10

export const resultKinds = [
  'decision',
  'override',
  'outcome',
  'review',
  'event',
  'policy',
  'backtest',
  'report',
  'webhook',
] as const

interface Result {
  readonly kind: (typeof resultKinds)[number]
  readonly id: string
  readonly title: string
  /** The decision that it is about. */
  readonly request_id?: RequestId
  /** The policy of a backtest. */
  readonly policy_id?: string
  /** The endpoint of a webhook, or of the delivery of an event. */
  readonly webhook_id?: string
  readonly payment?: {
    readonly corridor: string
    readonly decision: Verdict
    readonly amount: number | null
    readonly currency: string
    readonly request_currency: string
    readonly settlement_currency: string | null
    readonly recorded_at: string
  }
}

interface Searcher {
  readonly ownerId: string
  readonly may: (scope: Scope) => boolean
}

export interface SearchDeps {
  readonly store: Pick<Store, 'forOwner'>
  readonly policies: PoliciesFor
}

export type Search = (caller: Searcher, text: string) => Promise<Result[]>

/** Each id has a prefix, so that at most a few reads by key are needed. */
export function createSearch({ store, policies }: SearchDeps): Search {
  return async ({ ownerId, may }, text) => {
    const owner = store.forOwner(ownerId)
    const byId = await findById({ owner, may, policies: policies(ownerId) }, text)
    return [...byId, ...(await findByCorrelation(owner, text))]
  }
}

interface Finder {
  readonly owner: OwnerRecords
  readonly may: Searcher['may']
  readonly policies: Pick<OwnPolicies, 'find' | 'backtest'>
}

/** Ids are found in any case, since people copy them from places that change it. */
async function findById({ owner, may, policies }: Finder, text: string): Promise<Result[]> {
  const id = text.toLowerCase()
  const requestId = parseRequestId(text.toUpperCase())?.id
  if (requestId !== undefined) return findDecision(owner, requestId)
  const eventId = parseEventId(id)
  if (eventId !== null) return findEvent(owner, eventId, may('webhook:manage'))
  if (id.startsWith('ovr_')) return findSubject(owner, 'override', id)
  if (id.startsWith('out_')) return findSubject(owner, 'outcome', id)
  if (isReviewId(id)) return may('review:read') ? findReview(owner, id) : []
  if (isWebhookId(id)) return may('webhook:manage') ? findWebhook(owner, id) : []
  if (id.startsWith('rep_')) return findReport(owner, id)
  if (!may('policy:read')) return []
  if (id.startsWith('pol_')) return findPolicy(policies, id)
  return id.startsWith('bkt_') ? findBacktest(policies, id) : []
}

const decisionResult = (record: ListedVerification): Result => ({
  kind: 'decision',
  id: record.requestId,
  title: record.correlationId ?? record.corridor,
  request_id: record.requestId,
  payment: {
    corridor: record.corridor,
    decision: record.verdict,
    amount: record.amount,
    currency: record.currency,
    ...currencyMembers(record, readAnswerExcerpt(record.answer)),
    recorded_at: iso(record.recordedAtMs),
  },
})

async function findDecision(owner: OwnerRecords, requestId: RequestId): Promise<Result[]> {
  const record = await owner.find(requestId)
  return record === null ? [] : [decisionResult(record)]
}

/** With the payment of its decision. */
async function about(owner: OwnerRecords, requestId: RequestId, result: Result): Promise<Result[]> {
  const [decision] = await findDecision(owner, requestId)
  return decision?.payment === undefined
    ? [result]
    : [{ ...result, request_id: requestId, payment: decision.payment }]
}

async function findSubject(owner: OwnerRecords, kind: 'override' | 'outcome', id: string): Promise<Result[]> {
  const requestId = await owner.findSubject(id)
  return requestId === null ? [] : about(owner, requestId, { kind, id, title: requestId })
}

async function findReview(owner: OwnerRecords, id: string): Promise<Result[]> {
  const review = await owner.reviews.find(id)
  return review === null ? [] : about(owner, review.requestId, { kind: 'review', id, title: review.status })
}

async function findWebhook(owner: OwnerRecords, id: string): Promise<Result[]> {
  const webhook = await owner.webhooks.find(id)
  return webhook === null ? [] : [{ kind: 'webhook', id, title: webhook.url, webhook_id: id }]
}

async function findReport(owner: OwnerRecords, id: string): Promise<Result[]> {
  const report = await owner.reports.find(id)
  return report === null ? [] : [{ kind: 'report', id, title: report.name }]
}

async function findPolicy(policies: Finder['policies'], id: string): Promise<Result[]> {
  const policy = await policies.find(id)
  return policy === null
    ? []
    : [{ kind: 'policy', id, title: (JSON.parse(policy.document) as PolicyDocument).name }]
}

/** Named as its policy. */
async function findBacktest(policies: Finder['policies'], id: string): Promise<Result[]> {
  const backtest = await policies.backtest(id)
  if (backtest === null) return []
  const { policyId } = backtest
  const found = await findPolicy(policies, policyId)
  return found.map(({ title }) => ({ kind: 'backtest', id, title, policy_id: policyId }))
}

/** An event has the digits of its subject. Only its deliveries know a test event or a change of status. */
async function findEvent(
  owner: OwnerRecords,
  eventId: EventId,
  mayManageWebhooks: boolean,
): Promise<Result[]> {
  const result: Result = { kind: 'event', id: eventId, title: 'Event' }
  const decisionId = requestIdOfDigits(eventId)
  const [decision] = decisionId === null ? [] : await findDecision(owner, decisionId)
  const requestId =
    decision?.request_id ??
    (await owner.findSubject(subjectIdOf(eventId, 'ovr'))) ??
    (await owner.findSubject(subjectIdOf(eventId, 'rvc')))
  if (requestId !== null) return about(owner, requestId, result)
  const delivery = mayManageWebhooks ? await owner.webhooks.findDelivery(eventId) : null
  return delivery === null ? [] : [{ ...result, title: delivery.kind, webhook_id: delivery.webhookId }]
}

async function findByCorrelation(owner: OwnerRecords, correlationId: string): Promise<Result[]> {
  const records = await owner.list({
    limit: correlatedMax,
    before: null,
    verdict: null,
    corridor: null,
    correlationId,
    fromMs: null,
    toMs: null,
  })
  return records.map(decisionResult)
}
