/** Checks that every breaking change has a new major version and a note in the changelog. */

export interface Release {
  /** The version of the released contract. */
  readonly released: string
  /** The version of the current contract. */
  readonly version: string
  /** The text of CHANGELOG.md. */
  readonly changelog: string
}

/** The changes without a note. */
export function unannounced(changes: readonly string[], { released, version, changelog }: Release): string[] {
  if (majorOf(version) <= majorOf(released)) return [...changes]
  const notes = breakingNotes(changelog, version)
  return changes.filter((change) => !notes.some((note) => announces(note, change)))
}

const majorOf = (version: string): number => Number(version.split('.')[0])

/** The list items under `### Breaking` of a version. */
function breakingNotes(changelog: string, version: string): string[] {
  const section = sectionUnder(changelog.split('\n'), `## ${version}`)
  const lines = sectionUnder(section, '### Breaking')
  return lines.join('\n').split(/^- /m).slice(1)
}

/** The lines below a heading, up to the next heading of the same level. A heading may end with a date. */
function sectionUnder(lines: readonly string[], heading: string): string[] {
  const rank = heading.split(' ')[0] ?? ''
  const from = lines.findIndex((line) => line === heading || line.startsWith(`${heading} `))
  if (from < 0) return []
  const rest = lines.slice(from + 1)
  const to = rest.findIndex((line) => line.startsWith(`${rank} `))
  return to < 0 ? rest : rest.slice(0, to)
}

/** A note starts with the line of the change as inline code, followed by an explanation. */
function announces(note: string, change: string): boolean {
  const start = `\`${change}\``
  return note.startsWith(start) && /\p{L}/u.test(note.slice(start.length))
}
