/** Lists that are read page by page: the cursor names the last item that was shown. */

import { Type } from 'typebox'
import { limits } from '../limits.ts'

/** The members of a query that choose a page. */
export const pageMembers = (items: string) => ({
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: limits.historyPageMax,
      default: limits.historyPageDefault,
      description: `${items} a page.`,
    }),
  ),
  cursor: Type.Optional(
    Type.String({ maxLength: 128, description: 'From the `Link` header of the page before.' }),
  ),
})

export const cursorRule = 'must come from the Link header of another page'

/** The id that a cursor names, as text still to be parsed. */
export function readCursor(cursor: string): string {
  return Buffer.from(cursor, 'base64url').toString('latin1')
}

/** The `Link` header that leads to the page after this item. */
export function linkToNext(path: string, query: Readonly<Record<string, unknown>>, last: string): string {
  const next = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) next.set(name, String(value))
  next.set('cursor', Buffer.from(last).toString('base64url'))
  return `<${path}?${next.toString()}>; rel="next"`
}
