/** The client: every endpoint of the contract as a typed method, named as its operation. */

import { decided, holdOf, type VerifyResult } from './decision.ts'
import { UnavailableError } from './errors.ts'
import { inOneTable, Listing, nextCursorOf, type Page } from './listing.ts'
import {
  checkedBaseUrl,
  checkedIdempotencyKey,
  checkedKey,
  pathPart,
  queryText,
  uuid,
  withLimits,
} from './request.ts'
import type { Repeatable } from './retry.ts'
import { systemRuntime, type Runtime } from './runtime.ts'
import {
  csvOf,
  jsonOf,
  listOf,
  Transport,
  type Answer,
  type Call,
  type CallLimits,
  type CallOptions,
} from './transport.ts'
import type * as wire from './types.ts'

export interface FairwayClientOptions extends Omit<CallOptions, 'signal'> {
  /** Where the service is: `https://fairway.example.com`, with or without a path. */
  readonly baseUrl: string
  /** Not needed for the demo, health and the other public endpoints. */
  readonly apiKey?: string | undefined
  /** Other network, time or chance than the runtime's: for tests, proxies and instrumentation. */
  readonly runtime?: Partial<Runtime> | undefined
}

export interface VerifyOptions extends CallOptions {
  /**
   * One for each payment, so that asking again never decides twice. Made anew for each call, unless given: whoever aborts a
   * call and means to ask again gives one.
   */
  readonly idempotencyKey?: string | undefined
  /** What the key is for, unless given. */
  readonly mode?: wire.Mode | undefined
}

export interface BatchOptions extends CallOptions {
  /** Of a CSV body, which cannot carry one. */
  readonly reportName?: string | undefined
}

/** Four retries wait 1, 2, 4 and 8 seconds, as the contract has it for a fault; then somebody should know. */
export const defaultLimits: CallLimits = { maxRetries: 4, timeoutMs: 10_000, totalTimeoutMs: 60_000 }

/** The longest page that there is: an export is read in few. */
const exportPageRecords = 500
const pieceOf = (answer: Answer): readonly string[] => [csvOf(answer)]

interface Sent {
  readonly body?: string | null
  readonly type?: string
  readonly accept?: string
  readonly repeatable?: Repeatable
  readonly idempotencyKey?: string
}

export class FairwayClient {
  readonly baseUrl: string
  readonly #apiKey: string | null
  readonly #transport: Transport

  constructor({ baseUrl, apiKey, runtime, ...limits }: FairwayClientOptions) {
    this.baseUrl = checkedBaseUrl(baseUrl)
    this.#apiKey = apiKey === undefined ? null : checkedKey(apiKey)
    const world = { ...systemRuntime, ...runtime }
    this.#transport = new Transport(this.baseUrl, withLimits(defaultLimits, limits), world)
  }

  // Decisions

  /** One decision, recorded once and for ever; or a hold where the service could not decide. */
  async verify(body: wire.VerifyRequest, options: VerifyOptions = {}): Promise<VerifyResult> {
    const idempotencyKey = checkedIdempotencyKey(body.idempotency_key, options.idempotencyKey) ?? uuid()
    const path = `/api/v1/verify${queryText({ mode: options.mode })}`
    // In the body, where spaces at either end survive.
    const sent = { ...body, idempotency_key: idempotencyKey }
    try {
      const answer = await this.#keyed('POST', path, options, { body: JSON.stringify(sent), idempotencyKey })
      return decided(answer)
    } catch (error) {
      if (error instanceof UnavailableError) return holdOf(error, idempotencyKey)
      throw error
    }
  }

  /** Partners ranked for one payment. Nothing is recorded. */
  async comparePartners(
    body: wire.PartnerRankingRequest,
    options: CallOptions = {},
  ): Promise<wire.PartnerRankingResponse> {
    return this.#ask('/api/v1/decision/compare', body, options)
  }

  /** Payments of the past, as JSON or as the text of a CSV file, up to 500. Nothing is recorded. */
  batchAssess(
    payments: wire.BatchRequest | string,
    options?: BatchOptions & { format?: 'json' },
  ): Promise<wire.BatchResponse>
  /** The rows as the text of a CSV file. */
  batchAssess(
    payments: wire.BatchRequest | string,
    options: BatchOptions & { format: 'csv' },
  ): Promise<string>
  /** Either, where the caller does not know which. */
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
    const answer = await this.#keyed('POST', path, options, { ...sent, accept: acceptOf(format) })
    return format === 'csv' ? answer.text : jsonOf<wire.BatchResponse>(answer)
  }

  // The demo

  /** A decision on synthetic signals, without a key; kept nowhere. */
  async demoVerify(
    body: wire.DemoVerifyRequest = {},
    options: CallOptions = {},
  ): Promise<wire.DemoVerifyResponse> {
    return jsonOf(await this.#open('POST', '/api/v1/demo-verify', options, { body: JSON.stringify(body) }))
  }

  /** The three risk profiles on one payment, without a key. */
  async demoCompare(
    body: wire.DemoCompareRequest,
    options: CallOptions = {},
  ): Promise<wire.DemoCompareResponse> {
    return jsonOf(await this.#open('POST', '/api/v1/demo-compare', options, { body: JSON.stringify(body) }))
  }

  // Records

  /** Your own decisions, newest first: `for await (const one of client.verifications())`. */
  verifications(query: wire.VerificationsQuery = {}, options: CallOptions = {}): Listing<wire.Verification> {
    return this.#list('/api/verifications', query, options)
  }

  /** The same as CSV, in pieces of whole lines and with one header: `for await (const lines of client.exportVerifications())`. */
  exportVerifications(
    query: wire.VerificationsQuery = {},
    options: CallOptions = {},
  ): AsyncGenerator<string, void, undefined> {
    const asked = { limit: exportPageRecords, ...query, format: 'csv' }
    return inOneTable(this.#list('/api/verifications', asked, options, pieceOf, 'text/csv'))
  }

  /** Your own decisions in a time, summed up: the last 24 hours unless told. */
  async verificationsSummary(
    query: wire.SummaryQuery = {},
    options: CallOptions = {},
  ): Promise<wire.VerificationsSummary> {
    return this.#get(`/api/v1/verifications/summary${queryText(query)}`, options)
  }

  /** The record of one decision. */
  async audit(requestId: string, options: CallOptions = {}): Promise<wire.AuditRecord> {
    return this.#get(`/api/v1/audit/${pathPart(requestId)}`, options)
  }

  /** The evidence of one decision, which `fairway audit verify` checks offline. */
  exportAudit(requestId: string, options?: CallOptions & { format?: 'json' }): Promise<wire.AuditExport>
  /** The same as the text of a CSV file. */
  exportAudit(requestId: string, options: CallOptions & { format: 'csv' }): Promise<string>
  /** Either, where the caller does not know which. */
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
    const answer = await this.#keyed('GET', path, options, { accept: acceptOf(format) })
    return format === 'csv' ? answer.text : jsonOf<wire.AuditExport>(answer)
  }

  /** The proof that a record, and its override, are in the log. */
  async auditProof(requestId: string, options: CallOptions = {}): Promise<wire.AuditProof> {
    return this.#get(`/api/v1/audit/${pathPart(requestId)}/proof`, options)
  }

  /** The newest checkpoint of the log; with `from`, also the proof that it still begins with an earlier one. Needs no key. */
  async auditCheckpoint(
    query: { readonly from?: number } = {},
    options: CallOptions = {},
  ): Promise<wire.CheckpointAnswer> {
    return jsonOf(await this.#open('GET', `/api/v1/audit/checkpoint${queryText(query)}`, options))
  }

  /** A person's override of a `DEGRADED` or `NO-GO`: once, and for ever. */
  async override(body: wire.OverrideRequest, options: CallOptions = {}): Promise<wire.Override> {
    return this.#act('/api/v1/override', body, options)
  }

  /** How the payment ended: reported once. */
  async reportOutcome(
    requestId: string,
    body: wire.OutcomeRequest,
    options: CallOptions = {},
  ): Promise<wire.ReportedOutcome> {
    return this.#act(`/api/v1/decision/${pathPart(requestId)}/outcome`, body, options)
  }

  // Intelligence

  /** Why a decision was made, and what would have changed it. */
  async explainDecision(requestId: string, options: CallOptions = {}): Promise<wire.Explanation> {
    return this.#get(`/api/v1/decision/${pathPart(requestId)}/explanation`, options)
  }

  /** What a decision did about the risk of its payment. */
  async decisionImpact(requestId: string, options: CallOptions = {}): Promise<wire.Impact> {
    return this.#get(`/api/v1/decision/${pathPart(requestId)}/impact`, options)
  }

  /** The ten measured moments of a decision. */
  async decisionTimeline(requestId: string, options: CallOptions = {}): Promise<wire.Timeline> {
    return this.#get(`/api/v1/decision/${pathPart(requestId)}/timeline`, options)
  }

  /** Where the signals of a decision came from. */
  async signalProvenance(requestId: string, options: CallOptions = {}): Promise<wire.SignalProvenance> {
    return this.#get(`/api/v1/signals/${pathPart(requestId)}`, options)
  }

  /** How a corridor is doing. */
  async corridorHealth(
    corridor: string,
    query: wire.CorridorQuery = {},
    options: CallOptions = {},
  ): Promise<wire.CorridorHealth> {
    return this.#get(`/api/v1/corridors/${pathPart(corridor)}${queryText(query)}`, options)
  }

  /** What would have been said of a payment of the past. Nothing is recorded. */
  async replay(body: wire.ReplayRequest, options: CallOptions = {}): Promise<wire.ReplayResponse> {
    return this.#ask('/api/v1/replay', body, options)
  }

  // Webhooks

  /** Registers an endpoint for events; its secret is in this answer and in no other. */
  async registerWebhook(
    body: wire.WebhookRequest,
    options: CallOptions = {},
  ): Promise<wire.RegisteredWebhook> {
    return this.#act('/api/v1/webhooks', body, options)
  }

  async webhooks(options: CallOptions = {}): Promise<readonly wire.Webhook[]> {
    return this.#get('/api/v1/webhooks', options)
  }

  async webhook(webhookId: string, options: CallOptions = {}): Promise<wire.Webhook> {
    return this.#get(`/api/v1/webhooks/${pathPart(webhookId)}`, options)
  }

  async removeWebhook(webhookId: string, options: CallOptions = {}): Promise<wire.RemovedWebhook> {
    const path = `/api/v1/webhooks/${pathPart(webhookId)}`
    return jsonOf(await this.#keyed('DELETE', path, options, { repeatable: 'when_refused' }))
  }

  /** A new secret; the old one signs beside it for 24 hours. */
  async rotateWebhookSecret(webhookId: string, options: CallOptions = {}): Promise<wire.RotatedWebhook> {
    return this.#act(`/api/v1/webhooks/${pathPart(webhookId)}/rotate-secret`, null, options)
  }

  /** Sends a test event to an endpoint. */
  async testWebhook(webhookId: string, options: CallOptions = {}): Promise<wire.TestedWebhook> {
    return this.#act(`/api/v1/webhooks/${pathPart(webhookId)}/test`, null, options)
  }

  /** What was sent to an endpoint, newest first. */
  webhookDeliveries(
    webhookId: string,
    query: wire.DeliveriesQuery = {},
    options: CallOptions = {},
  ): Listing<wire.Delivery> {
    return this.#list(`/api/v1/webhooks/${pathPart(webhookId)}/deliveries`, query, options)
  }

  // Access and service

  /** Asks for access: a sandbox key comes with the answer. */
  async requestAccess(body: wire.AccessRequest, options: CallOptions = {}): Promise<wire.AccessResponse> {
    const sent = { body: JSON.stringify(body), repeatable: 'when_refused' as const }
    return jsonOf(await this.#open('POST', '/api/v1/request-access', options, sent))
  }

  /** What the key may do, how often, and how much it has done. */
  async organisationSettings(options: CallOptions = {}): Promise<wire.OrganisationSettings> {
    return this.#get('/api/v1/organisation/settings', options)
  }

  async health(options: CallOptions = {}): Promise<wire.Health> {
    return jsonOf(await this.#open('GET', '/api/health', options))
  }

  /** The rules, from the constants that the scorer uses. */
  async methodology(options: CallOptions = {}): Promise<wire.Methodology> {
    return jsonOf(await this.#open('GET', '/api/v1/methodology', options))
  }

  async readiness(options: CallOptions = {}): Promise<wire.Readiness> {
    return jsonOf(await this.#open('GET', '/api/v1/readiness', options))
  }

  /** The signal feeds, and how they are doing. */
  async signalStatus(options: CallOptions = {}): Promise<wire.SignalStatus> {
    return jsonOf(await this.#open('GET', '/api/v1/status/signals', options))
  }

  /** The Corridor Intelligence Platform. */
  async cipStatus(options: CallOptions = {}): Promise<wire.CipStatus> {
    return jsonOf(await this.#open('GET', '/api/v1/cip/status', options))
  }

  // The ways to ask

  async #get<Body extends object>(path: string, options: CallOptions): Promise<Body> {
    return jsonOf<Body>(await this.#keyed('GET', path, options))
  }

  /** A question that keeps nothing, so that it may be asked again. */
  async #ask<Body extends object>(path: string, body: object, options: CallOptions): Promise<Body> {
    return jsonOf<Body>(await this.#keyed('POST', path, options, { body: JSON.stringify(body) }))
  }

  /** Something is done, and must not be done twice. */
  async #act<Body extends object>(path: string, body: object | null, options: CallOptions): Promise<Body> {
    const sent = { body: body === null ? null : JSON.stringify(body), repeatable: 'when_refused' as const }
    return jsonOf<Body>(await this.#keyed('POST', path, options, sent))
  }

  #list<Item>(
    path: string,
    query: { readonly cursor?: string },
    options: CallOptions,
    itemsOf: (answer: Answer) => readonly Item[] = listOf,
    accept?: string,
  ): Listing<Item> {
    const read = async (cursor: string | null): Promise<Page<Item>> => {
      const asked = queryText({ ...query, cursor: cursor ?? undefined })
      const answer = await this.#keyed('GET', path + asked, options, accept === undefined ? {} : { accept })
      return { items: itemsOf(answer), nextCursor: nextCursorOf(answer.headers.get('link')) }
    }
    return new Listing(read, query.cursor ?? null)
  }

  async #keyed(method: Call['method'], path: string, options: CallOptions, sent: Sent = {}): Promise<Answer> {
    if (this.#apiKey === null) throw new TypeError('This call needs an API key: give the client an apiKey.')
    return this.#send(method, path, options, sent, { authorization: `Bearer ${this.#apiKey}` })
  }

  /** Without the key: whoever does not need it does not see it. */
  #open(method: Call['method'], path: string, options: CallOptions, sent: Sent = {}): Promise<Answer> {
    return this.#send(method, path, options, sent, {})
  }

  #send(
    method: Call['method'],
    path: string,
    options: CallOptions,
    {
      body = null,
      type = 'application/json',
      accept = 'application/json',
      repeatable = 'always',
      idempotencyKey,
    }: Sent,
    authorization: Readonly<Record<string, string>>,
  ): Promise<Answer> {
    const headers = { ...authorization, accept, ...(body === null ? {} : { 'content-type': type }) }
    const call = { method, path, headers, body, repeatable, idempotencyKey: idempotencyKey ?? null }
    return this.#transport.send(call, options)
  }
}

const acceptOf = (format: 'json' | 'csv'): string => (format === 'csv' ? 'text/csv' : 'application/json')
