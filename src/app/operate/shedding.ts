/** Sheds requests while the event loop lags. Logs when shedding starts and ends. */

import { afterBeat, atRest, nextDebt } from '../../core/operate/shedding.ts'
import type { Clock } from '../ports/system.ts'
import type { Metrics } from '../ports/metrics.ts'

export interface ShedderDeps {
  readonly clock: Clock
  /** 0 disables shedding. */
  readonly lagMsMax: number
  readonly metrics: Pick<Metrics, 'loopMeasured' | 'shed'>
  readonly log: { warn(fields: object, message: string): void; info(message: string): void }
}

export class Shedder {
  readonly #deps: ShedderDeps
  #strain
  #debt = 0

  constructor(deps: ShedderDeps) {
    this.#deps = deps
    this.#strain = atRest(deps.clock.monotonicMs())
  }

  /** Measures the lag. Call it every `beatEveryMs`. */
  beat(): void {
    const { clock, lagMsMax, metrics, log } = this.#deps
    const before = this.#strain.sharePercent
    this.#strain = afterBeat(this.#strain, clock.monotonicMs(), lagMsMax)
    const { sharePercent, lagMs } = this.#strain
    metrics.loopMeasured(lagMs / 1000, sharePercent / 100)
    if (before === 0 && sharePercent > 0) {
      log.warn(
        { lag_ms: Math.round(lagMs) },
        'http: overloaded, shedding requests until the event loop catches up',
      )
    }
    if (before > 0 && sharePercent === 0) log.info('http: overload ended, accepting all requests')
    if (sharePercent === 0) this.#debt = 0
  }

  /** Whether to refuse this request. Long reads are refused first, all of them. */
  refuses(isLong: boolean): boolean {
    const { sharePercent } = this.#strain
    if (sharePercent === 0) return false
    const isRefused = isLong || this.#isNextRefused(sharePercent)
    if (isRefused) this.#deps.metrics.shed()
    return isRefused
  }

  #isNextRefused(sharePercent: number): boolean {
    const { debt, isRefused } = nextDebt(this.#debt, sharePercent)
    this.#debt = debt
    return isRefused
  }
}
