/** Port of holds: requests to verify that got no decision, counted by minute. */

import type { Mode } from '../../core/identity/api-key.ts'

/** Why a request was held: the code of the error and, after a colon, the signals that could not be read. */
export type HoldReason = string

export interface Held {
  readonly ownerId: string
  readonly mode: Mode
  /** As it was sent, if it is one; empty if the request was not read. */
  readonly corridor: string
  readonly reason: HoldReason
  readonly requests: number
  readonly minuteAtMs: number
  readonly lastAtMs: number
}

/** The holds of a stretch, by corridor and reason. */
export interface HeldSum extends Pick<Held, 'mode' | 'corridor' | 'reason' | 'requests' | 'lastAtMs'> {
  readonly firstMinuteAtMs: number
}

export interface HoldStore {
  /** Adds to what is counted already. */
  add(held: readonly Held[]): Promise<void>
  /** Newest first. */
  sums(ownerId: string, mode: Mode | null, sinceMs: number): Promise<HeldSum[]>
}
