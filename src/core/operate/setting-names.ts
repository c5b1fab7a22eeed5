/** Tells a misspelt setting from a name that belongs to somebody else. */

import { editDistance } from '../reference/edit-distance.ts'

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
  let nearest: string | null = null
  let least = editsMax + 1
  const upper = name.toUpperCase()
  for (const setting of settings) {
    if (!checked.test(setting)) continue
    const edits = Math.min(
      editDistance(upper, setting, editsMax),
      editDistance(upper.replace(unit, ''), setting.replace(unit, ''), editsMax),
    )
    if (edits >= least) continue
    nearest = setting
    least = edits
  }
  return nearest
}
