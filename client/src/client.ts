/** The client: one typed method per endpoint, named after its operation. */

import { BatchReportMethods } from './batch-reports.ts'
import { decided, holdOf, type VerifyResult } from './decision.ts'
import { UnavailableError } from './errors.ts'
import { EventStream, type EventStreamOptions } from './events.ts'
import { joinTables, type Listing } from './listing.ts'
import type { BatchOptions, FairwayClientOptions, OutcomesOptions, VerifyOptions } from './options.ts'
import { checkedIdempotencyKey, pathPart, queryText, uuid, type CallOptions } from './request.ts'
import { AdminMethods } from './admin.ts'
import { Calls } from './calls.ts'
import { csvOf, jsonOf, type Answer } from './transport.ts'
import type * as wire from './types.ts'

/** The maximum page size, so that an export needs few requests. */
const exportPageRecords = 500
const csvPage = (answer: Answer): readonly string[] => [csvOf(answer)]

const deliveryPath = (webhookId: string, eventId: string): string =>
  `/api/v1/webhooks/${pathPart(webhookId)}/deliveries/${pathPart(eventId)}`

export class FairwayClient extends BatchReportMethods {
  readonly baseUrl: string
  /** In a browser: what admins of the installation do. */
  readonly admin: AdminMethods
  readonly #calls: Calls

  constructor(options: FairwayClientOptions) {
    const calls = new Calls(options)
    super(calls)
    this.admin = new AdminMethods(calls)
    this.baseUrl = calls.baseUrl
    this.#calls = calls
  }

  // Decisions

  /** Returns a decision, which is recorded permanently, or a hold if the service could not decide. */
  async verify(body: wire.VerifyRequest, options: VerifyOptions = {}): Promise<VerifyResult> {
    const idempotencyKey =
      checkedIdempotencyKey(body.idempotency_key ?? undefined, options.idempotencyKey) ?? uuid()
    const path = `/api/v1/verify${queryText({ mode: options.mode })}`
    // In the body, which preserves leading and trailing spaces.
    const sent = { ...body, idempotency_key: idempotencyKey }
    try {
      const answer = await this.#calls.keyed('POST', path, options, {
        body: JSON.stringify(sent),
        idempotencyKey,
      })
      return decided(answer)
    } catch (error) {
      if (error instanceof UnavailableError) return holdOf(error, idempotencyKey)
      throw error
    }
  }

  /** Ranks partners for one payment. Nothing is recorded. */
  async comparePartners(
    body: wire.PartnerRankingRequest,
    options: CallOptions = {},
  ): Promise<wire.PartnerRankingResponse> {
    return this.#calls.query('/api/v1/decision/compare', body, options)
  }

  /** Assesses up to 500 past payments, as JSON or as CSV text. Nothing is recorded. */
  batchAssess(
    payments: wire.BatchRequest | string,
    options?: BatchOptions & { format?: 'json' },
  ): Promise<wire.BatchResponse>
  /** Returns the rows as CSV text. */
  batchAssess(
    payments: wire.BatchRequest | string,
    options: BatchOptions & { format: 'csv' },
  ): Promise<string>
  /** For a format that is known only at run time. */
  batchAssess(
    payments: wire.BatchRequest | string,
    options: BatchOptions & { format?: 'json' | 'csv' },
  ): Promise<wire.BatchResponse | string>
  async batchAssess(
    payments: wire.BatchRequest | string,
    options: BatchOptions & { format?: 'json' | 'csv' } = {},
  ): Promise<wire.BatchResponse | string> {
    const { format = 'json', reportName } = options
    const path = `/api/v1/batch-assess${queryText({ format, report_name: reportName })}`
    const isCsv = typeof payments === 'string'
    const sent = isCsv ? { body: payments, type: 'text/csv' } : { body: JSON.stringify(payments) }
    const answer = await this.#calls.keyed('POST', path, options, { ...sent, accept: acceptOf(format) })
    return format === 'csv' ? csvOf(answer) : jsonOf<wire.BatchResponse>(answer)
  }

  // The demo

  /** A decision on synthetic signals, without a key. Nothing is recorded. */
  async demoVerify(
    body: wire.DemoVerifyRequest = {},
    options: CallOptions = {},
  ): Promise<wire.DemoVerifyResponse> {
    return jsonOf(
      await this.#calls.public('POST', '/api/v1/demo-verify', options, { body: JSON.stringify(body) }),
    )
  }

  /** Compares the three risk profiles on one payment, without a key. */
  async demoCompare(
    body: wire.DemoCompareRequest,
    options: CallOptions = {},
  ): Promise<wire.DemoCompareResponse> {
    return jsonOf(
      await this.#calls.public('POST', '/api/v1/demo-compare', options, { body: JSON.stringify(body) }),
    )
  }

  // Records

  /** Your own decisions, newest first: `for await (const record of client.verifications())`. */
  verifications(query: wire.VerificationsQuery = {}, options: CallOptions = {}): Listing<wire.Verification> {
    return this.#calls.list('/api/verifications', query, options)
  }

  /** The same as CSV: chunks of complete lines with one header. Iterate with `for await`. */
  exportVerifications(
    query: wire.VerificationsQuery = {},
    options: CallOptions = {},
  ): AsyncGenerator<string, void, undefined> {
    const exportQuery = { limit: exportPageRecords, ...query, format: 'csv' }
    return joinTables(this.#calls.list('/api/verifications', exportQuery, options, csvPage, 'text/csv'))
  }

  /** A summary of your own decisions. Defaults to the last 24 hours. */
  async verificationsSummary(
    query: wire.SummaryQuery = {},
    options: CallOptions = {},
  ): Promise<wire.VerificationsSummary> {
    return this.#calls.get(`/api/v1/verifications/summary${queryText(query)}`, options)
  }

  /** The same decisions, counted and summed by currency: the newest 10,000 at most. */
  async verificationsTotals(
    query: wire.TotalsQuery = {},
    options: CallOptions = {},
  ): Promise<wire.VerificationsTotals> {
    return this.#calls.get(`/api/v1/verifications/totals${queryText(query)}`, options)
  }

  /** Finds one id of any kind, or the decisions of a correlation id. */
  async search(text: string, options: CallOptions = {}): Promise<wire.SearchResults> {
    return this.#calls.get(`/api/v1/search${queryText({ q: text })}`, options)
  }

  /** The record of one decision. */
  async audit(requestId: string, options: CallOptions = {}): Promise<wire.AuditRecord> {
    return this.#calls.get(`/api/v1/audit/${pathPart(requestId)}`, options)
  }

  /**
   * Your events in the order of the log: `for await (const event of client.events({ after }))`. It waits for more, and
   * does not end by itself. Store `event.id` once the event is processed, and pass it as `after` to go on from there.
   */
  events(query: wire.EventsQuery & EventStreamOptions = {}, options: CallOptions = {}): EventStream {
    return new EventStream(this.#calls, query, options)
  }

  /** The evidence bundle of one decision. `fairway audit verify` verifies it offline. */
  exportAudit(requestId: string, options?: CallOptions & { format?: 'json' }): Promise<wire.AuditExport>
  /** The same as CSV text. */
  exportAudit(requestId: string, options: CallOptions & { format: 'csv' }): Promise<string>
  /** For a format that is known only at run time. */
  exportAudit(
    requestId: string,
    options: CallOptions & { format?: 'json' | 'csv' },
  ): Promise<wire.AuditExport | string>
  async exportAudit(
    requestId: string,
    options: CallOptions & { format?: 'json' | 'csv' } = {},
  ): Promise<wire.AuditExport | string> {
    const { format = 'json' } = options
    const path = `/api/v1/audit/export/${pathPart(requestId)}${queryText({ format })}`
    const answer = await this.#calls.keyed('GET', path, options, { accept: acceptOf(format) })
    return format === 'csv' ? csvOf(answer) : jsonOf<wire.AuditExport>(answer)
  }

  /** The proof that a record and its override are in the log. */
  async auditProof(requestId: string, options: CallOptions = {}): Promise<wire.AuditProof> {
    return this.#calls.get(`/api/v1/audit/${pathPart(requestId)}/proof`, options)
  }

  /** The latest checkpoint of the log and, with `from`, the proof that it extends an earlier one. Needs no key. */
  async auditCheckpoint(
    query: { readonly from?: number } = {},
    options: CallOptions = {},
  ): Promise<wire.CheckpointAnswer> {
    return jsonOf(await this.#calls.public('GET', `/api/v1/audit/checkpoint${queryText(query)}`, options))
  }

  /** Records a person's override of a `DEGRADED` or `NO-GO`: once per decision, permanently. */
  async override(body: wire.OverrideRequest, options: CallOptions = {}): Promise<wire.Override> {
    return this.#calls.act('/api/v1/override', body, options)
  }

  /** Reports how the payment ended: once per decision. */
  async reportOutcome(
    requestId: string,
    body: wire.OutcomeRequest,
    options: CallOptions = {},
  ): Promise<wire.ReportedOutcome> {
    return this.#calls.act(`/api/v1/decision/${pathPart(requestId)}/outcome`, body, options)
  }

  /**
   * Reports how up to 500 payments ended, as rows or as CSV text: all of them, or none. Repeating it is safe: a row that
   * was reported before with the same content is `unchanged`.
   */
  async reportOutcomes(
    outcomes: readonly wire.OutcomeRow[] | string,
    options: OutcomesOptions = {},
  ): Promise<wire.OutcomesResponse> {
    const path = `/api/v1/outcomes${queryText({ dry_run: options.dryRun === true ? 'true' : undefined })}`
    const isCsv = typeof outcomes === 'string'
    const sent = isCsv ? { body: outcomes, type: 'text/csv' } : { body: JSON.stringify({ outcomes }) }
    return jsonOf(await this.#calls.keyed('POST', path, options, sent))
  }

  // Intelligence

  /** All that is known about a decision, in one answer. Members without the scope are null, and listed in `withheld`. */
  async decisionFile(requestId: string, options: CallOptions = {}): Promise<wire.DecisionFile> {
    return this.#calls.get(`/api/v1/decision/${pathPart(requestId)}/file`, options)
  }

  /** Why a decision was made, and what would have changed it. */
  async explainDecision(requestId: string, options: CallOptions = {}): Promise<wire.Explanation> {
    return this.#calls.get(`/api/v1/decision/${pathPart(requestId)}/explanation`, options)
  }

  /** The effect of a decision on the risk of its payment. */
  async decisionImpact(requestId: string, options: CallOptions = {}): Promise<wire.Impact> {
    return this.#calls.get(`/api/v1/decision/${pathPart(requestId)}/impact`, options)
  }

  /** The ten timed events of a decision. */
  async decisionTimeline(requestId: string, options: CallOptions = {}): Promise<wire.Timeline> {
    return this.#calls.get(`/api/v1/decision/${pathPart(requestId)}/timeline`, options)
  }

  /** The sources of the signals of a decision. */
  async signalProvenance(requestId: string, options: CallOptions = {}): Promise<wire.SignalProvenance> {
    return this.#calls.get(`/api/v1/signals/${pathPart(requestId)}`, options)
  }

  /** The health of a corridor. */
  async corridorHealth(
    corridor: string,
    query: wire.CorridorQuery = {},
    options: CallOptions = {},
  ): Promise<wire.CorridorHealth> {
    return this.#calls.get(`/api/v1/corridors/${pathPart(corridor)}${queryText(query)}`, options)
  }

  /** The supported corridors of the key's mode. */
  async corridors(options: CallOptions = {}): Promise<wire.CorridorList> {
    return this.#calls.get('/api/v1/corridors', options)
  }

  /** The settlement calendar of a live corridor; a 404 if it has none. */
  async corridorCalendar(corridor: string, options: CallOptions = {}): Promise<wire.CorridorCalendar> {
    return this.#calls.get(`/api/v1/corridors/${pathPart(corridor)}/calendar`, options)
  }

  /** The state of every live feed, as seen by the instance that answers. */
  async liveFeeds(options: CallOptions = {}): Promise<wire.FeedList> {
    return this.#calls.get('/api/v1/feeds', options)
  }

  /** Assesses a past payment. Nothing is recorded. */
  async replay(body: wire.ReplayRequest, options: CallOptions = {}): Promise<wire.ReplayResponse> {
    return this.#calls.query('/api/v1/replay', body, options)
  }

  // Webhooks

  /** Registers an endpoint for events. The secret is shown only in this response. */
  async registerWebhook(
    body: wire.WebhookRequest,
    options: CallOptions = {},
  ): Promise<wire.RegisteredWebhook> {
    return this.#calls.act('/api/v1/webhooks', body, options)
  }

  async webhooks(options: CallOptions = {}): Promise<readonly wire.Webhook[]> {
    return this.#calls.get('/api/v1/webhooks', options)
  }

  async webhook(webhookId: string, options: CallOptions = {}): Promise<wire.Webhook> {
    return this.#calls.get(`/api/v1/webhooks/${pathPart(webhookId)}`, options)
  }

  async removeWebhook(webhookId: string, options: CallOptions = {}): Promise<wire.RemovedWebhook> {
    const path = `/api/v1/webhooks/${pathPart(webhookId)}`
    return jsonOf(await this.#calls.keyed('DELETE', path, options, { repeatable: 'when_refused' }))
  }

  /** Creates a new secret. The old one remains valid for 24 hours. */
  async rotateWebhookSecret(webhookId: string, options: CallOptions = {}): Promise<wire.RotatedWebhook> {
    return this.#calls.act(`/api/v1/webhooks/${pathPart(webhookId)}/rotate-secret`, null, options)
  }

  /** One delivery with its body and the answers of the receiver. */
  async webhookDelivery(
    webhookId: string,
    eventId: string,
    options: CallOptions = {},
  ): Promise<wire.DeliveryDetail> {
    return this.#calls.get(deliveryPath(webhookId, eventId), options)
  }

  /** Sends an event again: one further attempt, at once. */
  async resendDelivery(
    webhookId: string,
    eventId: string,
    options: CallOptions = {},
  ): Promise<wire.ResentDelivery> {
    return this.#calls.act(`${deliveryPath(webhookId, eventId)}/resend`, null, options)
  }

  /** Sends again what was dropped or suspended in that time, oldest first. Ends a suspension. */
  async resendDeliveries(
    webhookId: string,
    body: wire.ResendRequest,
    options: CallOptions = {},
  ): Promise<wire.ResentEvents> {
    return this.#calls.act(`/api/v1/webhooks/${pathPart(webhookId)}/resend`, body, options)
  }

  /** Sends a test event to an endpoint. Ends a suspension. */
  async testWebhook(webhookId: string, options: CallOptions = {}): Promise<wire.TestedWebhook> {
    return this.#calls.act(`/api/v1/webhooks/${pathPart(webhookId)}/test`, null, options)
  }

  /** The deliveries of an endpoint, newest first. */
  webhookDeliveries(
    webhookId: string,
    query: wire.DeliveriesQuery = {},
    options: CallOptions = {},
  ): Listing<wire.Delivery> {
    return this.#calls.list(`/api/v1/webhooks/${pathPart(webhookId)}/deliveries`, query, options)
  }

  // Access and service

  /** Requests access. The response contains a sandbox key. */
  async requestAccess(body: wire.AccessRequest, options: CallOptions = {}): Promise<wire.AccessResponse> {
    const sent = { body: JSON.stringify(body), repeatable: 'when_refused' as const }
    return jsonOf(await this.#calls.public('POST', '/api/v1/request-access', options, sent))
  }

  /** The permissions, limits and usage of the key. */
  async organisationSettings(options: CallOptions = {}): Promise<wire.OrganisationSettings> {
    return this.#calls.get('/api/v1/organisation/settings', options)
  }

  async health(options: CallOptions = {}): Promise<wire.Health> {
    return jsonOf(await this.#calls.public('GET', '/api/health', options))
  }

  /** The scoring rules, from the constants that the scorer uses. */
  async methodology(options: CallOptions = {}): Promise<wire.Methodology> {
    return jsonOf(await this.#calls.public('GET', '/api/v1/methodology', options))
  }

  async readiness(options: CallOptions = {}): Promise<wire.Readiness> {
    return jsonOf(await this.#calls.public('GET', '/api/v1/readiness', options))
  }

  /** Whether this instance takes requests, and how far its followers are. A probe, not an operation of the contract. */
  async ready(options: CallOptions = {}): Promise<wire.Ready> {
    return jsonOf(await this.#calls.public('GET', '/readyz', options))
  }

  /** The status of the signal feeds. */
  async signalStatus(options: CallOptions = {}): Promise<wire.SignalStatus> {
    return jsonOf(await this.#calls.public('GET', '/api/v1/status/signals', options))
  }

  /** The status of the Corridor Intelligence Platform. */
  async cipStatus(options: CallOptions = {}): Promise<wire.CipStatus> {
    return jsonOf(await this.#calls.public('GET', '/api/v1/cip/status', options))
  }
}

const acceptOf = (format: 'json' | 'csv'): string => (format === 'csv' ? 'text/csv' : 'application/json')
