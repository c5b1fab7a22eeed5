/** The ten timed events of a decision, in order. */

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

interface TimelineMoment {
  readonly event: TimelineEvent
  /** Since the epoch, in microseconds. */
  readonly atUs: number
  /** Since the previous event. */
  readonly durationUs: number
}

export interface Timeline {
  readonly moments: readonly TimelineMoment[]
  /** The sum of the durations. */
  readonly totalUs: number
}

/** Offsets are in the order of `timelineEvents`; null for an event that did not happen. */
export function timelineOf(receivedAtMs: number, offsetsUs: readonly (number | null)[]): Timeline {
  const moments: TimelineMoment[] = []
  let totalUs = 0
  for (const [index, event] of timelineEvents.entries()) {
    const offsetUs = offsetsUs[index] ?? null
    if (offsetUs === null) continue
    moments.push({ event, atUs: receivedAtMs * 1000 + offsetUs, durationUs: offsetUs - totalUs })
    totalUs = offsetUs
  }
  return { moments, totalUs }
}
