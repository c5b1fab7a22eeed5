/** Commands that we tell people to type: they do what is meant when they are pasted into a shell. Pure. */

/** A word that a shell takes as it stands. */
export function quoted(word: string): string {
  return /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

/** At the same address, where that was said with `--url`: else the next command would ask somebody else. */
export function commandText(words: readonly string[], flagUrl: string | null): string {
  const url = flagUrl === null ? [] : ['--url', flagUrl]
  return ['fairway', ...words, ...url].map(quoted).join(' ')
}
