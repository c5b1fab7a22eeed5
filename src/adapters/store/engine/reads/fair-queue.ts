/** Runs few long reads at a time, and those of each owner in turn, so that nobody waits for another's many. */

import { ReadsBusy } from '../../../../app/ports/store.ts'
import type { Driver } from '../driver.ts'
import type { AnyLongRead, LongRead } from './long-reads.ts'

/** Far more than the pages of a console need. */
const bounds = { waitingMax: 1_024, waitingPerOwnerMax: 64 } as const

/** The first value of most long reads is the owner; those of operators are one more. */
export function withFairReads(driver: Driver): Driver {
  const inTurn = createFairQueue({ atOnceMax: driver.longReadsMax, ...bounds })
  const read = driver.longRead as AnyLongRead
  const longRead: AnyLongRead = (name, ...values) => {
    const [owner] = values
    return inTurn(typeof owner === 'string' ? owner : '', () => read(name, ...values))
  }
  return { ...driver, longRead: longRead as LongRead }
}

export interface FairQueueOptions {
  readonly atOnceMax: number
  readonly waitingMax: number
  readonly waitingPerOwnerMax: number
}

export type FairQueue = <Result>(ownerId: string, work: () => Promise<Result>) => Promise<Result>

/** Throws `ReadsBusy` if too many wait, in all or of one owner. */
export function createFairQueue({ atOnceMax, waitingMax, waitingPerOwnerMax }: FairQueueOptions): FairQueue {
  /** Of each owner, in their turn: the first is served, and goes to the end if it has more. */
  const queues = new Map<string, (() => void)[]>()
  let waiting = 0
  let running = 0

  function next(): void {
    const [first] = queues
    if (first === undefined || running >= atOnceMax) return
    const [ownerId, queue] = first
    const start = queue.shift()
    queues.delete(ownerId)
    if (queue.length > 0) queues.set(ownerId, queue)
    waiting -= 1
    running += 1
    start?.()
  }

  return async (ownerId, work) => {
    const queue = queues.get(ownerId) ?? []
    if (waiting >= waitingMax || queue.length >= waitingPerOwnerMax)
      throw new ReadsBusy('too many long reads are waiting')
    const turn = new Promise<void>((resolve) => queue.push(resolve))
    queues.set(ownerId, queue)
    waiting += 1
    next()
    await turn
    try {
      return await work()
    } finally {
      running -= 1
      next()
    }
  }
}
