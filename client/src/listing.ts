/** Lists that come a page at a time: walked whole with `for await`, or page by page. */

import { UnexpectedAnswerError } from './errors.ts'

export interface Page<Item> {
  readonly items: readonly Item[]
  /** Where the next page begins; null after the last. */
  readonly nextCursor: string | null
}

/** Reads the page that begins at the cursor. */
export type ReadPage<Item> = (cursor: string | null) => Promise<Page<Item>>

export class Listing<Item> implements AsyncIterable<Item> {
  readonly #read: ReadPage<Item>
  readonly #from: string | null

  constructor(read: ReadPage<Item>, from: string | null) {
    this.#read = read
    this.#from = from
  }

  /** The first page, or the one at the cursor that was asked for. */
  page(): Promise<Page<Item>> {
    return this.#read(this.#from)
  }

  async *pages(): AsyncGenerator<readonly Item[], void, undefined> {
    let cursor = this.#from
    do {
      const page: Page<Item> = await this.#read(cursor)
      yield page.items
      if (page.nextCursor !== null && page.nextCursor === cursor) throw endless()
      cursor = page.nextCursor
    } while (cursor !== null)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const items of this.pages()) yield* items
  }
}

/** Pages of CSV as one table: of all their headers the first. */
export async function* inOneTable(pages: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  let isFirst = true
  for await (const page of pages) {
    const lines = isFirst ? page : page.slice(page.indexOf('\n') + 1)
    isFirst = false
    if (lines !== '') yield lines
  }
}

const endless = (): UnexpectedAnswerError =>
  new UnexpectedAnswerError('The next page is the page itself, so that the list has no end.')

/** Of `Link: <…?cursor=X>; rel="next"` the cursor alone: where to ask is for us to say, and the key stays with us. */
export function nextCursorOf(link: string | null): string | null {
  const next = link?.split(',').find((part) => /;\s*rel="?next"?/.test(part))
  if (next === undefined) return null
  const cursor = new URLSearchParams(/\?([^>#]*)/.exec(next)?.[1]).get('cursor')
  // To stop here would pass off a part for the whole.
  if (cursor === null)
    throw new UnexpectedAnswerError('The answer names a next page that cannot be asked for.')
  return cursor
}
