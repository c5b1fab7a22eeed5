/** A breaking change is allowed to pass by one way: a new major version, and a note on it that callers can read. */

export interface Release {
  /** Of the contract that callers were written against. */
  readonly released: string
  /** Of the contract as it is now. */
  readonly version: string
  /** The text of CHANGELOG.md. */
  readonly changelog: string
}

/** The changes that nobody was told of. */
export function unannounced(changes: readonly string[], { released, version, changelog }: Release): string[] {
  if (majorOf(version) <= majorOf(released)) return [...changes]
  const notes = breakingNotes(changelog, version)
  return changes.filter((change) => !notes.some((note) => announces(note, change)))
}

const majorOf = (version: string): number => Number(version.split('.')[0])

/** The items of the list under `### Breaking` of a version. */
function breakingNotes(changelog: string, version: string): string[] {
  const section = partUnder(changelog.split('\n'), `## ${version}`)
  const lines = partUnder(section, '### Breaking')
  return lines.join('\n').split(/^- /m).slice(1)
}

/** The lines below a heading, up to the next one of its rank. A heading may go on with a date. */
function partUnder(lines: readonly string[], heading: string): string[] {
  const rank = heading.split(' ')[0] ?? ''
  const from = lines.findIndex((line) => line === heading || line.startsWith(`${heading} `))
  if (from < 0) return []
  const rest = lines.slice(from + 1)
  const to = rest.findIndex((line) => line.startsWith(`${rank} `))
  return to < 0 ? rest : rest.slice(0, to)
}

/** The change in its own words, in code, and then something for people. */
function announces(note: string, change: string): boolean {
  const start = `\`${change}\``
  return note.startsWith(start) && /\p{L}/u.test(note.slice(start.length))
}
