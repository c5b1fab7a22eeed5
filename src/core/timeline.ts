/** The ten measured moments of a decision, in their order. */

export const timelineEvents = [
  'request_received',
  'key_authenticated',
  'request_validated',
  'idempotency_checked',
  'cooldown_checked',
  'signals_evaluated',
  'score_computed',
  'policy_applied',
  'reasons_derived',
  'record_prepared',
] as const

export type TimelineEvent = (typeof timelineEvents)[number]
