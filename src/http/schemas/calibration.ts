/** Schemas of calibration. */

import { Type } from 'typebox'
import { recordsMin } from '../../core/calibration/rate.ts'
import { signalNames } from '../../core/decision/signals.ts'
import { corridorLengthMax } from '../../core/reference/corridor.ts'
import { listQuery } from '../input/paging.ts'
import { recordedAtMembers } from '../input/times.ts'
import { Mode, named, nullable, Timestamp } from './common.ts'
import { PolicyDocument } from './policies.ts'

const Count = Type.Integer({ minimum: 0 })
const Share = nullable(Type.Number({ minimum: 0, maximum: 1 }))

const rateMembers = {
  records: { ...Count, description: 'Payments with a final outcome.' },
  failures: { ...Count, description: 'Those that `FAILED` or were `REJECTED`.' },
  rate: Share,
  low: Share,
  high: Share,
}

const FailureRate = named(
  'FailureRate',
  Type.Object(rateMembers, {
    description: `The rate and its Wilson interval of 95%; all three are null below ${recordsMin} records.`,
  }),
)

const Probability = Type.Number({ minimum: 0, maximum: 1 })

const ReliabilityBin = named(
  'ReliabilityBin',
  Type.Object({
    from: { ...Probability, description: 'Predicted probability of failure, 1 − score, from here on.' },
    to: { ...Probability, description: 'Below this one; the last bin includes 1.' },
    ...rateMembers,
  }),
)

const curveMembers = {
  with_outcome: { ...Count, description: 'Those with a final outcome; `PENDING` is none.' },
  failures: { ...Count, description: 'Those that `FAILED` or were `REJECTED`.' },
  brier: nullable(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description:
        'The mean of (1 − score − failed)², over decisions with a final outcome: 0 is perfect. Null without any.',
    }),
  ),
  reliability: Type.Array(ReliabilityBin, { minItems: 10, maxItems: 10 }),
}

export const CalibrationCurve = named(
  'CalibrationCurve',
  Type.Object(curveMembers, {
    description: 'What the scores of the rows predicted, beside how the payments ended.',
  }),
)

export const Calibration = named(
  'Calibration',
  Type.Object({
    from: { ...Timestamp, description: 'Recorded at this time or later: the start of a UTC day.' },
    to: { ...Timestamp, description: 'Recorded before this time: the end of a UTC day.' },
    records: { ...Count, description: 'Decisions.' },
    ...curveMembers,
    signals: Type.Array(
      Type.Object({ signal: Type.Enum([...signalNames]), flagged: FailureRate, clear: FailureRate }),
      { minItems: signalNames.length, maxItems: signalNames.length },
    ),
    censored: {
      ...Count,
      description:
        '`NO-GO` decisions without a final outcome. Nobody will know how these payments would have ended, so the rates are those of payments that were made.',
    },
    no_data: {
      ...Count,
      description:
        'Live decisions on corridors without data. They predict nothing and are in no other figure.',
    },
    series: Type.Array(Type.Object({ from: Timestamp, to: Timestamp, ...rateMembers }), {
      description: 'Failures over time, by the time of the decision: steps of 1, 7 or 30 days.',
    }),
    suggestion: nullable(PolicyDocument),
    suggestion_reason: Type.String({
      description:
        'The suggestion is the mildest tightening that the outcomes support, added to your policy in force. This says why, or why there is none.',
    }),
  }),
)

export const CalibrationQuery = listQuery({
  ...recordedAtMembers({
    from: ' Defaults to 365 days before `to`.',
    to: ' Defaults to now. Both are widened to whole UTC days.',
  }),
  mode: Type.Optional(Mode),
  corridor: Type.Optional(Type.String({ maxLength: corridorLengthMax, description: 'Only this corridor.' })),
})
