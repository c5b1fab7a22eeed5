/** A store driver with injected faults on a real database: delays, refusals, lost answers, and crashes midway. */

import { StoreUnavailable } from '../../src/app/ports/store.ts'
import type { Change, ChangeName } from '../../src/adapters/store/engine/named-changes.ts'
import type { Driver } from '../../src/adapters/store/engine/driver.ts'
import { createLongRead } from '../../src/adapters/store/engine/reads/long-reads.ts'
import type { Rng } from '../random.ts'
import type { Life, Schedule } from './schedule.ts'

/** `faulty`: some calls are refused, and some answers are lost. `down`: all calls are refused. */
type StoreCondition = 'healthy' | 'slow' | 'faulty' | 'down'

export interface Weather {
  store: StoreCondition
  /** The number of faults injected so far. */
  faults: number
}

/** A change that the database applied, whether or not its answer arrived. */
export interface AppliedChange {
  readonly name: ChangeName
  readonly values: readonly unknown[]
  readonly result: unknown
}

export interface FaultyDeps {
  readonly weather: Weather
  readonly schedule: Schedule
  readonly life: Life
  readonly rng: Rng
  /** Called when a change is applied. */
  readonly onApplied: (change: AppliedChange) => void
}

const delayMsMax: Readonly<Record<StoreCondition, number>> = { healthy: 3, slow: 400, faulty: 40, down: 40 }

type Fault = 'none' | 'refused' | 'lost'

export function faultyDriver(inner: Driver, deps: FaultyDeps): Driver {
  const { weather, schedule, life, rng, onApplied } = deps

  function faultNow(): Fault {
    const drawn = rng.next()
    if (weather.store === 'down') return 'refused'
    if (weather.store !== 'faulty') return 'none'
    return drawn < 0.15 ? 'refused' : drawn < 0.3 ? 'lost' : 'none'
  }

  /** Delays the request and the answer separately. */
  function call<Result>(work: () => Promise<Result>, mayOutlive: boolean): Promise<Result> {
    const thereMs = rng.below(delayMsMax[weather.store])
    const backMs = rng.below(delayMsMax[weather.store])
    const fault = faultNow()
    // Work in flight when the process crashes may still be done.
    const isDoneAtCrash = mayOutlive && rng.next() < 0.5
    const atCrash = (): void => void (isDoneAtCrash && fault !== 'refused' && work().catch(() => {}))
    return new Promise((resolve, reject) => {
      const fail = (): void => {
        weather.faults += 1
        reject(new StoreUnavailable(`the simulated store is ${weather.store}`))
      }
      const arrive = (): void => {
        if (fault === 'refused') return fail()
        const answer = work()
        answer.catch(() => {})
        const back = (): void => (fault === 'lost' ? fail() : void answer.then(resolve, reject))
        if (backMs === 0) back()
        else schedule.after(backMs, back, { life })
      }
      schedule.after(thereMs, arrive, { life, atCrash })
    })
  }

  const change: Change = (name, ...values) =>
    call(async () => {
      const result = await inner.change(name, ...values)
      onApplied({ name, values, result })
      return result
    }, true)
  const read: Driver['read'] = (script) => call(() => inner.read(script), false)
  return {
    ...inner,
    read,
    longRead: createLongRead(read),
    change,
    close: () => Promise.resolve(),
  }
}
