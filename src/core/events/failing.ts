/**
 * How a failing host is spared, by delay alone: its owner's failing endpoints have one attempt at a time, ever later, until
 * one is delivered. No attempt is counted that was not made.
 */

import { dayMs, hourMs } from '../time/durations.ts'

/** A host is spared after so many failures. As many as an owner may have endpoints: each may fail once. */
export const hostFailuresMax = 20
/** A host that has not failed for so long is as any other. Longer than the longest pause. */
export const hostRememberedMs = hourMs
/** An endpoint that fails for so long is suspended. */
const unansweredMaxMs = 7 * dayMs
/** A failure so long after the one before begins anew: nothing is known of the time between. */
const silenceMaxMs = dayMs

/** Failures without a delivery between them. */
export interface FailureRun {
  readonly sinceMs: number
  readonly failedAtMs: number
}

/** The shortest and the longest pause between two attempts to a failing endpoint. */
export interface Pauses {
  readonly minMs: number
  readonly maxMs: number
}

export function pausesOf(retryDelaysMs: readonly number[]): Pauses {
  return { minMs: retryDelaysMs[0] ?? 0, maxMs: Math.max(0, ...retryDelaysMs) }
}

/** A clock that was set back begins a run anew, too. */
export function afterFailure(before: FailureRun | null, atMs: number): FailureRun {
  const isSameRun =
    before !== null && atMs >= before.sinceMs && Math.abs(atMs - before.failedAtMs) <= silenceMaxMs
  return { sinceMs: isSameRun ? before.sinceMs : atMs, failedAtMs: atMs }
}

/** The pause is as long as the run, so each is twice as long as the one before. */
export function heldUntilMs({ sinceMs, failedAtMs }: FailureRun, { minMs, maxMs }: Pauses): number {
  return failedAtMs + Math.min(maxMs, Math.max(minMs, failedAtMs - sinceMs))
}

/** A hold that ends later than the longest pause means that the clock was set back. */
export function isHeld(untilMs: number | null, nowMs: number, { maxMs }: Pauses): boolean {
  return untilMs !== null && nowMs < untilMs && untilMs - nowMs <= maxMs
}

export function isUnanswered({ sinceMs, failedAtMs }: FailureRun): boolean {
  return failedAtMs - sinceMs >= unansweredMaxMs
}
