/** The live feeds of a running service, with logging of gaps, failures, recoveries and reloads. */

import type { LiveFeeds } from '../../app/ports/feeds.ts'
import { signalNames } from '../../core/decision/signals.ts'
import { supportedCorridors } from '../../core/reference/corridor.ts'
import { defaultCurrency } from '../../core/reference/currency.ts'
import { findingText, openFileFeeds, type FeedsOptions, type FileFeeds } from './open.ts'

export interface WatchedFeedsOptions extends Omit<FeedsOptions, 'onStateChange'> {
  readonly log: FeedsLog
}

/** The logger methods used here. */
interface FeedsLog {
  info(message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(message: string): void
}

/** Throws `FileFault` if the file is invalid. */
export function openWatchedFeeds(path: string, { log, ...options }: WatchedFeedsOptions): FileFeeds {
  const feeds = openFileFeeds(path, {
    ...options,
    onStateChange({ signal, fault, detail, error }) {
      if (fault === null) log.info({ signal }, 'feeds: a live feed recovered')
      else
        log.warn(
          { signal, fault, detail, err: error },
          'feeds: cannot read a live feed, live decisions are on hold',
        )
    },
  })
  warnOfGaps(feeds, log)
  return {
    ...feeds,
    reload() {
      const findings = feeds.reload()
      for (const finding of findings) {
        log.error(`feeds: reload refused, the current feeds stay: ${findingText(finding)}`)
      }
      if (findings.length > 0) return findings
      log.info('feeds: reloaded')
      warnOfGaps(feeds, log)
      return []
    },
  }
}

/** Warns of missing and constant feeds before the first decision. */
function warnOfGaps(feeds: LiveFeeds, log: FeedsLog): void {
  const states = feeds.states()
  if (states.length < signalNames.length) {
    const missing = signalNames.filter((signal) => !states.some((state) => state.signal === signal))
    log.warn(
      { signals: missing },
      'feeds: some signals have no live feed, live mode holds until all have one',
    )
  }
  const constant = states.filter(({ kind }) => kind === 'constant').map(({ signal }) => signal)
  if (constant.length > 0) {
    log.warn({ signals: constant }, 'feeds: some live signals are constants, not observations')
  }
}

/** Starts a read of every feed, so that connections are open and failures are known before the first decision. */
export function warmUp(feeds: LiveFeeds): void {
  for (const corridor of supportedCorridors) {
    void feeds.read({ ownerId: null, corridor, amount: null, currency: defaultCurrency })
  }
}
