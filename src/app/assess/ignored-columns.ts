/** Warnings for ignored columns and members. */

const namedMax = 20
const nameLengthMax = 60

/** One warning that lists the names; empty if there are none. */
export function ignoredWarnings(kind: 'columns' | 'members', names: readonly string[]): string[] {
  if (names.length === 0) return []
  const listed = names.slice(0, namedMax).map((name) => JSON.stringify(name.slice(0, nameLengthMax)))
  const more = names.length > listed.length ? ' and more' : ''
  return [`Ignored ${kind}: ${listed.join(', ')}${more}.`]
}
