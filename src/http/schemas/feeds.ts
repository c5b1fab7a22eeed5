/** Schemas of live feeds. */

import { Type } from 'typebox'
import { Timestamp } from './common.ts'
import type { BreakerState, FeedFault as Fault, FeedKind as Kind } from '../../app/ports/feeds.ts'

/** Lists every value of a string type; the compiler requires all of them. */
const namesOf = <Name extends string>(names: Readonly<Record<Name, true>>): Name[] =>
  Object.keys(names) as Name[]

export const FeedKind = Type.Enum(
  namesOf<Kind>({ http: true, 'fx-series': true, outcomes: true, constant: true }),
)

export const Breaker = Type.Enum(namesOf<BreakerState>({ closed: true, open: true, half_open: true }), {
  description: 'The state of the circuit breaker. `open`: requests to the provider are suspended.',
})

export const FeedFault = Type.Enum(
  namesOf<Fault>({
    no_feed: true,
    refused: true,
    timeout: true,
    connection_lost: true,
    bad_status: true,
    redirect: true,
    oversized: true,
    unreadable: true,
    no_value: true,
    wrong_type: true,
    out_of_range: true,
    stale: true,
    no_history: true,
    breaker_open: true,
    store_unavailable: true,
  }),
  { description: 'Why a signal is unavailable; see docs/live.md.' },
)

/** The state of a live feed on one instance. */
export const LiveFeedState = {
  kind: FeedKind,
  status: Type.Enum(['healthy', 'failing', 'not_read_yet']),
  breaker: Breaker,
  last_read_at: Type.Union([Timestamp, Type.Null()]),
  last_observed_at: Type.Union([Timestamp, Type.Null()]),
  last_fault: Type.Union([FeedFault, Type.Null()]),
}

export const FeedValue = Type.Union([Type.Number(), Type.Boolean(), Type.String()], {
  description: 'The value sent by the provider.',
})
