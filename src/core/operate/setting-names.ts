/** Tells a misspelt setting from a name that belongs to somebody else. */

import { isWithin } from '../reference/edits.ts'

/** Variables of this repository that are no settings of a server: of the clients, the examples and the files of deploy. */
export const ownNames: ReadonlySet<string> = new Set([
  'FAIRWAY_URL',
  'FAIRWAY_API_KEY',
  'FAIRWAY_SESSION_COOKIE',
  'FAIRWAY_WEBHOOK_SECRET',
  'FAIRWAY_PUBLISH',
  'FAIRWAY_DATABASE_A',
  'FAIRWAY_DATABASE_B',
  'FAIRWAY_DATABASE_BIND',
])

const editsMax = 2

/** Shorter names, such as PORT, are near to names of other programs. */
const checked = /^(?:FAIRWAY|OTEL)_/

const unit = /_(?:S|MS|SECONDS?|MINUTES?|HOURS?|DAYS?)$/

/** The setting that a name was meant to be: few edits away, with or without its unit. Null for a name of its own. */
export function nearestSetting(name: string, settings: Iterable<string>): string | null {
  const upper = name.toUpperCase()
  const candidates = [...settings].filter((setting) => checked.test(setting))
  for (let edits = 0; edits <= editsMax; edits += 1) {
    const near = candidates.find(
      (setting) =>
        isWithin(edits, upper, setting) ||
        isWithin(edits, upper.replace(unit, ''), setting.replace(unit, '')),
    )
    if (near !== undefined) return near
  }
  return null
}
