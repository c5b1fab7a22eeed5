/** The options of the client and of its calls. */

import type { CallLimits, CallOptions } from './request.ts'
import type { Runtime } from './runtime.ts'
import type * as wire from './types.ts'

export interface FairwayClientOptions extends Omit<CallOptions, 'signal'> {
  /** The URL of the service: `https://fairway.example.com`, with or without a path. */
  readonly baseUrl: string
  /** Not required for the demo, health and other public endpoints. */
  readonly apiKey?: string | undefined
  /** In a browser, in place of a key: calls carry the cookie of the person who is signed in. */
  readonly session?: true | undefined
  /** Replaces fetch, clock, timers or random numbers: for tests, proxies and instrumentation. */
  readonly runtime?: Partial<Runtime> | undefined
}

export interface VerifyOptions extends CallOptions {
  /**
   * One per payment, so that a retry never decides twice. Defaults to a new key for each call: set one if you may
   * repeat an aborted call.
   */
  readonly idempotencyKey?: string | undefined
  /** Defaults to the mode of the API key. */
  readonly mode?: wire.Mode | undefined
}

export interface BatchOptions extends CallOptions {
  /** The report name for a CSV body, which cannot contain one. */
  readonly reportName?: string | undefined
}

export interface OutcomesOptions extends CallOptions {
  /** Checks every row and records nothing. */
  readonly dryRun?: boolean | undefined
}

/** Four retries after 1, 2, 4 and 8 seconds, as the contract prescribes for a 500. */
export const defaultLimits: CallLimits = { maxRetries: 4, timeoutMs: 10_000, totalTimeoutMs: 60_000 }
