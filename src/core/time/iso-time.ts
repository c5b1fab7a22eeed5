/** Reads times in ISO 8601. Pure. */

const isoTime = /^(\d{4})-(\d{2})-(\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/

/** Null if invalid. A date means midnight UTC; a time needs a zone. Rejects dates like 30 February, which `Date` accepts. */
export function parseIsoTime(text: string): number | null {
  const [, year, month, day] = isoTime.exec(text) ?? []
  const dayExists =
    new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() === Number(day)
  const ms = dayExists ? Date.parse(text) : Number.NaN
  return Number.isNaN(ms) ? null : ms
}
