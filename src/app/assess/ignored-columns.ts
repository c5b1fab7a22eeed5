/** What is told of columns and members that nobody reads. */

const namedMax = 20
const nameLengthMax = 60

/** A sentence for people, where there is something to say. */
export function ignoredWarnings(what: 'Columns' | 'Members', names: readonly string[]): string[] {
  if (names.length === 0) return []
  const named = names.slice(0, namedMax).map((name) => JSON.stringify(name.slice(0, nameLengthMax)))
  const more = names.length > named.length ? ' and more' : ''
  return [`${what} that are not read: ${named.join(', ')}${more}.`]
}
