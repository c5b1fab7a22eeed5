/** Crockford's base 32: no letters that look like digits, and text order is numeric order. */

export const base32Digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Encodes five bytes as eight digits; the input's length must be a multiple of five. */
export function encodeBase32(bytes: Uint8Array): string {
  let text = ''
  let bits = 0
  let pending = 0
  for (const byte of bytes) {
    pending = (pending << 8) | byte
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += base32Digits.charAt((pending >>> bits) & 31)
    }
    pending &= (1 << bits) - 1
  }
  return text
}

/** Encodes a non-negative integer below 2^53 with a fixed number of digits. */
export function encodeBase32Number(value: number, digits: number): string {
  let text = ''
  let rest = value
  for (let index = 0; index < digits; index += 1) {
    text = base32Digits.charAt(rest % 32) + text
    rest = Math.floor(rest / 32)
  }
  return text
}

/** The inverse of `encodeBase32Number`; null if a character is not a digit. */
export function decodeBase32Number(text: string): number | null {
  let value = 0
  for (const character of text) {
    const digit = base32Digits.indexOf(character)
    if (digit < 0) return null
    value = value * 32 + digit
  }
  return value
}
