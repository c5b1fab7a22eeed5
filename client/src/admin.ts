/** The methods of the administration, as `client.admin`. In a browser, for admins of the installation. */

import type { Calls } from './calls.ts'
import { joinTables, type Listing } from './listing.ts'
import { pathPart, type CallOptions } from './request.ts'
import { csvOf, jsonOf } from './transport.ts'
import type * as wire from './types.ts'

const root = '/api/v1/admin'
const keyPath = (keyId: string): string => `${root}/keys/${pathPart(keyId)}`
const requestPath = (id: string): string => `${root}/access-requests/${pathPart(id)}`
const personPath = (personId: string): string => `${root}/people/${pathPart(personId)}`

export class AdminMethods {
  readonly #calls: Calls

  constructor(calls: Calls) {
    this.#calls = calls
  }

  /** The keys of all owners, newest first. */
  keys(query: wire.AdminKeysQuery = {}, options: CallOptions = {}): Listing<wire.AdminKey> {
    return this.#calls.list(
      `${root}/keys`,
      query,
      options,
      (answer) => jsonOf<wire.AdminKeyList>(answer).keys,
    )
  }

  /** The key is only in this answer. */
  async issueKey(body: wire.IssueKeyRequest, options: CallOptions = {}): Promise<wire.IssuedKey> {
    return this.#calls.act(`${root}/keys`, body, options)
  }

  /** The new key is only in this answer. */
  async rotateKey(
    keyId: string,
    body: wire.RotateKeyRequest = {},
    options: CallOptions = {},
  ): Promise<wire.RotatedKey> {
    return this.#calls.act(`${keyPath(keyId)}/rotate`, body, options)
  }

  async revokeKey(keyId: string, options: CallOptions = {}): Promise<wire.RevokedKey> {
    return this.#calls.act(`${keyPath(keyId)}/revoke`, null, options)
  }

  /** Access requests, newest first. */
  accessRequests(
    query: wire.AccessRequestsQuery = {},
    options: CallOptions = {},
  ): Listing<wire.AccessRequestView> {
    return this.#calls.list(
      `${root}/access-requests`,
      query,
      options,
      (answer) => jsonOf<wire.AccessRequestList>(answer).access_requests,
    )
  }

  /** The live key is only in this answer. */
  async approveAccess(
    accessRequestId: string,
    body: wire.ApproveAccessRequest = {},
    options: CallOptions = {},
  ): Promise<wire.ApprovedAccess> {
    return this.#calls.act(`${requestPath(accessRequestId)}/approve`, body, options)
  }

  async rejectAccess(
    accessRequestId: string,
    body: wire.RejectAccessRequest = {},
    options: CallOptions = {},
  ): Promise<wire.AccessRequestView> {
    return this.#calls.act(`${requestPath(accessRequestId)}/reject`, body, options)
  }

  async people(options: CallOptions = {}): Promise<wire.PersonList> {
    return this.#calls.get(`${root}/people`, options)
  }

  /** The link is only in this answer. */
  async invitePerson(body: wire.InviteRequest, options: CallOptions = {}): Promise<wire.InvitedPerson> {
    return this.#calls.act(`${root}/people`, body, options)
  }

  /** A link for a new password. Ends the password and the sessions of before. */
  async resetPerson(personId: string, options: CallOptions = {}): Promise<wire.InvitedPerson> {
    return this.#calls.act(`${personPath(personId)}/reset`, null, options)
  }

  async setRoles(
    personId: string,
    body: wire.RolesRequest,
    options: CallOptions = {},
  ): Promise<wire.ChangedPerson> {
    return this.#calls.act(`${personPath(personId)}/roles`, body, options)
  }

  async endSessions(personId: string, options: CallOptions = {}): Promise<wire.EndedSessions> {
    return this.#calls.act(`${personPath(personId)}/end-sessions`, null, options)
  }

  async removePerson(personId: string, options: CallOptions = {}): Promise<wire.ChangedPerson> {
    return this.#calls.act(`${personPath(personId)}/remove`, null, options)
  }

  async restorePerson(personId: string, options: CallOptions = {}): Promise<wire.ChangedPerson> {
    return this.#calls.act(`${personPath(personId)}/restore`, null, options)
  }

  /** The state of every live feed, as the instance that answers sees it. */
  async feeds(options: CallOptions = {}): Promise<wire.AdminFeeds> {
    return this.#calls.get(`${root}/feeds`, options)
  }

  /** Reads live feeds now. */
  async checkFeeds(body: wire.FeedCheckRequest = {}, options: CallOptions = {}): Promise<wire.FeedChecks> {
    return this.#calls.act(`${root}/feeds/check`, body, options)
  }

  /** The endpoints of all owners, with their health. */
  webhooks(query: wire.AdminWebhooksQuery = {}, options: CallOptions = {}): Listing<wire.AdminWebhook> {
    return this.#calls.list(
      `${root}/webhooks`,
      query,
      options,
      (answer) => jsonOf<wire.AdminWebhookList>(answer).webhooks,
    )
  }

  /** The stage of the corridor platform, its quality gate and all transitions. */
  async cip(options: CallOptions = {}): Promise<wire.AdminCip> {
    return this.#calls.get(`${root}/cip`, options)
  }

  /** Recorded permanently. A refusal is a `ConflictError` with the reason. */
  async transitionCip(
    body: wire.CipTransitionRequest,
    options: CallOptions = {},
  ): Promise<wire.CipTransition> {
    return this.#calls.act(`${root}/cip/transitions`, body, options)
  }

  /** Shows what an erasure would erase; changes nothing. */
  async previewErasure(
    body: wire.ErasurePreviewRequest,
    options: CallOptions = {},
  ): Promise<wire.ErasurePreview> {
    return this.#calls.query(`${root}/erasures/preview`, body, options)
  }

  /** Shows what is older than the retention period; changes nothing. */
  async retention(options: CallOptions = {}): Promise<wire.Retention> {
    return this.#calls.get(`${root}/retention`, options)
  }

  /** The months of records, oldest first. */
  async months(options: CallOptions = {}): Promise<wire.MonthList> {
    return this.#calls.get(`${root}/months`, options)
  }

  /** Whether a month can be detached; changes nothing. */
  async checkMonth(month: string, options: CallOptions = {}): Promise<wire.MonthCheck> {
    return this.#calls.query(`${root}/months/${pathPart(month)}/check`, {}, options)
  }

  /** Starts a job of maintenance. One runs at a time. */
  async startJob(body: wire.StartJobRequest, options: CallOptions = {}): Promise<wire.MaintenanceJob> {
    return this.#calls.act(`${root}/jobs`, body, options)
  }

  /** The jobs of maintenance, newest first. */
  jobs(query: wire.AdminJobsQuery = {}, options: CallOptions = {}): Listing<wire.MaintenanceJob> {
    return this.#calls.list(
      `${root}/jobs`,
      query,
      options,
      (answer) => jsonOf<wire.MaintenanceJobList>(answer).jobs,
    )
  }

  async job(jobId: string, options: CallOptions = {}): Promise<wire.MaintenanceJob> {
    return this.#calls.get(`${root}/jobs/${pathPart(jobId)}`, options)
  }

  /** The acts on the installation, newest first. */
  activity(query: wire.ActivityQuery = {}, options: CallOptions = {}): Listing<wire.Activity> {
    return this.#calls.list(
      `${root}/activity`,
      query,
      options,
      (answer) => jsonOf<wire.ActivityList>(answer).activity,
    )
  }

  /** The same as CSV: chunks of complete lines with one header. Iterate with `for await`. */
  exportActivity(
    query: wire.ActivityQuery = {},
    options: CallOptions = {},
  ): AsyncGenerator<string, void, undefined> {
    const exportQuery = { limit: 500, ...query, format: 'csv' }
    return joinTables(
      this.#calls.list(`${root}/activity`, exportQuery, options, (answer) => [csvOf(answer)], 'text/csv'),
    )
  }
}
