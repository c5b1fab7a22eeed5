/** Formats `2026-03` as `Mar 2026` in the user's language. Uses UTC, so that no time zone shifts the month. */

const format = new Intl.DateTimeFormat(undefined, { month: 'short', year: 'numeric', timeZone: 'UTC' })

export function monthName(key: string): string {
  const at = Date.parse(`${key}-01`)
  return Number.isNaN(at) ? key : format.format(at)
}
