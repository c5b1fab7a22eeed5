/** The limits of the HTTP API. */

import { emailLengthMax } from '../core/identity/access.ts'
import { amountMax } from '../core/assess/transaction.ts'
import { webhookUrlLengthMax } from '../core/events/webhook.ts'
import { minuteMs } from '../core/time/durations.ts'

export const limits = {
  bodyBytesMax: 65_536,
  batchBodyBytesMax: 1_048_576,
  policyBodyBytesMax: 393_216,
  nestingMax: 32,
  amountMax,
  correlationIdLengthMax: 255,
  idempotencyKeyLengthMax: 255,
  partnersMin: 2,
  partnersMax: 50,
  partnerNameLengthMax: 100,
  reportNameLengthMax: 200,
  overrideReasonLengthMax: 64,
  justificationLengthMax: 2_000,
  accessNameLengthMax: 200,
  accessEmailLengthMax: emailLengthMax,
  accessReasonLengthMax: 2_000,
  captchaTokenLengthMax: 4_096,
  webhookUrlLengthMax,
  webhookDescriptionLengthMax: 200,
  /** Tolerates a caller's clock that is slightly ahead. */
  occurredAheadMsMax: 5 * minuteMs,
  warningHeaderLengthMax: 1_000,
  historyPageDefault: 50,
  historyPageMax: 500,
  eventsPageDefault: 100,
  eventsPageMax: 1_000,
  /** Less than `responseMsMax`. */
  eventsWaitSecondsMax: 30,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  keepAliveTimeoutMs: 65_000,
  /** From the arrival of a request until its response has been taken. */
  responseMsMax: 60_000,
  timeoutsCheckedEveryMs: 1_000,
  /** `Retry-After` when a signal provider, the store or the captcha service does not respond, or under overload. */
  signalsRetryAfterSeconds: 120,
  storeRetryAfterSeconds: 5,
  captchaRetryAfterSeconds: 30,
  overloadRetryAfterSeconds: 2,
  /** Only an operator can revoke a sandbox key, so one day is an estimate. */
  accessQuotaRetryAfterSeconds: 86_400,
} as const

/** An idempotency key holds only characters that an HTTP header can carry unencoded. */
export const idempotencyKeyPattern = '^[\\x20-\\x7e]*$'

/** The id of a change or a request in the register of the caller. */
export const referencePattern = '^[A-Za-z0-9][A-Za-z0-9._:/#-]{0,99}$'
/** One word, so that it names no folder beside the archives. */
export const archiveNamePattern = '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$'
export const sha256Pattern = '^[0-9a-f]{64}$'
export const monthPattern = '^\\d{4}-\\d{2}$'
export const limitPattern = '^\\d{1,9}/\\d{1,6}$'
