/** Keeps the log going: what was recorded is sealed soon after, and the operator hears once when that fails and once when it works again. */

import { openSigning, Sealer, type SigningDeps } from './sealer.ts'

export interface SealingDeps extends SigningDeps {
  readonly log: { warn(fields: object, message: string): void; info(message: string): void }
}

export interface Sealing {
  /** Seals what is recorded by now; the number of leaves that were added. */
  readonly seal: (isEnough?: () => boolean) => Promise<number>
  /** The same, one at a time. Never fails: what cannot be sealed waits. */
  readonly now: () => Promise<void>
  /** Seals what is left. */
  readonly stop: () => Promise<void>
}

/** After so long at the latest a record is in the log, while it can keep up. */
export const sealEveryMs = 1_000

/** A long backlog does not hold up the end. */
const lastPiecesMax = 8

export function createSealing({ log, ...deps }: SealingDeps): Sealing {
  let sealer: Sealer | null = null
  let hasFailed = false
  let isStopping = false
  let underWay: Promise<void> = Promise.resolve()
  let next: Promise<void> | null = null

  async function seal(isEnough?: () => boolean): Promise<number> {
    sealer ??= new Sealer({ ...deps, signing: await openSigning(deps) })
    return sealer.turn(isEnough)
  }

  async function attempt(isEnough: () => boolean): Promise<void> {
    try {
      await seal(isEnough)
      if (hasFailed) log.info('records are sealed again')
      hasFailed = false
    } catch (error) {
      if (!hasFailed) log.warn({ err: error }, 'records could not be sealed; it will be tried again')
      hasFailed = true
    }
  }

  /** One at a time; who comes while one is under way shares the next, which sees what they have recorded. */
  function now(): Promise<void> {
    next ??= underWay.then(() => {
      next = null
      underWay = attempt(() => isStopping)
      return underWay
    })
    return next
  }

  return {
    seal,
    now,
    async stop() {
      isStopping = true
      await next
      await underWay
      let pieces = 0
      await attempt(() => (pieces += 1) > lastPiecesMax)
    },
  }
}
