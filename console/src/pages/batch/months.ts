/** `2026-03` as `Mar 2026`, in the reader's language; months of the file, so no time zone moves them. */

const form = new Intl.DateTimeFormat(undefined, { month: 'short', year: 'numeric', timeZone: 'UTC' })

export function monthName(key: string): string {
  const at = Date.parse(`${key}-01`)
  return Number.isNaN(at) ? key : form.format(at)
}
