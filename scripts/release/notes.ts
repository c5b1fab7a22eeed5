/** The notes of a release: its section of the changelog. */

/** Null if the changelog has no section of that version. */
export function notesOf(changelog: string, version: string): string | null {
  const sections = changelog.split(/^(?=## )/m)
  const own = sections.find((text) => text.startsWith(`## ${version}\n`) || text.startsWith(`## ${version} `))
  return own === undefined ? null : own.replace(/^## /, '# Fairway ')
}
