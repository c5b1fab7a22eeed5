/** Exports the public API of @fairway/client. */

export { FairwayClient } from './client.ts'
export { defaultLimits } from './options.ts'
export type { BatchOptions, FairwayClientOptions, OutcomesOptions, VerifyOptions } from './options.ts'
export { allows } from './decision.ts'
export type { Allowed, Decided, Hold, VerifyResult } from './decision.ts'
export {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  FairwayError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
  TimeoutError,
  UnavailableError,
  UnexpectedAnswerError,
  UnprocessableError,
} from './errors.ts'
export type { Failure } from './errors.ts'
export { EventStream } from './events.ts'
export type { EventStreamOptions } from './events.ts'
export { Listing } from './listing.ts'
export type { Page } from './listing.ts'
export type { CallLimits, CallOptions } from './request.ts'
export type { Runtime } from './runtime.ts'
export type * from './types.ts'
export { verifyWebhook, WebhookVerificationError } from './webhook.ts'
export type { VerifyWebhookOptions, WebhookFault, WebhookHeaders } from './webhook.ts'
export type { components, operations, paths } from './openapi.ts'
