/** Schemas of corridors: their health, partners and calendars. */

import { Type } from 'typebox'
import { corridorStatuses } from '../../core/explain/corridor-health.ts'
import { liveStatuses } from '../../core/live/corridor-status.ts'
import { labelFloors } from '../../core/decision/signals.ts'
import { named, nullable, SignalName, Timestamp, Verdict, Mode, Score } from './common.ts'
import { Breaker, FeedFault, FeedKind } from './feeds.ts'
import { SettlementWindow } from './verify.ts'

const Bucket = named(
  'CorridorBucket',
  Type.Object({
    status: Type.Enum([...labelFloors.map(([label]) => label), 'NO_DATA']),
    risk_value: nullable(
      Type.Number({ minimum: 0, maximum: 1, description: 'The value of the worst signal. 1.0 is clear.' }),
    ),
    signals: Type.Array(SignalName),
  }),
)

const FeedAge = named(
  'FeedAge',
  Type.Object({
    signal: SignalName,
    kind: nullable(FeedKind),
    status: Type.Enum(['fresh', 'assumed', 'unavailable']),
    observed_at: nullable(Timestamp),
    age_ms: nullable(Type.Integer({ minimum: 0 })),
    fault: nullable(FeedFault),
    breaker: nullable(Breaker),
  }),
)

const Hours = Type.Array(
  named(
    'ObservedHour',
    Type.Object({
      hour: Timestamp,
      observations: Type.Integer({ minimum: 1 }),
      availability: Type.Number({
        minimum: 0,
        maximum: 1,
        description: 'Share of the observations in which every probed signal could be read.',
      }),
      score: nullable(Score),
    }),
  ),
  {
    description:
      'What the probe observed in each of the last 24 hours, oldest first: of the signals that need no payment.',
  },
)

const CorridorPartner = named(
  'CorridorPartner',
  Type.Object({
    partner: Type.String({ description: 'The id.' }),
    name: Type.String({ description: 'For display.' }),
    decision: nullable(Verdict),
    score: nullable(Score),
    fee: nullable(Type.Number({ minimum: 0, description: 'Null if it is not known for this payment.' })),
    fee_currency: nullable(Type.String()),
    amount_max: nullable(Type.Number({ description: 'The largest payment that it takes.' })),
    available: Type.Boolean({ description: 'Whether it can be read and takes the amount.' }),
    unavailable_signals: Type.Array(SignalName),
    status: nullable(
      Type.Enum([...liveStatuses], { description: 'As last announced. Null before the first observation.' }),
    ),
    status_since: nullable(Timestamp),
    feeds: Type.Array(FeedAge),
    last_24_hours: Hours,
  }),
)

export const CorridorHealth = named(
  'CorridorHealth',
  Type.Object(
    {
      corridor: Type.String(),
      corridor_supported: Type.Boolean(),
      amount: nullable(Type.Number({ description: 'The requested amount. Null for typical payments.' })),
      currency: Type.String({ description: 'The currency of the assessed payments.' }),
      status: Type.Enum([...corridorStatuses]),
      data_environment: Type.Enum(['mixed', 'simulation']),
      live_signals: Type.Integer({ minimum: 0, description: 'Number of signals read from a live feed.' }),
      signals: Type.Object({
        fx: Bucket,
        network: Bucket,
        settlement: Bucket,
        liquidity: Bucket,
        compliance: Bucket,
      }),
      advisory: Type.String(),
      cooldown: nullable(
        Type.Object(
          { source_request_id: Type.String(), expires_at: Timestamp },
          { description: 'An open cooldown: verify repeats this NO-GO until then.' },
        ),
      ),
      feeds: Type.Array(FeedAge, {
        description:
          'The current state of each live feed; with partners, of the best one. Empty if the signals are simulated.',
      }),
      recommended_partner: nullable(
        Type.String({ description: 'The declared partner that verify would recommend now. Live mode only.' }),
      ),
      partners: Type.Array(CorridorPartner, {
        description: 'The declared partners, best first, then those that are not ranked. Live mode only.',
      }),
      calendar: nullable(
        Type.Object(SettlementWindow, {
          description: 'The open settlement window, or the next one. Null without a valid calendar.',
        }),
      ),
      last_24_hours: Hours,
      environment: Type.Enum(['sandbox', 'production']),
      evaluated_at: Timestamp,
    },
    {
      description:
        'IMPAIRED if a live signal is unavailable, the score is below 0.48, three or more signals are flagged, or one is CRITICAL. DEGRADED if a signal is flagged or the score is below 0.80. Otherwise OPERATIONAL.',
    },
  ),
)

export const CorridorList = named(
  'CorridorList',
  Type.Object({
    mode: Mode,
    corridors: Type.Array(
      named(
        'SupportedCorridor',
        Type.Object({
          corridor: Type.String(),
          settlement_currency: nullable(Type.String()),
          currencies: Type.Array(Type.String()),
          partners: Type.Array(Type.Object({ partner: Type.String(), name: Type.String() })),
          has_calendar: Type.Boolean(),
        }),
      ),
    ),
  }),
)

export const CorridorCalendar = named(
  'CorridorCalendar',
  Type.Object(
    {
      time_zone: Type.String(),
      open: nullable(Type.Boolean({ description: 'Null if the calendar is expired.' })),
      opens_at: nullable(Timestamp),
      cut_off_at: nullable(Timestamp),
      next_window: nullable(Type.Object({ opens_at: Timestamp, cut_off_at: Timestamp })),
      holidays: Type.Array(Type.String({ format: 'date' })),
      valid_through: nullable(Type.String({ format: 'date' })),
      source: nullable(Type.String()),
    },
    {
      description:
        'The settlement calendar. `opens_at` and `cut_off_at` are those of the open window, or of the next one; `next_window` is the first that opens later. All are null if it is expired.',
    },
  ),
)
