/** Names of countries and corridors, in the browser's language. */

const regions = new Intl.DisplayNames(undefined, { type: 'region', fallback: 'code' })

export function countryName(code: string): string {
  try {
    return regions.of(code) ?? code
  } catch {
    // Not a two-letter code: shown unchanged.
    return code
  }
}

/** `GB-NG` as `GB` and `NG`; a part that is missing is empty. */
export function endsOf(corridor: string): readonly [from: string, to: string] {
  const [from = '', to = ''] = corridor.split('-', 2)
  return [from, to]
}

/** `GB-NG` as `United Kingdom to Nigeria`. */
export function corridorName(corridor: string): string {
  return /^[A-Z]{2}-[A-Z]{2}$/.test(corridor) ? endsOf(corridor).map(countryName).join(' to ') : corridor
}
