/** The contract in types. Made from docs/openapi.json by `npm run generate`; not written by hand. */

export interface paths {
  readonly '/api/health': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /** Is the service up, and does its store answer */
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
    /** How a score and a decision come about */
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
     * @description One decision, recorded once and for ever. Send an idempotency key so that a retry never decides twice.
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
     * Your own decisions, newest first
     * @description A page at a time: follow `Link: <…>; rel="next"` until there is none. As CSV, by `Accept: text/csv` or `format`, a page is a header and a line a record, and the link keeps the format.
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
  readonly '/api/v1/verifications/summary': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * Your own decisions in a time, summed up
     * @description An addition of ours: the original contract does not have it. Decisions over time, shares, scores, reasons, corridors and latency, counted in the transaction that wrote each record: exact, and as fast for a million records as for a few. The last 24 hours unless told; a range is widened to whole hours of recording time, and the answer says what it covers.
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
  readonly '/api/v1/audit/{request_id}': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /** The record of one decision */
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
     * The evidence bundle of one decision
     * @description Self-contained: the record, its explanation and timeline, and hashes that anyone can recompute. `fairway audit verify FILE` does so offline and says what was changed.
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
     * The proof that a record is in the log
     * @description A path of hashes (RFC 6962) from the record to the root that the checkpoint signs, and the same for its override. Who keeps the checkpoint can show later that neither was changed.
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
     * The newest checkpoint of the log
     * @description Public. With `from`, also the proof that the log still begins with what an earlier checkpoint signed.
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
     * @description For `DEGRADED` and `NO-GO`, once a decision. The decision stays as it is; the override is put beside it for ever and announced as `payment.override.created`.
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
     * Report how the payment of a decision ended
     * @description Once a decision; audit and history show it beside the decision, which stays as it is. The failure rate of live mode can be made of such reports.
     */
    readonly post: operations['reportOutcome']
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
     * Why a decision was made, and what would have changed it
     * @description Factors that add up to the composite, then penalty and rounding to the score, the policy gate, and counterfactuals for which the same engine decided again.
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
     * What a decision did about the risk of its payment
     * @description Follows what a person made of the decision, where it was overridden.
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
     * The ten measured moments of a decision
     * @description As they were measured when it was made; the durations add up to the total.
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
     * Where the signals of a decision came from
     * @description Each with its value, its source and how far it was trusted.
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
  readonly '/api/v1/corridors/{corridor}': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * How a corridor is doing
     * @description From its signals, for everyday payments or for those of a given amount; nothing is stored. A corridor without data is DEGRADED, with an advisory that says so.
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
     * What would have been said of a payment of the past
     * @description On simulated signals, whatever the key; test amounts do not act. With `actual_outcome` it also says whether asking first would have helped.
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
    /** What this instance is ready for */
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
    /** The signal feeds that exist, and what was last seen of them */
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
    /** Where the Corridor Intelligence Platform stands */
    readonly get: operations['cipStatus']
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
    /** What the calling key may do, how often, and how much it has done */
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
    /** Your endpoints */
    readonly get: operations['webhooks']
    readonly put?: never
    /**
     * Register an endpoint for events
     * @description At most 20 an owner. The secret is shown in this answer and never again.
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
    /** One endpoint */
    readonly get: operations['webhook']
    readonly put?: never
    readonly post?: never
    /**
     * Remove an endpoint
     * @description What waits for it is not sent; an attempt that is under way may still arrive.
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
     * Give an endpoint a new secret
     * @description For 24 hours `webhook-signature` carries a signature of the old secret beside that of the new one; `X-SVC-Signature` is of the new one at once.
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
     * @description An event `webhook.test`, signed, sent and retried as any other.
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
     * What was sent to an endpoint, and how it fared
     * @description A page at a time: follow `Link: <…>; rel="next"` until there is none. Delivered events are shown for 30 days, dropped ones as long as the endpoint stands.
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
     * Ask for access, and get a sandbox key at once
     * @description The sandbox key has an owner of its own, all scopes, and no end. People decide about a live key, which is handed over by another way. Nothing that anybody has is changed by a request.
     */
    readonly post: operations['requestAccess']
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
     * Try a verification, without a key
     * @description A decision on synthetic signals, kept nowhere. Send synthetic values only. The test amounts act, but for `.09`.
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
     * See how the risk profiles judge one payment, without a key
     * @description One score against three thresholds, and nothing else: the cap of 50,000 does not act here, though it does in a verification; the cap of 500,000 and the rule for unsupported corridors do. An amount of 85000 shows the profiles differ, 15000 shows them agree. Test amounts do not act.
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
     * @description Always on simulated signals, whatever the key; test amounts do not act.
     */
    readonly post: operations['comparePartners']
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
     * Assess payments of the past, up to 500 at once
     * @description Every row judged by the same engine, on simulated signals whatever the key, beside what became of it; test amounts do not act. One bad row refuses the whole, and every fault of every row is named with its row and column.
     */
    readonly post: operations['batchAssess']
    readonly delete?: never
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
     * @description Sent to your endpoint at least once, in no promised order; five attempts within 51 minutes.
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
     * @description Sent to your endpoint at least once, in no promised order; five attempts within 51 minutes.
     */
    readonly post: operations['payment.override.created']
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
     * Somebody asked for a test
     * @description Sent to your endpoint at least once, in no promised order; five attempts within 51 minutes.
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
      /** @description Who asks: a person, a team, a company. */
      readonly name: string
      /** @description Where the answer goes. One address may have 3 active sandbox keys. */
      readonly email: string
      /** @description What for, in words; an operator reads it. */
      readonly reason: string
      /** @description What the captcha on your page gave; any text where this instance has none set up. */
      readonly recaptcha_token: string
    }
    /** @description The request is recorded. A live key, if it is approved, comes by another way. */
    readonly AccessResponse: {
      /** @description Quote it when you ask about the request. */
      readonly access_request_id: string
      /** @enum {unknown} */
      readonly status: 'received'
      /** @description For people; may change. */
      readonly message: string
      /** @description For shadow mode, usable at once. It is not shown again. */
      readonly sandbox_key: string
    }
    readonly Assessment: {
      /** @description Place in the request, from 0. */
      readonly index: number
      readonly transaction_id: string
      readonly corridor: string
      readonly corridor_supported: boolean
      readonly amount: number | null
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
    /** @description A self-contained evidence bundle; `fairway audit verify FILE` checks it offline. */
    readonly AuditExport: {
      readonly export_version: number
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly exported_at: string
      /** @description The record, whole: it never changes. */
      readonly record: {
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
        /** @description The key by which it was made. */
        readonly key_id: string
      } | null
      readonly outcome: {
        readonly request_id: string
        readonly outcome: components['schemas']['PaymentOutcome']
        readonly occurred_at: string | null
        /**
         * Format: date-time
         * @description ISO 8601, UTC.
         */
        readonly reported_at: string
        /** @description The key by which it was reported. */
        readonly key_id: string
      } | null
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
        /** @description Likewise, of the whole bundle but `exported_at`, `proof` and `integrity`. */
        readonly bundle_hash: string
        /** @description Of the parts, by JSON pointer, so that a change can be found. */
        readonly member_hashes: {
          readonly [key: string]: string
        }
      }
    }
    /** @description That this record, and its override, are in the log that the checkpoint signs. */
    readonly AuditProof: {
      readonly request_id: string
      /**
       * @description `pending`: recorded, and sealed within seconds. Ask again.
       * @enum {unknown}
       */
      readonly status: 'sealed' | 'pending'
      readonly record: components['schemas']['ProvenLeaf'] | null
      readonly override: components['schemas']['ProvenLeaf'] | null
      readonly checkpoint: components['schemas']['Checkpoint'] | null
    }
    /** @description The record as it was written; it never changes. An override is put beside it. */
    readonly AuditRecord: {
      readonly request_id: string
      readonly corridor: string
      readonly decision: components['schemas']['Decision']
      readonly score: number
      readonly confidence: number
      readonly amount: number | null
      /** @description The request's own currency. */
      readonly currency: string
      readonly mode: components['schemas']['Mode']
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly evaluated_at: string
      readonly correlation_id: string | null
      readonly reason_codes: readonly components['schemas']['ReasonCode'][]
      /** @description Null while there is none. */
      readonly human_override: components['schemas']['Override'] | null
      /** @description Null while none is reported. */
      readonly outcome: components['schemas']['ReportedOutcome'] | null
      readonly signal_contributions: readonly {
        readonly signal: components['schemas']['SignalName']
        readonly status: components['schemas']['SignalLabel']
        readonly risk_value: number
      }[]
    }
    readonly BatchRequest: {
      /** @description A name for people. */
      readonly report_name?: string
      readonly transactions: readonly components['schemas']['Transaction'][]
    }
    /** @description Every row assessed, and the sums. Nothing is stored. */
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
      readonly _links: {
        readonly csv: string
      }
      /** @description Columns of a CSV that were not read. */
      readonly warnings: readonly string[]
      readonly assessments: readonly components['schemas']['Assessment'][]
    }
    readonly BatchSummary: {
      readonly total_assessed: number
      readonly go: number
      readonly degraded: number
      readonly no_go: number
      /** @description To one decimal, half up. */
      readonly go_pct: number
      /** @description To one decimal, half up. */
      readonly degraded_pct: number
      /** @description To one decimal, half up. */
      readonly no_go_pct: number
      /** @description To four decimals, half up. */
      readonly avg_score: number
      /** @description To four decimals, half up. */
      readonly avg_confidence: number
      readonly alignment_pct: number | null
      readonly flagged_pre_failure: number
      readonly improvement_opportunities: number
      /** @description PENDING is no outcome. */
      readonly transactions_with_outcome: number
    }
    /** @description What the log holds, signed with Ed25519. */
    readonly Checkpoint: {
      /** @description The name of this log. */
      readonly origin: string
      /** @description How many leaves the log has. */
      readonly tree_size: number
      /** @description SHA-256 in base64. */
      readonly root_hash: string
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly made_at: string
      /** @description The signed note (c2sp.org/tlog-checkpoint), to the letter. Keep it: it shows later whether the past was changed. */
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
    /** @description Where the Corridor Intelligence Platform stands. */
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
       * @description When this state was entered; only a formal transition changes it.
       */
      readonly last_updated: string
      /** @description Synthetic observations that are stored. */
      readonly observations_collected: number
      /** @description Share of a live score. */
      readonly blend_weight: number
      readonly escalation_enabled: boolean
      readonly active_adapters: readonly string[]
      /** @description The newest formal change. */
      readonly governed_by: string
    }
    readonly CorridorBucket: {
      /** @enum {unknown} */
      readonly status: 'CLEAR' | 'LOW' | 'MODERATE' | 'ELEVATED' | 'CRITICAL' | 'NO_DATA'
      readonly risk_value: number | null
      readonly signals: readonly components['schemas']['SignalName'][]
    }
    /** @description IMPAIRED when a live signal cannot be read, the score of the signals is below 0.48, three or more are flagged, or one is CRITICAL; DEGRADED when one is flagged or the score is below 0.80; otherwise OPERATIONAL. */
    readonly CorridorHealth: {
      readonly corridor: string
      readonly corridor_supported: boolean
      readonly amount: number | null
      readonly currency: string
      /** @enum {unknown} */
      readonly status: 'OPERATIONAL' | 'DEGRADED' | 'IMPAIRED'
      /** @enum {unknown} */
      readonly data_environment: 'mixed' | 'simulation'
      /** @description Signals that were read from a live feed. */
      readonly live_signals: number
      readonly signals: {
        readonly fx: components['schemas']['CorridorBucket']
        readonly network: components['schemas']['CorridorBucket']
        readonly settlement: components['schemas']['CorridorBucket']
        readonly liquidity: components['schemas']['CorridorBucket']
        readonly compliance: components['schemas']['CorridorBucket']
      }
      readonly advisory: string
      /** @description Each live feed as it is now; none where the signals are simulated. */
      readonly feeds: readonly {
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
      }[]
      /** @enum {unknown} */
      readonly environment: 'sandbox' | 'production'
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly evaluated_at: string
    }
    /**
     * @description The decision.
     * @enum {unknown}
     */
    readonly Decision: 'GO' | 'DEGRADED' | 'NO-GO'
    readonly DecisionEvent: {
      /** @enum {unknown} */
      readonly event: 'payment.decision.created'
      /** @description The same at every attempt: use it to tell repeats. */
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
      /** @description The request's own currency. */
      readonly currency: string
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
    }
    /** @description One event on its way to this endpoint. */
    readonly Delivery: {
      /** @description The same at every attempt: use it to tell repeats. */
      readonly event_id: string
      /** @enum {unknown} */
      readonly event: 'payment.decision.created' | 'payment.override.created' | 'webhook.test'
      readonly request_id: string | null
      /**
       * @description `pending`: an attempt is to come or under way. `dropped`: given up after the last attempt.
       * @enum {unknown}
       */
      readonly status: 'pending' | 'delivered' | 'dropped'
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly created_at: string
      readonly next_attempt: {
        readonly attempt: number
        /**
         * Format: date-time
         * @description Not sooner. While the attempt is under way: when it is taken over if nothing is heard.
         */
        readonly due_at: string
      } | null
      /** @description Those that have ended, oldest first. */
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
            )
          | null
      }[]
    }
    readonly DemoCompareRequest: {
      /** @description Everything has a default; it may be empty. */
      readonly payment: {
        /** @description FROM-TO, as in verify. Default: GB-NG. */
        readonly corridor?: string
        /** @description In units of the currency. Default: 1000. */
        readonly amount?: number
        /** @description ISO 4217; `GBP` when missing. */
        readonly currency?: string
        /** @description The sender's ISO 3166-1 alpha-2 code; both countries together stand for a corridor. */
        readonly sender_country?: string
        /** @description The destination's ISO 3166-1 alpha-2 code; both countries together stand for a corridor. */
        readonly destination_country?: string
      }
      /** @description All three, unless told. */
      readonly profiles?: readonly ('conservative' | 'balanced' | 'optimise_speed')[]
    }
    /** @description One score against the threshold of each profile. Nothing is stored. */
    readonly DemoCompareResponse: {
      readonly corridor: string
      readonly amount: number
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
    }
    /** @description Everything has a default: an empty body will do. */
    readonly DemoVerifyRequest: {
      /** @description FROM-TO, as in verify. Default: GB-NG. */
      readonly corridor?: string
      /** @description In units of the currency. Default: 1000. */
      readonly amount?: number
      /** @description ISO 4217; `GBP` when missing. */
      readonly currency?: string
      /** @description The sender's ISO 3166-1 alpha-2 code; both countries together stand for a corridor. */
      readonly sender_country?: string
      /** @description The destination's ISO 3166-1 alpha-2 code; both countries together stand for a corridor. */
      readonly destination_country?: string
      /**
       * @description Taken, and of no weight in the simulated world.
       * @enum {unknown}
       */
      readonly sender_account_type?: 'business' | 'personal'
      /** @description A purpose code: taken, and of no weight in the simulated world. */
      readonly purpose?: string
      /** @description Your own reference: echoed, kept nowhere. */
      readonly correlation_id?: string
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
      /** @description Kept for older integrations; prefer `reasons`. */
      readonly reason_codes: readonly components['schemas']['ReasonCode'][]
      /** @description Not kept: audit does not know it. */
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
      /** @enum {unknown} */
      readonly mode: 'synthetic'
      /** @enum {unknown} */
      readonly environment: 'sandbox'
      /** @description Standard deviation of recent scores of the corridor. */
      readonly volatility: number
      /** @description Signals evaluated. */
      readonly probe_count: number
      readonly signals: components['schemas']['SignalValues']
      readonly probe_details: components['schemas']['ProbeDetails']
      readonly decision_model: string
      readonly api_version: string
      /** @description True when this is an earlier answer under the same key. */
      readonly idempotency_hit: boolean
      /** @description Server-side processing time in milliseconds. */
      readonly response_ms: number
      /** @description The next step, as a sentence. */
      readonly suggested_path: string
      readonly scoring_framework_version: string
    }
    /** @description The request is not valid; `errors` says what is wrong with which member. */
    readonly Error: {
      /** @description For people; may change. */
      readonly message: string
      /**
       * @description For programs; stable.
       * @enum {unknown}
       */
      readonly code:
        | 'INVALID_REQUEST'
        | 'UNAUTHORIZED'
        | 'FORBIDDEN'
        | 'NOT_FOUND'
        | 'METHOD_NOT_ALLOWED'
        | 'REQUEST_TIMEOUT'
        | 'IDEMPOTENCY_CONFLICT'
        | 'OVERRIDE_EXISTS'
        | 'OUTCOME_EXISTS'
        | 'PAYLOAD_TOO_LARGE'
        | 'UNSUPPORTED_MEDIA_TYPE'
        | 'UNPROCESSABLE'
        | 'RATE_LIMITED'
        | 'HEADERS_TOO_LARGE'
        | 'INTERNAL_ERROR'
        | 'SIGNALS_UNAVAILABLE'
        | 'STORE_UNAVAILABLE'
        | 'CAPTCHA_UNAVAILABLE'
      /** @description Quote it when you report the error. */
      readonly request_id: string
      /** @description With 400: all that is wrong with the form or, where that is right, with the meaning. */
      readonly errors?: readonly {
        /** @description JSON pointer to the offending member. */
        readonly path: string
        readonly message: string
        /** @description Of a batch: the row, from 1; a header is not counted. */
        readonly row?: number
        /** @description Of a batch: the column at fault. */
        readonly column?: string
        /** @description Of a CSV: the line in the file, from 1. */
        readonly line?: number
      }[]
      /** @description With 503: the signals that could not be read, sorted. */
      readonly unavailable_signals?: readonly string[]
    }
    /** @description How the decision came about, from what was kept with it. */
    readonly Explanation: {
      readonly request_id: string
      readonly decision: components['schemas']['Decision']
      readonly score: number
      /** @description A paragraph for people. */
      readonly summary: string
      /** @description They add up to `composite`. */
      readonly factors: readonly components['schemas']['Factor'][]
      /** @description The sum of the contributions. */
      readonly composite: number
      readonly telemetry: {
        readonly weight: number
        readonly value: number
        /** @description What it adds to the composite or takes from it. */
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
        /** @description Whether the decision would have been another without it. */
        readonly changed_decision: boolean
        readonly degraded_above: number
        readonly no_go_above: number
        readonly currency: string
        readonly message: string
      }
      readonly corridor_supported: boolean
      readonly bands: readonly {
        readonly decision: components['schemas']['Decision']
        readonly score_from: number
        readonly score_below: number
      }[]
      /** @description Each single signal that, if healthy, would have changed the decision; the largest amount that would have been GO; the other profiles. */
      readonly counterfactuals: readonly {
        /** @enum {unknown} */
        readonly kind: 'signal' | 'telemetry' | 'amount' | 'profile'
        readonly change: string
        readonly decision: components['schemas']['Decision']
        readonly score: number
      }[]
      readonly largest_go_amount: number | null
      readonly counterfactual_basis: string
      readonly engine_version: string
      /** @description Present when this record repeats another during a cooldown; what is shown is of that one. */
      readonly cooldown?: {
        /** @description The record that was computed; ask there for counterfactuals. */
        readonly source_request_id: string
      }
    }
    readonly Factor: {
      readonly signal: components['schemas']['SignalName']
      readonly weight: number
      /** @description 1.0 is clear. */
      readonly risk_value: number
      /** @description weight x risk_value: its part of `composite`. */
      readonly contribution: number
      readonly status: components['schemas']['SignalLabel']
      readonly flagged: boolean
      readonly reason_code: components['schemas']['ReasonCode'] | null
      readonly message: string
    }
    /** @description The service is up and its store answers. */
    readonly Health: {
      /** @enum {unknown} */
      readonly status: 'healthy'
      readonly version: string
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly timestamp: string
      /** @description Decisions recorded, of all callers. */
      readonly total_verifications: number
      readonly message: string
      /** @enum {unknown} */
      readonly mode: 'shadow'
      /** @enum {unknown} */
      readonly environment: 'sandbox'
    }
    readonly HeldProof: {
      /**
       * @description `pending`: recorded, and sealed within seconds. Ask again.
       * @enum {unknown}
       */
      readonly status: 'sealed' | 'pending'
      readonly record: components['schemas']['ProvenLeaf'] | null
      readonly override: components['schemas']['ProvenLeaf'] | null
      readonly checkpoint: components['schemas']['Checkpoint'] | null
    }
    /** @description What the decision did about the risk, beside a world in which nobody had asked. */
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
      /** @description Present when this record repeats another during a cooldown; what is shown is of that one. */
      readonly cooldown?: {
        /** @description The record that was computed; ask there for counterfactuals. */
        readonly source_request_id: string
      }
    }
    /** @description The rules, from the constants that the scorer uses. */
    readonly Methodology: {
      readonly model_version: string
      readonly engine_version: string
      readonly formula: string
      readonly signals: readonly {
        readonly signal: components['schemas']['SignalName']
        readonly weight: number
        readonly reason_code: components['schemas']['ReasonCode']
        readonly rationale: string
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
    /** @description As they are in force for the key that asks. */
    readonly OrganisationSettings: {
      /** @description The label that the key was issued with. */
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
        /** @description Those that are validated; any other is answered with DEGRADED. */
        readonly permitted: readonly string[]
      }
      /** @description What this key may use. */
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
        /** @description A live key, and a feed for every signal. */
        readonly live_mode: boolean
      }
      /** @description Roles, by the scope that each needs. */
      readonly audit_users: readonly {
        readonly role: string
        /** @enum {unknown} */
        readonly scope: 'decision:read' | 'audit:read' | 'override:create' | 'webhook:manage'
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
        /** @description Decisions recorded with this key. */
        readonly verifications_this_key: number
      }
    }
    readonly OutcomeRequest: {
      /** @description How it ended. `PENDING` leaves that open: one more report may follow. */
      readonly outcome: components['schemas']['PaymentOutcome']
      /** @description When it ended: an ISO 8601 date-time after the decision, not in the future. The time of the report, unless given. */
      readonly occurred_at?: string
    }
    /** @description A person's word on the decision; the decision itself never changes. */
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
    }
    readonly OverrideEvent: {
      /** @enum {unknown} */
      readonly event: 'payment.override.created'
      /** @description The same at every attempt: use it to tell repeats. */
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
      /** @description The decision, from a verify answer. */
      readonly request_id: string
      /**
       * @description What is to be done with the payment instead.
       * @enum {unknown}
       */
      readonly action: 'EXECUTE' | 'HOLD' | 'REJECT'
      /** @description Your own code, in upper snake case. */
      readonly reason_code: string
      /** @description Why, in words; kept for ever. */
      readonly justification: string
    }
    readonly PartnerRankingRequest: {
      /** @description FROM-TO: two-letter codes in any case (`GB-NG`), three-letter codes, or country names. */
      readonly corridor: string
      /** @description In units of the currency. Missing is not zero. */
      readonly amount?: number
      /** @description ISO 4217; `GBP` when missing. */
      readonly currency?: string
      /** @description Names of your choice, each once. Each has its own simulated network, liquidity and history. */
      readonly partners: readonly string[]
    }
    /** @description Every partner, scored by the same engine. Nothing is stored. */
    readonly PartnerRankingResponse: {
      readonly corridor: string
      readonly amount: number | null
      readonly currency: string
      /** @enum {unknown} */
      readonly mode: 'shadow'
      readonly recommended_partner: string | null
      readonly partner_count: number
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly evaluated_at: string
      /** @description Best first; equal scores by name. */
      readonly ranked_partners: readonly {
        readonly rank: number
        readonly partner: string
        readonly decision: components['schemas']['Decision']
        readonly score: number
        readonly recommended_action: components['schemas']['RecommendedAction']
      }[]
    }
    /** @enum {unknown} */
    readonly PaymentOutcome: 'COMPLETED' | 'FAILED' | 'DELAYED' | 'REJECTED' | 'PENDING'
    readonly ProbeDetail: {
      readonly signal: components['schemas']['SignalLabel']
      /** @description 1.0 is clear. */
      readonly risk_value: number
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
    readonly ProfileResult: {
      readonly decision: components['schemas']['Decision']
      readonly score: number
      readonly go_threshold: number
      /** @description A DEGRADED, or a GO that the balanced profile would not give: verify again before release. */
      readonly recheck_required: boolean
      readonly profile_label: string
      readonly recommended_action: components['schemas']['RecommendedAction']
      /** @description Where the profile bounds it: how long the answer may be acted on. */
      readonly valid_for_seconds?: number
    }
    readonly ProvenLeaf: {
      readonly leaf_index: number
      /** @description SHA-256 in base64. */
      readonly leaf_hash: string
      /** @description The text of which `leaf_hash` is the leaf hash of RFC 6962. */
      readonly leaf: string
      /** @description From the leaf up: PATH of RFC 6962. */
      readonly inclusion_path: readonly string[]
    }
    readonly RateLimit: {
      readonly requests: number
      readonly window_seconds: number
    }
    /** @description Each item is looked up as it is asked for, also while the store is down. */
    readonly Readiness: {
      /** @description Items that are ready. */
      readonly enterprise_readiness: number
      readonly items_total: number
      /** @enum {unknown} */
      readonly sandbox_capability: 'ready' | 'not_ready'
      /** @enum {unknown} */
      readonly production_capability: 'ready' | 'not_ready'
      /** @description Sixteen items today. */
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
    /** @description The new endpoint with its secret. */
    readonly RegisteredWebhook: {
      readonly webhook_id: string
      readonly url: string
      /** @description The kinds of events that it is told of. */
      readonly events: readonly ('payment.decision.created' | 'payment.override.created')[]
      readonly description: string | null
      /** @enum {unknown} */
      readonly status: 'active'
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly created_at: string
      /** @description Shown this once: `whsec_` and base64 of 32 bytes. */
      readonly secret: string
    }
    /** @description It is gone; what waited for it is not sent. */
    readonly RemovedWebhook: {
      readonly webhook_id: string
      /** @enum {unknown} */
      readonly status: 'deleted'
    }
    readonly ReplayRequest: {
      /** @description FROM-TO: two-letter codes in any case (`GB-NG`), three-letter codes, or country names. */
      readonly corridor: string
      /** @description In units of the currency. Missing is not zero. */
      readonly amount?: number
      /** @description ISO 4217; `GBP` when missing. */
      readonly currency?: string
      /** @description When it was made: an ISO 8601 date or date-time, not in the future. */
      readonly occurred_at?: string
      /** @description How it ended. */
      readonly actual_outcome?: components['schemas']['PaymentOutcome']
    }
    /** @description What would have been said. Nothing is stored, and no cooldown is set or read. */
    readonly ReplayResponse: {
      readonly corridor: string
      readonly corridor_supported: boolean
      readonly amount: number | null
      readonly currency: string
      /** @enum {unknown} */
      readonly mode: 'shadow'
      readonly occurred_at: string | null
      readonly actual_outcome: components['schemas']['PaymentOutcome'] | null
      readonly verdict: {
        /** @description Whether it would have been held or blocked. */
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
    }
    /** @description How the payment ended, as its owner reported it. */
    readonly ReportedOutcome: {
      readonly request_id: string
      readonly outcome: components['schemas']['PaymentOutcome']
      readonly occurred_at: string | null
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly reported_at: string
    }
    /** @description The endpoint with its new secret. */
    readonly RotatedWebhook: {
      readonly webhook_id: string
      readonly url: string
      /** @description The kinds of events that it is told of. */
      readonly events: readonly ('payment.decision.created' | 'payment.override.created')[]
      readonly description: string | null
      /** @enum {unknown} */
      readonly status: 'active'
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly created_at: string
      /** @description The new secret; shown this once. */
      readonly secret: string
      /**
       * Format: date-time
       * @description Until then `webhook-signature` carries a signature of the old secret too.
       */
      readonly previous_secret_expires_at: string
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
    /** @description Where each signal came from and how far it was trusted. */
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
        /** @description 1.0 is clear. */
        readonly risk_value: number
        readonly label: components['schemas']['SignalLabel']
        /** @enum {unknown} */
        readonly category: 'fx' | 'network' | 'settlement' | 'liquidity' | 'compliance'
        /** @enum {unknown} */
        readonly source: 'simulation' | 'live'
        readonly confidence: number
        readonly reason_code: components['schemas']['ReasonCode'] | null
        readonly feed: {
          /** @enum {unknown} */
          readonly kind: 'http' | 'fx-series' | 'outcomes' | 'constant'
          /** @description As the provider gave it. */
          readonly value: number | boolean | string
          readonly observed_at: string | null
          readonly age_ms: number | null
          readonly history: {
            readonly have: number
            readonly need: number
          } | null
        } | null
      }[]
      /** @description Present when this record repeats another during a cooldown; what is shown is of that one. */
      readonly cooldown?: {
        /** @description The record that was computed; ask there for counterfactuals. */
        readonly source_request_id: string
      }
    }
    /** @description The feeds that exist, with what the probe last saw of each, and those to come. */
    readonly SignalStatus: {
      readonly available: {
        readonly feeds: readonly {
          readonly feed: string
          readonly signal: components['schemas']['SignalName']
          /** @enum {unknown} */
          readonly category: 'fx' | 'network' | 'settlement' | 'liquidity' | 'compliance'
          /** @enum {unknown} */
          readonly source: 'simulation' | 'live'
          readonly last_observation: components['schemas']['Observation'] | null
          /** @description The last of each corridor, newest first. */
          readonly observations: readonly components['schemas']['Observation'][]
          readonly live: {
            /** @enum {unknown} */
            readonly kind: 'http' | 'fx-series' | 'outcomes' | 'constant'
            /** @enum {unknown} */
            readonly status: 'healthy' | 'failing' | 'not_read_yet'
            /**
             * @description Of the circuit breaker: `open` means that the provider is not asked for a while.
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
      /** @enum {unknown} */
      readonly environment: 'sandbox'
      /**
       * Format: date
       * @description YYYY-MM-DD, UTC.
       */
      readonly last_updated: string
    }
    readonly SignalValues: {
      /** @description Open fraud and AML flags; zero is clear. */
      readonly fraud_flags: number
      readonly network_healthy: boolean
      readonly balance_sufficient: boolean
      /** @enum {unknown} */
      readonly fx_volatility: 'low' | 'high'
      readonly operation_valid: boolean
      readonly historical_failure_rate: number
      readonly cop_overridden: boolean
    }
    readonly SummaryCorridor: {
      readonly corridor: string
      readonly total: number
      readonly GO: number
      readonly DEGRADED: number
      readonly 'NO-GO': number
      readonly average_score: number | null
    }
    /** @description From the arrival of a request until its record was prepared; the commit that followed is not in it. Percentiles are interpolated within their bucket, and null where nothing was measured; beyond the last bound they are that bound. */
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
       * @description On the hour, or at midnight UTC; the first step begins where the range does.
       */
      readonly starts_at: string
      readonly GO: number
      readonly DEGRADED: number
      readonly 'NO-GO': number
      readonly average_score: number | null
    }
    readonly TestEvent: {
      /** @enum {unknown} */
      readonly event: 'webhook.test'
      /** @description The same at every attempt: use it to tell repeats. */
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
    /** @description It is on its way; the deliveries of the endpoint show how it fared. */
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
    /** @description The ten measured moments of the decision. */
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
        /** @description Since the event before. */
        readonly duration_ms: number
      }[]
      /** @description The sum of the durations. */
      readonly total_duration_ms: number
      /** @description Of a record that repeats another: `events` are of that one, these its own. */
      readonly cooldown?: {
        /** @description The record that was computed; ask there for counterfactuals. */
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
          /** @description Since the event before. */
          readonly duration_ms: number
        }[]
        readonly own_total_duration_ms: number
      }
    }
    readonly Transaction: {
      /** @description FROM-TO: two-letter codes in any case (`GB-NG`), three-letter codes, or country names. */
      readonly corridor: string
      /** @description Unique in the batch; given to rows that have none. */
      readonly id?: string
      /** @description In units of the currency. Missing is not zero. */
      readonly amount?: number
      /** @description ISO 4217; `GBP` when missing. */
      readonly currency?: string
      /** @description What became of it. */
      readonly actual_outcome?: components['schemas']['PaymentOutcome']
      /** @description When it was made: an ISO 8601 date or date-time. */
      readonly timestamp?: string
      /** @description The rail that it took; of no weight. */
      readonly rail?: string
    }
    readonly Verification: {
      readonly request_id: string
      readonly corridor: string
      readonly decision: components['schemas']['Decision']
      readonly score: number
      readonly confidence: number
      readonly amount: number | null
      /** @description The request's own currency. */
      readonly currency: string
      readonly mode: components['schemas']['Mode']
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly evaluated_at: string
      readonly correlation_id: string | null
      /** @description Null while there is none. */
      readonly human_override: components['schemas']['Override'] | null
      /** @description Null while none is reported. */
      readonly outcome: components['schemas']['ReportedOutcome'] | null
      /**
       * Format: date-time
       * @description What the history is ordered by.
       */
      readonly recorded_at: string
    }
    readonly VerificationsSummary: {
      /**
       * Format: date-time
       * @description What was asked for, widened to whole hours.
       */
      readonly from: string
      /**
       * Format: date-time
       * @description Not included; likewise widened.
       */
      readonly to: string
      /**
       * @description Of `series`: hours for up to 72 hours asked for, else days in UTC.
       * @enum {unknown}
       */
      readonly step: 'hour' | 'day'
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
      /** @description To two decimals, half up; null where there is no decision. */
      readonly average_score: number | null
      readonly average_confidence: number | null
      /** @description Decisions that repeated another during a cooldown. */
      readonly cooldown_hits: number
      /** @description Every step of the range, in order. */
      readonly series: readonly components['schemas']['SummaryStep'][]
      /** @description Scores from `from` and below `to`; 1.00 is in the last. */
      readonly scores: readonly {
        readonly from: number
        readonly to: number
        readonly count: number
      }[]
      /** @description Most frequent first, those that did not come up left out. A decision may have several. */
      readonly reasons: readonly {
        readonly code: components['schemas']['ReasonCode']
        readonly count: number
      }[]
      /** @description Most traffic first, 50 at most. */
      readonly corridors: readonly components['schemas']['SummaryCorridor'][]
      /** @description How many there are in all. */
      readonly corridors_total: number
      readonly latency_ms: components['schemas']['SummaryLatency']
    }
    readonly VerifyRequest: {
      /** @description FROM-TO: two-letter codes in any case (`GB-NG`), three-letter codes, or country names. */
      readonly corridor: string
      /** @description In units of the currency. Missing is not zero. */
      readonly amount?: number
      /** @description ISO 4217; `GBP` when missing. */
      readonly currency?: string
      /** @description A unique key of your own; a UUID is a good one. Also taken from the header `Idempotency-Key`. */
      readonly idempotency_key?: string
      /** @description Your own reference: echoed and kept with the record. */
      readonly correlation_id?: string
    }
    /** @description The decision and the evidence behind it. */
    readonly VerifyResponse: {
      readonly decision: components['schemas']['Decision']
      readonly score: number
      /** @description Independent of the score. */
      readonly confidence: number
      readonly recommended_action: components['schemas']['RecommendedAction']
      readonly recommended_partner: string | null
      readonly reasons: readonly components['schemas']['Reason'][]
      /** @description Kept for older integrations; prefer `reasons`. */
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
      readonly corridor: string
      readonly corridor_supported: boolean
      readonly validation_note: string
      readonly currency: string | null
      readonly mode: components['schemas']['Mode']
      /** @enum {unknown} */
      readonly environment: 'sandbox' | 'production'
      /** @description Standard deviation of recent scores of the corridor. */
      readonly volatility: number
      /** @description Signals evaluated. */
      readonly probe_count: number
      readonly signals: components['schemas']['SignalValues']
      readonly probe_details: components['schemas']['ProbeDetails']
      readonly decision_model: string
      readonly api_version: string
      /** @description Present when a recent NO-GO of this corridor was returned without computing again. */
      readonly cooldown?: {
        readonly source_request_id: string
        /**
         * Format: date-time
         * @description ISO 8601, UTC.
         */
        readonly expires_at: string
      }
      /** @description True when this is an earlier answer under the same key. */
      readonly idempotency_hit: boolean
      /** @description Server-side processing time in milliseconds. */
      readonly response_ms: number
    }
    /** @description An endpoint, without its secret. */
    readonly Webhook: {
      readonly webhook_id: string
      readonly url: string
      /** @description The kinds of events that it is told of. */
      readonly events: readonly ('payment.decision.created' | 'payment.override.created')[]
      readonly description: string | null
      /** @enum {unknown} */
      readonly status: 'active'
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly created_at: string
    }
    readonly WebhookRequest: {
      /** @description https, to a public address; events are sent to it by POST. */
      readonly url: string
      /** @description The kinds of events to be told of; all, if it is left out. */
      readonly events?: readonly ('payment.decision.created' | 'payment.override.created')[]
      /** @description For people. */
      readonly description?: string | null
    }
  }
  responses: {
    /** @description The request is not valid; `errors` says what is wrong with which member. */
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
    /** @description The request is not valid; `errors` says what is wrong with which member. */
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
    /** @description The key is valid but may not do this. */
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
    /** @description There is no such record for this key. */
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
    /** @description It clashes with what is kept: an idempotency key with another body, a second override, or a second outcome. */
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
    /** @description The body is of a content type that this path does not take. */
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
    /** @description The request is well formed, but what it asks for cannot be. */
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
    /** @description The rate limit is exceeded; wait `Retry-After` seconds. */
    readonly Error429: {
      headers: {
        readonly 'X-Request-ID': components['headers']['X-Request-ID']
        readonly 'X-SVC-Version': components['headers']['X-SVC-Version']
        readonly 'X-SVC-Environment': components['headers']['X-SVC-Environment']
        readonly RateLimit: components['headers']['RateLimit']
        readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy']
        /** @description Seconds until a place is free. */
        readonly 'Retry-After'?: number
        readonly [name: string]: unknown
      }
      content: {
        readonly 'application/json': components['schemas']['Error']
      }
    }
    /** @description A fault on our side. */
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
    /** @description What is needed for an answer is unavailable (signals, the store, the captcha service): hold, never allow, and retry after `Retry-After` seconds. */
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
    /** @description A file name to save it under. */
    readonly 'Content-Disposition': string
    /** @description The next page, while there is one. */
    readonly Link: string
    /** @description Places left in the window and seconds until one is free, as `"name";r=99;t=60`. */
    readonly RateLimit: string
    /** @description Places and seconds of the window, as `"name";q=100;w=60`. */
    readonly 'RateLimit-Policy': string
    /** @description Seconds to hold before asking again. */
    readonly 'Retry-After': number
    /** @description How to authenticate. */
    readonly 'WWW-Authenticate': string
    /** @description The id of this request; of its record, where there is one. */
    readonly 'X-Request-ID': string
    /** @description `sandbox`, or `production` for live mode. */
    readonly 'X-SVC-Environment': string
    /** @description The major version of the API. */
    readonly 'X-SVC-Version': string
    /** @description Of a CSV answer: what JSON tells in `warnings`, in ASCII. */
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
      /** @description The service is up and its store answers. */
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
      /** @description The rules, from the constants that the scorer uses. */
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
        /** @description What the key is for, unless given. A test key cannot ask for live. */
        readonly mode?: 'shadow' | 'live'
      }
      readonly header?: {
        /** @description As `idempotency_key` in the body; when both are given they must be the same. */
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
      /** @description The decision and the evidence behind it. */
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
        /** @description Records a page. */
        readonly limit?: number
        /** @description From the `Link` header of the page before. */
        readonly cursor?: string
        /** @description The decision. */
        readonly decision?: components['schemas']['Decision']
        readonly corridor?: string
        /** @description Recorded at this time or later; ISO 8601. */
        readonly from?: string
        /** @description Recorded before this time; ISO 8601. */
        readonly to?: string
        /** @description Records with exactly this one. */
        readonly correlation_id?: string
        /** @description As JSON unless given, or asked for by `Accept`. */
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
  readonly verificationsSummary: {
    readonly parameters: {
      readonly query?: {
        /** @description Recorded at this time or later; ISO 8601. 24 hours before `to` unless given. */
        readonly from?: string
        /** @description Recorded before this time; ISO 8601. Now unless given. At most 366 days after `from`. */
        readonly to?: string
        readonly corridor?: string
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
  readonly audit: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        /** @description From a verify answer. */
        readonly request_id: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description The record as it was written; it never changes. An override is put beside it. */
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
        /** @description As JSON unless given, or asked for by `Accept`. */
        readonly format?: 'json' | 'csv'
      }
      readonly header?: never
      readonly path: {
        /** @description The `request_id` of a verify answer. */
        readonly id: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description The bundle. As CSV: a line for each value, with its JSON pointer and its type. */
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
        /** @description The `request_id` of a verify answer. */
        readonly id: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description That this record, and its override, are in the log that the checkpoint signs. */
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
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': components['schemas']['CheckpointAnswer']
        }
      }
      readonly 400: components['responses']['Error400Unlimited']
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
      /** @description A person's word on the decision; the decision itself never changes. */
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
          readonly 'application/json': components['schemas']['Override']
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
        /** @description The `request_id` of a verify answer. */
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
      /** @description How the payment ended, as its owner reported it. */
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
          readonly 'application/json': components['schemas']['ReportedOutcome']
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
  readonly explainDecision: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        /** @description The `request_id` of a verify answer. */
        readonly id: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description How the decision came about, from what was kept with it. */
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
        /** @description The `request_id` of a verify answer. */
        readonly id: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description What the decision did about the risk, beside a world in which nobody had asked. */
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
        /** @description The `request_id` of a verify answer. */
        readonly id: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description The ten measured moments of the decision. */
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
        /** @description The `request_id` of a verify answer. */
        readonly decision_id: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Where each signal came from and how far it was trusted. */
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
  readonly corridorHealth: {
    readonly parameters: {
      readonly query?: {
        /** @description In GBP: how it is doing for payments of this size. Everyday ones unless given. */
        readonly amount?: number
      }
      readonly header?: never
      readonly path: {
        /** @description As in verify: `GB-NG`, three-letter codes or country names. */
        readonly corridor: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description IMPAIRED when a live signal cannot be read, the score of the signals is below 0.48, three or more are flagged, or one is CRITICAL; DEGRADED when one is flagged or the score is below 0.80; otherwise OPERATIONAL. */
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
      /** @description What would have been said. Nothing is stored, and no cooldown is set or read. */
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
      /** @description Each item is looked up as it is asked for, also while the store is down. */
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
      /** @description The feeds that exist, with what the probe last saw of each, and those to come. */
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
      /** @description Where the Corridor Intelligence Platform stands. */
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
  readonly organisationSettings: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description As they are in force for the key that asks. */
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
        /** @description From the registration. */
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
        /** @description From the registration. */
        readonly webhook_id: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description It is gone; what waited for it is not sent. */
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
        /** @description From the registration. */
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
        /** @description From the registration. */
        readonly webhook_id: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description It is on its way; the deliveries of the endpoint show how it fared. */
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
        /** @description Deliveries a page. */
        readonly limit?: number
        /** @description From the `Link` header of the page before. */
        readonly cursor?: string
        /** @description Only those that were given up. */
        readonly status?: 'dropped'
      }
      readonly header?: never
      readonly path: {
        /** @description From the registration. */
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
      /** @description The request is recorded. A live key, if it is approved, comes by another way. */
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
  readonly demoVerify: {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /** @description Everything has a default: an empty body will do. */
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
      /** @description One score against the threshold of each profile. Nothing is stored. */
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
  readonly batchAssess: {
    readonly parameters: {
      readonly query?: {
        /** @description Of the answer; unless told, as `Accept` asks, else JSON. */
        readonly format?: 'json' | 'csv'
        /** @description For a CSV body, which cannot carry one. */
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
      /** @description The report. As CSV: the rows, with the members of an assessment as columns. */
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
  readonly 'payment.decision.created': {
    readonly parameters: {
      readonly query?: never
      readonly header: {
        /** @description The number of the attempt. */
        readonly 'X-SVC-Attempt': string
        /** @description Lower-case hex of HMAC-SHA256 over the body; the key is the whole secret. */
        readonly 'X-SVC-Signature': string
        /** @description As `event_id`. */
        readonly 'webhook-id': string
        /** @description Seconds since 1970, of this attempt. */
        readonly 'webhook-timestamp': string
        /** @description As Standard Webhooks has it: `v1,` and base64; several while a secret is replaced. */
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
      /** @description Taken. Anything else, or nothing within 5 seconds, is tried again. */
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
        /** @description Lower-case hex of HMAC-SHA256 over the body; the key is the whole secret. */
        readonly 'X-SVC-Signature': string
        /** @description As `event_id`. */
        readonly 'webhook-id': string
        /** @description Seconds since 1970, of this attempt. */
        readonly 'webhook-timestamp': string
        /** @description As Standard Webhooks has it: `v1,` and base64; several while a secret is replaced. */
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
      /** @description Taken. Anything else, or nothing within 5 seconds, is tried again. */
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
        /** @description Lower-case hex of HMAC-SHA256 over the body; the key is the whole secret. */
        readonly 'X-SVC-Signature': string
        /** @description As `event_id`. */
        readonly 'webhook-id': string
        /** @description Seconds since 1970, of this attempt. */
        readonly 'webhook-timestamp': string
        /** @description As Standard Webhooks has it: `v1,` and base64; several while a secret is replaced. */
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
      /** @description Taken. Anything else, or nothing within 5 seconds, is tried again. */
      readonly '2XX': {
        headers: {
          readonly [name: string]: unknown
        }
        content?: never
      }
    }
  }
}
