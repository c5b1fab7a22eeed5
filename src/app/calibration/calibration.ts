/** Compares what an owner's decisions predicted with how the payments ended. */

import { figuresOf } from '../../core/calibration/figures.ts'
import { rateOf } from '../../core/calibration/rate.ts'
import { suggest, type Suggestion } from '../../core/calibration/suggestion.ts'
import type { Mode } from '../../core/identity/api-key.ts'
import { lifeOf } from '../../core/policy/life.ts'
import type { PolicyDocument } from '../../core/policy/document.ts'
import type { Corridor } from '../../core/reference/corridor.ts'
import { ceilTo, dayMs, floorTo, iso } from '../../core/time/durations.ts'
import type { Range } from '../../core/time/summary.ts'
import { compilePolicy } from '../policy/compile.ts'
import type { PolicyLibrary } from '../policy/library.ts'
import type { CalibrationSums } from '../ports/records.ts'
import type { Store } from '../ports/store.ts'

export interface CalibrationRequest {
  readonly ownerId: string
  readonly range: Range
  readonly mode: Mode | null
  readonly corridor: Corridor | null
}

/** A series has the finest of these steps with at most `stepsMax` of them; of longer ranges, more of the coarsest. */
const stepDays = [1, 7, 30] as const
const stepsMax = 62

export type Calibrate = ReturnType<typeof createCalibrate>

export function createCalibrate({
  store,
  library,
}: {
  readonly store: Store
  readonly library: PolicyLibrary
}) {
  return async ({ ownerId, range: requested, mode, corridor }: CalibrationRequest) => {
    const range = widenToDays(requested)
    const { cells, days } = await store.forOwner(ownerId).calibrate({ range, mode, corridor })
    const { document, reason } = thatFits(suggest(cells, { mode, corridor }, await activeOf(ownerId)))
    return {
      from: iso(range.fromMs),
      to: iso(range.toMs),
      ...figuresOf(cells),
      series: seriesOf(range, days),
      suggestion: document,
      suggestion_reason: reason,
    }
  }

  /** A suggestion takes the place of this one, so it must contain it. */
  async function activeOf(ownerId: string): Promise<PolicyDocument | null> {
    const { activeId } = lifeOf(await store.policies.changes(ownerId))
    return activeId === null ? null : (await library.find(activeId)).document
  }
}

/** The core knows no language, so it cannot count the steps of rules. */
function thatFits(suggestion: Suggestion): Suggestion {
  if (suggestion.document === null || compilePolicy(suggestion.document).kind === 'compiled')
    return suggestion
  const reason =
    'The policy in force has no room for another rule: its rules would take too many steps together.'
  return { document: null, reason }
}

/** Counts are kept by UTC day. */
function widenToDays({ fromMs, toMs }: Range): Range {
  return { fromMs: floorTo(dayMs, fromMs), toMs: ceilTo(dayMs, toMs) }
}

/** The failures over time, by the day of the decision. Includes steps without outcomes, from the first to the last with any. */
function seriesOf({ fromMs, toMs }: Range, days: CalibrationSums['days']) {
  const times = days.map(({ startsAtMs }) => startsAtMs)
  if (times.length === 0) return []
  const [firstMs, lastMs] = [Math.min(...times), Math.max(...times)]
  const spanMs = lastMs + dayMs - firstMs
  const stepMs = dayMs * (stepDays.find((step) => spanMs <= step * dayMs * stepsMax) ?? stepDays[2])
  // Steps count from the start of the range, so that they stay where they are while days are added.
  const stepOf = (atMs: number): number => Math.floor((atMs - fromMs) / stepMs)
  const sums = new Map<number, { records: number; failures: number }>()
  for (const { startsAtMs, records, failures } of days) {
    const sum = sums.get(stepOf(startsAtMs)) ?? { records: 0, failures: 0 }
    sums.set(stepOf(startsAtMs), {
      records: sum.records + records,
      failures: sum.failures + failures,
    })
  }
  const count = stepOf(lastMs) - stepOf(firstMs) + 1
  return Array.from({ length: count }, (_, place) => {
    const step = stepOf(firstMs) + place
    return {
      from: iso(fromMs + step * stepMs),
      to: iso(Math.min(toMs, fromMs + (step + 1) * stepMs)),
      ...rateOf(sums.get(step) ?? { records: 0, failures: 0 }),
    }
  })
}
