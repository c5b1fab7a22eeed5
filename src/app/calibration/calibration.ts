/** Compares what an owner's decisions predicted with how the payments ended. */

import { figuresOf, sumOf } from '../../core/calibration/figures.ts'
import { rateOf } from '../../core/calibration/rate.ts'
import { suggest } from '../../core/calibration/suggestion.ts'
import { capFor, type Policy } from '../../core/decision/policy.ts'
import type { Mode } from '../../core/identity/api-key.ts'
import { lifeOf } from '../../core/policy/life.ts'
import type { PolicyDocument } from '../../core/policy/document.ts'
import type { Corridor } from '../../core/reference/corridor.ts'
import type { Currency } from '../../core/reference/currency.ts'
import { ceilTo, dayMs, floorTo, iso } from '../../core/time/durations.ts'
import type { Range } from '../../core/time/summary.ts'
import { compilePolicy } from '../policy/compile.ts'
import type { PolicyLibrary } from '../policy/library.ts'
import type { PolicyOwner } from '../ports/policies.ts'
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

export interface CalibrateDeps {
  readonly store: Store
  readonly library: PolicyLibrary
  /** The caps of the contract and of the settings. */
  readonly policy: Policy
}

export function createCalibrate({ store, library, policy }: CalibrateDeps) {
  return async ({ ownerId, range: requested, mode, corridor }: CalibrationRequest) => {
    const range = widenToDays(requested)
    const { cells, days } = await store.forOwner(ownerId).calibrate({ range, mode, corridor })
    const inForce = {
      own: await activeOf(ownerId),
      installation: await activeOf(null),
      capOf: (currency: string) => capFor(policy, currency as Currency),
    }
    const { document, reason } = suggest(cells, { mode, corridor }, inForce, isValid)
    return {
      from: iso(range.fromMs),
      to: iso(range.toMs),
      ...figuresOf(cells),
      series: seriesOf(range, days),
      suggestion: document,
      suggestion_reason: reason,
    }
  }

  async function activeOf(ownerId: PolicyOwner): Promise<PolicyDocument | null> {
    const { activeId } = lifeOf(await store.policies.changes(ownerId))
    return activeId === null ? null : (await library.find(activeId)).document
  }
}

/** The core knows no language, so it cannot count the steps of rules. */
const isValid = (document: PolicyDocument): boolean => compilePolicy(document).kind === 'compiled'

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
  // Steps count from the epoch, so that they stay where they are while days are added.
  const stepOf = (atMs: number): number => Math.floor(atMs / stepMs)
  const sums = Map.groupBy(days, ({ startsAtMs }) => stepOf(startsAtMs))
  const count = stepOf(lastMs) - stepOf(firstMs) + 1
  return Array.from({ length: count }, (_, place) => {
    const step = stepOf(firstMs) + place
    return {
      from: iso(Math.max(fromMs, step * stepMs)),
      to: iso(Math.min(toMs, (step + 1) * stepMs)),
      ...rateOf(sumOf(sums.get(step) ?? [])),
    }
  })
}
