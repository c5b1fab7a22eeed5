/** Calendar months in UTC, written `2026-03`: the partitions of a large store. */

export type Month = string & { readonly brand: 'Month' }

/** Limited to the years that request ids can have. */
const shape = /^(?:19[7-9]\d|[2-9]\d{3})-(?:0[1-9]|1[0-2])$/

export function parseMonth(text: string): Month | null {
  return shape.test(text) ? (text as Month) : null
}

export function monthAt(atMs: number): Month {
  return new Date(atMs).toISOString().slice(0, 7) as Month
}

/** The start of the month, or of the month `monthsOn` months later. */
export function monthStartMs(month: Month, monthsOn = 0): number {
  const [year, number] = month.split('-').map(Number)
  return Date.UTC(year ?? 0, (number ?? 1) - 1 + monthsOn)
}

/** The end of the month, exclusive. */
export function monthEndMs(month: Month): number {
  return monthStartMs(month, 1)
}
