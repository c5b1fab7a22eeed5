/** The installation's keys as texts: 32 bytes in base64 each, separated by commas or spaces, the newest first. */

/** Null if one of them is not such a key. */
export function readSealKeys(text: string): readonly string[] | null {
  const keys = text.split(/[\s,]+/).filter((key) => key !== '')
  return keys.every((key) => /^[A-Za-z0-9+/]{43}=$/.test(key)) ? keys : null
}
