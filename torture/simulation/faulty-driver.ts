/** A store whose database is real and whose way to it is not: it is slow, it refuses, it loses answers, it dies in the middle. */

import { StoreUnavailable } from '../../src/app/ports/store.ts'
import type { Change, ChangeName } from '../../src/adapters/store/engine/named-changes.ts'
import type { Driver } from '../../src/adapters/store/engine/driver.ts'
import type { Chance } from '../random.ts'
import type { Life, Schedule } from './schedule.ts'

/** `faulty`: some calls are refused, of some the answer is lost. `down`: all are refused. */
type StoreMood = 'well' | 'slow' | 'faulty' | 'down'

export interface Weather {
  store: StoreMood
  /** Faults that were made so far. */
  faults: number
}

/** A change that was made, whether or not anybody was told. */
export interface Made {
  readonly name: ChangeName
  readonly values: readonly unknown[]
  readonly result: unknown
}

export interface FaultyDeps {
  readonly weather: Weather
  readonly schedule: Schedule
  readonly life: Life
  readonly chance: Chance
  /** Told of each change at the moment at which it is made. */
  readonly onMade: (made: Made) => void
}

const delayMsMax: Readonly<Record<StoreMood, number>> = { well: 3, slow: 400, faulty: 40, down: 40 }

type Fault = 'none' | 'refused' | 'lost'

export function faultyDriver(inner: Driver, deps: FaultyDeps): Driver {
  const { weather, schedule, life, chance, onMade } = deps

  function faultNow(): Fault {
    const drawn = chance.next()
    if (weather.store === 'down') return 'refused'
    if (weather.store !== 'faulty') return 'none'
    return drawn < 0.15 ? 'refused' : drawn < 0.3 ? 'lost' : 'none'
  }

  /** Half the way there, half the way back. */
  function call<Result>(work: () => Promise<Result>, mayOutlive: boolean): Promise<Result> {
    const thereMs = chance.below(delayMsMax[weather.store])
    const backMs = chance.below(delayMsMax[weather.store])
    const fault = faultNow()
    // Work that is on its way when the process dies may still be done.
    const isDoneAtCrash = mayOutlive && chance.next() < 0.5
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
      onMade({ name, values, result })
      return result
    }, true)
  return {
    ...inner,
    read: (script) => call(() => inner.read(script), false),
    change,
    close: () => Promise.resolve(),
  }
}
