/** Countries and corridors by their names, in the reader's language. */

const regions = new Intl.DisplayNames(undefined, { type: 'region', fallback: 'code' })

export function countryName(code: string): string {
  try {
    return regions.of(code) ?? code
  } catch {
    // Not two letters: shown as it came.
    return code
  }
}

/** `GB-NG` parted; what has no hyphen has no other end. */
export function endsOf(corridor: string): readonly [from: string, to: string] {
  const [from = '', to = ''] = corridor.split('-', 2)
  return [from, to]
}

/** `GB-NG` as `United Kingdom to Nigeria`. */
export function corridorName(corridor: string): string {
  return /^[A-Z]{2}-[A-Z]{2}$/.test(corridor) ? endsOf(corridor).map(countryName).join(' to ') : corridor
}
