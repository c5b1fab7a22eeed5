/** JSON pointers, RFC 6901. */

import { unescaped } from '../../core/reference/json.ts'

/** Undefined where there is nothing. */
export function atPointer(value: unknown, pointer: string): unknown {
  let found = value
  for (const token of pointer.split('/').slice(1)) {
    const name = unescaped(token)
    if (Array.isArray(found)) found = /^(?:0|[1-9]\d*)$/.test(name) ? found[Number(name)] : undefined
    else if (typeof found === 'object' && found !== null && Object.hasOwn(found, name)) {
      found = (found as Readonly<Record<string, unknown>>)[name]
    } else return undefined
  }
  return found
}
