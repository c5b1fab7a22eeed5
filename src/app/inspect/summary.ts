/** Summarises an owner's decisions in a time range: verdicts, scores, reasons, corridors and latency. */

import type { Mode } from '../../core/identity/api-key.ts'
import type { Corridor } from '../../core/reference/corridor.ts'
import { latencyBoundsUs, scoreBinHundredths } from '../../core/time/rollup.ts'
import {
  averageHundredths,
  widenToHours,
  percentileUs,
  stepMs,
  stepStarts,
  zonedRangeMsMax,
  type Range,
  type Step,
} from '../../core/time/summary.ts'
import { dayStartsIn } from '../../core/time/zone.ts'
import { iso } from '../../core/time/durations.ts'
import type { Clock } from '../ports/system.ts'
import type { Store } from '../ports/store.ts'
import type { Summed, SummedDecisions } from '../ports/records.ts'

/** The response lists at most this many corridors; filter by corridor for the rest. */
export const summaryCorridorsMax = 50

export interface SummaryRequest {
  readonly ownerId: string
  readonly range: Range
  readonly step: Step
  readonly corridor: Corridor | null
  readonly mode: Mode | null
  /** An IANA name: the zone of daily steps. */
  readonly timeZone: string
}

export function createSummarise({ store, clock }: { readonly store: Store; readonly clock: Clock }) {
  return async ({ ownerId, range: requested, step, corridor, mode, ...request }: SummaryRequest) => {
    const range = widenToHours(requested)
    const isZoned = request.timeZone !== utc && step === 'day' && range.toMs - range.fromMs <= zonedRangeMsMax
    const timeZone = step === 'hour' || isZoned ? request.timeZone : utc
    // Local days are made of hours: a UTC day belongs to two of them.
    const query = {
      range,
      step: isZoned ? 'hour' : step,
      corridor,
      mode,
      corridorsMax: summaryCorridorsMax,
    } as const
    const summed = await store.forOwner(ownerId).summarise(query)
    const { totals } = summed
    return {
      from: iso(range.fromMs),
      to: iso(range.toMs),
      step,
      time_zone: timeZone,
      generated_at: iso(clock.nowMs()),
      total: totals.total,
      decisions: totals.verdicts,
      average_score: averageOf(totals.scoreSum, totals.total),
      average_confidence: averageOf(totals.confidenceSum, totals.total),
      cooldown_hits: totals.cooldownHits,
      series: isZoned ? zonedSeriesOf(range, timeZone, summed.steps) : seriesOf(range, step, summed.steps),
      scores: totals.scores.map((count, bin) => ({ ...scoreEdges(bin), count })),
      reasons: totals.reasons
        .filter(({ count }) => count > 0)
        .toSorted((left, right) => right.count - left.count),
      corridors: summed.corridors.map(({ corridor: name, total, scoreSum, verdicts: shares }) => ({
        corridor: name,
        total,
        ...shares,
        average_score: averageOf(scoreSum, total),
      })),
      corridors_total: summed.corridorsTotal,
      latency_ms: latencyOf(totals.latencies),
    }
  }
}

const empty: SummedDecisions = { total: 0, scoreSum: 0, verdicts: { GO: 0, DEGRADED: 0, 'NO-GO': 0 } }

const utc = 'UTC'

const sumOf = (all: readonly SummedDecisions[]): SummedDecisions =>
  all.reduce(
    (sum, one) => ({
      total: sum.total + one.total,
      scoreSum: sum.scoreSum + one.scoreSum,
      verdicts: {
        GO: sum.verdicts.GO + one.verdicts.GO,
        DEGRADED: sum.verdicts.DEGRADED + one.verdicts.DEGRADED,
        'NO-GO': sum.verdicts['NO-GO'] + one.verdicts['NO-GO'],
      },
    }),
    empty,
  )

/** The days of a time zone, summed up from hours. */
function zonedSeriesOf(range: Range, timeZone: string, hours: Summed['steps']) {
  const starts = dayStartsIn(timeZone, range)
  return starts.map((fromMs, place) => {
    const ofDay = stepStarts({ fromMs, toMs: starts[place + 1] ?? range.toMs }, 'hour').flatMap(
      (atMs) => hours.get(atMs) ?? [],
    )
    const { total, scoreSum, verdicts } = sumOf(ofDay)
    return { starts_at: iso(fromMs), ...verdicts, average_score: averageOf(scoreSum, total) }
  })
}

/** Includes steps without records. */
function seriesOf(range: Range, step: Step, steps: Summed['steps']) {
  return stepStarts(range, step).map((atMs) => {
    const { total, scoreSum, verdicts } = steps.get(atMs - (atMs % stepMs[step])) ?? empty
    return { starts_at: iso(atMs), ...verdicts, average_score: averageOf(scoreSum, total) }
  })
}

function scoreEdges(bin: number): { from: number; to: number } {
  return { from: (bin * scoreBinHundredths) / 100, to: ((bin + 1) * scoreBinHundredths) / 100 }
}

function latencyOf(latencies: readonly number[]) {
  const percentile = (percent: number): number | null => {
    const us = percentileUs(latencies, percent)
    return us === null ? null : us / 1000
  }
  return {
    p50: percentile(50),
    p95: percentile(95),
    p99: percentile(99),
    buckets: latencies.map((count, bin) => {
      const boundUs = latencyBoundsUs[bin]
      return { up_to_ms: boundUs === undefined ? null : boundUs / 1000, count }
    }),
  }
}

function averageOf(sumHundredths: number, total: number): number | null {
  const hundredths = averageHundredths(sumHundredths, total)
  return hundredths === null ? null : hundredths / 100
}
