/** Amounts of money: the decimals of each currency, and amounts as people type them. */

/** The currencies of ISO 4217 that have other than two decimals. A test compares them with the server's. */
const otherDecimals: readonly (readonly [decimals: number, codes: string])[] = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
  [0, 'XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX'],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
]

const decimals = new Map(
  otherDecimals.flatMap(([count, codes]) => codes.split(' ').map((code) => [code, count] as const)),
)

/** The browser's own table follows usage, and has none for some that ISO 4217 gives two or three. */
export const decimalsOf = (currency: string): number => decimals.get(currency.toUpperCase()) ?? 2

/** Groups of three, with one separator throughout: `1,000`, `1 000`, `1,000,000.50`. */
const grouped = /^-?\d{1,3}(?:([, \u{a0}\u{202f}'’])\d{3})(?:\1\d{3})*(?:\.\d+)?$/u
const plain = /^-?\d+(?:\.\d+)?$/

export type TypedAmount =
  | { readonly kind: 'none' }
  | { readonly kind: 'amount'; readonly amount: number }
  /** As the rest of a sentence that starts with the name of the field. */
  | { readonly kind: 'fault'; readonly fault: string }

export function readAmount(text: string): TypedAmount {
  const typed = text.trim()
  if (typed === '') return { kind: 'none' }
  const digits = grouped.test(typed) ? typed.replaceAll(/[^-\d.]/g, '') : typed
  if (plain.test(digits)) return { kind: 'amount', amount: Number(digits) }
  return {
    kind: 'fault',
    fault: /^[\d.,\s]+$/.test(typed)
      ? 'must have three digits after each comma or space, and a point before decimals, like 1,000.50'
      : 'must be a number, like 1000 or 1,000.50',
  }
}
