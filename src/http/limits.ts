/** Every limit of the HTTP edge, by name. */

export const limits = {
  bodyBytesMax: 65_536,
  nestingMax: 32,
  amountMax: 1e15,
  correlationIdLengthMax: 255,
  idempotencyKeyLengthMax: 255,
  historyPageDefault: 50,
  historyPageMax: 500,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  keepAliveTimeoutMs: 65_000,
  timeoutsCheckedEveryMs: 1_000,
  /** How long a caller is asked to wait when a signal provider, or the store, does not answer. */
  signalsRetryAfterSeconds: 120,
  storeRetryAfterSeconds: 5,
} as const

/** An idempotency key: what an HTTP header can carry as it is. */
export const idempotencyKeyPattern = '^[\\x20-\\x7e]*$'
