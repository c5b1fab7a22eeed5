/** Paginated lists: iterate over all items with `for await`, or read page by page. */

import { UnexpectedAnswerError } from './errors.ts'

export interface Page<Item> {
  readonly items: readonly Item[]
  /** The cursor of the next page; null after the last page. */
  readonly nextCursor: string | null
}

/** Reads the page at the cursor. */
export type ReadPage<Item> = (cursor: string | null) => Promise<Page<Item>>

export class Listing<Item> implements AsyncIterable<Item> {
  readonly #read: ReadPage<Item>
  readonly #from: string | null

  constructor(read: ReadPage<Item>, from: string | null) {
    this.#read = read
    this.#from = from
  }

  /** The first page, or the page at the given cursor. */
  page(): Promise<Page<Item>> {
    return this.#read(this.#from)
  }

  async *pages(): AsyncGenerator<readonly Item[], void, undefined> {
    let cursor = this.#from
    do {
      const page: Page<Item> = await this.#read(cursor)
      yield page.items
      if (page.nextCursor !== null && page.nextCursor === cursor) throw endlessList()
      cursor = page.nextCursor
    } while (cursor !== null)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const items of this.pages()) yield* items
  }
}

/** Joins pages of CSV into one table, with the header of the first page only. */
export async function* joinTables(pages: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  let isFirst = true
  for await (const page of pages) {
    const lines = isFirst ? page : page.slice(page.indexOf('\n') + 1)
    isFirst = false
    if (lines !== '') yield lines
  }
}

const endlessList = (): UnexpectedAnswerError =>
  new UnexpectedAnswerError('The next page has the same cursor as this page, so the list would never end.')

/** Takes only the cursor from `Link: <…?cursor=X>; rel="next"`: the key is never sent to a URL from a response. */
export function nextCursorOf(link: string | null): string | null {
  const next = link?.split(',').find((part) => /;\s*rel="?next"?/.test(part))
  if (next === undefined) return null
  const cursor = new URLSearchParams(/\?([^>#]*)/.exec(next)?.[1]).get('cursor')
  // Stopping here would return an incomplete list as complete.
  if (cursor === null) throw new UnexpectedAnswerError('The response links to a next page without a cursor.')
  return cursor
}
