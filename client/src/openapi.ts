/** The types of the API. Generated from docs/openapi.json by `npm run generate`. Do not edit. */

export interface paths {
  readonly '/api/health': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /** Check the health of the service */
    readonly get: operations['health']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/methodology': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /** Get the scoring methodology */
    readonly get: operations['methodology']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/verify': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * Verify a corridor before a payment
     * @description Returns one decision and records it permanently. Send an idempotency key so that a retry never decides twice.
     */
    readonly post: operations['verify']
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/verifications': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * List your decisions, newest first
     * @description Paginated: follow `Link: <…>; rel="next"` until there is none. With `mode`, `reason`, `currency`, `amount_min`, `amount_max`, `override` or `outcome`, one page looks at 2,000 records at most: it may hold fewer than `limit`, or none, and still have a next page. In CSV (`Accept: text/csv` or `format`), each page has a header and one line per record, and the link keeps the format.
     */
    readonly get: operations['verifications']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/verifications/totals': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * Sum your decisions by currency
     * @description The number, the amounts and the decisions of the records that match, by currency of the request. Sums are exact, and rounded once to a number. It looks at the newest 10,000 records at most; `complete` is false if there are older ones. Not part of the original contract.
     */
    readonly get: operations['verificationsTotals']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/verifications/summary': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * Summarise your decisions over a period
     * @description Decisions over time, with counts, scores, reasons, corridors and latency. Exact: each decision is counted in the transaction that records it. Defaults to the last 24 hours. The range is widened to full hours of recording time; `from` and `to` in the response show what it covers. Not part of the original contract.
     */
    readonly get: operations['verificationsSummary']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/search': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * Find an id or a correlation id
     * @description Finds one id exactly: of a decision, override, outcome, review, event, policy, backtest, kept report or webhook; or the newest ten decisions with a correlation id. Only what the caller may read: reviews, policies with their backtests, and webhooks need their scopes, and an id of another owner is unknown. Not part of the original contract.
     */
    readonly get: operations['search']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/audit/{request_id}': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /** Get the record of a decision */
    readonly get: operations['audit']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/audit/export/{id}': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * Export the evidence bundle of a decision
     * @description Contains the record, the policies that it was decided under, its explanation and timeline, and hashes that anyone can recompute, signed by the key of the log. `fairway audit verify FILE` verifies the bundle offline and reports changes.
     */
    readonly get: operations['exportAudit']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/audit/{id}/proof': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * Prove that a record is in the log
     * @description Hash paths (RFC 6962) from the record and its override to the root that the checkpoint signs. With a stored checkpoint you can prove later that neither was changed.
     */
    readonly get: operations['auditProof']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/audit/checkpoint': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * Get the latest checkpoint of the log
     * @description Public. With `from`, also returns the proof that the log still contains everything that the earlier checkpoint signed.
     */
    readonly get: operations['auditCheckpoint']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/override': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * Record a human override of a decision
     * @description For `DEGRADED` and `NO-GO`, once per decision; the same override again gets the first answer. The decision does not change; the override is recorded permanently and sent as `payment.override.created`.
     */
    readonly post: operations['override']
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/decision/{id}/outcome': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * Report the outcome of a payment
     * @description Once per decision; the same report again gets the first answer. Audit and history show the outcome with the decision, which does not change. Live mode can compute its failure rate from these reports.
     */
    readonly post: operations['reportOutcome']
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/outcomes': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * Report the outcomes of up to 500 payments
     * @description All rows are recorded, or none: one bad row refuses the request, and the error lists every fault with its row and column. A row that was reported before with the same content changes nothing, so the same request can be sent again. In JSON a bare list of rows is accepted, too.
     */
    readonly post: operations['reportOutcomes']
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/decision/{id}/explanation': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * Explain a decision
     * @description The factors of the composite, the penalty and rounding that lead to the score, the policy gate, the rules of policies that fired, and counterfactuals computed by the same engine.
     */
    readonly get: operations['explainDecision']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/decision/{id}/impact': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * Get the impact of a decision on risk
     * @description If the decision was overridden, the impact reflects the override.
     */
    readonly get: operations['decisionImpact']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/decision/{id}/timeline': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * Get the timeline of a decision
     * @description Ten events, timed during the decision. The durations add up to the total.
     */
    readonly get: operations['decisionTimeline']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/signals/{decision_id}': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * Get the signal provenance of a decision
     * @description Each signal with its value, source and confidence.
     */
    readonly get: operations['signalProvenance']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/decision/{id}/file': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * Get all that is known about a decision
     * @description The record, explanation, provenance, timeline, impact, review, webhook deliveries and proof of a decision, as their own endpoints show them. A member that needs a scope the caller lacks is null, and listed in `withheld`.
     */
    readonly get: operations['decisionFile']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/corridors': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * List the supported corridors
     * @description Those of the key's mode: simulated ones for a test key, declared ones for a live key.
     */
    readonly get: operations['corridors']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/corridors/{corridor}': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * Get the health of a corridor
     * @description Computed from its signals, for typical payments or for a given amount. With a live key it also has the declared partners, their feeds and the last 24 hours. Nothing is stored. A corridor without data is DEGRADED, with an advisory.
     */
    readonly get: operations['corridorHealth']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/corridors/{corridor}/calendar': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * Get the settlement calendar of a corridor
     * @description For a live key, where a calendar is declared; otherwise 404.
     */
    readonly get: operations['corridorCalendar']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/replay': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * Assess a past payment
     * @description Uses simulated signals, whatever the key; test amounts have no effect, and no policy acts on it. With `actual_outcome`, also reports whether a verification would have helped.
     */
    readonly post: operations['replay']
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/readiness': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /** Get the readiness checklist of this instance */
    readonly get: operations['readiness']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/status/signals': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /** Get the status of the signal feeds */
    readonly get: operations['signalStatus']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/cip/status': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /** Get the status of the Corridor Intelligence Platform */
    readonly get: operations['cipStatus']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/feeds': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * List the live feeds and their states
     * @description As seen by this instance, without values. A GET of a corridor reads its feeds anew. Empty for a test key.
     */
    readonly get: operations['liveFeeds']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/organisation/settings': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /** Get the permissions, limits and usage of the calling key */
    readonly get: operations['organisationSettings']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/webhooks': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /** List your endpoints */
    readonly get: operations['webhooks']
    readonly put?: never
    /**
     * Register an endpoint for events
     * @description At most 20 per owner. The secret is shown only in this response.
     */
    readonly post: operations['registerWebhook']
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/webhooks/{webhook_id}': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /** Get an endpoint */
    readonly get: operations['webhook']
    readonly put?: never
    readonly post?: never
    /**
     * Remove an endpoint
     * @description Pending events are not sent. An attempt in progress may still arrive.
     */
    readonly delete: operations['removeWebhook']
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/webhooks/{webhook_id}/rotate-secret': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * Rotate the secret of an endpoint
     * @description For 24 hours, `webhook-signature` contains signatures with both the old and the new secret. `X-SVC-Signature` uses the new secret at once.
     */
    readonly post: operations['rotateWebhookSecret']
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/webhooks/{webhook_id}/test': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * Send a test event to an endpoint
     * @description Sends a `webhook.test` event, signed and retried like any other.
     */
    readonly post: operations['testWebhook']
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/webhooks/{webhook_id}/deliveries': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * List the deliveries of an endpoint
     * @description Paginated: follow `Link: <…>; rel="next"` until there is none. Delivered events are listed for 30 days, others until the endpoint is removed.
     */
    readonly get: operations['webhookDeliveries']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/webhooks/{webhook_id}/deliveries/{event_id}': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * Show a delivery: its body and the answers
     * @description The body as an attempt would send it now, and the first 1,000 bytes of each answer of the receiver.
     */
    readonly get: operations['webhookDelivery']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/webhooks/{webhook_id}/deliveries/{event_id}/resend': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * Send an event again
     * @description One further attempt is made at once, whatever became of the event; the receiver sees the same `event_id`. At most 50 attempts per event.
     */
    readonly post: operations['resendDelivery']
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/webhooks/{webhook_id}/resend': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * Send the failed events of an endpoint again
     * @description Sends again what was dropped or suspended in that time, oldest first and with the same `event_id`: one further attempt for each dropped event, all five for each that was not tried. Ends a suspension. At most 50 attempts per event.
     */
    readonly post: operations['resendDeliveries']
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/events': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * Read your events in order
     * @description Each decision, override, review and change of a live corridor is one event, in the order of the log, as CloudEvents 1.0 with the data of the webhook. Store `next` once the events are processed, and send it as `after`: every event then comes at least once, in order, and none is skipped. An answer with fewer events than `limit` has all that was recorded before the request; while the stream cannot be brought up to date, the events that are listed come nevertheless, and 503 in place of an empty answer. With `wait_s` a request without events is answered as soon as there is one. Counted apart from other requests. Not part of the original contract.
     */
    readonly get: operations['events']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/request-access': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * Request access and receive a sandbox key
     * @description The sandbox key has its own owner and all scopes except policy:approve and review:approve, and does not expire. An operator reviews the request; a live key is delivered separately. A request changes no existing key.
     */
    readonly post: operations['requestAccess']
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/auth/session': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /** Show who is signed in to this browser, and the ways to sign in */
    readonly get: operations['session']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/auth/login': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * Sign in with a local account
     * @description Sets the cookie of the session. From a page of this site only.
     */
    readonly post: operations['loginWithPassword']
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/auth/invitation': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /** Show whom an invitation is for */
    readonly post: operations['invitation']
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/auth/password': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * Accept an invitation with a name and a password
     * @description Uses the invitation, ends earlier sessions of the account, and sets the cookie of a new one.
     */
    readonly post: operations['setPassword']
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/auth/logout': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /** End the session of this browser */
    readonly post: operations['logout']
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/me': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /** Show who calls, and what the caller may do */
    readonly get: operations['me']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/me/sessions': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /** List your sessions */
    readonly get: operations['mySessions']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/me/sessions/{session_id}': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    readonly post?: never
    /** End one of your sessions */
    readonly delete: operations['endMySession']
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/owners': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * List the owners of the installation
     * @description For admins of the installation. They name the owner that they act for in the header `X-Fairway-Owner` of each request.
     */
    readonly get: operations['owners']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/demo-verify': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * Try a verification without a key
     * @description A decision on synthetic signals, not stored. Send synthetic values only. Test amounts take effect, except `.09`. No policy acts on it.
     */
    readonly post: operations['demoVerify']
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/demo-compare': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * Compare the risk profiles on one payment without a key
     * @description Compares one score with three thresholds. Unlike in a verification, the cap of 50,000 does not apply; the cap of 500,000 and the rule for unsupported corridors do. With an amount of 85000 the profiles differ, with 15000 they agree. Test amounts have no effect. No policy acts on it.
     */
    readonly post: operations['demoCompare']
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/decision/compare': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * Rank partners for a payment
     * @description With a test key on simulated signals, without test amounts. With a live key the declared partners of the corridor, by their feeds, fees and policies, as verify ranks them. Policies do not act on simulated partners.
     */
    readonly post: operations['comparePartners']
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/policies': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * List your policies, newest first
     * @description Follow `next_cursor`, or `Link: <…>; rel="next"`, until there is none.
     */
    readonly get: operations['policies']
    readonly put?: never
    /**
     * Create a policy as a draft
     * @description It decides nothing until it is promoted by another principal. At most 1000 per owner. Policies act on verify in both modes and on live ranking. The demo, batches, replay and the ranking of simulated partners stay the contract's.
     */
    readonly post: operations['createPolicy']
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/policies/check': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * Check a document, and try it on a decision
     * @description For editors and pipelines. Nothing is stored, and a faulty document is a result, not an error.
     */
    readonly post: operations['checkPolicy']
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/policies/variables': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /** List what an expression may use */
    readonly get: operations['policyVariables']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/policies/{policy_id}': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /** Show a policy */
    readonly get: operations['policy']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/policies/{policy_id}/report': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * Report of a candidate
     * @description The decisions since the policy became the candidate, each decided again under it.
     */
    readonly get: operations['policyReport']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/policies/{policy_id}/candidate': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * Make a policy the candidate
     * @description From now on it is evaluated beside the active one on every new decision, which it does not change. A candidate before it is a draft again.
     */
    readonly post: operations['makePolicyCandidate']
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/policies/{policy_id}/promote': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * Put a policy in force
     * @description By another principal than the one who wrote it. It takes effect on every instance within a second.
     */
    readonly post: operations['promotePolicy']
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/policies/rollback': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * Take the active policy out of force
     * @description The one that was active before, or none, is active again. A second rollback goes one further back.
     */
    readonly post: operations['rollBackPolicy']
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/policies/{policy_id}/backtest': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * Decide a stretch of history again under a policy
     * @description Runs beside the decisions and changes nothing. At most 3 per owner at a time.
     */
    readonly post: operations['startBacktest']
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/policies/{policy_id}/backtests': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /** List the backtests of a policy */
    readonly get: operations['backtests']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/policies/{policy_id}/backtests/{backtest_id}': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /** Show the progress and the report of a backtest */
    readonly get: operations['backtest']
    readonly put?: never
    readonly post?: never
    /**
     * Cancel a backtest
     * @description It ends within a moment. One that has ended stays as it is.
     */
    readonly delete: operations['cancelBacktest']
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/calibration': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * Compare scores with how payments ended
     * @description A score predicts that a payment fails with a probability of 1 − score. The Brier score, the reliability by predicted probability and the failure rate by signal say whether that came about, over your decisions with a final outcome. Exact, and read from counts that are kept by day.
     */
    readonly get: operations['calibration']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/reviews': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * List reviews, oldest due first
     * @description A review is opened for every `DEGRADED` or `NO-GO` decision, and for every `GO` that asks for something first. Follow `next_cursor`, or `Link: <…>; rel="next"`, until there is none.
     */
    readonly get: operations['reviews']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/reviews/summary': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /** Count the reviews and the money that wait */
    readonly get: operations['reviewSummary']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/reviews/{review_id}': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /** Show a review and its history */
    readonly get: operations['review']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/reviews/{review_id}/claim': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * Claim a review
     * @description One claim wins. Your own again gets the same answer; that of another is 409.
     */
    readonly post: operations['claimReview']
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/reviews/{review_id}/release': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * Give a review back to the queue
     * @description Your own; a proposal of yours is withdrawn. An approver may also release what another has claimed.
     */
    readonly post: operations['releaseReview']
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/reviews/{review_id}/comment': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * Comment on a review
     * @description At most 100 comments; each is recorded permanently.
     */
    readonly post: operations['commentReview']
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/reviews/{review_id}/propose': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * Propose what to do instead
     * @description Also claims a review that nobody has. Nothing happens to the decision until another principal approves.
     */
    readonly post: operations['proposeReview']
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/reviews/{review_id}/approve': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * Approve a proposal
     * @description By another principal than the one who proposed. Records the override with both names; for a `GO`, which cannot be overridden, the resolution alone.
     */
    readonly post: operations['approveReview']
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/reviews/{review_id}/reject': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * Reject a proposal
     * @description By another principal than the one who proposed. The review is open again for another proposal.
     */
    readonly post: operations['rejectReview']
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/holds': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * Count requests that were held, by reason
     * @description A request to verify that is answered with 503 leaves no decision. It is counted here, so that somebody sees it.
     */
    readonly get: operations['holds']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/admin/keys': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /** List the keys of all owners, newest first */
    readonly get: operations['adminKeys']
    readonly put?: never
    /**
     * Issue a key
     * @description For a new owner, or a further key for an existing one. The key acts as the person who issues it: it is no second pair of eyes, and its scopes are among those of that person’s roles, all of them without `scopes`; others are 403. It is shown only in this response.
     */
    readonly post: operations['issueKey']
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/admin/keys/{key_id}/rotate': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * Replace a key by a new one
     * @description The new key has the owner, the scopes, the limit and the principal of the old one. It is shown only in this response. 403 if the key may do what your roles lack, or writes or approves reviews or policies as somebody else: an operator rotates it with `fairway keys rotate`.
     */
    readonly post: operations['rotateKey']
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/admin/keys/{key_id}/revoke': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * Revoke a key
     * @description Every instance refuses it within a second. A second revocation changes nothing.
     */
    readonly post: operations['revokeKey']
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/admin/access-requests': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /** List access requests, newest first */
    readonly get: operations['accessRequests']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/admin/access-requests/{access_request_id}/approve': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * Approve a request and issue a live key
     * @description The key is shown only in this response. Without `replaces` it belongs to a new owner, whose records the sandbox key of the request cannot read, and is a principal of its own. Its scopes are among those of your roles, without those to write or approve reviews and policies: without `scopes` all of these, or those that the replaced key has; others are 403, and an operator grants them with `fairway access approve`.
     */
    readonly post: operations['approveAccess']
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/admin/access-requests/{access_request_id}/reject': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /** Reject a request */
    readonly post: operations['rejectAccess']
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/admin/people': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /** List people, oldest first */
    readonly get: operations['people']
    readonly put?: never
    /**
     * Invite a person
     * @description Nothing is sent: hand the link over by a way that you trust. It works once, for three days, and is shown only in this response.
     */
    readonly post: operations['invitePerson']
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/admin/people/{person_id}/reset': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * Make a new link for a person
     * @description It sets a new password. The password and the sessions of before end at once.
     */
    readonly post: operations['resetPerson']
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/admin/people/{person_id}/roles': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * Replace the roles of a person
     * @description It takes effect at once. Nobody changes their own.
     */
    readonly post: operations['setRoles']
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/admin/people/{person_id}/end-sessions': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /** End all sessions of a person */
    readonly post: operations['endSessions']
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/admin/people/{person_id}/remove': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * Remove a person
     * @description Ends sessions, password and invitations. What the person did stays recorded.
     */
    readonly post: operations['removePerson']
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/admin/people/{person_id}/restore': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * Bring a removed person back
     * @description With owner and roles, and without a password: make a new link for a local account.
     */
    readonly post: operations['restorePerson']
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/admin/feeds': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * Show the state of every live feed
     * @description As seen by this instance, without values.
     */
    readonly get: operations['adminFeeds']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/admin/feeds/check': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * Read live feeds now, and show the values
     * @description Asks the providers as a verify would. At most 20 corridors at a time.
     */
    readonly post: operations['checkFeeds']
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/admin/webhooks': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * List the endpoints of all owners
     * @description A page may be short: follow `next_cursor` until there is none. For the deliveries of an endpoint, name its owner in the header `X-Fairway-Owner`.
     */
    readonly get: operations['adminWebhooks']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/admin/cip': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /** Show the stage of the platform, the quality gate and all transitions */
    readonly get: operations['adminCip']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/admin/cip/transitions': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * Change the stage of the platform
     * @description Recorded permanently. A step forward needs the quality gate; a step back is always allowed. What is refused is a 409 with the reason.
     */
    readonly post: operations['transitionCip']
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/admin/jobs': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /** List the jobs of maintenance, newest first */
    readonly get: operations['adminJobs']
    readonly put?: never
    /**
     * Start a job of maintenance
     * @description The work of the command line, done by this instance while it serves. One job runs at a time in the whole installation. Start and end are entries of the sealed log.
     */
    readonly post: operations['startJob']
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/admin/jobs/{job_id}': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /** Get a job of maintenance */
    readonly get: operations['adminJob']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/admin/erasures/preview': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * Show what an erasure would erase, and what cannot be erased
     * @description Changes nothing. A job of the kind `erase` erases it.
     */
    readonly post: operations['previewErasure']
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/admin/retention': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * Show what is older than the retention period
     * @description Changes nothing. A job of the kind `retention` erases it.
     */
    readonly get: operations['retention']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/admin/months': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /** List the months of records with state and size */
    readonly get: operations['months']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/admin/months/{month}/check': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * Check whether a month can be detached
     * @description Changes nothing. A job of the kind `detach_month` detaches it.
     */
    readonly post: operations['checkMonth']
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/admin/activity': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * List what was done to the installation, newest first
     * @description Every act is an entry of the sealed log. In CSV (`Accept: text/csv` or `format`), each page has a header and one line per act, and the link keeps the format.
     */
    readonly get: operations['activity']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/batch-assess': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * Assess up to 500 past payments
     * @description Scores every row with the same engine and compares the decision with the actual outcome. Always uses simulated signals, whatever the key; test amounts have no effect, and no policy acts on it. One invalid row rejects the batch, and the error lists every fault with its row and column.
     */
    readonly post: operations['batchAssess']
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/batch-reports': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * List kept reports
     * @description Newest first.
     */
    readonly get: operations['batchReports']
    readonly put?: never
    /**
     * Assess past payments and keep the report
     * @description Assesses the batch as batchAssess does, and keeps the report for everybody of the owner, with the figures that the service computed. At most 200 per owner, and 20 in a sandbox. The rows are kept with the report. No decision is recorded.
     */
    readonly post: operations['keepBatchReport']
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/api/v1/batch-reports/{report_id}': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * Read a kept report
     * @description As JSON, as CSV with one row per assessment, or as a self-contained page.
     */
    readonly get: operations['batchReport']
    readonly put?: never
    readonly post?: never
    /**
     * Delete a kept report
     * @description For the principal who kept it, and for people with the role `admin`. The act is an entry of the sealed log.
     */
    readonly delete: operations['removeBatchReport']
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
}
export interface webhooks {
  readonly 'payment.decision.created': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * A verification was recorded
     * @description Delivered at least once, in no guaranteed order, with up to five attempts within 51 minutes.
     */
    readonly post: operations['payment.decision.created']
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly 'payment.override.created': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * A decision was overridden
     * @description Delivered at least once, in no guaranteed order, with up to five attempts within 51 minutes.
     */
    readonly post: operations['payment.override.created']
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly 'corridor.status.changed': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * The status of a live corridor or partner changed
     * @description Delivered at least once, in no guaranteed order, with up to five attempts within 51 minutes.
     */
    readonly post: operations['corridor.status.changed']
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly 'payment.review.opened': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * A decision needs a person
     * @description Delivered at least once, in no guaranteed order, with up to five attempts within 51 minutes.
     */
    readonly post: operations['payment.review.opened']
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly 'payment.review.closed': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * A review was approved, expired, or closed by a direct override
     * @description Delivered at least once, in no guaranteed order, with up to five attempts within 51 minutes.
     */
    readonly post: operations['payment.review.closed']
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly 'webhook.endpoint.suspended': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * Another endpoint was suspended: it failed for seven days
     * @description Delivered at least once, in no guaranteed order, with up to five attempts within 51 minutes.
     */
    readonly post: operations['webhook.endpoint.suspended']
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly 'webhook.test': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * A test was requested
     * @description Delivered at least once, in no guaranteed order, with up to five attempts within 51 minutes.
     */
    readonly post: operations['webhook.test']
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
}
export interface components {
  schemas: {
    readonly AccessRequest: {
      /** @description The person, team or company that requests access. */
      readonly name: string
      /** @description Your email address, for the reply. Each address may have 3 active sandbox keys, and each network address 10. */
      readonly email: string
      /** @description The intended use. An operator reads it. */
      readonly reason: string
      /** @description The token from the captcha on your page. Any text if this instance has no captcha configured. */
      readonly recaptcha_token: string
    }
    readonly AccessRequestList: {
      readonly access_requests: readonly components['schemas']['AccessRequestView'][]
      readonly next_cursor: string | null
    }
    readonly AccessRequestView: {
      readonly access_request_id: string
      readonly name: string
      /** @description As entered; it was not verified. */
      readonly email: string
      readonly reason: string
      /** @enum {unknown} */
      readonly status: 'received' | 'approved' | 'rejected'
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly created_at: string
      /**
       * @description `not_checked`: no captcha was configured at the time.
       * @enum {unknown}
       */
      readonly captcha: 'verified' | 'not_checked'
      readonly sandbox_key_id: string
      readonly decided_at: string | null
      readonly decided_by: string | null
      readonly note: string | null
      readonly live_key_id: string | null
      readonly replaced_key_id: string | null
    }
    /** @description The request is recorded. If it is approved, a live key is delivered separately. */
    readonly AccessResponse: {
      /** @description Quote it when you enquire about the request. */
      readonly access_request_id: string
      /** @enum {unknown} */
      readonly status: 'received'
      /** @description For humans. The text may change. */
      readonly message: string
      /** @description For shadow mode, usable at once. Shown only once. */
      readonly sandbox_key: string
      /** @description Unknown members of the body, which were ignored, country codes that ISO 3166 has not assigned, and an expired settlement calendar. Absent if there are none. */
      readonly warnings?: readonly components['schemas']['Warning'][]
    }
    readonly Activity: {
      readonly act_id: string
      readonly kind: string
      /** @description Empty for the service itself. */
      readonly subject: string
      readonly by: {
        /** @enum {unknown} */
        readonly kind: 'person' | 'key' | 'operator' | 'server'
        readonly id: string
        readonly name: string
      }
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly at: string
      readonly detail: {
        readonly [key: string]: string | number | null
      }
      readonly leaf_index: number | null
    }
    readonly ActivityList: {
      readonly activity: readonly components['schemas']['Activity'][]
      readonly next_cursor: string | null
    }
    readonly Actor: {
      /** @enum {unknown} */
      readonly kind: 'key' | 'person' | 'operator'
      /** @description The id of the key, or the name of the operator. */
      readonly id: string
      readonly name: string
    }
    readonly AdminCip: {
      /** @description 0 telemetry only, 1 sandbox coverage, 2 production signals, 3 full network. */
      readonly phase: number
      /** @enum {unknown} */
      readonly state: 'telemetry_only' | 'scoring_passive' | 'scoring_active'
      /** @description False: no telemetry affects any decision. */
      readonly decision_influence: boolean
      readonly supported_for_decisioning: boolean
      /** @enum {unknown} */
      readonly confidence: 'experimental' | 'provisional' | 'validated'
      /**
       * Format: date-time
       * @description When this state was entered. Only a formal transition changes it.
       */
      readonly last_updated: string
      /** @description Number of stored observations of the active adapter. */
      readonly observations_collected: number
      /** @description Share of a live score. */
      readonly blend_weight: number
      readonly blend_suspended: {
        readonly blend_weight: number
        readonly reason: string
      } | null
      readonly escalation_enabled: boolean
      readonly active_adapters: readonly string[]
      /** @description The latest formal change. */
      readonly governed_by: string
      readonly stage: components['schemas']['CipStage']
      readonly quality_gate: {
        readonly passed: boolean
        /** @description Complete days on which every corridor was observed. */
        readonly corpus_days: number
        readonly fault: string | null
      }
      /** @description All stages, in order, with the weights that each allows. */
      readonly stages: readonly {
        readonly stage: components['schemas']['CipStage']
        readonly blend_weight_min: number
        readonly blend_weight_max: number
      }[]
      /** @description Oldest first. */
      readonly transitions: readonly components['schemas']['CipTransition'][]
    }
    readonly AdminFeeds: {
      /** @description False without a feeds file: live mode then holds. */
      readonly configured: boolean
      readonly feeds: readonly {
        readonly signal: components['schemas']['SignalName']
        readonly corridor: string | null
        readonly partner: string | null
        /** @enum {unknown} */
        readonly kind: 'http' | 'fx-series' | 'outcomes' | 'constant'
        /** @enum {unknown} */
        readonly status: 'healthy' | 'failing' | 'not_read_yet'
        /**
         * @description The state of the circuit breaker. `open`: requests to the provider are suspended.
         * @enum {unknown}
         */
        readonly breaker: 'closed' | 'open' | 'half_open'
        readonly last_read_at: string | null
        readonly last_observed_at: string | null
        readonly last_fault:
          | (
              | 'no_feed'
              | 'refused'
              | 'timeout'
              | 'connection_lost'
              | 'bad_status'
              | 'redirect'
              | 'oversized'
              | 'unreadable'
              | 'no_value'
              | 'wrong_type'
              | 'out_of_range'
              | 'stale'
              | 'no_history'
              | 'breaker_open'
              | 'store_unavailable'
            )
          | null
      }[]
      /** @description Those that the file declares. */
      readonly corridors: readonly {
        readonly corridor: string
        readonly partners: readonly string[]
      }[]
    }
    readonly AdminKey: {
      readonly key_id: string
      /** @enum {unknown} */
      readonly type: 'test' | 'live' | 'sandbox'
      /** @description The name of the owner, for humans. */
      readonly owner: string
      readonly owner_id: string
      /** @description Empty: all that the type may have. */
      readonly scopes: readonly (
        | 'decision:read'
        | 'audit:read'
        | 'override:create'
        | 'webhook:manage'
        | 'outcome:write'
        | 'policy:read'
        | 'policy:write'
        | 'policy:approve'
        | 'review:read'
        | 'review:write'
        | 'review:approve'
      )[]
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly created_at: string
      readonly expires_at: string | null
      /** @description The person who issued it in the console, or the first of its keys by rotation. */
      readonly principal_id: string
      readonly limit_verify: string | null
      /** @enum {unknown} */
      readonly status: 'active' | 'expired' | 'revoked'
      readonly revoked_at: string | null
      /** @description Whether it expires within 14 days. */
      readonly expires_soon: boolean
      readonly last_used_at: string | null
      readonly prefix: string
    }
    readonly AdminKeyList: {
      readonly keys: readonly components['schemas']['AdminKey'][]
      readonly next_cursor: string | null
    }
    readonly AdminPerson: {
      readonly person_id: string
      /** @description Empty if the provider does not state it. */
      readonly email: string
      readonly roles: readonly ('viewer' | 'reviewer' | 'approver' | 'policy_author' | 'admin')[]
      readonly owner_id: string | null
      readonly name: string
      /**
       * @description By the way of signing in; `invited`: has not joined yet.
       * @enum {unknown}
       */
      readonly status: 'invited' | 'local' | 'provider' | 'removed'
      readonly issuer: string | null
      /** @description Those that have not ended. */
      readonly sessions: number
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly created_at: string
      readonly last_sign_in_at: string | null
      readonly removed_at: string | null
    }
    readonly AdminWebhook: {
      readonly webhook_id: string
      readonly url: string
      /** @description The subscribed event kinds. */
      readonly events: readonly (
        | 'payment.decision.created'
        | 'payment.override.created'
        | 'corridor.status.changed'
        | 'payment.review.opened'
        | 'payment.review.closed'
        | 'webhook.endpoint.suspended'
      )[]
      readonly description: string | null
      /**
       * @description `suspended`: every attempt of seven days failed. Nothing is sent until you send a test event or events again.
       * @enum {unknown}
       */
      readonly status: 'active' | 'suspended'
      readonly suspended_at: string | null
      readonly failing_since: string | null
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly created_at: string
      readonly health: components['schemas']['WebhookHealth']
      readonly owner_id: string
      readonly owner: string
    }
    readonly AdminWebhookList: {
      readonly webhooks: readonly components['schemas']['AdminWebhook'][]
      readonly next_cursor: string | null
    }
    readonly ApproveAccessRequest: {
      /** @description The id of the key whose owner and records the live key gets. Without it the owner is new. */
      readonly replaces?: string | null
      /**
       * @description Seconds until the replaced key expires.
       * @default 86400
       */
      readonly overlap_s?: number | null
      /** @description Among those of your roles, or 403. Empty or absent: those of the replaced key that your roles have, else all of yours. */
      readonly scopes?:
        | readonly (
            | 'decision:read'
            | 'audit:read'
            | 'override:create'
            | 'webhook:manage'
            | 'outcome:write'
            | 'policy:read'
            | 'policy:write'
            | 'policy:approve'
            | 'review:read'
            | 'review:write'
            | 'review:approve'
          )[]
        | null
      /** @description The limit of the key on verify, as `100/60`: 100 requests in 60 seconds, 86400 seconds at most. */
      readonly limit_verify?: string | null
      /** @description Kept with the decision. */
      readonly note?: string | null
    }
    readonly ApprovedAccess: {
      readonly access_request_id: string
      readonly key_id: string
      /** @enum {unknown} */
      readonly type: 'test' | 'live' | 'sandbox'
      /** @description The name of the owner, for humans. */
      readonly owner: string
      readonly owner_id: string
      /** @description Empty: all that the type may have. */
      readonly scopes: readonly (
        | 'decision:read'
        | 'audit:read'
        | 'override:create'
        | 'webhook:manage'
        | 'outcome:write'
        | 'policy:read'
        | 'policy:write'
        | 'policy:approve'
        | 'review:read'
        | 'review:write'
        | 'review:approve'
      )[]
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly created_at: string
      readonly expires_at: string | null
      /** @description Shown only once. */
      readonly key: string
      readonly replaced_key_id: string | null
      readonly replaced_key_ends_at: string | null
    }
    readonly Assessment: {
      /** @description Position in the request, from 0. */
      readonly index: number
      readonly transaction_id: string
      readonly corridor: string
      readonly corridor_supported: boolean
      readonly amount: number | null
      /** @description The currency of the request. */
      readonly currency: string
      readonly actual_outcome: components['schemas']['PaymentOutcome'] | null
      readonly svc_decision: components['schemas']['Decision']
      readonly svc_score: number
      readonly svc_confidence: number
      readonly svc_volatility: number
      readonly policy_capped: boolean
      readonly alignment: boolean | null
      readonly improvement_opportunity: boolean
      readonly improvement_note: string | null
      readonly flags: readonly components['schemas']['ReasonCode'][]
    }
    /** @description A self-contained evidence bundle. `fairway audit verify FILE` verifies it offline. */
    readonly AuditExport: {
      readonly export_version: number
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly exported_at: string
      /** @description The complete record. It never changes. */
      readonly record: {
        /**
         * @description 1: the personal text is part of the record. 2: it is kept apart, and can be erased.
         * @enum {unknown}
         */
        readonly form: 1 | 2
        readonly personal_text: {
          readonly hash: string
          readonly salt: string | null
        } | null
        readonly request_id: string
        readonly decision: components['schemas']['Decision']
        readonly score: number
        readonly answer: {
          readonly [key: string]: unknown
        }
        readonly evidence: {
          readonly [key: string]: unknown
        }
      } & {
        readonly [key: string]: unknown
      }
      readonly source_record: {
        readonly [key: string]: unknown
      } | null
      readonly human_override: {
        readonly override_id: string
        readonly request_id: string
        readonly original_decision: components['schemas']['Decision']
        /** @enum {unknown} */
        readonly action: 'EXECUTE' | 'HOLD' | 'REJECT'
        readonly reason_code: string
        readonly justification: string
        /**
         * Format: date-time
         * @description ISO 8601, UTC.
         */
        readonly created_at: string
        readonly created_by: components['schemas']['Principal']
        readonly approval: {
          readonly review_id: string
          readonly approved_by: components['schemas']['Principal']
          /** @description The key, or the session of a person. */
          readonly key_id: string
          readonly person_id: string | null
          readonly principal_id: string | null
        } | null
        /** @description The key, or the session of a person. */
        readonly key_id: string
        readonly person_id: string | null
        readonly principal_id: string | null
        /**
         * @description 1: the personal text is part of the record. 2: it is kept apart, and can be erased.
         * @enum {unknown}
         */
        readonly form: 1 | 2
        readonly personal_text: {
          readonly hash: string
          readonly salt: string | null
        } | null
      } | null
      readonly outcome: {
        readonly request_id: string
        readonly outcome: components['schemas']['PaymentOutcome']
        /** @description The partner that it went through, if reported. */
        readonly partner?: string
        readonly occurred_at: string | null
        /**
         * Format: date-time
         * @description ISO 8601, UTC.
         */
        readonly reported_at: string
        readonly reported_by: components['schemas']['Principal']
        /** @description The key, or the session of a person. */
        readonly key_id: string
        readonly person_id: string | null
        readonly principal_id: string | null
        readonly outcome_id: string | null
      } | null
      /** @description The policies that the decision was made under, that of the owner first. The evidence has the SHA-256 of each document. */
      readonly policies: readonly {
        readonly policy_id: string
        readonly document: components['schemas']['PolicyDocument']
      }[]
      readonly explanation: components['schemas']['Explanation']
      readonly timeline: components['schemas']['Timeline']
      readonly proof: components['schemas']['HeldProof']
      readonly integrity: {
        /** @enum {unknown} */
        readonly algorithm: 'SHA-256'
        /** @enum {unknown} */
        readonly canonicalisation: 'RFC 8785'
        /** @description SHA-256 of the canonical JSON of `record`, in lower-case hex. */
        readonly record_hash: string
        /** @description The same hash of the bundle without `exported_at`, `proof` and `integrity`. */
        readonly bundle_hash: string
        /** @description Hashes of the parts by JSON pointer, to locate a change. */
        readonly member_hashes: {
          readonly [key: string]: string
        }
        /** @description Covers everything that `bundle_hash` covers, and `exported_at`. */
        readonly signature: {
          /** @description The key of the log that signed. */
          readonly verifier_key: string
          /** @description A signed note: its form, `request_id`, `bundle_hash`, `exported_at`, a signature. */
          readonly note: string
        }
      }
    }
    /** @description Proves that the record, its override and its outcome are in the log that the checkpoint signs. */
    readonly AuditProof: {
      readonly request_id: string
      /**
       * @description `pending`: recorded, but not sealed yet. Retry after a few seconds.
       * @enum {unknown}
       */
      readonly status: 'sealed' | 'pending'
      readonly record: components['schemas']['ProvenLeaf'] | null
      readonly override: components['schemas']['ProvenLeaf'] | null
      readonly outcome: components['schemas']['ProvenLeaf'] | null
      readonly checkpoint: components['schemas']['Checkpoint'] | null
    }
    /** @description The record as written. It never changes; an override is recorded separately. */
    readonly AuditRecord: {
      readonly request_id: string
      readonly corridor: string
      readonly decision: components['schemas']['Decision']
      readonly score: number
      readonly confidence: number
      readonly amount: number | null
      /** @description The currency of the request, as in `request_currency`. */
      readonly currency: string
      /** @description The currency of the request. */
      readonly request_currency: string
      readonly settlement_currency: string | null
      readonly mode: components['schemas']['Mode']
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly evaluated_at: string
      readonly correlation_id: string | null
      readonly reason_codes: readonly components['schemas']['ReasonCode'][]
      /** @description Null until the decision is overridden. */
      readonly human_override: components['schemas']['Override'] | null
      /** @description Null until an outcome is reported. */
      readonly outcome: components['schemas']['ReportedOutcome'] | null
      readonly cooldown_source_request_id: string | null
      readonly signal_contributions: readonly {
        readonly signal: components['schemas']['SignalName']
        readonly status: components['schemas']['ProbeLabel']
        readonly risk_value: number | null
      }[]
    }
    readonly BatchRequest: {
      /** @description A display name for the report. */
      readonly report_name?: string | null
      readonly transactions: readonly components['schemas']['Transaction'][]
    }
    /** @description The assessment of every row, and a summary. */
    readonly BatchResponse: {
      readonly report_id: string
      readonly report_name: string
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly generated_at: string
      readonly model_version: string
      /** @enum {unknown} */
      readonly mode: 'shadow'
      readonly transaction_count: number
      readonly summary: components['schemas']['BatchSummary']
      readonly execution_uncertainty_score: number
      /** @enum {unknown} */
      readonly execution_uncertainty_band: 'Low' | 'Moderate' | 'High' | 'Critical'
      readonly calibration: components['schemas']['CalibrationCurve']
      readonly _links: {
        readonly csv: string
      }
      /** @description Ignored columns and members, and country codes that ISO 3166 has not assigned. */
      readonly warnings: readonly string[]
      readonly assessments: readonly components['schemas']['Assessment'][]
    }
    readonly BatchSummary: {
      readonly total_assessed: number
      readonly go: number
      readonly degraded: number
      readonly no_go: number
      /** @description Rounded half up to one decimal. */
      readonly go_pct: number
      /** @description Rounded half up to one decimal. */
      readonly degraded_pct: number
      /** @description Rounded half up to one decimal. */
      readonly no_go_pct: number
      /** @description Rounded half up to four decimals. */
      readonly avg_score: number
      /** @description Rounded half up to four decimals. */
      readonly avg_confidence: number
      readonly alignment_pct: number | null
      readonly flagged_pre_failure: number
      readonly improvement_opportunities: number
      /** @description `PENDING` does not count as an outcome. */
      readonly transactions_with_outcome: number
    }
    readonly Calibration: {
      /**
       * Format: date-time
       * @description Recorded at this time or later: the start of a UTC day.
       */
      readonly from: string
      /**
       * Format: date-time
       * @description Recorded before this time: the end of a UTC day.
       */
      readonly to: string
      /** @description Decisions. */
      readonly records: number
      /** @description Those with a final outcome; `PENDING` is none. */
      readonly with_outcome: number
      /** @description Those that `FAILED` or were `REJECTED`. */
      readonly failures: number
      readonly brier: number | null
      readonly reliability: readonly components['schemas']['ReliabilityBin'][]
      readonly signals: readonly {
        /** @enum {unknown} */
        readonly signal:
          | 'fraud_flags'
          | 'network_healthy'
          | 'balance_sufficient'
          | 'fx_volatility'
          | 'operation_valid'
          | 'historical_failure_rate'
          | 'cop_overridden'
        readonly flagged: components['schemas']['FailureRate']
        readonly clear: components['schemas']['FailureRate']
      }[]
      /** @description `NO-GO` decisions without a final outcome. Nobody will know how these payments would have ended, so the rates are those of payments that were made. */
      readonly censored: number
      /** @description Live decisions on corridors without data. They predict nothing and are in no other figure. */
      readonly no_data: number
      /** @description Failures over time, by the time of the decision: steps of 1, 7 or 30 days. */
      readonly series: readonly {
        /**
         * Format: date-time
         * @description ISO 8601, UTC.
         */
        readonly from: string
        /**
         * Format: date-time
         * @description ISO 8601, UTC.
         */
        readonly to: string
        /** @description Payments with a final outcome. */
        readonly records: number
        /** @description Those that `FAILED` or were `REJECTED`. */
        readonly failures: number
        readonly rate: number | null
        readonly low: number | null
        readonly high: number | null
      }[]
      readonly suggestion: components['schemas']['PolicyDocument'] | null
      /** @description The suggestion is the mildest tightening that the outcomes support, added to your policy in force. This says why, or why there is none. */
      readonly suggestion_reason: string
    }
    /** @description What the scores of the rows predicted, beside how the payments ended. */
    readonly CalibrationCurve: {
      /** @description Those with a final outcome; `PENDING` is none. */
      readonly with_outcome: number
      /** @description Those that `FAILED` or were `REJECTED`. */
      readonly failures: number
      readonly brier: number | null
      readonly reliability: readonly components['schemas']['ReliabilityBin'][]
    }
    readonly ChangedPerson: {
      readonly person_id: string
      readonly roles: readonly ('viewer' | 'reviewer' | 'approver' | 'policy_author' | 'admin')[]
      /** @enum {unknown} */
      readonly status: 'invited' | 'local' | 'provider' | 'removed'
    }
    /** @description The size and root hash of the log, signed with Ed25519. */
    readonly Checkpoint: {
      /** @description The name of this log. */
      readonly origin: string
      /** @description Number of leaves in the log. */
      readonly tree_size: number
      /** @description SHA-256 in base64. */
      readonly root_hash: string
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly made_at: string
      /** @description The exact signed note (c2sp.org/tlog-checkpoint). Store it: it reveals later changes to records. */
      readonly note: string
      readonly verifier_key: string | null
    }
    readonly CheckpointAnswer: {
      readonly checkpoint: components['schemas']['Checkpoint'] | null
      readonly consistency: {
        readonly from_size: number
        readonly path: readonly string[]
      } | null
    }
    /** @enum {unknown} */
    readonly CipStage: 'telemetry_only' | 'scoring_passive' | 'provisional' | 'validated'
    /** @description The status of the Corridor Intelligence Platform. */
    readonly CipStatus: {
      /** @description 0 telemetry only, 1 sandbox coverage, 2 production signals, 3 full network. */
      readonly phase: number
      /** @enum {unknown} */
      readonly state: 'telemetry_only' | 'scoring_passive' | 'scoring_active'
      /** @description False: no telemetry affects any decision. */
      readonly decision_influence: boolean
      readonly supported_for_decisioning: boolean
      /** @enum {unknown} */
      readonly confidence: 'experimental' | 'provisional' | 'validated'
      /**
       * Format: date-time
       * @description When this state was entered. Only a formal transition changes it.
       */
      readonly last_updated: string
      /** @description Number of stored observations of the active adapter. */
      readonly observations_collected: number
      /** @description Share of a live score. */
      readonly blend_weight: number
      readonly blend_suspended: {
        readonly blend_weight: number
        readonly reason: string
      } | null
      readonly escalation_enabled: boolean
      readonly active_adapters: readonly string[]
      /** @description The latest formal change. */
      readonly governed_by: string
    }
    readonly CipTransition: {
      readonly number: number
      readonly to: components['schemas']['CipStage']
      readonly state: string
      readonly confidence: string
      readonly blend_weight: number
      readonly reference: string
      /** @description The name of an operator, or the id of a person. */
      readonly made_by: string
      readonly made_by_name: string
      readonly reason: string | null
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly made_at: string
      readonly corpus_days: number
    }
    readonly CipTransitionRequest: {
      readonly to: components['schemas']['CipStage']
      /** @description Share of a live score, with two decimals at most. Without it the minimum of the stage. */
      readonly blend_weight?: number | null
      /** @description The id of the change or the request in your own register. Recorded permanently. */
      readonly reference: string
      /** @description Recorded permanently. */
      readonly reason?: string | null
    }
    readonly CorridorBucket: {
      /** @enum {unknown} */
      readonly status: 'CLEAR' | 'LOW' | 'MODERATE' | 'ELEVATED' | 'CRITICAL' | 'NO_DATA'
      readonly risk_value: number | null
      readonly signals: readonly components['schemas']['SignalName'][]
    }
    /** @description The settlement calendar. `opens_at` and `cut_off_at` are those of the open window, or of the next one; `next_window` is the first that opens later. All are null if it is expired. */
    readonly CorridorCalendar: {
      readonly time_zone: string
      readonly open: boolean | null
      readonly opens_at: string | null
      readonly cut_off_at: string | null
      readonly next_window: {
        /**
         * Format: date-time
         * @description ISO 8601, UTC.
         */
        readonly opens_at: string
        /**
         * Format: date-time
         * @description ISO 8601, UTC.
         */
        readonly cut_off_at: string
      } | null
      readonly holidays: readonly string[]
      readonly valid_through: string | null
      readonly source: string | null
    }
    /** @description IMPAIRED if a live signal is unavailable, the score is below 0.48, three or more signals are flagged, or one is CRITICAL. DEGRADED if a signal is flagged or the score is below 0.80. Otherwise OPERATIONAL. */
    readonly CorridorHealth: {
      readonly corridor: string
      readonly corridor_supported: boolean
      readonly amount: number | null
      /** @description The currency of the assessed payments. */
      readonly currency: string
      /** @enum {unknown} */
      readonly status: 'OPERATIONAL' | 'DEGRADED' | 'IMPAIRED'
      /** @enum {unknown} */
      readonly data_environment: 'mixed' | 'simulation'
      /** @description Number of signals read from a live feed. */
      readonly live_signals: number
      readonly signals: {
        readonly fx: components['schemas']['CorridorBucket']
        readonly network: components['schemas']['CorridorBucket']
        readonly settlement: components['schemas']['CorridorBucket']
        readonly liquidity: components['schemas']['CorridorBucket']
        readonly compliance: components['schemas']['CorridorBucket']
      }
      readonly advisory: string
      readonly cooldown: {
        readonly source_request_id: string
        /**
         * Format: date-time
         * @description ISO 8601, UTC.
         */
        readonly expires_at: string
      } | null
      /** @description The current state of each live feed; with partners, of the best one. Empty if the signals are simulated. */
      readonly feeds: readonly components['schemas']['FeedAge'][]
      readonly recommended_partner: string | null
      /** @description The declared partners, best first, then those that are not ranked. Live mode only. */
      readonly partners: readonly components['schemas']['CorridorPartner'][]
      readonly calendar: {
        readonly open: boolean
        readonly opens_at: string | null
        readonly cut_off_at: string | null
      } | null
      /** @description What the probe observed in each of the last 24 hours, oldest first: of the signals that need no payment. */
      readonly last_24_hours: readonly components['schemas']['ObservedHour'][]
      /** @enum {unknown} */
      readonly environment: 'sandbox' | 'production'
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly evaluated_at: string
    }
    readonly CorridorList: {
      readonly mode: components['schemas']['Mode']
      readonly corridors: readonly components['schemas']['SupportedCorridor'][]
    }
    readonly CorridorPartner: {
      /** @description The id. */
      readonly partner: string
      /** @description For display. */
      readonly name: string
      readonly decision: components['schemas']['Decision'] | null
      readonly score: number | null
      readonly fee: number | null
      readonly fee_currency: string | null
      readonly amount_max: number | null
      /** @description Whether it can be read and takes the amount. */
      readonly available: boolean
      readonly unavailable_signals: readonly components['schemas']['SignalName'][]
      readonly status: ('OPERATIONAL' | 'IMPAIRED' | 'CLOSED') | null
      readonly status_since: string | null
      readonly feeds: readonly components['schemas']['FeedAge'][]
      /** @description What the probe observed in each of the last 24 hours, oldest first: of the signals that need no payment. */
      readonly last_24_hours: readonly components['schemas']['ObservedHour'][]
    }
    /**
     * @description The decision.
     * @enum {unknown}
     */
    readonly Decision: 'GO' | 'DEGRADED' | 'NO-GO'
    readonly DecisionEvent: {
      /** @enum {unknown} */
      readonly event: 'payment.decision.created'
      /** @description The same for every attempt. Use it to detect duplicates. */
      readonly event_id: string
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly created_at: string
      /** @description Also in the header `X-SVC-Attempt`. */
      readonly attempt: number
      readonly data: components['schemas']['DecisionEventData']
    }
    readonly DecisionEventData: {
      readonly request_id: string
      readonly decision: components['schemas']['Decision']
      readonly score: number
      readonly confidence: number
      readonly corridor: string
      readonly amount: number | null
      /** @description The currency of the request, as in `request_currency`. */
      readonly currency: string
      /** @description The currency of the request. */
      readonly request_currency: string
      readonly settlement_currency: string | null
      readonly reason_codes: readonly components['schemas']['ReasonCode'][]
      readonly recommended_action: components['schemas']['RecommendedAction']
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly evaluated_at: string
      readonly mode: components['schemas']['Mode']
      /** @enum {unknown} */
      readonly environment: 'sandbox' | 'production'
      readonly correlation_id?: string
      /** @description Present if a cooldown repeated this earlier decision. */
      readonly cooldown_source_request_id?: string
    }
    /** @description Each member has the shape of its own endpoint. */
    readonly DecisionFile: {
      readonly request_id: string
      readonly answer: components['schemas']['RecordedAnswer'] | null
      readonly audit: components['schemas']['AuditRecord'] | null
      readonly recording: {
        /**
         * Format: date-time
         * @description ISO 8601, UTC.
         */
        readonly recorded_at: string
        /** @description The key, or the session of a person. */
        readonly key_id: string
        readonly trace_id: string | null
        /** @description SHA-256 of the record, as in every export of the decision. */
        readonly record_hash: string
      } | null
      readonly explanation: components['schemas']['Explanation']
      readonly provenance: components['schemas']['SignalProvenance']
      readonly timeline: components['schemas']['Timeline']
      readonly impact: components['schemas']['Impact']
      /** @description That of the source for a repeat. Null if the decision needs none. */
      readonly review: components['schemas']['ReviewDetail'] | null
      readonly deliveries:
        | readonly {
            readonly endpoint: {
              readonly webhook_id: string
              readonly url: string
              readonly description: string | null
            }
            readonly deliveries: readonly components['schemas']['Delivery'][]
          }[]
        | null
      readonly proof: components['schemas']['AuditProof'] | null
      /** @description The members that are null because the caller lacks the scope. */
      readonly withheld: readonly {
        /** @enum {unknown} */
        readonly member: 'answer' | 'audit' | 'recording' | 'proof' | 'review' | 'deliveries'
        /** @enum {unknown} */
        readonly scope: 'audit:read' | 'review:read' | 'webhook:manage'
      }[]
      /** @description The members that are null because they could not be read just now. Retry later. */
      readonly unavailable: readonly ('answer' | 'audit' | 'recording' | 'proof' | 'review' | 'deliveries')[]
    }
    /** @description One event for this endpoint, with its attempts. */
    readonly Delivery: {
      /** @description The same for every attempt. Use it to detect duplicates. */
      readonly event_id: string
      /** @enum {unknown} */
      readonly event:
        | 'payment.decision.created'
        | 'payment.override.created'
        | 'corridor.status.changed'
        | 'payment.review.opened'
        | 'payment.review.closed'
        | 'webhook.endpoint.suspended'
        | 'webhook.test'
      readonly request_id: string | null
      /**
       * @description `pending`: an attempt is scheduled or in progress. `waiting_for_host`: the host keeps failing, and is tried with one attempt at a time. `dropped`: the last attempt failed. `suspended`: not sent, because the endpoint was suspended.
       * @enum {unknown}
       */
      readonly status: 'pending' | 'waiting_for_host' | 'delivered' | 'dropped' | 'suspended'
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly created_at: string
      readonly next_attempt: {
        readonly attempt: number
        /**
         * Format: date-time
         * @description The earliest time of the attempt. During the attempt, the time when its lease expires.
         */
        readonly due_at: string
      } | null
      /** @description Completed attempts, oldest first. */
      readonly attempts: readonly {
        readonly attempt: number
        /**
         * Format: date-time
         * @description ISO 8601, UTC.
         */
        readonly at: string
        readonly duration_ms: number
        /** @enum {unknown} */
        readonly outcome: 'delivered' | 'failed'
        readonly status_code: number | null
        readonly error:
          | (
              | 'timeout'
              | 'name_not_resolved'
              | 'address_refused'
              | 'connection_failed'
              | 'tls_failed'
              | 'invalid_response'
              | 'host_failing'
              | 'secret_unavailable'
            )
          | null
      }[]
    }
    /** @description One event for this endpoint, with its body, its attempts and their answers. */
    readonly DeliveryDetail: {
      /** @description The same for every attempt. Use it to detect duplicates. */
      readonly event_id: string
      /** @enum {unknown} */
      readonly event:
        | 'payment.decision.created'
        | 'payment.override.created'
        | 'corridor.status.changed'
        | 'payment.review.opened'
        | 'payment.review.closed'
        | 'webhook.endpoint.suspended'
        | 'webhook.test'
      readonly request_id: string | null
      /**
       * @description `pending`: an attempt is scheduled or in progress. `waiting_for_host`: the host keeps failing, and is tried with one attempt at a time. `dropped`: the last attempt failed. `suspended`: not sent, because the endpoint was suspended.
       * @enum {unknown}
       */
      readonly status: 'pending' | 'waiting_for_host' | 'delivered' | 'dropped' | 'suspended'
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly created_at: string
      readonly next_attempt: {
        readonly attempt: number
        /**
         * Format: date-time
         * @description The earliest time of the attempt. During the attempt, the time when its lease expires.
         */
        readonly due_at: string
      } | null
      /** @description Completed attempts, oldest first. */
      readonly attempts: readonly {
        readonly attempt: number
        /**
         * Format: date-time
         * @description ISO 8601, UTC.
         */
        readonly at: string
        readonly duration_ms: number
        /** @enum {unknown} */
        readonly outcome: 'delivered' | 'failed'
        readonly status_code: number | null
        readonly error:
          | (
              | 'timeout'
              | 'name_not_resolved'
              | 'address_refused'
              | 'connection_failed'
              | 'tls_failed'
              | 'invalid_response'
              | 'host_failing'
              | 'secret_unavailable'
            )
          | null
        readonly answer: string | null
      }[]
      readonly body: string | null
    }
    readonly DemoCompareRequest: {
      /** @description All members have defaults, so it may be empty. */
      readonly payment: {
        /** @description FROM-TO, as in verify. Default: GB-NG. */
        readonly corridor?: string | null
        /** @description In units of the currency. Default: 1000. */
        readonly amount?: number
        /** @description ISO 4217. Defaults to `GBP`. */
        readonly currency?: string | null
        /** @description The sender's ISO 3166-1 alpha-2 code. Send both countries in place of a corridor. */
        readonly sender_country?: string | null
        /** @description The destination's ISO 3166-1 alpha-2 code. Send both countries in place of a corridor. */
        readonly destination_country?: string | null
      }
      /** @description Defaults to all three. */
      readonly profiles?: readonly ('conservative' | 'balanced' | 'optimise_speed')[] | null
    }
    /** @description One score compared with the threshold of each profile. Nothing is stored. */
    readonly DemoCompareResponse: {
      readonly corridor: string
      readonly amount: number
      /** @description The currency of the request. */
      readonly currency: string
      readonly profiles_compared: readonly ('conservative' | 'balanced' | 'optimise_speed')[]
      readonly results: {
        readonly conservative?: components['schemas']['ProfileResult']
        readonly balanced?: components['schemas']['ProfileResult']
        readonly optimise_speed?: components['schemas']['ProfileResult']
      }
      readonly divergence: {
        readonly profiles_agree: boolean
        readonly summary: string
      }
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly evaluated_at: string
      readonly model_version: string
      /** @enum {unknown} */
      readonly environment: 'sandbox'
      /** @description Unknown members of the body, which were ignored, country codes that ISO 3166 has not assigned, and an expired settlement calendar. Absent if there are none. */
      readonly warnings?: readonly components['schemas']['Warning'][]
    }
    /** @description All members have defaults, so the body may be empty. */
    readonly DemoVerifyRequest: {
      /** @description FROM-TO, as in verify. Default: GB-NG. */
      readonly corridor?: string | null
      /** @description In units of the currency. Default: 1000. */
      readonly amount?: number
      /** @description ISO 4217. Defaults to `GBP`. */
      readonly currency?: string | null
      /** @description The sender's ISO 3166-1 alpha-2 code. Send both countries in place of a corridor. */
      readonly sender_country?: string | null
      /** @description The destination's ISO 3166-1 alpha-2 code. Send both countries in place of a corridor. */
      readonly destination_country?: string | null
      /** @description Accepted, but does not affect the simulated decision. */
      readonly sender_account_type?: ('business' | 'personal') | null
      /** @description A purpose code. Accepted, but does not affect the simulated decision. */
      readonly purpose?: string | null
      /** @description Your own reference. Echoed, not stored. */
      readonly correlation_id?: string | null
    }
    /** @description A decision on synthetic signals. Nothing is stored. */
    readonly DemoVerifyResponse: {
      readonly decision: components['schemas']['Decision']
      readonly score: number
      /** @description Independent of the score. */
      readonly confidence: number
      readonly recommended_action: components['schemas']['RecommendedAction']
      readonly recommended_partner: string | null
      readonly reasons: readonly components['schemas']['Reason'][]
      /** @description For older integrations. Prefer `reasons`. */
      readonly reason_codes: readonly components['schemas']['ReasonCode'][]
      /** @description Not recorded, so not available through audit. */
      readonly request_id: string
      readonly correlation_id?: string
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly evaluated_at: string
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly timestamp: string
      readonly corridor: string
      readonly corridor_supported: boolean
      readonly validation_note: string
      readonly currency: string | null
      readonly amount?: number | null
      /** @description The currency of the request. Absent in replays of old records. */
      readonly request_currency?: string
      /** @enum {unknown} */
      readonly mode: 'synthetic'
      /** @enum {unknown} */
      readonly environment: 'sandbox'
      /** @description Standard deviation of the corridor's recent scores. */
      readonly volatility: number
      /** @description Number of signals evaluated. */
      readonly probe_count: number
      readonly signals: components['schemas']['SignalValues']
      readonly probe_details: components['schemas']['ProbeDetails']
      readonly decision_model: string
      readonly api_version: string
      readonly policy_version?: {
        readonly owner: string | null
        readonly installation: string | null
      } | null
      /** @description Unknown members of the body, which were ignored, country codes that ISO 3166 has not assigned, and an expired settlement calendar. Absent if there are none. */
      readonly warnings?: readonly components['schemas']['Warning'][]
      /** @description True if this is the stored answer of an earlier request with the same idempotency key. */
      readonly idempotency_hit: boolean
      /** @description Server-side processing time in milliseconds. */
      readonly response_ms: number
      /** @description The suggested next step. */
      readonly suggested_path: string
      readonly scoring_framework_version: string
    }
    readonly EndedSession: {
      readonly session_id: string
    }
    readonly EndedSessions: {
      readonly person_id: string
      readonly ended: number
    }
    readonly EndpointSuspendedEvent: {
      /** @enum {unknown} */
      readonly event: 'webhook.endpoint.suspended'
      /** @description The same for every attempt. Use it to detect duplicates. */
      readonly event_id: string
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly created_at: string
      /** @description Also in the header `X-SVC-Attempt`. */
      readonly attempt: number
      readonly data: components['schemas']['SuspensionEventData']
    }
    readonly ErasurePreview: {
      readonly texts: {
        /** @description Correlation ids. */
        readonly correlation_id: number
        /** @description Justifications of overrides. */
        readonly justification: number
        /** @description Texts of reviews. */
        readonly review_text: number
      }
      /** @description Fingerprints and keys that go, too. */
      readonly idempotency_keys: number
      /** @description Kept reports that name the correlation id and go as a whole. */
      readonly batch_reports: number
      /** @description Of these reports. */
      readonly report_ids: readonly string[]
      /** @description The payments with this correlation id. */
      readonly request_ids: readonly string[]
      /** @description Ids of what cannot be erased: its text is part of sealed records of the old form. */
      readonly cannot_be_erased: readonly string[]
      /** @description Months that are not searched for texts of the old form. */
      readonly detached_months: readonly string[]
      /** @description Names what you saw here. A job of the kind `erase` requires it. */
      readonly plan: string
    }
    readonly ErasurePreviewRequest: {
      /** @description The owner of the payments. */
      readonly owner_id: string
      /** @description The correlation id of the payments, exactly. */
      readonly correlation_id: string
    }
    /** @description The request is invalid, or has a member that is likely a misspelling. `errors` lists each invalid member and what is wrong with it. */
    readonly Error: {
      /** @description For humans. The text may change. */
      readonly message: string
      /**
       * @description For programs. Codes are stable.
       * @enum {unknown}
       */
      readonly code:
        | 'INVALID_REQUEST'
        | 'UNAUTHORIZED'
        | 'FORBIDDEN'
        | 'FOUR_EYES'
        | 'REVIEW_REQUIRED'
        | 'NOT_FOUND'
        | 'METHOD_NOT_ALLOWED'
        | 'REQUEST_TIMEOUT'
        | 'IDEMPOTENCY_CONFLICT'
        | 'OVERRIDE_EXISTS'
        | 'OUTCOME_EXISTS'
        | 'WEBHOOK_EXISTS'
        | 'POLICY_CONFLICT'
        | 'REVIEW_CONFLICT'
        | 'ADMIN_CONFLICT'
        | 'PAYLOAD_TOO_LARGE'
        | 'UNSUPPORTED_MEDIA_TYPE'
        | 'UNPROCESSABLE'
        | 'RATE_LIMITED'
        | 'HEADERS_TOO_LARGE'
        | 'INTERNAL_ERROR'
        | 'SIGNALS_UNAVAILABLE'
        | 'STORE_UNAVAILABLE'
        | 'CAPTCHA_UNAVAILABLE'
        | 'OVERLOADED'
        | 'STOPPING'
      /** @description Quote it when you report the error. */
      readonly request_id: string
      /** @description With 400: all syntax errors or, if there are none, all semantic errors. */
      readonly errors?: readonly {
        /** @description JSON pointer to the invalid member. */
        readonly path: string
        readonly message: string
        /** @description In a batch: the row, from 1, not counting the header. */
        readonly row?: number
        /** @description In a batch: the invalid column. */
        readonly column?: string
        /** @description In a CSV file: the line, from 1. */
        readonly line?: number
        /** @description In an expression of a policy: the character, from 1. */
        readonly position?: number
      }[]
      /** @description With 503: the signals that could not be read, sorted. */
      readonly unavailable_signals?: readonly string[]
      /** @description With 503: those of them for which no feed is set up, so that waiting does not help. */
      readonly signals_without_feed?: readonly string[]
    }
    readonly EventsPage: {
      /** @description In the order of the log, oldest first. */
      readonly events: readonly components['schemas']['StreamedEvent'][]
      /** @description The cursor for the events after these. Always there: store it. */
      readonly next: string
    }
    /** @description How the decision was made, from its recorded evidence. */
    readonly Explanation: {
      readonly request_id: string
      readonly decision: components['schemas']['Decision']
      readonly score: number
      /** @description A summary in prose. */
      readonly summary: string
      /** @description The contributions add up to `composite`. */
      readonly factors: readonly components['schemas']['Factor'][]
      /** @description The sum of the contributions. */
      readonly composite: number
      readonly telemetry: {
        readonly weight: number
        readonly value: number
        /** @description The amount added to the composite; may be negative. */
        readonly amount: number
      } | null
      readonly penalty: {
        readonly applied: boolean
        readonly multiplier: number
        readonly flagged_count: number
        /** @description Zero or less. */
        readonly amount: number
      }
      /** @description Zero or less. composite + telemetry.amount + penalty.amount + rounding = score, exactly. */
      readonly rounding: number
      readonly policy_gate: {
        readonly applied: boolean
        /** @enum {unknown} */
        readonly rule: 'none' | 'review_above_cap' | 'block_above_cap'
        /** @description Whether the gate alone changed the decision, apart from rules of policies. */
        readonly changed_decision: boolean
        readonly degraded_above: number
        readonly no_go_above: number
        /** @description The currency of the request. */
        readonly currency: string
        readonly message: string
      }
      readonly corridor_supported: boolean
      /** @description Every declared partner, best first. Absent for a corridor without partners. */
      readonly partners?: readonly {
        readonly partner: string
        readonly decision: components['schemas']['Decision'] | null
        readonly score: number | null
        readonly fee: number | null
        readonly fee_currency: string | null
        readonly available: boolean
        readonly unavailable_signals: readonly components['schemas']['SignalName'][]
        readonly comparison: string | null
      }[]
      /** @description The policies that the decision was made under. Absent if there were none. */
      readonly policies?: {
        readonly owner: {
          readonly policy_id: string
          readonly name: string
          readonly rules_fired: readonly {
            readonly rule_id: string
            readonly when: string | null
            /** @enum {unknown} */
            readonly then: 'DEGRADED' | 'NO-GO'
            readonly message: string
            /** @description True if the rule could not be evaluated for this payment, and so counts as fired. */
            readonly could_not_be_evaluated: boolean
          }[]
        } | null
        readonly installation: {
          readonly policy_id: string
          readonly name: string
          readonly rules_fired: readonly {
            readonly rule_id: string
            readonly when: string | null
            /** @enum {unknown} */
            readonly then: 'DEGRADED' | 'NO-GO'
            readonly message: string
            /** @description True if the rule could not be evaluated for this payment, and so counts as fired. */
            readonly could_not_be_evaluated: boolean
          }[]
        } | null
      }
      readonly bands: readonly {
        readonly decision: components['schemas']['Decision']
        readonly score_from: number
        readonly score_below: number
      }[]
      /** @description Each signal that alone, if healthy, would have changed the decision; the other partners; the decision without each policy; the largest amount that would have been GO; the other profiles. */
      readonly counterfactuals: readonly {
        /** @enum {unknown} */
        readonly kind: 'signal' | 'partner' | 'telemetry' | 'policy' | 'amount' | 'profile'
        readonly change: string
        readonly decision: components['schemas']['Decision']
        readonly score: number
        /** @description True if this GO ignores the review cap: with it, verify gives DEGRADED. */
        readonly cap_not_applied?: boolean
      }[]
      readonly largest_go_amount: number | null
      readonly counterfactual_basis: string
      readonly engine_version: string
      /** @description Present if this record repeats another during a cooldown. The values shown are those of the original. */
      readonly cooldown?: {
        /** @description The record of the original decision, which has the counterfactuals. */
        readonly source_request_id: string
      }
    }
    readonly Factor: {
      readonly signal: components['schemas']['SignalName']
      readonly weight: number
      readonly risk_value: number | null
      /** @description weight x risk_value: the share of `composite`. */
      readonly contribution: number
      readonly status: components['schemas']['ProbeLabel']
      readonly flagged: boolean
      readonly reason_code: components['schemas']['ReasonCode'] | null
      readonly message: string
    }
    /** @description The rate and its Wilson interval of 95%; all three are null below 20 records. */
    readonly FailureRate: {
      /** @description Payments with a final outcome. */
      readonly records: number
      /** @description Those that `FAILED` or were `REJECTED`. */
      readonly failures: number
      readonly rate: number | null
      readonly low: number | null
      readonly high: number | null
    }
    readonly FeedAge: {
      readonly signal: components['schemas']['SignalName']
      readonly kind: ('http' | 'fx-series' | 'outcomes' | 'constant') | null
      /** @enum {unknown} */
      readonly status: 'fresh' | 'assumed' | 'unavailable'
      readonly observed_at: string | null
      readonly age_ms: number | null
      readonly fault:
        | (
            | 'no_feed'
            | 'refused'
            | 'timeout'
            | 'connection_lost'
            | 'bad_status'
            | 'redirect'
            | 'oversized'
            | 'unreadable'
            | 'no_value'
            | 'wrong_type'
            | 'out_of_range'
            | 'stale'
            | 'no_history'
            | 'breaker_open'
            | 'store_unavailable'
          )
        | null
      readonly breaker: ('closed' | 'open' | 'half_open') | null
    }
    readonly FeedCheckRequest: {
      /** @description Only this corridor. */
      readonly corridor?: string | null
      /** @description Only this partner. */
      readonly partner?: string | null
      /**
       * @description Of the payment.
       * @default 1000
       */
      readonly amount?: number
      /** @description Of the amount; the corridor's first if it is absent. */
      readonly currency?: string | null
      /** @description Whose reported outcomes are read, for feeds that count them. */
      readonly owner_id?: string | null
    }
    readonly FeedChecks: {
      readonly checks: readonly {
        readonly corridor: string
        readonly partner: string | null
        readonly amount: number
        /** @description Of the amount. */
        readonly currency: string
        readonly feeds: readonly {
          readonly signal: components['schemas']['SignalName']
          readonly source: ('http' | 'fx-series' | 'outcomes' | 'constant') | null
          readonly value: (number | boolean | string) | null
          readonly risk_value: number | null
          readonly age_ms: number | null
          readonly latency_ms: number
          readonly error:
            | (
                | 'no_feed'
                | 'refused'
                | 'timeout'
                | 'connection_lost'
                | 'bad_status'
                | 'redirect'
                | 'oversized'
                | 'unreadable'
                | 'no_value'
                | 'wrong_type'
                | 'out_of_range'
                | 'stale'
                | 'no_history'
                | 'breaker_open'
                | 'store_unavailable'
              )
            | null
          readonly detail: string | null
        }[]
      }[]
    }
    readonly FeedList: {
      readonly feeds: readonly {
        readonly signal: components['schemas']['SignalName']
        readonly corridor: string | null
        readonly partner: string | null
        /** @enum {unknown} */
        readonly kind: 'http' | 'fx-series' | 'outcomes' | 'constant'
        /** @enum {unknown} */
        readonly status: 'healthy' | 'failing' | 'not_read_yet'
        /**
         * @description The state of the circuit breaker. `open`: requests to the provider are suspended.
         * @enum {unknown}
         */
        readonly breaker: 'closed' | 'open' | 'half_open'
        readonly last_read_at: string | null
        readonly last_observed_at: string | null
        readonly last_fault:
          | (
              | 'no_feed'
              | 'refused'
              | 'timeout'
              | 'connection_lost'
              | 'bad_status'
              | 'redirect'
              | 'oversized'
              | 'unreadable'
              | 'no_value'
              | 'wrong_type'
              | 'out_of_range'
              | 'stale'
              | 'no_history'
              | 'breaker_open'
              | 'store_unavailable'
            )
          | null
      }[]
    }
    /** @description The service is up and its store responds. */
    readonly Health: {
      /** @enum {unknown} */
      readonly status: 'healthy'
      /** @description The version of the service and of its scoring engine. */
      readonly version: string
      /** @description The version of the API contract, as in its OpenAPI document. */
      readonly contract_version: string
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly timestamp: string
      /** @description Number of decisions recorded for all callers. */
      readonly total_verifications: number
      readonly message: string
      /**
       * @description The mode of a test key.
       * @enum {unknown}
       */
      readonly mode: 'shadow'
      /** @description The modes that decide now. Without a feed for each signal, live decisions are on hold. */
      readonly modes: readonly components['schemas']['Mode'][]
      /** @enum {unknown} */
      readonly environment: 'sandbox'
    }
    readonly HeldProof: {
      /**
       * @description `pending`: recorded, but not sealed yet. Retry after a few seconds.
       * @enum {unknown}
       */
      readonly status: 'sealed' | 'pending'
      readonly record: components['schemas']['ProvenLeaf'] | null
      readonly override: components['schemas']['ProvenLeaf'] | null
      readonly outcome: components['schemas']['ProvenLeaf'] | null
      readonly checkpoint: components['schemas']['Checkpoint'] | null
    }
    readonly Holds: {
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly from: string
      /** @description Requests to verify that were answered with 503 since then. */
      readonly requests: number
      /** @description Those of the last five minutes. */
      readonly held_now: number
      /** @description By corridor and reason, the latest first. */
      readonly holds: readonly {
        readonly corridor: string | null
        readonly mode: components['schemas']['Mode']
        /** @description The code of the error. */
        readonly reason: string
        readonly unavailable_signals: readonly string[]
        readonly requests: number
        /**
         * Format: date-time
         * @description To the minute.
         */
        readonly first_at: string
        /**
         * Format: date-time
         * @description ISO 8601, UTC.
         */
        readonly last_at: string
        /** @description Whether one of them was in the last five minutes. */
        readonly held_now: boolean
      }[]
    }
    /** @description The effect of the decision on risk, compared with no verification. */
    readonly Impact: {
      readonly request_id: string
      readonly decision: components['schemas']['Decision']
      readonly risk_exposure_reduced: boolean
      readonly risk_reduction: number
      /** @enum {unknown} */
      readonly intervention_type: 'PASS_THROUGH' | 'CONDITIONAL_HOLD' | 'BLOCK'
      /** @enum {unknown} */
      readonly confidence: 'high' | 'medium'
      readonly calculation_basis: string
      readonly human_override: components['schemas']['Override'] | null
      /** @description Present if this record repeats another during a cooldown. The values shown are those of the original. */
      readonly cooldown?: {
        /** @description The record of the original decision, which has the counterfactuals. */
        readonly source_request_id: string
      }
    }
    readonly Invitation: {
      readonly email: string
      readonly name: string
      readonly roles: readonly ('viewer' | 'reviewer' | 'approver' | 'policy_author' | 'admin')[]
      /** @description Unknown members of the body, which were ignored, country codes that ISO 3166 has not assigned, and an expired settlement calendar. Absent if there are none. */
      readonly warnings?: readonly components['schemas']['Warning'][]
    }
    readonly InvitationRequest: {
      /** @description From the link of the invitation. */
      readonly token: string
    }
    readonly InviteRequest: {
      /** @description The email address, with which the person signs in. */
      readonly email: string
      readonly roles: readonly ('viewer' | 'reviewer' | 'approver' | 'policy_author' | 'admin')[]
      /** @description The owner of the person. Only an admin may have none. */
      readonly owner_id?: string | null
    }
    readonly InvitedPerson: {
      readonly person_id: string
      /** @description Empty if the provider does not state it. */
      readonly email: string
      readonly roles: readonly ('viewer' | 'reviewer' | 'approver' | 'policy_author' | 'admin')[]
      readonly owner_id: string | null
      /** @description Works once. Shown only in this response. */
      readonly link: string
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly expires_at: string
    }
    readonly IssueKeyRequest: {
      /** @enum {unknown} */
      readonly type: 'test' | 'live'
      /** @description The name of a new owner, or another name with `owner_id`. */
      readonly owner?: string | null
      /** @description An existing owner, who then has a further key. */
      readonly owner_id?: string | null
      /** @description Among those of your roles, or 403. Empty or absent: those of the replaced key that your roles have, else all of yours. */
      readonly scopes?:
        | readonly (
            | 'decision:read'
            | 'audit:read'
            | 'override:create'
            | 'webhook:manage'
            | 'outcome:write'
            | 'policy:read'
            | 'policy:write'
            | 'policy:approve'
            | 'review:read'
            | 'review:write'
            | 'review:approve'
          )[]
        | null
      /** @description The limit of the key on verify, as `100/60`: 100 requests in 60 seconds, 86400 seconds at most. */
      readonly limit_verify?: string | null
    }
    readonly IssuedKey: {
      readonly key_id: string
      /** @enum {unknown} */
      readonly type: 'test' | 'live' | 'sandbox'
      /** @description The name of the owner, for humans. */
      readonly owner: string
      readonly owner_id: string
      /** @description Empty: all that the type may have. */
      readonly scopes: readonly (
        | 'decision:read'
        | 'audit:read'
        | 'override:create'
        | 'webhook:manage'
        | 'outcome:write'
        | 'policy:read'
        | 'policy:write'
        | 'policy:approve'
        | 'review:read'
        | 'review:write'
        | 'review:approve'
      )[]
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly created_at: string
      readonly expires_at: string | null
      /** @description Shown only once. */
      readonly key: string
    }
    /**
     * @description `verify_log` checks the whole log. `erase` erases the personal text of one correlation id, `retention` all that is older than the period; `clean` removes what erased texts left in the files of the database. `detach_month`, `attach_month` and `drop_month` move a month of records (PostgreSQL).
     * @enum {unknown}
     */
    readonly JobKind:
      'verify_log' | 'erase' | 'retention' | 'clean' | 'detach_month' | 'attach_month' | 'drop_month'
    /** @description A report that the owner keeps. */
    readonly KeptReport: {
      readonly report_id: string
      readonly report_name: string
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly kept_at: string
      readonly kept_by: components['schemas']['Principal']
      readonly transaction_count: number
      readonly go: number
      readonly degraded: number
      readonly no_go: number
      readonly execution_uncertainty_score: number
      /** @description Whether you may delete it: you kept it, or you are an admin. */
      readonly may_delete: boolean
    }
    readonly KeptReportDetails: {
      readonly report_id: string
      readonly report_name: string
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly kept_at: string
      readonly kept_by: components['schemas']['Principal']
      readonly transaction_count: number
      readonly go: number
      readonly degraded: number
      readonly no_go: number
      readonly execution_uncertainty_score: number
      /** @description Whether you may delete it: you kept it, or you are an admin. */
      readonly may_delete: boolean
      /** @description The month of each row, `2026-03`, in the order of the rows; null without a timestamp. */
      readonly months: readonly (string | null)[]
      readonly report: components['schemas']['BatchResponse']
    }
    readonly KeptReportList: {
      /** @description Newest first. */
      readonly reports: readonly components['schemas']['KeptReport'][]
    }
    /** @description A report that the owner keeps. */
    readonly KeptReportResponse: {
      readonly report_id: string
      readonly report_name: string
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly kept_at: string
      readonly kept_by: components['schemas']['Principal']
      readonly transaction_count: number
      readonly go: number
      readonly degraded: number
      readonly no_go: number
      readonly execution_uncertainty_score: number
      /** @description Whether you may delete it: you kept it, or you are an admin. */
      readonly may_delete: boolean
      /** @description Unknown members of the body, which were ignored, country codes that ISO 3166 has not assigned, and an expired settlement calendar. Absent if there are none. */
      readonly warnings?: readonly components['schemas']['Warning'][]
    }
    readonly LoginRequest: {
      readonly email: string
      readonly password: string
    }
    readonly LogoutResponse: {
      readonly location: string | null
    }
    readonly MaintenanceJob: {
      readonly job_id: string
      readonly kind: components['schemas']['JobKind']
      /**
       * @description `interrupted`: its instance has stopped. It can be started again.
       * @enum {unknown}
       */
      readonly status: 'running' | 'done' | 'failed' | 'interrupted'
      readonly parameters: {
        readonly [key: string]: string | number | null
      }
      readonly reason: string | null
      readonly started_by: {
        readonly id: string
        readonly name: string
      }
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly started_at: string
      readonly ended_at: string | null
      /** @description About once a second. */
      readonly progress: {
        /** @description Leaves, payments or texts. */
        readonly done: number
        readonly total: number | null
      }
      readonly result: {
        readonly [key: string]: unknown
      } | null
      readonly error: string | null
    }
    readonly MaintenanceJobList: {
      readonly jobs: readonly components['schemas']['MaintenanceJob'][]
      readonly next_cursor: string | null
    }
    readonly Me: {
      /** @enum {unknown} */
      readonly kind: 'key' | 'person'
      /** @description The id of the key or the person. */
      readonly id: string
      readonly name: string
      readonly owner_id: string | null
      readonly owner_name: string | null
      readonly roles: readonly ('viewer' | 'reviewer' | 'approver' | 'policy_author' | 'admin')[]
      readonly scopes: readonly (
        | 'decision:read'
        | 'audit:read'
        | 'override:create'
        | 'webhook:manage'
        | 'outcome:write'
        | 'policy:read'
        | 'policy:write'
        | 'policy:approve'
        | 'review:read'
        | 'review:write'
        | 'review:approve'
      )[]
      readonly mode: components['schemas']['Mode']
      /** @description Of a person; empty if the provider does not state it. */
      readonly email?: string
      readonly session?: {
        readonly session_id: string
        /**
         * @description At the identity provider, or with a local account.
         * @enum {unknown}
         */
        readonly method: 'provider' | 'password'
        /**
         * Format: date-time
         * @description ISO 8601, UTC.
         */
        readonly expires_at: string
      }
    }
    /** @description The scoring rules, from the constants that the scorer uses. */
    readonly Methodology: {
      readonly model_version: string
      readonly engine_version: string
      readonly formula: string
      readonly signals: readonly {
        readonly signal: components['schemas']['SignalName']
        readonly weight: number
        readonly reason_code: components['schemas']['ReasonCode']
        readonly rationale: string
        /** @description The step from the value of a feed to the risk value. */
        readonly risk_value: string
      }[]
      readonly labels: readonly {
        readonly label: components['schemas']['SignalLabel']
        readonly risk_value_from: number
      }[]
      readonly flag_rule: string
      readonly penalty: {
        readonly flagged_signals_from: number
        readonly share_taken: number
      }
      readonly policy_gate: {
        readonly unit: string
        readonly degraded_above: number
        readonly no_go_above: number
        readonly stricter: readonly {
          readonly currency: string
          readonly degraded_above: number
          readonly no_go_above: number
        }[]
      }
      readonly bands: readonly {
        readonly decision: components['schemas']['Decision']
        readonly score_from: number
        readonly score_below: number
      }[]
      readonly profiles: readonly {
        /** @enum {unknown} */
        readonly profile: 'conservative' | 'balanced' | 'optimise_speed'
        readonly go_threshold: number
      }[]
      readonly confidence: string
      readonly supported_corridors: readonly string[]
      readonly calibration: {
        /** @enum {unknown} */
        readonly status: 'uncalibrated'
        readonly note: string
      }
    }
    /** @enum {unknown} */
    readonly Mode: 'shadow' | 'live'
    readonly MonthCheck: {
      readonly month: string
      readonly can_detach: boolean
      readonly detail: string | null
    }
    readonly MonthList: {
      /** @description False on SQLite: all records are in one table. */
      readonly partitioned: boolean
      /** @description Whether `FAIRWAY_ARCHIVES` is set: a drop needs it. */
      readonly has_archives: boolean
      /** @description Oldest first. */
      readonly months: readonly components['schemas']['StoredMonth'][]
    }
    readonly Observation: {
      readonly corridor: string
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly observed_at: string
      readonly risk_value: number
      readonly label: components['schemas']['SignalLabel']
    }
    readonly ObservedHour: {
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly hour: string
      readonly observations: number
      /** @description Share of the observations in which every probed signal could be read. */
      readonly availability: number
      readonly score: number | null
    }
    /** @description The settings in force for the calling key. */
    readonly OrganisationSettings: {
      /** @description The label assigned to the key when it was issued. */
      readonly organisation: string
      readonly key: {
        readonly key_id: string
        /** @enum {unknown} */
        readonly type: 'test' | 'sandbox' | 'live'
        /** @enum {unknown} */
        readonly environment: 'sandbox' | 'production'
        /**
         * Format: date-time
         * @description ISO 8601, UTC.
         */
        readonly created_at: string
        readonly expires_at: string | null
      }
      readonly corridors: {
        /** @description The validated corridors. Any other corridor has no data and is never GO. */
        readonly permitted: readonly string[]
      }
      /** @description Corridors on which verify repeats a NO-GO, in the mode of the key. At most 100. */
      readonly open_cooldowns: readonly {
        readonly corridor: string
        readonly source_request_id: string
        /**
         * Format: date-time
         * @description ISO 8601, UTC.
         */
        readonly expires_at: string
      }[]
      /** @description The features that this key may use. */
      readonly features: {
        readonly verify: boolean
        readonly batch_assessment: boolean
        readonly partner_ranking: boolean
        readonly decision_intelligence: boolean
        readonly outcomes: boolean
        readonly audit: boolean
        readonly audit_export: boolean
        readonly overrides: boolean
        readonly webhooks: boolean
        readonly test_amounts: boolean
        /** @description True for a live key if every signal has a feed. */
        readonly live_mode: boolean
      }
      /** @description Roles and the scope that each requires. */
      readonly audit_users: readonly {
        readonly role: string
        /** @enum {unknown} */
        readonly scope:
          | 'decision:read'
          | 'audit:read'
          | 'override:create'
          | 'webhook:manage'
          | 'outcome:write'
          | 'policy:read'
          | 'policy:write'
          | 'policy:approve'
          | 'review:read'
          | 'review:write'
          | 'review:approve'
        readonly description: string
        /** @description Whether this key has the scope. */
        readonly granted: boolean
      }[]
      readonly rate_limits: {
        readonly verify: components['schemas']['RateLimit']
        readonly batch: components['schemas']['RateLimit']
        readonly other: components['schemas']['RateLimit']
      }
      readonly usage: {
        /** @description Number of decisions recorded with this key. */
        readonly verifications_this_key: number
      }
    }
    readonly OutcomeRequest: {
      /** @description How the payment ended. After `PENDING`, one more report is accepted. */
      readonly outcome: components['schemas']['PaymentOutcome']
      /** @description The partner that the payment went through, by its id. Where the decision ranked partners, one of these. */
      readonly partner?: string | null
      /** @description When the payment ended: an ISO 8601 date-time after the decision, not in the future. Defaults to the time of the report. */
      readonly occurred_at?: string | null
    }
    /** @description How the payment ended, as reported by its owner. */
    readonly OutcomeResponse: {
      readonly request_id: string
      readonly outcome: components['schemas']['PaymentOutcome']
      /** @description The partner that it went through, if reported. */
      readonly partner?: string
      readonly occurred_at: string | null
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly reported_at: string
      readonly reported_by: components['schemas']['Principal']
      /** @description Unknown members of the body, which were ignored, country codes that ISO 3166 has not assigned, and an expired settlement calendar. Absent if there are none. */
      readonly warnings?: readonly components['schemas']['Warning'][]
    }
    readonly OutcomeRow: {
      /** @description The `request_id` of a verify response. */
      readonly request_id?: string | null
      /** @description In place of `request_id`, if exactly one of your decisions has it. */
      readonly correlation_id?: string | null
      /** @description How the payment ended. After `PENDING`, one more report is accepted. */
      readonly outcome: components['schemas']['PaymentOutcome']
      /** @description The partner that the payment went through, by its id. */
      readonly partner?: string | null
      /** @description When the payment ended: an ISO 8601 date-time after the decision, not in the future. */
      readonly occurred_at?: string | null
    }
    readonly OutcomesRequest: {
      readonly outcomes: readonly components['schemas']['OutcomeRow'][]
    }
    readonly OutcomesResponse: {
      /** @description Whether the rows were only checked. */
      readonly dry_run: boolean
      /** @description Rows that were recorded, or would be. */
      readonly recorded: number
      /** @description Rows that were reported before with the same content. */
      readonly unchanged: number
      /** @description The decision of each row, in their order. */
      readonly request_ids: readonly string[]
      /** @description Warnings about ignored columns or members. */
      readonly warnings: readonly string[]
    }
    /** @description A person's override of the decision. The decision itself never changes. */
    readonly Override: {
      readonly override_id: string
      readonly request_id: string
      readonly original_decision: components['schemas']['Decision']
      /** @enum {unknown} */
      readonly action: 'EXECUTE' | 'HOLD' | 'REJECT'
      readonly reason_code: string
      readonly justification: string
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly created_at: string
      readonly created_by: components['schemas']['Principal']
      readonly approval: {
        readonly review_id: string
        readonly approved_by: components['schemas']['Principal']
      } | null
    }
    readonly OverrideEvent: {
      /** @enum {unknown} */
      readonly event: 'payment.override.created'
      /** @description The same for every attempt. Use it to detect duplicates. */
      readonly event_id: string
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly created_at: string
      /** @description Also in the header `X-SVC-Attempt`. */
      readonly attempt: number
      readonly data: components['schemas']['Override']
    }
    readonly OverrideRequest: {
      /** @description The `request_id` of the decision. */
      readonly request_id: string
      /**
       * @description The action to take instead.
       * @enum {unknown}
       */
      readonly action: 'EXECUTE' | 'HOLD' | 'REJECT'
      /** @description Your own code, in upper snake case. */
      readonly reason_code: string
      /** @description The reason for the override. Stored permanently. */
      readonly justification: string
    }
    /** @description A person's override of the decision. The decision itself never changes. */
    readonly OverrideResponse: {
      readonly override_id: string
      readonly request_id: string
      readonly original_decision: components['schemas']['Decision']
      /** @enum {unknown} */
      readonly action: 'EXECUTE' | 'HOLD' | 'REJECT'
      readonly reason_code: string
      readonly justification: string
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly created_at: string
      readonly created_by: components['schemas']['Principal']
      readonly approval: {
        readonly review_id: string
        readonly approved_by: components['schemas']['Principal']
      } | null
      /** @description Unknown members of the body, which were ignored, country codes that ISO 3166 has not assigned, and an expired settlement calendar. Absent if there are none. */
      readonly warnings?: readonly components['schemas']['Warning'][]
    }
    readonly Owner: {
      readonly owner_id: string
      /** @description The label of its newest key. */
      readonly name: string
      readonly has_live_key: boolean
    }
    readonly OwnerList: {
      readonly owners: readonly components['schemas']['Owner'][]
      readonly next_cursor: string | null
    }
    readonly PartnerRankingRequest: {
      /** @description FROM-TO: two-letter codes in any case (`GB-NG`), three-letter codes, or country names. */
      readonly corridor: string
      /** @description In units of the currency. A missing amount is not zero. */
      readonly amount?: number
      /** @description ISO 4217. Defaults to `GBP`. */
      readonly currency?: string | null
      /** @description With a test key unique names of your choice, each with its own simulated network, liquidity and history. With a live key ids of declared partners. */
      readonly partners: readonly string[]
    }
    /** @description Every partner, scored by the same engine. Nothing is stored. */
    readonly PartnerRankingResponse: {
      readonly corridor: string
      readonly amount: number | null
      /** @description The currency of the request. */
      readonly currency: string
      readonly mode: components['schemas']['Mode']
      readonly recommended_partner: string | null
      readonly partner_count: number
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly evaluated_at: string
      /** @description Best first. Equal scores are sorted by name; in live mode by fee, then id. A partner that is not available comes last, without a decision. */
      readonly ranked_partners: readonly {
        readonly rank: number
        readonly partner: string
        readonly decision: components['schemas']['Decision'] | null
        readonly score: number | null
        readonly recommended_action: components['schemas']['RecommendedAction'] | null
        readonly fee?: number | null
        readonly fee_currency?: string | null
        /** @description Whether it can be read and takes the amount. Live mode only. */
        readonly available?: boolean
        /** @description Signals that could not be read. Live mode only. */
        readonly unavailable_signals?: readonly components['schemas']['SignalName'][]
        readonly unavailable_reason?: string | null
      }[]
      /** @description Unknown members of the body, which were ignored, country codes that ISO 3166 has not assigned, and an expired settlement calendar. Absent if there are none. */
      readonly warnings?: readonly components['schemas']['Warning'][]
    }
    readonly PasswordRequest: {
      /** @description From the link of the invitation. */
      readonly token: string
      readonly name: string
      /** @description 12 to 200 characters of any kind. */
      readonly password: string
    }
    /** @enum {unknown} */
    readonly PaymentOutcome: 'COMPLETED' | 'FAILED' | 'DELAYED' | 'REJECTED' | 'PENDING'
    /** @description A policy never changes; a change is a new one. */
    readonly PaymentPolicy: {
      readonly policy_id: string
      /** @enum {unknown} */
      readonly status: 'draft' | 'candidate' | 'active' | 'retired'
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly created_at: string
      readonly created_by: components['schemas']['Actor']
      readonly document: components['schemas']['PolicyDocument']
      /** @description Of the canonical JSON (RFC 8785) of the document, in hex. */
      readonly sha256: string
      /** @description Its life, oldest first. */
      readonly changes: readonly {
        /** @enum {unknown} */
        readonly kind: 'candidate' | 'promoted' | 'rolled_back'
        /**
         * Format: date-time
         * @description ISO 8601, UTC.
         */
        readonly at: string
        readonly by: components['schemas']['Actor']
        readonly reason: string | null
      }[]
    }
    readonly PersonList: {
      readonly people: readonly components['schemas']['AdminPerson'][]
    }
    readonly PersonSession: {
      readonly session_id: string
      /** @description Whether it is the session of this request. */
      readonly is_current: boolean
      /**
       * @description At the identity provider, or with a local account.
       * @enum {unknown}
       */
      readonly method: 'provider' | 'password'
      /** @description The network address that it was started from. */
      readonly client_address: string
      /** @description The browser, as it names itself. */
      readonly user_agent: string
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly created_at: string
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly expires_at: string
      readonly last_used_at: string | null
    }
    readonly PolicyBacktest: {
      readonly backtest_id: string
      readonly policy_id: string
      /** @enum {unknown} */
      readonly status: 'queued' | 'running' | 'done' | 'failed' | 'cancelled'
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly from: string
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly to: string
      readonly mode: components['schemas']['Mode'] | null
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly created_at: string
      readonly ended_at: string | null
      readonly progress: {
        /** @description Records done. */
        readonly records: number
        readonly total: number | null
      }
      readonly report: components['schemas']['PolicyReport'] | null
      readonly error: string | null
    }
    /** @description The newest 20, newest first. */
    readonly PolicyBacktestList: {
      readonly backtests: readonly components['schemas']['PolicyBacktest'][]
    }
    readonly PolicyBacktestRequest: {
      /** @description Recorded at this time or later; ISO 8601. */
      readonly from: string
      /** @description Recorded before this time; ISO 8601. */
      readonly to: string
      readonly mode?: components['schemas']['Mode'] | null
    }
    readonly PolicyBacktestResponse: {
      readonly backtest_id: string
      readonly policy_id: string
      /** @enum {unknown} */
      readonly status: 'queued' | 'running' | 'done' | 'failed' | 'cancelled'
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly from: string
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly to: string
      readonly mode: components['schemas']['Mode'] | null
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly created_at: string
      readonly ended_at: string | null
      readonly progress: {
        /** @description Records done. */
        readonly records: number
        readonly total: number | null
      }
      readonly report: components['schemas']['PolicyReport'] | null
      readonly error: string | null
      /** @description Unknown members of the body, which were ignored, country codes that ISO 3166 has not assigned, and an expired settlement calendar. Absent if there are none. */
      readonly warnings?: readonly components['schemas']['Warning'][]
    }
    /** @description Every decision since the policy became the candidate. */
    readonly PolicyCandidateReport: {
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly since: string
      readonly until: string | null
      /** @description Records that were decided again. */
      readonly records: number
      /** @description Those with the same decision; cooldown repeats always are. */
      readonly unchanged: number
      /** @description Records that cannot be decided again, because another version of the engine decided them. They are in no other figure. */
      readonly undecided: number
      /** @description Records by decision before and after, like `GO>DEGRADED`. */
      readonly flips: {
        readonly [key: string]: number
      }
      readonly by_rule: readonly {
        readonly rule_id: string
        readonly fired: number
        /** @description How often the decision is that of this rule, and would be laxer without the rules. */
        readonly decided: number
      }[]
      readonly by_corridor: readonly {
        readonly corridor: string
        readonly records: number
        /** @description Records by decision before and after, like `GO>DEGRADED`. */
        readonly flips: {
          readonly [key: string]: number
        }
      }[]
      readonly by_currency: readonly {
        /** @description The currency of the requests. */
        readonly currency: string
        readonly records: number
        /** @description Records by decision before and after, like `GO>DEGRADED`. */
        readonly flips: {
          readonly [key: string]: number
        }
      }[]
      /** @description Newly stopped: a payment that was GO and would not be. */
      readonly amounts: readonly {
        /** @description The currency of the requests. */
        readonly currency: string
        /** @description In units of the currency. */
        readonly newly_stopped: number
        readonly payments: number
      }[]
      readonly outcomes: {
        /** @description What became of the newly stopped payments. */
        readonly newly_stopped: {
          readonly COMPLETED: number
          readonly FAILED: number
          readonly DELAYED: number
          readonly REJECTED: number
          readonly PENDING: number
          readonly unreported: number
        }
      }
      /** @description The newest 100 of each flip. */
      readonly samples: readonly {
        readonly request_id: string
        readonly from: components['schemas']['Decision']
        readonly to: components['schemas']['Decision']
        /** @description Rules of the policy that fired. */
        readonly rules: readonly string[]
      }[]
    }
    /** @description Nothing is stored. */
    readonly PolicyCheck: {
      readonly valid: boolean
      readonly errors: readonly {
        /** @description JSON pointer into the document. */
        readonly path: string
        readonly message: string
        /** @description In an expression: the character, from 1. */
        readonly position?: number
      }[]
      readonly tried: {
        readonly request_id: string
        readonly from: components['schemas']['Decision']
        readonly to: components['schemas']['Decision']
        /** @description Rules that fired. */
        readonly fired: readonly string[]
        /** @description Those that made the decision. */
        readonly decided: readonly string[]
      } | null
    }
    /** @description A policy only tightens: it never turns a decision into a laxer one. */
    readonly PolicyDocument: {
      readonly name: string
      /** @description Without an amount a payment is at most DEGRADED. */
      readonly require_amount?: boolean
      /** @description Caps by currency, at least as strict as the contract: 50,000 and 500,000. */
      readonly caps?: {
        readonly [key: string]: {
          /** @description Above it the decision is at most DEGRADED. */
          readonly review_above: number
          /** @description Above it the decision is NO-GO. */
          readonly block_above: number
        }
      }
      /** @description The lowest score of a GO, from 0.80 on. */
      readonly go_floor?: number
      /** @description Below this score NO-GO, from 0.48 on. */
      readonly no_go_below?: number
      readonly rules?: readonly {
        /** @description Lower-case letters, digits, hyphens and underscores. */
        readonly id: string
        /** @description A CEL expression of at most 2048 bytes. The rule fires if it is true or cannot be evaluated. */
        readonly when: string
        /**
         * @description The decision is at least as strict.
         * @enum {unknown}
         */
        readonly then: 'DEGRADED' | 'NO-GO'
        /** @description The message of the reason POLICY_RULE_APPLIED. */
        readonly message: string
      }[]
    }
    /** @description Newest first. */
    readonly PolicyList: {
      readonly policies: readonly components['schemas']['PaymentPolicy'][]
      readonly active: string | null
      readonly candidate: string | null
      readonly next_cursor: string | null
    }
    readonly PolicyReason: {
      /** @description Why; recorded permanently. */
      readonly reason: string
    }
    readonly PolicyReport: {
      /** @description Records that were decided again. */
      readonly records: number
      /** @description Those with the same decision; cooldown repeats always are. */
      readonly unchanged: number
      /** @description Records that cannot be decided again, because another version of the engine decided them. They are in no other figure. */
      readonly undecided: number
      /** @description Records by decision before and after, like `GO>DEGRADED`. */
      readonly flips: {
        readonly [key: string]: number
      }
      readonly by_rule: readonly {
        readonly rule_id: string
        readonly fired: number
        /** @description How often the decision is that of this rule, and would be laxer without the rules. */
        readonly decided: number
      }[]
      readonly by_corridor: readonly {
        readonly corridor: string
        readonly records: number
        /** @description Records by decision before and after, like `GO>DEGRADED`. */
        readonly flips: {
          readonly [key: string]: number
        }
      }[]
      readonly by_currency: readonly {
        /** @description The currency of the requests. */
        readonly currency: string
        readonly records: number
        /** @description Records by decision before and after, like `GO>DEGRADED`. */
        readonly flips: {
          readonly [key: string]: number
        }
      }[]
      /** @description Newly stopped: a payment that was GO and would not be. */
      readonly amounts: readonly {
        /** @description The currency of the requests. */
        readonly currency: string
        /** @description In units of the currency. */
        readonly newly_stopped: number
        readonly payments: number
      }[]
      readonly outcomes: {
        /** @description What became of the newly stopped payments. */
        readonly newly_stopped: {
          readonly COMPLETED: number
          readonly FAILED: number
          readonly DELAYED: number
          readonly REJECTED: number
          readonly PENDING: number
          readonly unreported: number
        }
      }
      /** @description The newest 100 of each flip. */
      readonly samples: readonly {
        readonly request_id: string
        readonly from: components['schemas']['Decision']
        readonly to: components['schemas']['Decision']
        /** @description Rules of the policy that fired. */
        readonly rules: readonly string[]
      }[]
    }
    /** @description A policy never changes; a change is a new one. */
    readonly PolicyResponse: {
      readonly policy_id: string
      /** @enum {unknown} */
      readonly status: 'draft' | 'candidate' | 'active' | 'retired'
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly created_at: string
      readonly created_by: components['schemas']['Actor']
      readonly document: components['schemas']['PolicyDocument']
      /** @description Of the canonical JSON (RFC 8785) of the document, in hex. */
      readonly sha256: string
      /** @description Its life, oldest first. */
      readonly changes: readonly {
        /** @enum {unknown} */
        readonly kind: 'candidate' | 'promoted' | 'rolled_back'
        /**
         * Format: date-time
         * @description ISO 8601, UTC.
         */
        readonly at: string
        readonly by: components['schemas']['Actor']
        readonly reason: string | null
      }[]
      /** @description Unknown members of the body, which were ignored, country codes that ISO 3166 has not assigned, and an expired settlement calendar. Absent if there are none. */
      readonly warnings?: readonly components['schemas']['Warning'][]
    }
    readonly PolicyRollback: {
      /** @description The policy that was in force until now. */
      readonly rolled_back: string
      readonly active: string | null
      /** @description Unknown members of the body, which were ignored, country codes that ISO 3166 has not assigned, and an expired settlement calendar. Absent if there are none. */
      readonly warnings?: readonly components['schemas']['Warning'][]
    }
    readonly PolicyVariables: {
      readonly variables: readonly {
        /** @description As it is written in an expression, like `signals.fraud_flags`. */
        readonly name: string
        /** @description Its CEL type. */
        readonly type: string
        readonly description: string
      }[]
      readonly functions: readonly string[]
      readonly macros: readonly string[]
    }
    /** @description Who did it: a key, or a person with a session. */
    readonly Principal: {
      /** @enum {unknown} */
      readonly kind: 'key' | 'person'
      /** @description The id of the key or the person. */
      readonly id: string
      /** @description For humans: of the person, or of the owner of the key. */
      readonly name: string
      /** @description For a person: the session. */
      readonly session_id?: string
    }
    readonly ProbeDetail: {
      readonly signal: components['schemas']['ProbeLabel']
      readonly risk_value: number | null
    }
    readonly ProbeDetails: {
      readonly fraud_flags: components['schemas']['ProbeDetail']
      readonly network_healthy: components['schemas']['ProbeDetail']
      readonly balance_sufficient: components['schemas']['ProbeDetail']
      readonly fx_volatility: components['schemas']['ProbeDetail']
      readonly operation_valid: components['schemas']['ProbeDetail']
      readonly historical_failure_rate: components['schemas']['ProbeDetail']
      readonly cop_overridden: components['schemas']['ProbeDetail']
    }
    /** @enum {unknown} */
    readonly ProbeLabel: 'CLEAR' | 'LOW' | 'MODERATE' | 'ELEVATED' | 'CRITICAL' | 'NO_DATA'
    readonly ProfileResult: {
      readonly decision: components['schemas']['Decision']
      readonly score: number
      readonly go_threshold: number
      /** @description True for DEGRADED, and for a GO that the balanced profile would not give: verify again before release. */
      readonly recheck_required: boolean
      readonly profile_label: string
      readonly recommended_action: components['schemas']['RecommendedAction']
      /** @description True for a GO by the threshold alone, above the review cap: verify gives at most DEGRADED. */
      readonly cap_not_applied: boolean
      /** @description How long the decision is valid, if the profile limits it. */
      readonly valid_for_seconds?: number
    }
    readonly ProvenLeaf: {
      readonly leaf_index: number
      /** @description SHA-256 in base64. */
      readonly leaf_hash: string
      /** @description The text whose RFC 6962 leaf hash is `leaf_hash`. */
      readonly leaf: string
      /** @description From the leaf to the root: PATH in RFC 6962. */
      readonly inclusion_path: readonly string[]
    }
    readonly RateLimit: {
      readonly requests: number
      readonly window_seconds: number
    }
    /** @description Items are checked at the time of the request. Available even while the store is down. */
    readonly Readiness: {
      /** @description Number of items that are ready. */
      readonly enterprise_readiness: number
      readonly items_total: number
      /** @enum {unknown} */
      readonly sandbox_capability: 'ready' | 'not_ready'
      /** @enum {unknown} */
      readonly production_capability: 'ready' | 'not_ready'
      /** @description Currently sixteen items. */
      readonly checklist: readonly {
        readonly item: string
        /** @enum {unknown} */
        readonly status: 'ready' | 'planned' | 'not_available'
        readonly detail: string
        readonly needed_for: readonly ('sandbox' | 'production')[]
      }[]
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly checked_at: string
    }
    readonly Reason: {
      readonly code: components['schemas']['ReasonCode']
      readonly message: string
    }
    /** @enum {unknown} */
    readonly ReasonCode:
      | 'HEALTHY_PARTNER'
      | 'HIGH_FRAUD_SIGNAL'
      | 'NETWORK_DEGRADED'
      | 'INSUFFICIENT_BALANCE'
      | 'HIGH_FX_VOLATILITY'
      | 'OPERATION_INVALID'
      | 'HIGH_FAILURE_RATE'
      | 'COP_OVERRIDE_ACTIVE'
      | 'CORRIDOR_UNSUPPORTED'
      | 'POLICY_CAP_APPLIED'
      | 'BELOW_GO_THRESHOLD'
      | 'POLICY_RULE_APPLIED'
      | 'NO_PARTNER_AVAILABLE'
    /** @enum {unknown} */
    readonly RecommendedAction:
      | 'PROCEED'
      | 'REVIEW'
      | 'REROUTE'
      | 'RETRY_LATER'
      | 'MANUAL_APPROVAL'
      | 'CONFIRM_PAYEE'
      | 'BLOCK'
      | 'TREAT_AS_NO_DATA'
    /** @description The answer as sent, without `idempotency_hit` and `response_ms`. */
    readonly RecordedAnswer: {
      readonly decision: components['schemas']['Decision']
      readonly score: number
      /** @description Independent of the score. */
      readonly confidence: number
      readonly recommended_action: components['schemas']['RecommendedAction']
      readonly recommended_partner: string | null
      readonly reasons: readonly components['schemas']['Reason'][]
      /** @description For older integrations. Prefer `reasons`. */
      readonly reason_codes: readonly components['schemas']['ReasonCode'][]
      readonly request_id: string
      readonly correlation_id?: string
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly evaluated_at: string
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly timestamp: string
      /**
       * Format: date-time
       * @description Verify again after this. Earlier if the settlement window closes. Absent in replays of old records.
       */
      readonly valid_until?: string
      readonly settlement_window?: {
        readonly open: boolean
        readonly opens_at: string | null
        readonly cut_off_at: string | null
      } | null
      readonly corridor: string
      readonly corridor_supported: boolean
      readonly validation_note: string
      readonly currency: string | null
      readonly amount?: number | null
      /** @description The currency of the request. Absent in replays of old records. */
      readonly request_currency?: string
      readonly mode: components['schemas']['Mode']
      /** @enum {unknown} */
      readonly environment: 'sandbox' | 'production'
      /** @description Standard deviation of the corridor's recent scores. */
      readonly volatility: number
      /** @description Number of signals evaluated. */
      readonly probe_count: number
      readonly signals: components['schemas']['SignalValues']
      readonly probe_details: components['schemas']['ProbeDetails']
      readonly decision_model: string
      readonly api_version: string
      readonly policy_version?: {
        readonly owner: string | null
        readonly installation: string | null
      } | null
      /** @description Unknown members of the body, which were ignored, country codes that ISO 3166 has not assigned, and an expired settlement calendar. Absent if there are none. */
      readonly warnings?: readonly components['schemas']['Warning'][]
      /** @description Present if a recent NO-GO of this corridor was returned without recomputation. */
      readonly cooldown?: {
        readonly source_request_id: string
        /**
         * Format: date-time
         * @description ISO 8601, UTC.
         */
        readonly expires_at: string
      }
    }
    /** @description The new endpoint with its secret. */
    readonly RegisteredWebhook: {
      readonly webhook_id: string
      readonly url: string
      /** @description The subscribed event kinds. */
      readonly events: readonly (
        | 'payment.decision.created'
        | 'payment.override.created'
        | 'corridor.status.changed'
        | 'payment.review.opened'
        | 'payment.review.closed'
        | 'webhook.endpoint.suspended'
      )[]
      readonly description: string | null
      /**
       * @description `suspended`: every attempt of seven days failed. Nothing is sent until you send a test event or events again.
       * @enum {unknown}
       */
      readonly status: 'active' | 'suspended'
      readonly suspended_at: string | null
      readonly failing_since: string | null
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly created_at: string
      /** @description `whsec_` followed by 32 bytes in base64. Shown only once. */
      readonly secret: string
      /** @description Unknown members of the body, which were ignored, country codes that ISO 3166 has not assigned, and an expired settlement calendar. Absent if there are none. */
      readonly warnings?: readonly components['schemas']['Warning'][]
    }
    readonly RejectAccessRequest: {
      /** @description Also revoke the sandbox keys of the request. */
      readonly revoke_sandbox?: boolean | null
      /** @description Kept with the decision. */
      readonly note?: string | null
    }
    readonly ReliabilityBin: {
      /** @description Predicted probability of failure, 1 − score, from here on. */
      readonly from: number
      /** @description Below this one; the last bin includes 1. */
      readonly to: number
      /** @description Payments with a final outcome. */
      readonly records: number
      /** @description Those that `FAILED` or were `REJECTED`. */
      readonly failures: number
      readonly rate: number | null
      readonly low: number | null
      readonly high: number | null
    }
    readonly RemovedReport: {
      readonly report_id: string
      /** @enum {unknown} */
      readonly status: 'deleted'
    }
    /** @description The endpoint is deleted. Its pending events are not sent. */
    readonly RemovedWebhook: {
      readonly webhook_id: string
      /** @enum {unknown} */
      readonly status: 'deleted'
    }
    readonly ReplayRequest: {
      /** @description FROM-TO: two-letter codes in any case (`GB-NG`), three-letter codes, or country names. */
      readonly corridor: string
      /** @description In units of the currency. A missing amount is not zero. */
      readonly amount?: number
      /** @description ISO 4217. Defaults to `GBP`. */
      readonly currency?: string | null
      /** @description When the payment was made: an ISO 8601 date or date-time, not in the future. */
      readonly occurred_at?: string | null
      readonly actual_outcome?: components['schemas']['PaymentOutcome'] | null
    }
    /** @description The decision that would have been made. Nothing is stored, and no cooldown is set or read. */
    readonly ReplayResponse: {
      readonly corridor: string
      readonly corridor_supported: boolean
      readonly amount: number | null
      /** @description The currency of the request. */
      readonly currency: string
      /** @enum {unknown} */
      readonly mode: 'shadow'
      readonly occurred_at: string | null
      readonly actual_outcome: components['schemas']['PaymentOutcome'] | null
      readonly verdict: {
        /** @description Whether the payment would have been held or blocked. */
        readonly would_have_flagged: boolean
        readonly decision: components['schemas']['Decision']
        readonly recommended_action: components['schemas']['RecommendedAction']
      }
      readonly score: number
      readonly confidence: number
      readonly reasons: readonly components['schemas']['Reason'][]
      readonly reason_codes: readonly components['schemas']['ReasonCode'][]
      readonly probe_details: components['schemas']['ProbeDetails']
      readonly alignment: boolean | null
      readonly would_have_helped: boolean | null
      readonly note: string
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly evaluated_at: string
      readonly model_version: string
      /** @description Unknown members of the body, which were ignored, country codes that ISO 3166 has not assigned, and an expired settlement calendar. Absent if there are none. */
      readonly warnings?: readonly components['schemas']['Warning'][]
    }
    /** @description How the payment ended, as reported by its owner. */
    readonly ReportedOutcome: {
      readonly request_id: string
      readonly outcome: components['schemas']['PaymentOutcome']
      /** @description The partner that it went through, if reported. */
      readonly partner?: string
      readonly occurred_at: string | null
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly reported_at: string
      readonly reported_by: components['schemas']['Principal']
    }
    readonly ResendRequest: {
      /** @description Sends what was dropped or suspended at this time or later; ISO 8601. */
      readonly since: string
      /** @description Sends what was created before this time; ISO 8601. Defaults to now. */
      readonly until?: string | null
    }
    readonly ResentDelivery: {
      readonly webhook_id: string
      readonly event_id: string
      /** @enum {unknown} */
      readonly status: 'pending'
    }
    readonly ResentEvents: {
      /** @description Events that are sent again, oldest first. */
      readonly queued: number
      /** @description Unknown members of the body, which were ignored, country codes that ISO 3166 has not assigned, and an expired settlement calendar. Absent if there are none. */
      readonly warnings?: readonly components['schemas']['Warning'][]
    }
    readonly Retention: {
      readonly retention_days: number | null
      /** @description Whether erased texts may still be in the files of the database. */
      readonly needs_cleaning: boolean
      readonly report: {
        /**
         * Format: date-time
         * @description ISO 8601, UTC.
         */
        readonly before: string
        readonly texts: readonly {
          /** @enum {unknown} */
          readonly kind: 'correlation_id' | 'justification' | 'review_text'
          readonly month: string
          /** @description Texts that would be erased. */
          readonly texts: number
        }[]
        /** @description Kept batch reports that would be deleted. */
        readonly batch_reports: number
        /** @description Texts that stay for now: their review is not closed. */
        readonly in_use: number
        /** @description Texts that are part of sealed records of the old form. */
        readonly cannot_be_erased: number
      } | null
    }
    readonly Review: {
      /** @description `rev_` and the digits of the `request_id`. */
      readonly review_id: string
      readonly request_id: string
      readonly decision: components['schemas']['Decision']
      readonly score: number
      readonly recommended_action: components['schemas']['RecommendedAction']
      readonly amount: number | null
      /** @description The currency of the request, as in `request_currency`. */
      readonly currency: string
      /** @description The currency of the request. */
      readonly request_currency: string
      readonly settlement_currency: string | null
      readonly corridor: string
      readonly mode: components['schemas']['Mode']
      readonly reason_codes: readonly components['schemas']['ReasonCode'][]
      /**
       * Format: date-time
       * @description When the decision was recorded.
       */
      readonly opened_at: string
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly due_at: string
      /**
       * Format: date-time
       * @description From then on it is `expired`, which never means `EXECUTE`.
       */
      readonly expires_at: string
      readonly status: components['schemas']['ReviewStatus']
      /** @description Whether it waits for longer than it should. */
      readonly overdue: boolean
      /** @description Whether another principal than the proposer must approve or reject. */
      readonly needs_four_eyes: boolean
      /** @description Null if nobody has claimed it. */
      readonly claimed_by: components['schemas']['ReviewActor'] | null
      /** @description The latest one, also after a rejection. */
      readonly proposal: components['schemas']['ReviewProposal'] | null
      /** @description How it ended, or why the last proposal was rejected. Null until then. */
      readonly resolution: components['schemas']['ReviewResolution'] | null
      readonly comments: readonly components['schemas']['ReviewComment'][]
      /** @description Decisions that a cooldown repeated. They have no review of their own. */
      readonly repeats: number
    }
    readonly ReviewActor: {
      /** @enum {unknown} */
      readonly kind: 'key' | 'person'
      /** @description The id of the key or the person. */
      readonly id: string
      /** @description For humans: of the person, or of the owner of the key. */
      readonly name: string
    }
    readonly ReviewApproveRequest: {
      /** @description Stored permanently. */
      readonly reason?: string | null
      /** @description Refused if the current proposal is another. */
      readonly proposal_id?: string | null
    }
    readonly ReviewChange: {
      /** @enum {unknown} */
      readonly kind:
        | 'opened'
        | 'claimed'
        | 'released'
        | 'commented'
        | 'proposed'
        | 'approved'
        | 'rejected'
        | 'expired'
        | 'overridden'
      readonly by: components['schemas']['ReviewActor'] | null
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly at: string
      readonly action: ('EXECUTE' | 'HOLD' | 'REJECT') | null
      readonly reason_code: string | null
      readonly text: string | null
    }
    readonly ReviewClosedEvent: {
      /** @enum {unknown} */
      readonly event: 'payment.review.closed'
      /** @description The same for every attempt. Use it to detect duplicates. */
      readonly event_id: string
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly created_at: string
      /** @description Also in the header `X-SVC-Attempt`. */
      readonly attempt: number
      readonly data: components['schemas']['ReviewEventData']
    }
    readonly ReviewComment: {
      readonly by: components['schemas']['ReviewActor'] | null
      readonly text: string
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly at: string
    }
    readonly ReviewCommentRequest: {
      /** @description Stored permanently. */
      readonly text: string
    }
    readonly ReviewDetail: {
      /** @description `rev_` and the digits of the `request_id`. */
      readonly review_id: string
      readonly request_id: string
      readonly decision: components['schemas']['Decision']
      readonly score: number
      readonly recommended_action: components['schemas']['RecommendedAction']
      readonly amount: number | null
      /** @description The currency of the request, as in `request_currency`. */
      readonly currency: string
      /** @description The currency of the request. */
      readonly request_currency: string
      readonly settlement_currency: string | null
      readonly corridor: string
      readonly mode: components['schemas']['Mode']
      readonly reason_codes: readonly components['schemas']['ReasonCode'][]
      /**
       * Format: date-time
       * @description When the decision was recorded.
       */
      readonly opened_at: string
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly due_at: string
      /**
       * Format: date-time
       * @description From then on it is `expired`, which never means `EXECUTE`.
       */
      readonly expires_at: string
      readonly status: components['schemas']['ReviewStatus']
      /** @description Whether it waits for longer than it should. */
      readonly overdue: boolean
      /** @description Whether another principal than the proposer must approve or reject. */
      readonly needs_four_eyes: boolean
      /** @description Null if nobody has claimed it. */
      readonly claimed_by: components['schemas']['ReviewActor'] | null
      /** @description The latest one, also after a rejection. */
      readonly proposal: components['schemas']['ReviewProposal'] | null
      /** @description How it ended, or why the last proposal was rejected. Null until then. */
      readonly resolution: components['schemas']['ReviewResolution'] | null
      readonly comments: readonly components['schemas']['ReviewComment'][]
      /** @description Decisions that a cooldown repeated. They have no review of their own. */
      readonly repeats: number
      /** @description Every change, oldest first. Each is sealed in the log. */
      readonly history: readonly components['schemas']['ReviewChange'][]
    }
    readonly ReviewEventData: {
      /** @description `rev_` and the digits of the `request_id`. */
      readonly review_id: string
      readonly request_id: string
      readonly decision: components['schemas']['Decision']
      readonly score: number
      readonly recommended_action: components['schemas']['RecommendedAction']
      readonly amount: number | null
      /** @description The currency of the request, as in `request_currency`. */
      readonly currency: string
      /** @description The currency of the request. */
      readonly request_currency: string
      readonly settlement_currency: string | null
      readonly corridor: string
      readonly mode: components['schemas']['Mode']
      readonly reason_codes: readonly components['schemas']['ReasonCode'][]
      /**
       * Format: date-time
       * @description When the decision was recorded.
       */
      readonly opened_at: string
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly due_at: string
      /**
       * Format: date-time
       * @description From then on it is `expired`, which never means `EXECUTE`.
       */
      readonly expires_at: string
      readonly status: components['schemas']['ReviewStatus']
      /** @description How it ended, or why the last proposal was rejected. Null until then. */
      readonly resolution: components['schemas']['ReviewResolution'] | null
    }
    readonly ReviewList: {
      /** @description Oldest due first. */
      readonly reviews: readonly components['schemas']['Review'][]
      readonly next_cursor: string | null
    }
    readonly ReviewOpenedEvent: {
      /** @enum {unknown} */
      readonly event: 'payment.review.opened'
      /** @description The same for every attempt. Use it to detect duplicates. */
      readonly event_id: string
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly created_at: string
      /** @description Also in the header `X-SVC-Attempt`. */
      readonly attempt: number
      readonly data: components['schemas']['ReviewEventData']
    }
    readonly ReviewProposal: {
      /** @description Send it with an approval to approve exactly this proposal. */
      readonly proposal_id: string
      /**
       * @description The action to take instead.
       * @enum {unknown}
       */
      readonly action: 'EXECUTE' | 'HOLD' | 'REJECT'
      readonly reason_code: string
      readonly justification: string
      readonly proposed_by: components['schemas']['ReviewActor'] | null
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly proposed_at: string
    }
    readonly ReviewProposeRequest: {
      /**
       * @description The action to take instead.
       * @enum {unknown}
       */
      readonly action: 'EXECUTE' | 'HOLD' | 'REJECT'
      /** @description Your own code, in upper snake case. */
      readonly reason_code: string
      /** @description The reason for the proposal. Stored permanently. */
      readonly justification: string
    }
    readonly ReviewRejectRequest: {
      /** @description What the next proposal should do better. Stored permanently. */
      readonly reason: string
      /** @description Refused if the current proposal is another. */
      readonly proposal_id?: string | null
    }
    readonly ReviewResolution: {
      readonly status: components['schemas']['ReviewStatus']
      readonly action: ('EXECUTE' | 'HOLD' | 'REJECT') | null
      readonly reason: string | null
      readonly by: components['schemas']['ReviewActor'] | null
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly at: string
      readonly override_id: string | null
    }
    readonly ReviewResponse: {
      /** @description `rev_` and the digits of the `request_id`. */
      readonly review_id: string
      readonly request_id: string
      readonly decision: components['schemas']['Decision']
      readonly score: number
      readonly recommended_action: components['schemas']['RecommendedAction']
      readonly amount: number | null
      /** @description The currency of the request, as in `request_currency`. */
      readonly currency: string
      /** @description The currency of the request. */
      readonly request_currency: string
      readonly settlement_currency: string | null
      readonly corridor: string
      readonly mode: components['schemas']['Mode']
      readonly reason_codes: readonly components['schemas']['ReasonCode'][]
      /**
       * Format: date-time
       * @description When the decision was recorded.
       */
      readonly opened_at: string
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly due_at: string
      /**
       * Format: date-time
       * @description From then on it is `expired`, which never means `EXECUTE`.
       */
      readonly expires_at: string
      readonly status: components['schemas']['ReviewStatus']
      /** @description Whether it waits for longer than it should. */
      readonly overdue: boolean
      /** @description Whether another principal than the proposer must approve or reject. */
      readonly needs_four_eyes: boolean
      /** @description Null if nobody has claimed it. */
      readonly claimed_by: components['schemas']['ReviewActor'] | null
      /** @description The latest one, also after a rejection. */
      readonly proposal: components['schemas']['ReviewProposal'] | null
      /** @description How it ended, or why the last proposal was rejected. Null until then. */
      readonly resolution: components['schemas']['ReviewResolution'] | null
      readonly comments: readonly components['schemas']['ReviewComment'][]
      /** @description Decisions that a cooldown repeated. They have no review of their own. */
      readonly repeats: number
      /** @description Unknown members of the body, which were ignored, country codes that ISO 3166 has not assigned, and an expired settlement calendar. Absent if there are none. */
      readonly warnings?: readonly components['schemas']['Warning'][]
    }
    /**
     * @description `rejected` is open again for another proposal. `approved`, `expired` and `overridden` are final.
     * @enum {unknown}
     */
    readonly ReviewStatus:
      'open' | 'claimed' | 'proposed' | 'approved' | 'rejected' | 'expired' | 'overridden'
    readonly ReviewSummary: {
      /** @description Reviews that need a person. */
      readonly waiting: number
      /** @description Those that nobody has claimed. */
      readonly unclaimed: number
      /** @description Those that wait for an approval. */
      readonly proposed: number
      readonly overdue: number
      readonly oldest_due_at: string | null
      /** @description The money that waits, by currency. */
      readonly money: readonly {
        /** @description The currency of the requests. */
        readonly currency: string
        /** @description The sum of the amounts that were sent. */
        readonly amount: number
        readonly reviews: number
      }[]
    }
    readonly RevokedKey: {
      readonly key_id: string
      readonly revoked_at: string | null
    }
    readonly RolesRequest: {
      readonly roles: readonly ('viewer' | 'reviewer' | 'approver' | 'policy_author' | 'admin')[]
    }
    readonly RotateKeyRequest: {
      /**
       * @description Seconds until the replaced key expires.
       * @default 86400
       */
      readonly overlap_s?: number | null
    }
    readonly RotatedKey: {
      readonly key_id: string
      /** @enum {unknown} */
      readonly type: 'test' | 'live' | 'sandbox'
      /** @description The name of the owner, for humans. */
      readonly owner: string
      readonly owner_id: string
      /** @description Empty: all that the type may have. */
      readonly scopes: readonly (
        | 'decision:read'
        | 'audit:read'
        | 'override:create'
        | 'webhook:manage'
        | 'outcome:write'
        | 'policy:read'
        | 'policy:write'
        | 'policy:approve'
        | 'review:read'
        | 'review:write'
        | 'review:approve'
      )[]
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly created_at: string
      readonly expires_at: string | null
      /** @description Shown only once. */
      readonly key: string
      readonly replaced_key_id: string
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly replaced_key_ends_at: string
    }
    /** @description The endpoint with its new secret. */
    readonly RotatedWebhook: {
      readonly webhook_id: string
      readonly url: string
      /** @description The subscribed event kinds. */
      readonly events: readonly (
        | 'payment.decision.created'
        | 'payment.override.created'
        | 'corridor.status.changed'
        | 'payment.review.opened'
        | 'payment.review.closed'
        | 'webhook.endpoint.suspended'
      )[]
      readonly description: string | null
      /**
       * @description `suspended`: every attempt of seven days failed. Nothing is sent until you send a test event or events again.
       * @enum {unknown}
       */
      readonly status: 'active' | 'suspended'
      readonly suspended_at: string | null
      readonly failing_since: string | null
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly created_at: string
      /** @description The new secret. Shown only once. */
      readonly secret: string
      /**
       * Format: date-time
       * @description Until then, `webhook-signature` also contains a signature with the old secret.
       */
      readonly previous_secret_expires_at: string
    }
    readonly SearchResult: {
      /** @enum {unknown} */
      readonly kind:
        | 'decision'
        | 'override'
        | 'outcome'
        | 'review'
        | 'event'
        | 'policy'
        | 'backtest'
        | 'report'
        | 'webhook'
      readonly id: string
      /** @description Such as the name of a policy or a report, the URL of a webhook or a correlation id. */
      readonly title: string
      /** @description The decision that it is about. */
      readonly request_id?: string
      /** @description The policy of a backtest. */
      readonly policy_id?: string
      /** @description The webhook, or an endpoint that the event was sent to. */
      readonly webhook_id?: string
      /** @description The payment of the decision. */
      readonly payment?: {
        readonly corridor: string
        readonly decision: components['schemas']['Decision']
        readonly amount: number | null
        /** @description The currency of the request, as in `request_currency`. */
        readonly currency: string
        /** @description The currency of the request. */
        readonly request_currency: string
        readonly settlement_currency: string | null
        /**
         * Format: date-time
         * @description ISO 8601, UTC.
         */
        readonly recorded_at: string
      }
    }
    readonly SearchResults: {
      /** @description Empty if nothing is found. */
      readonly results: readonly components['schemas']['SearchResult'][]
    }
    readonly SessionList: {
      readonly sessions: readonly components['schemas']['PersonSession'][]
    }
    readonly SessionState: {
      /** @description Null without a session. */
      readonly signed_in: components['schemas']['Me'] | null
      readonly ways: {
        readonly provider: string | null
        /** @description Whether there are local accounts. */
        readonly password: boolean
      }
    }
    /** @enum {unknown} */
    readonly SignalLabel: 'CLEAR' | 'LOW' | 'MODERATE' | 'ELEVATED' | 'CRITICAL'
    /** @enum {unknown} */
    readonly SignalName:
      | 'fraud_flags'
      | 'network_healthy'
      | 'balance_sufficient'
      | 'fx_volatility'
      | 'operation_valid'
      | 'historical_failure_rate'
      | 'cop_overridden'
    /** @description The source and confidence of each signal. */
    readonly SignalProvenance: {
      readonly decision_id: string
      readonly model_version: string
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly evaluated_at: string
      readonly signals: readonly {
        readonly signal: components['schemas']['SignalName']
        readonly risk_value: number | null
        readonly label: components['schemas']['ProbeLabel']
        /** @enum {unknown} */
        readonly category: 'fx' | 'network' | 'settlement' | 'liquidity' | 'compliance'
        /** @enum {unknown} */
        readonly source: 'simulation' | 'live' | 'none'
        /** @description From 0.70; 0 if there is no data. */
        readonly confidence: number
        readonly reason_code: components['schemas']['ReasonCode'] | null
        readonly feed: {
          /** @enum {unknown} */
          readonly kind: 'http' | 'fx-series' | 'outcomes' | 'constant'
          /** @description The value sent by the provider. */
          readonly value: number | boolean | string
          readonly observed_at: string | null
          readonly age_ms: number | null
          readonly history: {
            readonly have: number
            readonly need: number
          } | null
        } | null
      }[]
      /** @description Present if this record repeats another during a cooldown. The values shown are those of the original. */
      readonly cooldown?: {
        /** @description The record of the original decision, which has the counterfactuals. */
        readonly source_request_id: string
      }
    }
    /** @description Available feeds with their latest observations, and planned feeds. */
    readonly SignalStatus: {
      readonly available: {
        readonly feeds: readonly {
          readonly feed: string
          readonly signal: components['schemas']['SignalName']
          /** @enum {unknown} */
          readonly category: 'fx' | 'network' | 'settlement' | 'liquidity' | 'compliance'
          /** @enum {unknown} */
          readonly source: 'simulation' | 'live' | 'none'
          readonly last_observation: components['schemas']['Observation'] | null
          /** @description The latest observation of each corridor, newest first. */
          readonly observations: readonly components['schemas']['Observation'][]
          readonly live: {
            /** @enum {unknown} */
            readonly kind: 'http' | 'fx-series' | 'outcomes' | 'constant'
            /** @enum {unknown} */
            readonly status: 'healthy' | 'failing' | 'not_read_yet'
            /**
             * @description The state of the circuit breaker. `open`: requests to the provider are suspended.
             * @enum {unknown}
             */
            readonly breaker: 'closed' | 'open' | 'half_open'
            readonly last_read_at: string | null
            readonly last_observed_at: string | null
            readonly last_fault:
              | (
                  | 'no_feed'
                  | 'refused'
                  | 'timeout'
                  | 'connection_lost'
                  | 'bad_status'
                  | 'redirect'
                  | 'oversized'
                  | 'unreadable'
                  | 'no_value'
                  | 'wrong_type'
                  | 'out_of_range'
                  | 'stale'
                  | 'no_history'
                  | 'breaker_open'
                  | 'store_unavailable'
                )
              | null
          } | null
        }[]
      }
      readonly roadmap: {
        readonly feeds: readonly {
          readonly feed: string
          readonly signal: components['schemas']['SignalName']
          /** @enum {unknown} */
          readonly category: 'fx' | 'network' | 'settlement' | 'liquidity' | 'compliance'
          readonly description: string
        }[]
      }
      /** @description The modes that decide now. */
      readonly modes: readonly components['schemas']['Mode'][]
      /**
       * @description That of every public answer, `sandbox`; `modes` has what is possible.
       * @enum {unknown}
       */
      readonly environment: 'sandbox' | 'production'
      /**
       * Format: date
       * @description YYYY-MM-DD, UTC.
       */
      readonly last_updated: string
    }
    readonly SignalValues: {
      readonly fraud_flags: number | null
      readonly network_healthy: boolean | null
      readonly balance_sufficient: boolean | null
      readonly fx_volatility: ('low' | 'high') | null
      readonly operation_valid: boolean | null
      readonly historical_failure_rate: number | null
      readonly cop_overridden: boolean | null
    }
    readonly SignedIn: {
      /** @enum {unknown} */
      readonly kind: 'key' | 'person'
      /** @description The id of the key or the person. */
      readonly id: string
      readonly name: string
      readonly owner_id: string | null
      readonly owner_name: string | null
      readonly roles: readonly ('viewer' | 'reviewer' | 'approver' | 'policy_author' | 'admin')[]
      readonly scopes: readonly (
        | 'decision:read'
        | 'audit:read'
        | 'override:create'
        | 'webhook:manage'
        | 'outcome:write'
        | 'policy:read'
        | 'policy:write'
        | 'policy:approve'
        | 'review:read'
        | 'review:write'
        | 'review:approve'
      )[]
      readonly mode: components['schemas']['Mode']
      /** @description Of a person; empty if the provider does not state it. */
      readonly email?: string
      readonly session?: {
        readonly session_id: string
        /**
         * @description At the identity provider, or with a local account.
         * @enum {unknown}
         */
        readonly method: 'provider' | 'password'
        /**
         * Format: date-time
         * @description ISO 8601, UTC.
         */
        readonly expires_at: string
      }
      /** @description Unknown members of the body, which were ignored, country codes that ISO 3166 has not assigned, and an expired settlement calendar. Absent if there are none. */
      readonly warnings?: readonly components['schemas']['Warning'][]
    }
    /** @description A member of another kind is refused. */
    readonly StartJobRequest: {
      readonly kind: components['schemas']['JobKind']
      /** @description Recorded permanently, so without personal data. Required for `erase` and `drop_month`. */
      readonly reason?: string | null
      /** @description `verify_log`: saved checkpoints that the log must extend, as JSON or as the note. */
      readonly checkpoints?: readonly string[] | null
      /** @description `verify_log`: trust these keys instead of those in the database. */
      readonly trusted_keys?: readonly string[] | null
      /** @description `erase`: the owner of the payments. */
      readonly owner_id?: string | null
      /** @description `erase`: the correlation id, exactly. It is not kept with the job. */
      readonly correlation_id?: string | null
      /** @description `erase`: your own ticket, without personal data. Recorded permanently. */
      readonly reference?: string | null
      /** @description `erase`: of the preview. If something has changed since, nothing is erased. */
      readonly plan?: string | null
      /** @description `erase`: leave the rewrite of the database to a later job of the kind `clean`. */
      readonly clean_later?: boolean | null
      /** @description `retention`: of the report. Texts from before this time are erased. */
      readonly before?: string | null
      /** @description Of the kinds with a month, as `2026-03`. */
      readonly month?: string | null
      /** @description `drop_month`: the name of the archive, a folder in `FAIRWAY_ARCHIVES`. */
      readonly archive?: string | null
      /** @description `drop_month`: only compare the archive with the month. First of two jobs. */
      readonly dry_run?: boolean | null
      /** @description `drop_month`: of the dry run. Any other archive is refused. */
      readonly manifest_sha256?: string | null
    }
    readonly StatusEvent: {
      /** @enum {unknown} */
      readonly event: 'corridor.status.changed'
      /** @description The same for every attempt. Use it to detect duplicates. */
      readonly event_id: string
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly created_at: string
      /** @description Also in the header `X-SVC-Attempt`. */
      readonly attempt: number
      readonly data: components['schemas']['StatusEventData']
    }
    readonly StatusEventData: {
      readonly corridor: string
      readonly partner: string | null
      /** @enum {unknown} */
      readonly status: 'OPERATIONAL' | 'IMPAIRED' | 'CLOSED'
      /** @enum {unknown} */
      readonly previous_status: 'OPERATIONAL' | 'IMPAIRED' | 'CLOSED'
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly changed_at: string
    }
    readonly StoredMonth: {
      readonly month: string
      /** @enum {unknown} */
      readonly state: 'attached' | 'detaching' | 'detached' | 'moved' | 'dropped'
      readonly table: string | null
      readonly records: number | null
      /** @description False: an estimate of the database. */
      readonly records_exact: boolean
      readonly bytes: number | null
      readonly detached_at: string | null
      readonly detached_by: string | null
      readonly fingerprint: string | null
    }
    readonly StreamedEvent: {
      /**
       * @description CloudEvents 1.0.
       * @enum {string}
       */
      readonly specversion: '1.0'
      /** @description That of the webhook. Also a cursor: the events after this one. */
      readonly id: string
      /** @description The installation, by the name of its log. */
      readonly source: string
      /** @enum {unknown} */
      readonly type:
        | 'payment.decision.created'
        | 'payment.override.created'
        | 'corridor.status.changed'
        | 'payment.review.opened'
        | 'payment.review.closed'
      /** @description The `request_id`; of `corridor.status.changed`, the corridor. */
      readonly subject: string
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly time: string
      readonly data:
        | (
            | components['schemas']['DecisionEventData']
            | components['schemas']['Override']
            | components['schemas']['StatusEventData']
            | components['schemas']['ReviewEventData']
          )
        | null
    }
    readonly SummaryCorridor: {
      readonly corridor: string
      readonly total: number
      readonly GO: number
      readonly DEGRADED: number
      readonly 'NO-GO': number
      readonly average_score: number | null
    }
    /** @description From the arrival of a request until its record is prepared, without the commit. Percentiles are interpolated within a bucket, capped at the last bound, and null without measurements. */
    readonly SummaryLatency: {
      readonly p50: number | null
      readonly p95: number | null
      readonly p99: number | null
      readonly buckets: readonly {
        readonly up_to_ms: number | null
        readonly count: number
      }[]
    }
    readonly SummaryStep: {
      /**
       * Format: date-time
       * @description On the hour, or the first full hour of a day. The first step starts at the start of the range.
       */
      readonly starts_at: string
      readonly GO: number
      readonly DEGRADED: number
      readonly 'NO-GO': number
      readonly average_score: number | null
    }
    readonly SupportedCorridor: {
      readonly corridor: string
      readonly settlement_currency: string | null
      readonly currencies: readonly string[]
      readonly partners: readonly {
        readonly partner: string
        readonly name: string
      }[]
      readonly has_calendar: boolean
    }
    readonly SuspensionEventData: {
      /** @description The endpoint that is suspended. */
      readonly webhook_id: string
      /**
       * Format: date-time
       * @description The first of the failed attempts; none was delivered since.
       */
      readonly failing_since: string
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly suspended_at: string
    }
    readonly TestEvent: {
      /** @enum {unknown} */
      readonly event: 'webhook.test'
      /** @description The same for every attempt. Use it to detect duplicates. */
      readonly event_id: string
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly created_at: string
      /** @description Also in the header `X-SVC-Attempt`. */
      readonly attempt: number
      readonly data: components['schemas']['TestEventData']
    }
    readonly TestEventData: {
      readonly webhook_id: string
      readonly message: string
    }
    /** @description The test event is queued. The deliveries of the endpoint show its result. */
    readonly TestedWebhook: {
      readonly webhook_id: string
      readonly event_id: string
      /** @enum {unknown} */
      readonly event: 'webhook.test'
      /** @enum {unknown} */
      readonly status: 'pending'
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly created_at: string
    }
    /** @description The ten timed events of the decision. */
    readonly Timeline: {
      readonly request_id: string
      readonly events: readonly {
        /** @enum {unknown} */
        readonly event:
          | 'request_received'
          | 'key_authenticated'
          | 'request_validated'
          | 'idempotency_checked'
          | 'cooldown_checked'
          | 'signals_evaluated'
          | 'score_computed'
          | 'policy_applied'
          | 'reasons_derived'
          | 'record_prepared'
        /**
         * Format: date-time
         * @description ISO 8601, UTC, to the microsecond.
         */
        readonly time: string
        /** @description Time since the previous event. */
        readonly duration_ms: number
      }[]
      /** @description The sum of the durations. */
      readonly total_duration_ms: number
      /** @description For a record that repeats another: `events` are those of the original, `own_events` those of this record. */
      readonly cooldown?: {
        /** @description The record of the original decision, which has the counterfactuals. */
        readonly source_request_id: string
        readonly own_events: readonly {
          /** @enum {unknown} */
          readonly event:
            | 'request_received'
            | 'key_authenticated'
            | 'request_validated'
            | 'idempotency_checked'
            | 'cooldown_checked'
            | 'signals_evaluated'
            | 'score_computed'
            | 'policy_applied'
            | 'reasons_derived'
            | 'record_prepared'
          /**
           * Format: date-time
           * @description ISO 8601, UTC, to the microsecond.
           */
          readonly time: string
          /** @description Time since the previous event. */
          readonly duration_ms: number
        }[]
        readonly own_total_duration_ms: number
      }
    }
    readonly Transaction: {
      /** @description FROM-TO: two-letter codes in any case (`GB-NG`), three-letter codes, or country names. */
      readonly corridor: string
      /** @description Unique in the batch. Rows without an id receive one. */
      readonly id?: string | null
      /** @description In units of the currency. A missing amount is not zero. */
      readonly amount?: number
      /** @description ISO 4217. Defaults to `GBP`. */
      readonly currency?: string | null
      readonly actual_outcome?: components['schemas']['PaymentOutcome'] | null
      /** @description When the payment was made: an ISO 8601 date or date-time. */
      readonly timestamp?: string | null
      /** @description The payment rail. Does not affect the assessment. */
      readonly rail?: string | null
    }
    readonly Verification: {
      readonly request_id: string
      readonly corridor: string
      readonly decision: components['schemas']['Decision']
      readonly score: number
      readonly confidence: number
      readonly amount: number | null
      /** @description The currency of the request, as in `request_currency`. */
      readonly currency: string
      /** @description The currency of the request. */
      readonly request_currency: string
      readonly settlement_currency: string | null
      readonly mode: components['schemas']['Mode']
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly evaluated_at: string
      readonly correlation_id: string | null
      readonly reason_codes: readonly components['schemas']['ReasonCode'][]
      readonly recommended_action: components['schemas']['RecommendedAction']
      /** @description Null until the decision is overridden. */
      readonly human_override: components['schemas']['Override'] | null
      /** @description Null until an outcome is reported. */
      readonly outcome: components['schemas']['ReportedOutcome'] | null
      readonly cooldown_source_request_id: string | null
      /**
       * Format: date-time
       * @description The history is sorted by this time.
       */
      readonly recorded_at: string
    }
    readonly VerificationsSummary: {
      /**
       * Format: date-time
       * @description The requested start, rounded down to a full hour.
       */
      readonly from: string
      /**
       * Format: date-time
       * @description The requested end, exclusive, rounded up to a full hour.
       */
      readonly to: string
      /**
       * @description The step of `series`: hours for a requested range of up to 72 hours, otherwise days of `time_zone`.
       * @enum {unknown}
       */
      readonly step: 'hour' | 'day'
      /** @description The time zone of daily steps. */
      readonly time_zone: string
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly generated_at: string
      readonly total: number
      readonly decisions: {
        readonly GO: number
        readonly DEGRADED: number
        readonly 'NO-GO': number
      }
      /** @description Rounded half up to two decimals. Null without decisions. */
      readonly average_score: number | null
      readonly average_confidence: number | null
      /** @description Decisions that repeated another during a cooldown. */
      readonly cooldown_hits: number
      /** @description Every step of the range, oldest first. */
      readonly series: readonly components['schemas']['SummaryStep'][]
      /** @description Scores of at least `from` and below `to`. The last range includes 1.00. */
      readonly scores: readonly {
        readonly from: number
        readonly to: number
        readonly count: number
      }[]
      /** @description Most frequent first, without codes that did not occur. A decision may have several. */
      readonly reasons: readonly {
        readonly code: components['schemas']['ReasonCode']
        readonly count: number
      }[]
      /** @description Most traffic first, at most 50. */
      readonly corridors: readonly components['schemas']['SummaryCorridor'][]
      /** @description Number of corridors, including those not listed. */
      readonly corridors_total: number
      readonly latency_ms: components['schemas']['SummaryLatency']
    }
    readonly VerificationsTotals: {
      readonly records: number
      /** @description False if there are older records that were not looked at. */
      readonly complete: boolean
      /** @description Most records first. */
      readonly by_currency: readonly {
        /** @description The currency of the requests. */
        readonly currency: string
        readonly records: number
        /** @description The sum of the amounts; a record without one adds nothing. */
        readonly amount: number
        readonly decisions: {
          readonly GO: number
          readonly DEGRADED: number
          readonly 'NO-GO': number
        }
      }[]
    }
    readonly VerifyRequest: {
      /** @description FROM-TO: two-letter codes in any case (`GB-NG`), three-letter codes, or country names. */
      readonly corridor: string
      /** @description In units of the currency. A missing amount is not zero. */
      readonly amount?: number
      /** @description ISO 4217. Defaults to `GBP`. */
      readonly currency?: string | null
      /** @description A unique key for this payment, such as a UUID. May be sent in the header `Idempotency-Key` instead. */
      readonly idempotency_key?: string | null
      /** @description Your own reference. Echoed and stored with the record. */
      readonly correlation_id?: string | null
    }
    /** @description The decision and its evidence. */
    readonly VerifyResponse: {
      readonly decision: components['schemas']['Decision']
      readonly score: number
      /** @description Independent of the score. */
      readonly confidence: number
      readonly recommended_action: components['schemas']['RecommendedAction']
      readonly recommended_partner: string | null
      readonly reasons: readonly components['schemas']['Reason'][]
      /** @description For older integrations. Prefer `reasons`. */
      readonly reason_codes: readonly components['schemas']['ReasonCode'][]
      readonly request_id: string
      readonly correlation_id?: string
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly evaluated_at: string
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly timestamp: string
      /**
       * Format: date-time
       * @description Verify again after this. Earlier if the settlement window closes. Absent in replays of old records.
       */
      readonly valid_until?: string
      readonly settlement_window?: {
        readonly open: boolean
        readonly opens_at: string | null
        readonly cut_off_at: string | null
      } | null
      readonly corridor: string
      readonly corridor_supported: boolean
      readonly validation_note: string
      readonly currency: string | null
      readonly amount?: number | null
      /** @description The currency of the request. Absent in replays of old records. */
      readonly request_currency?: string
      readonly mode: components['schemas']['Mode']
      /** @enum {unknown} */
      readonly environment: 'sandbox' | 'production'
      /** @description Standard deviation of the corridor's recent scores. */
      readonly volatility: number
      /** @description Number of signals evaluated. */
      readonly probe_count: number
      readonly signals: components['schemas']['SignalValues']
      readonly probe_details: components['schemas']['ProbeDetails']
      readonly decision_model: string
      readonly api_version: string
      readonly policy_version?: {
        readonly owner: string | null
        readonly installation: string | null
      } | null
      /** @description Unknown members of the body, which were ignored, country codes that ISO 3166 has not assigned, and an expired settlement calendar. Absent if there are none. */
      readonly warnings?: readonly components['schemas']['Warning'][]
      /** @description Present if a recent NO-GO of this corridor was returned without recomputation. */
      readonly cooldown?: {
        readonly source_request_id: string
        /**
         * Format: date-time
         * @description ISO 8601, UTC.
         */
        readonly expires_at: string
      }
      /** @description True if this is the stored answer of an earlier request with the same idempotency key. */
      readonly idempotency_hit: boolean
      /** @description Server-side processing time in milliseconds. */
      readonly response_ms: number
    }
    readonly Warning: {
      /** @enum {unknown} */
      readonly code: 'UNKNOWN_MEMBER' | 'UNKNOWN_COUNTRY' | 'CALENDAR_EXPIRED'
      readonly message: string
      /** @description JSON pointer into the body. Absent if it is not about a member. */
      readonly path?: string
    }
    /** @description An endpoint, without its secret. */
    readonly Webhook: {
      readonly webhook_id: string
      readonly url: string
      /** @description The subscribed event kinds. */
      readonly events: readonly (
        | 'payment.decision.created'
        | 'payment.override.created'
        | 'corridor.status.changed'
        | 'payment.review.opened'
        | 'payment.review.closed'
        | 'webhook.endpoint.suspended'
      )[]
      readonly description: string | null
      /**
       * @description `suspended`: every attempt of seven days failed. Nothing is sent until you send a test event or events again.
       * @enum {unknown}
       */
      readonly status: 'active' | 'suspended'
      readonly suspended_at: string | null
      readonly failing_since: string | null
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly created_at: string
      readonly health: components['schemas']['WebhookHealth']
    }
    /** @description From the newest 100 events of the endpoint. */
    readonly WebhookHealth: {
      /**
       * @description `failing`: the last 3 attempts or more have failed, or it is suspended. `idle`: nothing was sent.
       * @enum {unknown}
       */
      readonly state: 'healthy' | 'failing' | 'idle'
      /** @description Events with at least one attempt. */
      readonly events: number
      readonly delivered: number
      readonly dropped: number
      /** @description Events that are to be sent, or to be sent again. */
      readonly waiting: number
      readonly success_rate: number | null
      readonly failures_in_a_row: number
      readonly last_attempt_at: string | null
      readonly last_delivered_at: string | null
    }
    readonly WebhookRequest: {
      /** @description An https URL with a public address. Events are sent to it by POST. */
      readonly url: string
      /** @description The event kinds to subscribe to. Defaults to decisions and overrides. `corridor.status.changed` needs a live key. */
      readonly events?:
        | readonly (
            | 'payment.decision.created'
            | 'payment.override.created'
            | 'corridor.status.changed'
            | 'payment.review.opened'
            | 'payment.review.closed'
            | 'webhook.endpoint.suspended'
          )[]
        | null
      /** @description Your own description of the endpoint. */
      readonly description?: string | null
    }
  }
  responses: {
    /** @description The request is invalid, or has a member that is likely a misspelling. `errors` lists each invalid member and what is wrong with it. */
    readonly Error400: {
      headers: {
        readonly 'X-Request-ID': components['headers']['X-Request-ID']
        readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
        readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
        readonly RateLimit: components['headers']['RateLimit']
        readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
        readonly [name: string]: unknown
      }
      content: {
        readonly 'application/json': components['schemas']['Error']
      }
    }
    /** @description The request is invalid, or has a member that is likely a misspelling. `errors` lists each invalid member and what is wrong with it. */
    readonly Error400Unlimited: {
      headers: {
        readonly 'X-Request-ID': components['headers']['X-Request-ID']
        readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
        readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
        readonly [name: string]: unknown
      }
      content: {
        readonly 'application/json': components['schemas']['Error']
      }
    }
    /** @description The key is missing, malformed, unknown, expired or revoked. */
    readonly Error401: {
      headers: {
        readonly 'X-Request-ID': components['headers']['X-Request-ID']
        readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
        readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
        readonly 'WWW-Authenticate': components['headers']['WWW-Authenticate']
        readonly [name: string]: unknown
      }
      content: {
        readonly 'application/json': components['schemas']['Error']
      }
    }
    /** @description The key is valid but lacks permission. */
    readonly Error403: {
      headers: {
        readonly 'X-Request-ID': components['headers']['X-Request-ID']
        readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
        readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
        readonly RateLimit: components['headers']['RateLimit']
        readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
        readonly [name: string]: unknown
      }
      content: {
        readonly 'application/json': components['schemas']['Error']
      }
    }
    /** @description The key is valid but lacks permission. */
    readonly Error403Unlimited: {
      headers: {
        readonly 'X-Request-ID': components['headers']['X-Request-ID']
        readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
        readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
        readonly [name: string]: unknown
      }
      content: {
        readonly 'application/json': components['schemas']['Error']
      }
    }
    /** @description No such record for this key. */
    readonly Error404: {
      headers: {
        readonly 'X-Request-ID': components['headers']['X-Request-ID']
        readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
        readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
        readonly RateLimit: components['headers']['RateLimit']
        readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
        readonly [name: string]: unknown
      }
      content: {
        readonly 'application/json': components['schemas']['Error']
      }
    }
    /** @description Conflict with a stored record: an idempotency key with a different body, a second override or outcome, or a change of a policy that its status does not allow. */
    readonly Error409: {
      headers: {
        readonly 'X-Request-ID': components['headers']['X-Request-ID']
        readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
        readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
        readonly RateLimit: components['headers']['RateLimit']
        readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
        readonly [name: string]: unknown
      }
      content: {
        readonly 'application/json': components['schemas']['Error']
      }
    }
    /** @description The body is too large. */
    readonly Error413: {
      headers: {
        readonly 'X-Request-ID': components['headers']['X-Request-ID']
        readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
        readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
        readonly RateLimit: components['headers']['RateLimit']
        readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
        readonly [name: string]: unknown
      }
      content: {
        readonly 'application/json': components['schemas']['Error']
      }
    }
    /** @description This path does not accept the content type of the body. */
    readonly Error415: {
      headers: {
        readonly 'X-Request-ID': components['headers']['X-Request-ID']
        readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
        readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
        readonly RateLimit: components['headers']['RateLimit']
        readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
        readonly [name: string]: unknown
      }
      content: {
        readonly 'application/json': components['schemas']['Error']
      }
    }
    /** @description The request is well formed, but cannot be fulfilled. */
    readonly Error422: {
      headers: {
        readonly 'X-Request-ID': components['headers']['X-Request-ID']
        readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
        readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
        readonly RateLimit: components['headers']['RateLimit']
        readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
        readonly [name: string]: unknown
      }
      content: {
        readonly 'application/json': components['schemas']['Error']
      }
    }
    /** @description Rate limit exceeded. Retry after `Retry-After` seconds. */
    readonly Error429: {
      headers: {
        readonly 'X-Request-ID': components['headers']['X-Request-ID']
        readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
        readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
        readonly RateLimit: components['headers']['RateLimit']
        readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
        /** @description Seconds to wait before retrying. */
        readonly 'Retry-After'?: number
        readonly [name: string]: unknown
      }
      content: {
        readonly 'application/json': components['schemas']['Error']
      }
    }
    /** @description Unexpected server error. */
    readonly Error500: {
      headers: {
        readonly 'X-Request-ID': components['headers']['X-Request-ID']
        readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
        readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
        readonly [name: string]: unknown
      }
      content: {
        readonly 'application/json': components['schemas']['Error']
      }
    }
    /** @description A dependency (signals, the store or the captcha service) is unavailable. Hold the payment, never allow it, and retry after `Retry-After` seconds. */
    readonly Error503: {
      headers: {
        readonly 'X-Request-ID': components['headers']['X-Request-ID']
        readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
        readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
        readonly 'Retry-After': components['headers']['Retry-After']
        readonly [name: string]: unknown
      }
      content: {
        readonly 'application/json': components['schemas']['Error']
      }
    }
  }
  parameters: never
  requestBodies: never
  headers: {
    /** @description A suggested file name. */
    readonly 'Content-Disposition': string
    /** @description The next page, if any. */
    readonly Link: string
    /** @description Requests left in the window and seconds until one more is available, as `"name";r=99;t=60`. */
    readonly RateLimit: string
    /** @description Requests allowed per window and its length in seconds, as `"name";q=100;w=60`. */
    readonly 'RateLimit-Policy': string
    /** @description Seconds to hold before retrying. */
    readonly 'Retry-After': number
    /** @description The authentication scheme. */
    readonly 'WWW-Authenticate': string
    /** @description The id of this request or, if it created a record, of the record. */
    readonly 'X-Request-ID': string
    /** @description `sandbox`, or `production` for live mode. */
    readonly 'X-SVC-Environment': string
    /** @description The major version of the API. */
    readonly 'X-SVC-Version': string
    /** @description In a CSV response: the `warnings` of the JSON response, in ASCII. */
    readonly 'X-SVC-Warning': string
  }
  pathItems: never
}
export type $defs = Record<string, never>
export interface operations {
  readonly health: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description The service is up and its store responds. */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['Health']
        }
      }
      readonly 400: components['responses']['Error400Unlimited']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly methodology: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description The scoring rules, from the constants that the scorer uses. */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['Methodology']
        }
      }
      readonly 400: components['responses']['Error400Unlimited']
      readonly 500: components['responses']['Error500']
    }
  }
  readonly verify: {
    readonly parameters: {
      readonly query?: {
        /** @description Defaults to the mode of the key. A test key cannot use `live`. */
        readonly mode?: 'shadow' | 'live'
      }
      readonly header?: {
        /** @description Same as `idempotency_key` in the body. If both are sent, they must be equal. */
        readonly 'idempotency-key'?: string
      }
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['VerifyRequest']
      }
    }
    readonly responses: {
      /** @description The decision and its evidence. */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['VerifyResponse']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 409: components['responses']['Error409']
      readonly 413: components['responses']['Error413']
      readonly 415: components['responses']['Error415']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly verifications: {
    readonly parameters: {
      readonly query?: {
        /** @description Records per page. */
        readonly limit?: number
        /** @description From the `Link` header of the previous page. */
        readonly cursor?: string
        /** @description The decision. */
        readonly decision?: components['schemas']['Decision']
        readonly corridor?: string
        /** @description Recorded at this time or later; ISO 8601. */
        readonly from?: string
        /** @description Recorded before this time; ISO 8601. */
        readonly to?: string
        /** @description Exact match. */
        readonly correlation_id?: string
        readonly mode?: components['schemas']['Mode']
        /** @description Only decisions with this reason. */
        readonly reason?:
          | 'HEALTHY_PARTNER'
          | 'HIGH_FRAUD_SIGNAL'
          | 'NETWORK_DEGRADED'
          | 'INSUFFICIENT_BALANCE'
          | 'HIGH_FX_VOLATILITY'
          | 'OPERATION_INVALID'
          | 'HIGH_FAILURE_RATE'
          | 'COP_OVERRIDE_ACTIVE'
          | 'CORRIDOR_UNSUPPORTED'
          | 'POLICY_CAP_APPLIED'
          | 'BELOW_GO_THRESHOLD'
          | 'POLICY_RULE_APPLIED'
          | 'NO_PARTNER_AVAILABLE'
        /** @description The currency of the request. */
        readonly currency?: string
        /** @description At least this amount, in the currency of each request. */
        readonly amount_min?: number
        /** @description At most this amount. */
        readonly amount_max?: number
        /** @description Whether the decision was overridden. */
        readonly override?: 'true' | 'false'
        /** @description How the payment ended; `none` for decisions without a report. */
        readonly outcome?: 'COMPLETED' | 'FAILED' | 'DELAYED' | 'REJECTED' | 'PENDING' | 'none'
        /** @description The response format. Defaults to the `Accept` header, then JSON. */
        readonly format?: 'json' | 'csv'
      }
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description A page of records, newest first. */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly Link: components['headers']['Link']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': readonly components['schemas']['Verification'][]
          readonly 'text/csv': string
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly verificationsTotals: {
    readonly parameters: {
      readonly query?: {
        /** @description The decision. */
        readonly decision?: components['schemas']['Decision']
        readonly corridor?: string
        /** @description Recorded at this time or later; ISO 8601. */
        readonly from?: string
        /** @description Recorded before this time; ISO 8601. */
        readonly to?: string
        /** @description Exact match. */
        readonly correlation_id?: string
        readonly mode?: components['schemas']['Mode']
        /** @description Only decisions with this reason. */
        readonly reason?:
          | 'HEALTHY_PARTNER'
          | 'HIGH_FRAUD_SIGNAL'
          | 'NETWORK_DEGRADED'
          | 'INSUFFICIENT_BALANCE'
          | 'HIGH_FX_VOLATILITY'
          | 'OPERATION_INVALID'
          | 'HIGH_FAILURE_RATE'
          | 'COP_OVERRIDE_ACTIVE'
          | 'CORRIDOR_UNSUPPORTED'
          | 'POLICY_CAP_APPLIED'
          | 'BELOW_GO_THRESHOLD'
          | 'POLICY_RULE_APPLIED'
          | 'NO_PARTNER_AVAILABLE'
        /** @description The currency of the request. */
        readonly currency?: string
        /** @description At least this amount, in the currency of each request. */
        readonly amount_min?: number
        /** @description At most this amount. */
        readonly amount_max?: number
        /** @description Whether the decision was overridden. */
        readonly override?: 'true' | 'false'
        /** @description How the payment ended; `none` for decisions without a report. */
        readonly outcome?: 'COMPLETED' | 'FAILED' | 'DELAYED' | 'REJECTED' | 'PENDING' | 'none'
      }
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['VerificationsTotals']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly verificationsSummary: {
    readonly parameters: {
      readonly query?: {
        /** @description Recorded at this time or later; ISO 8601. Defaults to 24 hours before `to`. */
        readonly from?: string
        /** @description Recorded before this time; ISO 8601. Defaults to now. At most 366 days after `from`. */
        readonly to?: string
        readonly corridor?: string
        readonly mode?: components['schemas']['Mode']
        /** @description The IANA time zone of daily steps. Defaults to UTC, which also applies to a range of more than 100 days. */
        readonly time_zone?: string
      }
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['VerificationsSummary']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly search: {
    readonly parameters: {
      readonly query: {
        /** @description A whole id, in any case, or a correlation id, exactly. */
        readonly q: string
      }
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['SearchResults']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly audit: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        /** @description The `request_id` of a verify response. */
        readonly request_id: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description The record as written. It never changes; an override is recorded separately. */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['AuditRecord']
        }
      }
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 404: components['responses']['Error404']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly exportAudit: {
    readonly parameters: {
      readonly query?: {
        /** @description The response format. Defaults to the `Accept` header, then JSON. */
        readonly format?: 'json' | 'csv'
      }
      readonly header?: never
      readonly path: {
        /** @description The `request_id` of a verify response. */
        readonly id: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description The bundle. In CSV, one line per value, with its JSON pointer and type. */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly 'Content-Disposition': components['headers']['Content-Disposition']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['AuditExport']
          readonly 'text/csv': string
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 404: components['responses']['Error404']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly auditProof: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        /** @description The `request_id` of a verify response. */
        readonly id: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Proves that the record, its override and its outcome are in the log that the checkpoint signs. */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['AuditProof']
        }
      }
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 404: components['responses']['Error404']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly auditCheckpoint: {
    readonly parameters: {
      readonly query?: {
        /** @description The `tree_size` of an earlier checkpoint. */
        readonly from?: number
      }
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['CheckpointAnswer']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly override: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['OverrideRequest']
      }
    }
    readonly responses: {
      /** @description A person's override of the decision. The decision itself never changes. */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['OverrideResponse']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 404: components['responses']['Error404']
      readonly 409: components['responses']['Error409']
      readonly 413: components['responses']['Error413']
      readonly 415: components['responses']['Error415']
      readonly 422: components['responses']['Error422']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly reportOutcome: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        /** @description The `request_id` of a verify response. */
        readonly id: string
      }
      readonly cookie?: never
    }
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['OutcomeRequest']
      }
    }
    readonly responses: {
      /** @description How the payment ended, as reported by its owner. */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['OutcomeResponse']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 404: components['responses']['Error404']
      readonly 409: components['responses']['Error409']
      readonly 413: components['responses']['Error413']
      readonly 415: components['responses']['Error415']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly reportOutcomes: {
    readonly parameters: {
      readonly query?: {
        /** @description `true` checks every row and records nothing. */
        readonly dry_run?: 'true' | 'false'
      }
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['OutcomesRequest']
        readonly 'text/csv': string
      }
    }
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['OutcomesResponse']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 409: components['responses']['Error409']
      readonly 413: components['responses']['Error413']
      readonly 415: components['responses']['Error415']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly explainDecision: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        /** @description The `request_id` of a verify response. */
        readonly id: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description How the decision was made, from its recorded evidence. */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['Explanation']
        }
      }
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 404: components['responses']['Error404']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly decisionImpact: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        /** @description The `request_id` of a verify response. */
        readonly id: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description The effect of the decision on risk, compared with no verification. */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['Impact']
        }
      }
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 404: components['responses']['Error404']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly decisionTimeline: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        /** @description The `request_id` of a verify response. */
        readonly id: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description The ten timed events of the decision. */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['Timeline']
        }
      }
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 404: components['responses']['Error404']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly signalProvenance: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        /** @description The `request_id` of a verify response. */
        readonly decision_id: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description The source and confidence of each signal. */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['SignalProvenance']
        }
      }
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 404: components['responses']['Error404']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly decisionFile: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        /** @description The `request_id` of a verify response. */
        readonly id: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Each member has the shape of its own endpoint. */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['DecisionFile']
        }
      }
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 404: components['responses']['Error404']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly corridors: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['CorridorList']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly corridorHealth: {
    readonly parameters: {
      readonly query?: {
        /** @description Assess the corridor for payments of this amount in GBP, or in the first declared currency of a live corridor that does not take GBP. Defaults to typical payments. */
        readonly amount?: number
      }
      readonly header?: never
      readonly path: {
        /** @description Same forms as in verify: `GB-NG`, three-letter codes or country names. */
        readonly corridor: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description IMPAIRED if a live signal is unavailable, the score is below 0.48, three or more signals are flagged, or one is CRITICAL. DEGRADED if a signal is flagged or the score is below 0.80. Otherwise OPERATIONAL. */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['CorridorHealth']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly corridorCalendar: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        /** @description Same forms as in verify: `GB-NG`, three-letter codes or country names. */
        readonly corridor: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description The settlement calendar. `opens_at` and `cut_off_at` are those of the open window, or of the next one; `next_window` is the first that opens later. All are null if it is expired. */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['CorridorCalendar']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 404: components['responses']['Error404']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly replay: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['ReplayRequest']
      }
    }
    readonly responses: {
      /** @description The decision that would have been made. Nothing is stored, and no cooldown is set or read. */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['ReplayResponse']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 413: components['responses']['Error413']
      readonly 415: components['responses']['Error415']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly readiness: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Items are checked at the time of the request. Available even while the store is down. */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['Readiness']
        }
      }
      readonly 400: components['responses']['Error400Unlimited']
      readonly 500: components['responses']['Error500']
    }
  }
  readonly signalStatus: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Available feeds with their latest observations, and planned feeds. */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['SignalStatus']
        }
      }
      readonly 400: components['responses']['Error400Unlimited']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly cipStatus: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description The status of the Corridor Intelligence Platform. */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['CipStatus']
        }
      }
      readonly 400: components['responses']['Error400Unlimited']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly liveFeeds: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['FeedList']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly organisationSettings: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description The settings in force for the calling key. */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['OrganisationSettings']
        }
      }
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly webhooks: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Oldest first. */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': readonly components['schemas']['Webhook'][]
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly registerWebhook: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['WebhookRequest']
      }
    }
    readonly responses: {
      /** @description The new endpoint with its secret. */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['RegisteredWebhook']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 409: components['responses']['Error409']
      readonly 413: components['responses']['Error413']
      readonly 415: components['responses']['Error415']
      readonly 422: components['responses']['Error422']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly webhook: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        /** @description The id from the registration. */
        readonly webhook_id: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description An endpoint, without its secret. */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['Webhook']
        }
      }
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 404: components['responses']['Error404']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly removeWebhook: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        /** @description The id from the registration. */
        readonly webhook_id: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description The endpoint is deleted. Its pending events are not sent. */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['RemovedWebhook']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 404: components['responses']['Error404']
      readonly 413: components['responses']['Error413']
      readonly 415: components['responses']['Error415']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly rotateWebhookSecret: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        /** @description The id from the registration. */
        readonly webhook_id: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description The endpoint with its new secret. */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['RotatedWebhook']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 404: components['responses']['Error404']
      readonly 413: components['responses']['Error413']
      readonly 415: components['responses']['Error415']
      readonly 422: components['responses']['Error422']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly testWebhook: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        /** @description The id from the registration. */
        readonly webhook_id: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description The test event is queued. The deliveries of the endpoint show its result. */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['TestedWebhook']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 404: components['responses']['Error404']
      readonly 413: components['responses']['Error413']
      readonly 415: components['responses']['Error415']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly webhookDeliveries: {
    readonly parameters: {
      readonly query?: {
        /** @description Deliveries per page. */
        readonly limit?: number
        /** @description From the `Link` header of the previous page. */
        readonly cursor?: string
        /** @description Returns only deliveries of this status. */
        readonly status?: 'dropped' | 'suspended'
      }
      readonly header?: never
      readonly path: {
        /** @description The id from the registration. */
        readonly webhook_id: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Newest first. */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly Link: components['headers']['Link']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': readonly components['schemas']['Delivery'][]
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 404: components['responses']['Error404']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly webhookDelivery: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        /** @description The id from the registration. */
        readonly webhook_id: string
        /** @description The id of the event. */
        readonly event_id: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description One event for this endpoint, with its body, its attempts and their answers. */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['DeliveryDetail']
        }
      }
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 404: components['responses']['Error404']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly resendDelivery: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        /** @description The id from the registration. */
        readonly webhook_id: string
        /** @description The id of the event. */
        readonly event_id: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['ResentDelivery']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 404: components['responses']['Error404']
      readonly 413: components['responses']['Error413']
      readonly 415: components['responses']['Error415']
      readonly 422: components['responses']['Error422']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly resendDeliveries: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        /** @description The id from the registration. */
        readonly webhook_id: string
      }
      readonly cookie?: never
    }
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['ResendRequest']
      }
    }
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['ResentEvents']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 404: components['responses']['Error404']
      readonly 413: components['responses']['Error413']
      readonly 415: components['responses']['Error415']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly events: {
    readonly parameters: {
      readonly query?: {
        /** @description The `next` of an earlier answer. Without it: from the first event on. */
        readonly after?: string
        /** @description Events per page. */
        readonly limit?: number
        /** @description If there is no event yet: seconds to wait for one. */
        readonly wait_s?: number
      }
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['EventsPage']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly requestAccess: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['AccessRequest']
      }
    }
    readonly responses: {
      /** @description The request is recorded. If it is approved, a live key is delivered separately. */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['AccessResponse']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 413: components['responses']['Error413']
      readonly 415: components['responses']['Error415']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly session: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['SessionState']
        }
      }
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly loginWithPassword: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['LoginRequest']
      }
    }
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['SignedIn']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403Unlimited']
      readonly 413: components['responses']['Error413']
      readonly 415: components['responses']['Error415']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly invitation: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['InvitationRequest']
      }
    }
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['Invitation']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 403: components['responses']['Error403Unlimited']
      readonly 413: components['responses']['Error413']
      readonly 415: components['responses']['Error415']
      readonly 422: components['responses']['Error422']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly setPassword: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['PasswordRequest']
      }
    }
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['SignedIn']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403Unlimited']
      readonly 413: components['responses']['Error413']
      readonly 415: components['responses']['Error415']
      readonly 422: components['responses']['Error422']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly logout: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['LogoutResponse']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 403: components['responses']['Error403Unlimited']
      readonly 413: components['responses']['Error413']
      readonly 415: components['responses']['Error415']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly me: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['Me']
        }
      }
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly mySessions: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['SessionList']
        }
      }
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly endMySession: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        readonly session_id: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['EndedSession']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 404: components['responses']['Error404']
      readonly 413: components['responses']['Error413']
      readonly 415: components['responses']['Error415']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly owners: {
    readonly parameters: {
      readonly query?: {
        /** @description Owners per page. */
        readonly limit?: number
        /** @description From the `Link` header of the previous page. */
        readonly cursor?: string
        /** @description A part of the name, or a whole id. */
        readonly query?: string
      }
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly Link: components['headers']['Link']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['OwnerList']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly demoVerify: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /** @description All members have defaults, so the body may be empty. */
    readonly requestBody?: {
      readonly content: {
        readonly 'application/json': components['schemas']['DemoVerifyRequest']
      }
    }
    readonly responses: {
      /** @description A decision on synthetic signals. Nothing is stored. */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['DemoVerifyResponse']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 413: components['responses']['Error413']
      readonly 415: components['responses']['Error415']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly demoCompare: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['DemoCompareRequest']
      }
    }
    readonly responses: {
      /** @description One score compared with the threshold of each profile. Nothing is stored. */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['DemoCompareResponse']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 413: components['responses']['Error413']
      readonly 415: components['responses']['Error415']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly comparePartners: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['PartnerRankingRequest']
      }
    }
    readonly responses: {
      /** @description Every partner, scored by the same engine. Nothing is stored. */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['PartnerRankingResponse']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 413: components['responses']['Error413']
      readonly 415: components['responses']['Error415']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly policies: {
    readonly parameters: {
      readonly query?: {
        /** @description Only policies with this status. */
        readonly status?: 'draft' | 'candidate' | 'active' | 'retired'
        /** @description Policies per page. */
        readonly limit?: number
        /** @description From the `Link` header of the previous page. */
        readonly cursor?: string
      }
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Newest first. */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly Link: components['headers']['Link']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['PolicyList']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 404: components['responses']['Error404']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly createPolicy: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /** @description A policy only tightens: it never turns a decision into a laxer one. */
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['PolicyDocument']
      }
    }
    readonly responses: {
      /** @description A policy never changes; a change is a new one. */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['PaymentPolicy']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 404: components['responses']['Error404']
      readonly 409: components['responses']['Error409']
      readonly 413: components['responses']['Error413']
      readonly 415: components['responses']['Error415']
      readonly 422: components['responses']['Error422']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly checkPolicy: {
    readonly parameters: {
      readonly query?: {
        /** @description A decision to try the document on. */
        readonly request_id?: string
      }
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /** @description A policy only tightens: it never turns a decision into a laxer one. */
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['PolicyDocument']
      }
    }
    readonly responses: {
      /** @description Nothing is stored. */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['PolicyCheck']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 404: components['responses']['Error404']
      readonly 413: components['responses']['Error413']
      readonly 415: components['responses']['Error415']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly policyVariables: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['PolicyVariables']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 404: components['responses']['Error404']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly policy: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        /** @description The id of a policy. */
        readonly policy_id: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description A policy never changes; a change is a new one. */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['PaymentPolicy']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 404: components['responses']['Error404']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly policyReport: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        /** @description The id of a policy. */
        readonly policy_id: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Every decision since the policy became the candidate. */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['PolicyCandidateReport']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 404: components['responses']['Error404']
      readonly 409: components['responses']['Error409']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly makePolicyCandidate: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        /** @description The id of a policy. */
        readonly policy_id: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description A policy never changes; a change is a new one. */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['PaymentPolicy']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 404: components['responses']['Error404']
      readonly 409: components['responses']['Error409']
      readonly 413: components['responses']['Error413']
      readonly 415: components['responses']['Error415']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly promotePolicy: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        /** @description The id of a policy. */
        readonly policy_id: string
      }
      readonly cookie?: never
    }
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['PolicyReason']
      }
    }
    readonly responses: {
      /** @description A policy never changes; a change is a new one. */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['PolicyResponse']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 404: components['responses']['Error404']
      readonly 409: components['responses']['Error409']
      readonly 413: components['responses']['Error413']
      readonly 415: components['responses']['Error415']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly rollBackPolicy: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['PolicyReason']
      }
    }
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['PolicyRollback']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 404: components['responses']['Error404']
      readonly 409: components['responses']['Error409']
      readonly 413: components['responses']['Error413']
      readonly 415: components['responses']['Error415']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly startBacktest: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        /** @description The id of a policy. */
        readonly policy_id: string
      }
      readonly cookie?: never
    }
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['PolicyBacktestRequest']
      }
    }
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['PolicyBacktestResponse']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 404: components['responses']['Error404']
      readonly 413: components['responses']['Error413']
      readonly 415: components['responses']['Error415']
      readonly 422: components['responses']['Error422']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly backtests: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        /** @description The id of a policy. */
        readonly policy_id: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description The newest 20, newest first. */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['PolicyBacktestList']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 404: components['responses']['Error404']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly backtest: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        /** @description The id of a policy. */
        readonly policy_id: string
        /** @description The id of a backtest. */
        readonly backtest_id: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['PolicyBacktest']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 404: components['responses']['Error404']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly cancelBacktest: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        /** @description The id of a policy. */
        readonly policy_id: string
        /** @description The id of a backtest. */
        readonly backtest_id: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['PolicyBacktest']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 404: components['responses']['Error404']
      readonly 409: components['responses']['Error409']
      readonly 413: components['responses']['Error413']
      readonly 415: components['responses']['Error415']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly calibration: {
    readonly parameters: {
      readonly query?: {
        /** @description Recorded at this time or later; ISO 8601. Defaults to 365 days before `to`. */
        readonly from?: string
        /** @description Recorded before this time; ISO 8601. Defaults to now. Both are widened to whole UTC days. */
        readonly to?: string
        readonly mode?: components['schemas']['Mode']
        /** @description Only this corridor. */
        readonly corridor?: string
      }
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['Calibration']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly reviews: {
    readonly parameters: {
      readonly query?: {
        /** @description Reviews per page. */
        readonly limit?: number
        /** @description From the `Link` header of the previous page. */
        readonly cursor?: string
        /** @description One of open, claimed, proposed, approved, rejected, expired, overridden, or several with commas. Without it, all. */
        readonly status?: string
        readonly corridor?: string
        /** @description The decision. */
        readonly decision?: components['schemas']['Decision']
        readonly mode?: components['schemas']['Mode']
        /** @description Only those that you have claimed, or that nobody has. */
        readonly claimed_by?: 'me' | 'nobody'
        /** @description `true`: only those that wait for too long. */
        readonly overdue?: 'true' | 'false'
      }
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly Link: components['headers']['Link']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['ReviewList']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly reviewSummary: {
    readonly parameters: {
      readonly query?: {
        readonly mode?: components['schemas']['Mode']
      }
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['ReviewSummary']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly review: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        readonly review_id: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['ReviewDetail']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 404: components['responses']['Error404']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly claimReview: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        readonly review_id: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['ReviewResponse']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 404: components['responses']['Error404']
      readonly 409: components['responses']['Error409']
      readonly 413: components['responses']['Error413']
      readonly 415: components['responses']['Error415']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly releaseReview: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        readonly review_id: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['ReviewResponse']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 404: components['responses']['Error404']
      readonly 409: components['responses']['Error409']
      readonly 413: components['responses']['Error413']
      readonly 415: components['responses']['Error415']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly commentReview: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        readonly review_id: string
      }
      readonly cookie?: never
    }
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['ReviewCommentRequest']
      }
    }
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['ReviewResponse']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 404: components['responses']['Error404']
      readonly 409: components['responses']['Error409']
      readonly 413: components['responses']['Error413']
      readonly 415: components['responses']['Error415']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly proposeReview: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        readonly review_id: string
      }
      readonly cookie?: never
    }
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['ReviewProposeRequest']
      }
    }
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['ReviewResponse']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 404: components['responses']['Error404']
      readonly 409: components['responses']['Error409']
      readonly 413: components['responses']['Error413']
      readonly 415: components['responses']['Error415']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly approveReview: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        readonly review_id: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: {
      readonly content: {
        readonly 'application/json': components['schemas']['ReviewApproveRequest']
      }
    }
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['ReviewResponse']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 404: components['responses']['Error404']
      readonly 409: components['responses']['Error409']
      readonly 413: components['responses']['Error413']
      readonly 415: components['responses']['Error415']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly rejectReview: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        readonly review_id: string
      }
      readonly cookie?: never
    }
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['ReviewRejectRequest']
      }
    }
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['ReviewResponse']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 404: components['responses']['Error404']
      readonly 409: components['responses']['Error409']
      readonly 413: components['responses']['Error413']
      readonly 415: components['responses']['Error415']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly holds: {
    readonly parameters: {
      readonly query?: {
        readonly mode?: components['schemas']['Mode']
        /** @description How far back. Kept for a week. */
        readonly hours?: number
      }
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['Holds']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly adminKeys: {
    readonly parameters: {
      readonly query?: {
        /** @description Keys per page. */
        readonly limit?: number
        /** @description From the `Link` header of the previous page. */
        readonly cursor?: string
        /** @description A part of the name of the owner, or the whole id of a key, an owner or a principal. */
        readonly q?: string
        readonly type?: 'test' | 'live' | 'sandbox'
        readonly status?: 'active' | 'expired' | 'revoked'
        /** @description Only active keys that expire within 14 days. */
        readonly expires_soon?: 'true'
      }
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly Link: components['headers']['Link']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['AdminKeyList']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly issueKey: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['IssueKeyRequest']
      }
    }
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['IssuedKey']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 404: components['responses']['Error404']
      readonly 409: components['responses']['Error409']
      readonly 413: components['responses']['Error413']
      readonly 415: components['responses']['Error415']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly rotateKey: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        /** @description The id of a key. */
        readonly key_id: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: {
      readonly content: {
        readonly 'application/json': components['schemas']['RotateKeyRequest']
      }
    }
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['RotatedKey']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 404: components['responses']['Error404']
      readonly 409: components['responses']['Error409']
      readonly 413: components['responses']['Error413']
      readonly 415: components['responses']['Error415']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly revokeKey: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        /** @description The id of a key. */
        readonly key_id: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['RevokedKey']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 404: components['responses']['Error404']
      readonly 409: components['responses']['Error409']
      readonly 413: components['responses']['Error413']
      readonly 415: components['responses']['Error415']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly accessRequests: {
    readonly parameters: {
      readonly query?: {
        /** @description Requests per page. */
        readonly limit?: number
        /** @description From the `Link` header of the previous page. */
        readonly cursor?: string
        /** @description A part of the name or the email address, or a whole id. */
        readonly q?: string
        readonly status?: 'received' | 'approved' | 'rejected'
      }
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly Link: components['headers']['Link']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['AccessRequestList']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly approveAccess: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        /** @description The id of a request. */
        readonly access_request_id: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: {
      readonly content: {
        readonly 'application/json': components['schemas']['ApproveAccessRequest']
      }
    }
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['ApprovedAccess']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 404: components['responses']['Error404']
      readonly 409: components['responses']['Error409']
      readonly 413: components['responses']['Error413']
      readonly 415: components['responses']['Error415']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly rejectAccess: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        /** @description The id of a request. */
        readonly access_request_id: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: {
      readonly content: {
        readonly 'application/json': components['schemas']['RejectAccessRequest']
      }
    }
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['AccessRequestView']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 404: components['responses']['Error404']
      readonly 409: components['responses']['Error409']
      readonly 413: components['responses']['Error413']
      readonly 415: components['responses']['Error415']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly people: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['PersonList']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly invitePerson: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['InviteRequest']
      }
    }
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['InvitedPerson']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 404: components['responses']['Error404']
      readonly 409: components['responses']['Error409']
      readonly 413: components['responses']['Error413']
      readonly 415: components['responses']['Error415']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly resetPerson: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        /** @description The id of a person. */
        readonly person_id: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['InvitedPerson']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 404: components['responses']['Error404']
      readonly 409: components['responses']['Error409']
      readonly 413: components['responses']['Error413']
      readonly 415: components['responses']['Error415']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly setRoles: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        /** @description The id of a person. */
        readonly person_id: string
      }
      readonly cookie?: never
    }
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['RolesRequest']
      }
    }
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['ChangedPerson']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 404: components['responses']['Error404']
      readonly 409: components['responses']['Error409']
      readonly 413: components['responses']['Error413']
      readonly 415: components['responses']['Error415']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly endSessions: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        /** @description The id of a person. */
        readonly person_id: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['EndedSessions']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 404: components['responses']['Error404']
      readonly 409: components['responses']['Error409']
      readonly 413: components['responses']['Error413']
      readonly 415: components['responses']['Error415']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly removePerson: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        /** @description The id of a person. */
        readonly person_id: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['ChangedPerson']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 404: components['responses']['Error404']
      readonly 409: components['responses']['Error409']
      readonly 413: components['responses']['Error413']
      readonly 415: components['responses']['Error415']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly restorePerson: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        /** @description The id of a person. */
        readonly person_id: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['ChangedPerson']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 404: components['responses']['Error404']
      readonly 409: components['responses']['Error409']
      readonly 413: components['responses']['Error413']
      readonly 415: components['responses']['Error415']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly adminFeeds: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['AdminFeeds']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly checkFeeds: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody?: {
      readonly content: {
        readonly 'application/json': components['schemas']['FeedCheckRequest']
      }
    }
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['FeedChecks']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 404: components['responses']['Error404']
      readonly 409: components['responses']['Error409']
      readonly 413: components['responses']['Error413']
      readonly 415: components['responses']['Error415']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly adminWebhooks: {
    readonly parameters: {
      readonly query?: {
        /** @description Endpoints per page. */
        readonly limit?: number
        /** @description From the `Link` header of the previous page. */
        readonly cursor?: string
        readonly state?: 'healthy' | 'failing' | 'idle'
        /** @description A part of the URL, or the whole id of an endpoint or an owner. */
        readonly q?: string
      }
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly Link: components['headers']['Link']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['AdminWebhookList']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly adminCip: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['AdminCip']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly transitionCip: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['CipTransitionRequest']
      }
    }
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['CipTransition']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 404: components['responses']['Error404']
      readonly 409: components['responses']['Error409']
      readonly 413: components['responses']['Error413']
      readonly 415: components['responses']['Error415']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly adminJobs: {
    readonly parameters: {
      readonly query?: {
        /** @description Jobs per page. */
        readonly limit?: number
        /** @description From the `Link` header of the previous page. */
        readonly cursor?: string
      }
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly Link: components['headers']['Link']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['MaintenanceJobList']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly startJob: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /** @description A member of another kind is refused. */
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['StartJobRequest']
      }
    }
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['MaintenanceJob']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 404: components['responses']['Error404']
      readonly 409: components['responses']['Error409']
      readonly 413: components['responses']['Error413']
      readonly 415: components['responses']['Error415']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly adminJob: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        /** @description The id of a job. */
        readonly job_id: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['MaintenanceJob']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 404: components['responses']['Error404']
      readonly 409: components['responses']['Error409']
      readonly 413: components['responses']['Error413']
      readonly 415: components['responses']['Error415']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly previewErasure: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['ErasurePreviewRequest']
      }
    }
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['ErasurePreview']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 404: components['responses']['Error404']
      readonly 409: components['responses']['Error409']
      readonly 413: components['responses']['Error413']
      readonly 415: components['responses']['Error415']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly retention: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['Retention']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 404: components['responses']['Error404']
      readonly 409: components['responses']['Error409']
      readonly 413: components['responses']['Error413']
      readonly 415: components['responses']['Error415']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly months: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['MonthList']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly checkMonth: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        /** @description A month, as `2026-03`. */
        readonly month: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['MonthCheck']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 404: components['responses']['Error404']
      readonly 409: components['responses']['Error409']
      readonly 413: components['responses']['Error413']
      readonly 415: components['responses']['Error415']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly activity: {
    readonly parameters: {
      readonly query?: {
        /** @description Acts per page. */
        readonly limit?: number
        /** @description From the `Link` header of the previous page. */
        readonly cursor?: string
        /** @description A kind, as `key.revoked`, or all of a group, as `key`. */
        readonly kind?: string
        /** @description The id of a person or a key, `server`, or the name of an operator. */
        readonly by?: string
        /** @description The id of the key, person, policy or endpoint that it is about. */
        readonly subject?: string
        /** @description Recorded at this time or later; ISO 8601. */
        readonly from?: string
        /** @description Recorded before this time; ISO 8601. */
        readonly to?: string
        /** @description The response format. Defaults to the `Accept` header, then JSON. */
        readonly format?: 'json' | 'csv'
      }
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description A page of acts, newest first. */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly Link: components['headers']['Link']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['ActivityList']
          readonly 'text/csv': string
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly batchAssess: {
    readonly parameters: {
      readonly query?: {
        /** @description The response format. Defaults to the `Accept` header, then JSON. */
        readonly format?: 'json' | 'csv'
        /** @description The report name for a CSV body, which cannot contain one. */
        readonly report_name?: string
      }
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['BatchRequest']
        readonly 'text/csv': string
      }
    }
    readonly responses: {
      /** @description The report. In CSV, one row per assessment, with its members as columns. */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly 'X-SVC-Warning': components['headers']['X-SVC-Warning']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['BatchResponse']
          readonly 'text/csv': string
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 413: components['responses']['Error413']
      readonly 415: components['responses']['Error415']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly batchReports: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['KeptReportList']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly keepBatchReport: {
    readonly parameters: {
      readonly query?: {
        /** @description The report name for a CSV body, which cannot contain one. */
        readonly report_name?: string
      }
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['BatchRequest']
        readonly 'text/csv': string
      }
    }
    readonly responses: {
      /** @description A report that the owner keeps. */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['KeptReportResponse']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 413: components['responses']['Error413']
      readonly 415: components['responses']['Error415']
      readonly 422: components['responses']['Error422']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly batchReport: {
    readonly parameters: {
      readonly query?: {
        /** @description The response format. Defaults to JSON. */
        readonly format?: 'json' | 'csv' | 'html'
      }
      readonly header?: never
      readonly path: {
        /** @description The id of a kept report. */
        readonly report_id: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description The report, in the format of the query. */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['KeptReportDetails']
          readonly 'text/csv': string
          readonly 'text/html': string
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 404: components['responses']['Error404']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly removeBatchReport: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        /** @description The id of a kept report. */
        readonly report_id: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Default Response */
      readonly 200: {
        headers: {
          readonly 'X-Request-ID': components['headers']['X-Request-ID']
          readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
          readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['RemovedReport']
        }
      }
      readonly 400: components['responses']['Error400']
      readonly 401: components['responses']['Error401']
      readonly 403: components['responses']['Error403']
      readonly 404: components['responses']['Error404']
      readonly 413: components['responses']['Error413']
      readonly 415: components['responses']['Error415']
      readonly 429: components['responses']['Error429']
      readonly 500: components['responses']['Error500']
      readonly 503: components['responses']['Error503']
    }
  }
  readonly 'payment.decision.created': {
    readonly parameters: {
      readonly query?: never
      readonly header: {
        /** @description The number of the attempt. */
        readonly 'X-SVC-Attempt': string
        /** @description HMAC-SHA256 of the body in lower-case hex. The key is the complete secret, including its prefix. */
        readonly 'X-SVC-Signature': string
        /** @description The `event_id`. */
        readonly 'webhook-id': string
        /** @description The time of this attempt, in seconds since 1970. */
        readonly 'webhook-timestamp': string
        /** @description The Standard Webhooks signature: `v1,` and base64. Several, separated by spaces, during a secret rotation. */
        readonly 'webhook-signature': string
      }
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['DecisionEvent']
      }
    }
    readonly responses: {
      /** @description Accepted. Any other status, or no response within 5 seconds, causes a retry. */
      readonly '2XX': {
        headers: {
          readonly [name: string]: unknown
        }
        content?: never
      }
    }
  }
  readonly 'payment.override.created': {
    readonly parameters: {
      readonly query?: never
      readonly header: {
        /** @description The number of the attempt. */
        readonly 'X-SVC-Attempt': string
        /** @description HMAC-SHA256 of the body in lower-case hex. The key is the complete secret, including its prefix. */
        readonly 'X-SVC-Signature': string
        /** @description The `event_id`. */
        readonly 'webhook-id': string
        /** @description The time of this attempt, in seconds since 1970. */
        readonly 'webhook-timestamp': string
        /** @description The Standard Webhooks signature: `v1,` and base64. Several, separated by spaces, during a secret rotation. */
        readonly 'webhook-signature': string
      }
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['OverrideEvent']
      }
    }
    readonly responses: {
      /** @description Accepted. Any other status, or no response within 5 seconds, causes a retry. */
      readonly '2XX': {
        headers: {
          readonly [name: string]: unknown
        }
        content?: never
      }
    }
  }
  readonly 'corridor.status.changed': {
    readonly parameters: {
      readonly query?: never
      readonly header: {
        /** @description The number of the attempt. */
        readonly 'X-SVC-Attempt': string
        /** @description HMAC-SHA256 of the body in lower-case hex. The key is the complete secret, including its prefix. */
        readonly 'X-SVC-Signature': string
        /** @description The `event_id`. */
        readonly 'webhook-id': string
        /** @description The time of this attempt, in seconds since 1970. */
        readonly 'webhook-timestamp': string
        /** @description The Standard Webhooks signature: `v1,` and base64. Several, separated by spaces, during a secret rotation. */
        readonly 'webhook-signature': string
      }
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['StatusEvent']
      }
    }
    readonly responses: {
      /** @description Accepted. Any other status, or no response within 5 seconds, causes a retry. */
      readonly '2XX': {
        headers: {
          readonly [name: string]: unknown
        }
        content?: never
      }
    }
  }
  readonly 'payment.review.opened': {
    readonly parameters: {
      readonly query?: never
      readonly header: {
        /** @description The number of the attempt. */
        readonly 'X-SVC-Attempt': string
        /** @description HMAC-SHA256 of the body in lower-case hex. The key is the complete secret, including its prefix. */
        readonly 'X-SVC-Signature': string
        /** @description The `event_id`. */
        readonly 'webhook-id': string
        /** @description The time of this attempt, in seconds since 1970. */
        readonly 'webhook-timestamp': string
        /** @description The Standard Webhooks signature: `v1,` and base64. Several, separated by spaces, during a secret rotation. */
        readonly 'webhook-signature': string
      }
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['ReviewOpenedEvent']
      }
    }
    readonly responses: {
      /** @description Accepted. Any other status, or no response within 5 seconds, causes a retry. */
      readonly '2XX': {
        headers: {
          readonly [name: string]: unknown
        }
        content?: never
      }
    }
  }
  readonly 'payment.review.closed': {
    readonly parameters: {
      readonly query?: never
      readonly header: {
        /** @description The number of the attempt. */
        readonly 'X-SVC-Attempt': string
        /** @description HMAC-SHA256 of the body in lower-case hex. The key is the complete secret, including its prefix. */
        readonly 'X-SVC-Signature': string
        /** @description The `event_id`. */
        readonly 'webhook-id': string
        /** @description The time of this attempt, in seconds since 1970. */
        readonly 'webhook-timestamp': string
        /** @description The Standard Webhooks signature: `v1,` and base64. Several, separated by spaces, during a secret rotation. */
        readonly 'webhook-signature': string
      }
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['ReviewClosedEvent']
      }
    }
    readonly responses: {
      /** @description Accepted. Any other status, or no response within 5 seconds, causes a retry. */
      readonly '2XX': {
        headers: {
          readonly [name: string]: unknown
        }
        content?: never
      }
    }
  }
  readonly 'webhook.endpoint.suspended': {
    readonly parameters: {
      readonly query?: never
      readonly header: {
        /** @description The number of the attempt. */
        readonly 'X-SVC-Attempt': string
        /** @description HMAC-SHA256 of the body in lower-case hex. The key is the complete secret, including its prefix. */
        readonly 'X-SVC-Signature': string
        /** @description The `event_id`. */
        readonly 'webhook-id': string
        /** @description The time of this attempt, in seconds since 1970. */
        readonly 'webhook-timestamp': string
        /** @description The Standard Webhooks signature: `v1,` and base64. Several, separated by spaces, during a secret rotation. */
        readonly 'webhook-signature': string
      }
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['EndpointSuspendedEvent']
      }
    }
    readonly responses: {
      /** @description Accepted. Any other status, or no response within 5 seconds, causes a retry. */
      readonly '2XX': {
        headers: {
          readonly [name: string]: unknown
        }
        content?: never
      }
    }
  }
  readonly 'webhook.test': {
    readonly parameters: {
      readonly query?: never
      readonly header: {
        /** @description The number of the attempt. */
        readonly 'X-SVC-Attempt': string
        /** @description HMAC-SHA256 of the body in lower-case hex. The key is the complete secret, including its prefix. */
        readonly 'X-SVC-Signature': string
        /** @description The `event_id`. */
        readonly 'webhook-id': string
        /** @description The time of this attempt, in seconds since 1970. */
        readonly 'webhook-timestamp': string
        /** @description The Standard Webhooks signature: `v1,` and base64. Several, separated by spaces, during a secret rotation. */
        readonly 'webhook-signature': string
      }
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['TestEvent']
      }
    }
    readonly responses: {
      /** @description Accepted. Any other status, or no response within 5 seconds, causes a retry. */
      readonly '2XX': {
        headers: {
          readonly [name: string]: unknown
        }
        content?: never
      }
    }
  }
}
