/** Keeps the log going: what was recorded is sealed soon after, and the operator hears once when that fails and once when it works again. */

import { openSigning, Sealer, type SigningDeps } from './sealer.ts'

export interface SealingDeps extends SigningDeps {
  readonly log: { warn(fields: object, message: string): void; info(message: string): void }
  /** Again and again, until what it returns is called. */
  readonly repeat: (work: () => Promise<void>, pauseMs: number) => () => void
}

/** After so long at the latest a record is in the log, while it can keep up. */
const sealEveryMs = 1_000

export function startSealing({ log, repeat, ...deps }: SealingDeps): { stop(): Promise<void> } {
  let sealer: Sealer | null = null
  let hasFailed = false
  let isStopping = false
  let underWay: Promise<void> = Promise.resolve()

  async function attempt(isEnough: () => boolean): Promise<void> {
    try {
      sealer ??= new Sealer({ ...deps, signing: await openSigning(deps) })
      await sealer.turn(isEnough)
      if (hasFailed) log.info('records are sealed again')
      hasFailed = false
    } catch (error) {
      if (!hasFailed) log.warn({ err: error }, 'records could not be sealed; it will be tried again')
      hasFailed = true
    }
  }

  const stopRepeating = repeat(() => (underWay = attempt(() => isStopping)), sealEveryMs)
  return {
    /** What has come by then is sealed first, as far as it goes in a turn. */
    async stop() {
      isStopping = true
      stopRepeating()
      await underWay
      let turns = 0
      await attempt(() => (turns += 1) > lastTurnsMax)
    },
  }
}

/** A long backlog does not hold up the end. */
const lastTurnsMax = 8
