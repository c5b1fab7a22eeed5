/** Cursor pagination: the cursor encodes the last item of the previous page. */

import { Type } from 'typebox'
import { limits } from '../limits.ts'

/** Query parameters that select a page. */
export const pageMembers = (items: string) => ({
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: limits.historyPageMax,
      default: limits.historyPageDefault,
      description: `${items} per page.`,
    }),
  ),
  cursor: Type.Optional(
    Type.String({ maxLength: 128, description: 'From the `Link` header of the previous page.' }),
  ),
})

export const cursorRule = 'must come from the Link header of a previous page'

/** The id in a cursor, unparsed. */
export function readCursor(cursor: string): string {
  return Buffer.from(cursor, 'base64url').toString('latin1')
}

/** The `Link` header for the page after this item. */
export function linkToNext(path: string, query: Readonly<Record<string, unknown>>, last: string): string {
  const next = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) next.set(name, String(value))
  next.set('cursor', Buffer.from(last).toString('base64url'))
  return `<${path}?${next.toString()}>; rel="next"`
}

/** The query of a list: an unknown parameter, such as `page`, would be ignored and give a wrong list. */
export function listQuery<Properties extends Type.TProperties>(properties: Properties) {
  return Type.Object(properties, { additionalProperties: false })
}
