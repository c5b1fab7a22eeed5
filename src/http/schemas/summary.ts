/** Schemas of the verification summary, which is not part of the original contract. */

import { Type } from 'typebox'
import { corridorLengthMax } from '../../core/reference/corridor.ts'
import { latencyBinCount, scoreBinCount } from '../../core/time/rollup.ts'
import { dayMs } from '../../core/time/durations.ts'
import { zonedRangeMsMax } from '../../core/time/summary.ts'
import { listQuery } from '../input/paging.ts'
import { recordedAtMembers } from '../input/times.ts'
import { summaryCorridorsMax } from '../../app/inspect/summary.ts'
import { Mode, named, nullable, ReasonCode, Score, Timestamp } from './common.ts'

const Count = Type.Integer({ minimum: 0 })
const Average = nullable(Type.Number({ minimum: 0, maximum: 1 }))
const Milliseconds = nullable(Type.Number({ minimum: 0 }))
const counts = { GO: Count, DEGRADED: Count, 'NO-GO': Count }

const SummaryStep = named(
  'SummaryStep',
  Type.Object({
    starts_at: Type.String({
      format: 'date-time',
      description:
        'On the hour, or the first full hour of a day. The first step starts at the start of the range.',
    }),
    ...counts,
    average_score: Average,
  }),
)

const SummaryCorridor = named(
  'SummaryCorridor',
  Type.Object({ corridor: Type.String(), total: Count, ...counts, average_score: Average }),
)

const SummaryLatency = named(
  'SummaryLatency',
  Type.Object(
    {
      p50: Milliseconds,
      p95: Milliseconds,
      p99: Milliseconds,
      buckets: Type.Array(
        Type.Object({
          up_to_ms: nullable(
            Type.Number({
              description: 'Inclusive. Null for the last bucket, which counts all longer times.',
            }),
          ),
          count: Count,
        }),
        { minItems: latencyBinCount, maxItems: latencyBinCount },
      ),
    },
    {
      description:
        'From the arrival of a request until its record is prepared, without the commit. Percentiles are interpolated within a bucket, capped at the last bound, and null without measurements.',
    },
  ),
)

export const VerificationsSummary = named(
  'VerificationsSummary',
  Type.Object({
    from: Type.String({
      format: 'date-time',
      description: 'The requested start, rounded down to a full hour.',
    }),
    to: Type.String({
      format: 'date-time',
      description: 'The requested end, exclusive, rounded up to a full hour.',
    }),
    step: Type.Enum(['hour', 'day'], {
      description:
        'The step of `series`: hours for a requested range of up to 72 hours, otherwise days of `time_zone`.',
    }),
    time_zone: Type.String({ description: 'The time zone of daily steps.' }),
    generated_at: Timestamp,
    total: Count,
    decisions: Type.Object(counts),
    average_score: Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()], {
      description: 'Rounded half up to two decimals. Null without decisions.',
    }),
    average_confidence: Average,
    cooldown_hits: Type.Integer({
      minimum: 0,
      description: 'Decisions that repeated another during a cooldown.',
    }),
    series: Type.Array(SummaryStep, { description: 'Every step of the range, oldest first.' }),
    scores: Type.Array(Type.Object({ from: Score, to: Score, count: Count }), {
      minItems: scoreBinCount,
      maxItems: scoreBinCount,
      description: 'Scores of at least `from` and below `to`. The last range includes 1.00.',
    }),
    reasons: Type.Array(Type.Object({ code: ReasonCode, count: Count }), {
      description: 'Most frequent first, without codes that did not occur. A decision may have several.',
    }),
    corridors: Type.Array(SummaryCorridor, {
      maxItems: summaryCorridorsMax,
      description: `Most traffic first, at most ${summaryCorridorsMax}.`,
    }),
    corridors_total: Type.Integer({
      minimum: 0,
      description: 'Number of corridors, including those not listed.',
    }),
    latency_ms: SummaryLatency,
  }),
)

export const SummaryQuery = listQuery({
  ...recordedAtMembers({
    from: ' Defaults to 24 hours before `to`.',
    to: ' Defaults to now. At most 366 days after `from`.',
  }),
  corridor: Type.Optional(Type.String({ minLength: 1, maxLength: corridorLengthMax })),
  mode: Type.Optional(Mode),
  time_zone: Type.Optional(
    Type.String({
      maxLength: 64,
      description: `The IANA time zone of daily steps. Defaults to UTC, which also applies to a range of more than ${zonedRangeMsMax / dayMs} days.`,
    }),
  ),
})
