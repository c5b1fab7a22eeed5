/** JSON helpers: object check, escaping of JSON Pointer tokens (RFC 6901). */

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Escapes a name as a JSON Pointer token. Most names need no change. */
export function escaped(name: string): string {
  return /[~/]/.test(name) ? name.replaceAll('~', '~0').replaceAll('/', '~1') : name
}

/** The name of a JSON Pointer token. */
export function unescaped(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~')
}

/** A member's name as part of a JSON pointer, shortened and safe to show. */
export function pointerPart(name: string): string {
  const short = name.length > 64 ? `${name.slice(0, 64)}…` : name
  return escaped(short.toWellFormed())
}
