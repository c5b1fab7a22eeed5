/** The live feeds of a running service, with logging of gaps, failures, recoveries and reloads. */

import type { LiveFeeds } from '../../app/ports/feeds.ts'
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
    onStateChange({ signal, corridor, partner, fault, detail, error }) {
      const feed = {
        signal,
        ...(corridor === null ? {} : { corridor }),
        ...(partner === null ? {} : { partner }),
      }
      if (fault === null) log.info(feed, 'feeds: a live feed recovered')
      else
        log.warn(
          { ...feed, fault, detail, err: error },
          partner === null
            ? 'feeds: cannot read a live feed, live decisions that need it are on hold'
            : 'feeds: cannot read a live feed of a partner, which is left out',
        )
    },
  })
  warnOfGaps(feeds, log)
  return {
    ...feeds,
    reload() {
      const findings = feeds.reload()
      for (const finding of findings.slice(0, findingsLoggedMax)) {
        log.error(`feeds: reload refused, the current feeds stay: ${findingText(finding)}`)
      }
      if (findings.length > findingsLoggedMax)
        log.error(`feeds: the file has ${findings.length} errors: run fairway feeds check to see all`)
      if (findings.length > 0) return findings
      log.info('feeds: reloaded')
      warnOfGaps(feeds, log)
      return []
    },
  }
}

/** Warns of missing and constant feeds before the first decision. */
function warnOfGaps(feeds: FileFeeds, log: FeedsLog): void {
  const set = feeds.current()
  const gaps = set.gaps()
  if (gaps.length > 0)
    log.warn(
      { count: gaps.length, gaps: gaps.slice(0, gapsShownMax) },
      'feeds: some signals have no live feed, so these corridors and partners cannot be decided on',
    )
  const constant = set.states().filter(({ kind }) => kind === 'constant')
  if (constant.length > 0) {
    const signals = [...new Set(constant.map(({ signal }) => signal))]
    log.warn({ signals }, 'feeds: some live signals are constants, not observations')
  }
}

/** A large file may have thousands. */
const findingsLoggedMax = 20

/** A large world may lack thousands. */
const gapsShownMax = 20

/** Reads every feed once, so that connections are open and failures are known before the first decision. */
export async function warmUp(feeds: LiveFeeds): Promise<void> {
  const set = feeds.current()
  // One corridor after another: a world may have thousands of feeds.
  for (const { corridor, currencies } of set.world.corridors.values()) {
    // Replaced meanwhile: the new ones are warmed up by themselves.
    if (feeds.current() !== set) return
    await set.read({ ownerId: null, corridor, amount: null, currency: currencies[0] ?? defaultCurrency })
  }
}
