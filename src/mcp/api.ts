/** The way to the API that the tools are given: by HTTP from a host's process, or from within the service. */

export interface ApiCall {
  readonly method: 'GET' | 'POST'
  /** With its query. */
  readonly path: string
  /** Null for a GET. */
  readonly body: Readonly<Record<string, unknown>> | null
}

/** Why there is no answer. The members are those of an error of the API. */
export interface Failure {
  /** No answer now, as on a 503 or without a server: a hold, not a refusal. */
  readonly isHold: boolean
  readonly code: string | null
  readonly message: string
  /** Whether the message is ours, with nothing in it that somebody sent. */
  readonly isOwnMessage: boolean
  readonly requestId: string | null
  readonly retryAfterSeconds: number | null
  readonly errors: readonly unknown[]
  readonly unavailableSignals: readonly string[]
}

export type ApiAnswer =
  | { readonly kind: 'answered'; readonly body: unknown; readonly link: string | null }
  | { readonly kind: 'failed'; readonly failure: Failure }

/** The way to the API: with the caller's own key, and nothing else of ours. */
export interface Api {
  send(call: ApiCall, signal: AbortSignal): Promise<ApiAnswer>
  newIdempotencyKey(): string
}

/** One failure of our own, before anything is sent. */
export const localFailure = (message: string, isHold = false): Failure => ({
  isHold,
  code: null,
  message,
  isOwnMessage: true,
  requestId: null,
  retryAfterSeconds: null,
  errors: [],
  unavailableSignals: [],
})
