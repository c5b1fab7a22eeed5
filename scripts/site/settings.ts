/** The settings of the environment: the document that lists them all, and their names. */

export interface Settings {
  /** The document with their table, by its path in the repository. */
  readonly home: string
  readonly names: ReadonlySet<string>
}

/** The rows of all tables of settings in a document. */
function namesIn(markdown: string): ReadonlySet<string> {
  const tables = markdown.match(/^\| Setting .*(?:\n\|.*)+/gm) ?? []
  return new Set(
    tables.flatMap((table) => [...table.matchAll(/^\| `([A-Z][A-Z\d_]+)`/gm)].map(([, name = '']) => name)),
  )
}

/** Other documents repeat some of them, so the home is the one that has the most. */
export function settingsIn(sources: ReadonlyMap<string, string>): Settings {
  const listed = [...sources].map(([home, markdown]): Settings => ({ home, names: namesIn(markdown) }))
  return listed.reduce((most, one) => (one.names.size > most.names.size ? one : most))
}
