/** Formats suggested commands, quoted so that they can be pasted into a shell. Pure. */

/** Quotes a word for the shell. */
export function quoted(word: string): string {
  return /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

/** Repeats `--url` if it was used, so that the next command calls the same server. */
export function commandText(words: readonly string[], flagUrl: string | null): string {
  const url = flagUrl === null ? [] : ['--url', flagUrl]
  return ['fairway', ...words, ...url].map(quoted).join(' ')
}
