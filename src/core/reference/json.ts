/** JSON values: objects told from lists and null, and names as tokens of a pointer (RFC 6901). */

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A name as a token of a pointer. Most names need no change. */
export function escaped(name: string): string {
  return /[~/]/.test(name) ? name.replaceAll('~', '~0').replaceAll('/', '~1') : name
}

/** The name that a token of a pointer stands for. */
export function unescaped(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~')
}
