/** Every subset of the signals with every fault of a provider, told to the provider by the payment's amount. */

import { EventEmitter, once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import type { After } from '../../../src/app/ports/system.ts'
import { signalNames, type SignalName } from '../../../src/core/decision/signals.ts'
import { calm, providerBody, text, unwell, type Reply, type Unwell } from './provider.ts'

export const everySubset = Array.from({ length: 2 ** signalNames.length - 1 }, (_, place) => place + 1)
export const faults = Object.keys(unwell) as Unwell[]

/** Which signals are hit, a bit for each in their order, and by what. The amount of the payment tells the provider. */
export interface Case {
  readonly subset: number
  readonly fault: Unwell | 'refused'
}

export const amountOf = ({ subset, fault }: Case): number => subset + 1_000 * faults.indexOf(fault as Unwell)
export const healthyAmount = 0

const isHit = (subset: number, signal: string): boolean =>
  (subset & (1 << signalNames.indexOf(signal as SignalName))) !== 0
export const hitBy = (subset: number): SignalName[] =>
  signalNames.filter((signal) => isHit(subset, signal)).toSorted()

/** The answer of a provider to a payment of this amount. */
export function replyFor(signal: string, amount: number): Reply {
  const well = providerBody(calm[signal as SignalName])
  const fault = faults[Math.floor(amount / 1_000)]
  return fault !== undefined && isHit(amount % 1_000, signal) ? unwell[fault](well) : text(well)
}

export const casesOf = (fault: Case['fault']): Case[] => everySubset.map((subset) => ({ subset, fault }))

/** These end by the deadline alone. */
export const endless = ['hanging', 'dripping'] as const satisfies Unwell[]
/** So many requests at once, each with seven connections of its own. */
export const together = 16

/** Deadlines that come when the test says so: once nothing but the endless is waited for, however busy the machine is. */
export class ManualDeadlines {
  readonly #waiting = new Set<() => void>()
  readonly #changed = new EventEmitter()
  #begun = 0

  readonly after: After = (_ms, work) => {
    this.#waiting.add(work)
    this.#begun += 1
    return () => {
      this.#waiting.delete(work)
      this.#changed.emit('cancelled')
    }
  }

  /** Ends those that are left, once all have begun and so many are. */
  async endAt(begun: number, left: number): Promise<void> {
    this.#begun = 0
    do await once(this.#changed, 'cancelled')
    while (this.#begun < begun || this.#waiting.size > left)
    // The last answer is on its way to its request: it gets there within this turn.
    await setImmediate()
    for (const work of this.#waiting) work()
  }
}
