/** The summary of a time: an addition of ours, beside the original contract. */

import { Type } from 'typebox'
import { corridorLengthMax } from '../../core/reference/corridor.ts'
import { latencyBinCount, scoreBinCount } from '../../core/time/rollup.ts'
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
      description: 'On the hour, or at midnight UTC; the first step begins where the range does.',
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
            Type.Number({ description: 'Inclusive; null of the last one, which has all that took longer.' }),
          ),
          count: Count,
        }),
        { minItems: latencyBinCount, maxItems: latencyBinCount },
      ),
    },
    {
      description:
        'From the arrival of a request until its record was prepared; the commit that followed is not in it. Percentiles are interpolated within their bucket, and null where nothing was measured; beyond the last bound they are that bound.',
    },
  ),
)

export const VerificationsSummary = named(
  'VerificationsSummary',
  Type.Object({
    from: Type.String({ format: 'date-time', description: 'What was asked for, widened to whole hours.' }),
    to: Type.String({ format: 'date-time', description: 'Not included; likewise widened.' }),
    step: Type.Enum(['hour', 'day'], {
      description: 'Of `series`: hours for up to 72 hours asked for, else days in UTC.',
    }),
    generated_at: Timestamp,
    total: Count,
    decisions: Type.Object(counts),
    average_score: Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()], {
      description: 'To two decimals, half up; null where there is no decision.',
    }),
    average_confidence: Average,
    cooldown_hits: Type.Integer({
      minimum: 0,
      description: 'Decisions that repeated another during a cooldown.',
    }),
    series: Type.Array(SummaryStep, { description: 'Every step of the range, in order.' }),
    scores: Type.Array(Type.Object({ from: Score, to: Score, count: Count }), {
      minItems: scoreBinCount,
      maxItems: scoreBinCount,
      description: 'Scores from `from` and below `to`; 1.00 is in the last.',
    }),
    reasons: Type.Array(Type.Object({ code: ReasonCode, count: Count }), {
      description: 'Most frequent first, those that did not come up left out. A decision may have several.',
    }),
    corridors: Type.Array(SummaryCorridor, {
      maxItems: summaryCorridorsMax,
      description: `Most traffic first, ${summaryCorridorsMax} at most.`,
    }),
    corridors_total: Type.Integer({ minimum: 0, description: 'How many there are in all.' }),
    latency_ms: SummaryLatency,
  }),
)

export const SummaryQuery = Type.Object({
  ...recordedAtMembers({
    from: ' 24 hours before `to` unless given.',
    to: ' Now unless given. At most 366 days after `from`.',
  }),
  corridor: Type.Optional(Type.String({ minLength: 1, maxLength: corridorLengthMax })),
  mode: Type.Optional(Mode),
})
