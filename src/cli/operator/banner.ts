/** The lines that `fairway serve` prints on a terminal: addresses, database, mode and one next step. */

import { releaseVersion } from '../../core/operate/release.ts'
import type { Config } from '../../config.ts'
import type { Screen } from '../user/session/screen.ts'

export interface BannerFacts {
  /** The address on which the server listens. */
  readonly url: string
  readonly hasKeys: boolean
  /** How the person calls this program. */
  readonly command: string
}

export function bannerLines(
  screen: Screen,
  config: Config,
  { url, hasKeys, command }: BannerFacts,
): string[] {
  const address = config.publicUrl ?? url
  return [
    screen.paint('bold', `Fairway ${releaseVersion}`),
    '',
    ...screen.facts([
      ['Console', `${address}/`],
      ['API reference', `${address}/docs/`],
      ...(config.publicUrl === null ? [] : [['Listens on', url] as const]),
      ['Database', databaseText(config.databaseUrl)],
      ['Live mode', liveText(config.liveFeedsFile)],
      ...(config.workers === 1 ? [] : [['Processes', String(config.workers)] as const]),
    ]),
    '',
    ...(hasKeys ? ['Ready.'] : firstSteps(screen, command)),
    screen.paint('dim', 'Warnings and errors appear below. Ctrl-C stops the server.'),
  ]
}

function firstSteps(screen: Screen, command: string): string[] {
  return [
    'Next: open the console and press Verify. To record decisions, issue a key in a second terminal:',
    `  ${screen.paint('bold', `${command} keys issue --type test --owner "Payments team"`)}`,
  ]
}

/** A database URL may contain a password: only the host and the name are shown. */
function databaseText(databaseUrl: string): string {
  if (databaseUrl.startsWith('sqlite:')) return `SQLite, ${databaseUrl.slice('sqlite:'.length)}`
  const { host, pathname } = new URL(databaseUrl)
  return `PostgreSQL, ${host}${pathname}`
}

function liveText(feedsFile: string | null): string {
  return feedsFile === null
    ? 'on hold, because FAIRWAY_LIVE_FEEDS is not set; shadow mode works'
    : `feeds of ${feedsFile}`
}
