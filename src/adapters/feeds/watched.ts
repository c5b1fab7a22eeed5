/** The live feeds of a running service: the operator is told what they lack, when one fails or works again, and when the file is read again. */

import type { LiveFeeds } from '../../app/ports/feeds.ts'
import { signalNames } from '../../core/decision/signals.ts'
import { supportedCorridors } from '../../core/reference/corridor.ts'
import { defaultCurrency } from '../../core/reference/currency.ts'
import { findingText, openFileFeeds, type FeedsOptions, type FileFeeds } from './open.ts'

export interface WatchedFeedsOptions extends Omit<FeedsOptions, 'onTurn'> {
  readonly log: FeedsLog
}

/** As much of a logger as is needed. */
interface FeedsLog {
  info(message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(message: string): void
}

/** Throws `FileFault` where the file cannot be used. */
export function openWatchedFeeds(path: string, { log, ...options }: WatchedFeedsOptions): FileFeeds {
  const feeds = openFileFeeds(path, {
    ...options,
    onTurn({ signal, fault, detail, error }) {
      if (fault === null) log.info({ signal }, 'a live feed works again')
      else
        log.warn(
          { signal, fault, detail, err: error },
          'a live feed fails: decisions that need it are on hold',
        )
    },
  })
  warnOfGaps(feeds, log)
  return {
    ...feeds,
    reload() {
      const findings = feeds.reload()
      for (const finding of findings) {
        log.error(`the live feeds stay as they were: ${findingText(finding)}`)
      }
      if (findings.length > 0) return findings
      log.info('the live feeds were read again')
      warnOfGaps(feeds, log)
      return []
    },
  }
}

/** What an operator should know of the feeds before the first decision. */
function warnOfGaps(feeds: LiveFeeds, log: FeedsLog): void {
  const states = feeds.states()
  if (states.length < signalNames.length) {
    const lacking = signalNames.filter((signal) => !states.some((state) => state.signal === signal))
    log.warn({ signals: lacking }, 'some signals have no live feed: live mode holds until all have one')
  }
  const constant = states.filter(({ kind }) => kind === 'constant').map(({ signal }) => signal)
  if (constant.length > 0) {
    log.warn({ signals: constant }, 'some live signals are constants: nothing is observed of them')
  }
}

/** Asks every feed before anybody needs it, so that connections are open and what fails is known. It is not waited for. */
export function warmUp(feeds: LiveFeeds): void {
  for (const corridor of supportedCorridors) {
    void feeds.read({ ownerId: null, corridor, amount: null, currency: defaultCurrency })
  }
}
