/** Runs the sealer. Logs once when sealing starts to fail and once when it recovers. */

import { openSigning, Sealer, type SigningDeps } from './sealer.ts'

export interface SealingDeps extends SigningDeps {
  readonly log: { warn(fields: object, message: string): void; info(message: string): void }
}

export interface Sealing {
  /** Seals all entries recorded so far. Returns the number of leaves added. */
  readonly seal: (isEnough?: () => boolean) => Promise<number>
  /** Like `seal`, but one run at a time and never rejects: entries that cannot be sealed keep waiting. */
  readonly now: () => Promise<void>
  /** Seals the remaining entries and stops. */
  readonly stop: () => Promise<void>
}

/** Interval of sealing: a record is normally in the log after this time. */
export const sealEveryMs = 1_000

/** Batches sealed on stop, so that a long backlog does not delay it. */
const finalBatchesMax = 8

export function createSealing({ log, ...deps }: SealingDeps): Sealing {
  let sealer: Sealer | null = null
  let hasFailed = false
  let isStopping = false
  let running: Promise<void> = Promise.resolve()
  let next: Promise<void> | null = null

  async function seal(isEnough?: () => boolean): Promise<number> {
    sealer ??= new Sealer({ ...deps, signing: await openSigning(deps) })
    return sealer.turn(isEnough)
  }

  async function attempt(isEnough: () => boolean): Promise<void> {
    try {
      await seal(isEnough)
      if (hasFailed) log.info('sealing: recovered')
      hasFailed = false
    } catch (error) {
      if (!hasFailed) log.warn({ err: error }, 'sealing: records could not be sealed; will retry')
      hasFailed = true
    }
  }

  /** One run at a time. Calls during a run share the next one, which includes the records they wrote before. */
  function now(): Promise<void> {
    next ??= running.then(() => {
      next = null
      running = attempt(() => isStopping)
      return running
    })
    return next
  }

  return {
    seal,
    now,
    async stop() {
      isStopping = true
      await next
      await running
      let batches = 0
      await attempt(() => (batches += 1) > finalBatchesMax)
    },
  }
}
