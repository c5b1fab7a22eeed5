/** Warnings of a batch: ignored columns and members, and countries that do not exist. */

import { otherKey, type Tally } from '../../core/assess/report.ts'
import { unassignedCountries, type Corridor } from '../../core/reference/corridor.ts'

const namedMax = 20
const nameLengthMax = 60

/** One warning that lists the names; empty if there are none. */
export function ignoredWarnings(kind: 'columns' | 'members', names: readonly string[]): string[] {
  return listed(`Ignored ${kind}`, names)
}

export function countryWarnings(tally: Tally): string[] {
  return listed('Country codes that ISO 3166 has not assigned', unassignedIn(tally))
}

/** The codes in the corridors that are counted separately. */
export function unassignedIn({ byCorridor }: Tally): string[] {
  const corridors = [...byCorridor.keys()].filter((key) => key !== otherKey) as Corridor[]
  return [...new Set(corridors.flatMap(unassignedCountries))]
}

function listed(subject: string, names: readonly string[]): string[] {
  if (names.length === 0) return []
  const shown = names.slice(0, namedMax).map((name) => JSON.stringify(name.slice(0, nameLengthMax)))
  const more = names.length > shown.length ? ' and more' : ''
  return [`${subject}: ${shown.join(', ')}${more}.`]
}
