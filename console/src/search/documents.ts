/** The search of the guide and the API reference: an index that is built with the pages, and everything that words find in it. */

/** A page by its address and title, and each of its parts by the place of its page. */
export interface DocumentIndex {
  readonly pages: readonly (readonly [address: string, title: string])[]
  /** A part without an anchor is the beginning of its page. */
  readonly parts: readonly (readonly [page: number, anchor: string, heading: string, text: string])[]
}

/** A piece of text, and whether it was searched for. */
export type Piece = readonly [text: string, isFound: boolean]

export interface FoundPart {
  readonly href: string
  readonly heading: readonly Piece[]
  /** The text around the words; empty for a part without text. */
  readonly snippet: readonly Piece[]
}

export interface FoundPage {
  readonly title: string
  readonly parts: readonly FoundPart[]
}

const indexAddress = '/guide/search.json'

let loading: Promise<DocumentIndex> | null = null

async function fetched(): Promise<DocumentIndex> {
  const answer = await fetch(indexAddress)
  if (!answer.ok) throw new Error(`${indexAddress} has status ${answer.status}`)
  return (await answer.json()) as DocumentIndex
}

/** Loads the index on first use. After a failure the next call tries again. */
export function loadDocuments(): Promise<DocumentIndex> {
  loading ??= fetched().catch((error: unknown) => {
    loading = null
    throw error
  })
  return loading
}

const lengthMin = 2
/** Shorter words are found only where a word begins. */
const insideMin = 4

/** One form of a word for its singular and its plural, where that leaves enough of it. */
function stemOf(word: string): string {
  const stem = word.replace(/(?:ies|y|(?<!s)s)$/, '')
  return stem.length > 2 ? stem : word
}

interface Word {
  readonly stem: string
  /** A short word is found only where a word begins. */
  readonly isShort: boolean
}

function wordsIn(text: string): readonly Word[] {
  const words = text.toLowerCase().match(/[^\s"“”'‘’,;!?]+/g) ?? []
  return [...new Set(words)].map((word) => ({ stem: stemOf(word), isShort: word.length < insideMin }))
}

const isInWord = /[\p{L}\p{N}]$/u

/** The place of the word in a text in small letters: where a word begins so, or else, if it is long, in one; -1 for none. */
function placeIn(
  text: string,
  { stem, isShort }: Word,
): { readonly place: number; readonly isStart: boolean } {
  const first = text.indexOf(stem)
  for (let place = first; place >= 0; place = text.indexOf(stem, place + 1)) {
    if (place === 0 || !isInWord.test(text.slice(place - 1, place))) return { place, isStart: true }
  }
  return { place: isShort ? -1 : first, isStart: false }
}

/** More for the beginning of a word than for its middle. */
function worth(word: Word, text: string, most: number): number {
  const { place, isStart } = placeIn(text, word)
  if (place < 0) return 0
  return isStart ? most : most / 2
}

/** A text says first what it is about: an operation its path. */
const beginning = 80

/** More than the beginning of a text and the shortness of a heading together: a page is meant before parts of others. */
const pageWorth = 6

interface Texts {
  readonly isPage: boolean
  readonly title: string
  readonly heading: string
  readonly text: string
}

const lower = ({ isPage, title, heading, text }: Texts): Texts => ({
  isPage,
  title: title.toLowerCase(),
  heading: heading.toLowerCase(),
  text: text.toLowerCase(),
})

/** Of texts in small letters. Zero unless every word is in one of them. */
function scoreOf(words: readonly Word[], { isPage, title, heading, text }: Texts): number {
  let sum = 0
  let named = 0
  for (const word of words) {
    const inHeading = worth(word, heading, 9)
    const inText = worth(word, text, 2)
    const inTitle = worth(word, title, 2)
    if (inHeading + inText + inTitle === 0) return 0
    if (inHeading > 0) named += 1
    sum += inHeading + inText + inTitle + (inHeading > 0 ? 0 : worth(word, text.slice(0, beginning), 2))
  }
  // A heading that says little else is meant before one with the words among others.
  const shortness = (6 * named) / (words.length + heading.split(/\s+/).length)
  return sum + shortness + (isPage && named > 0 ? pageWorth : 0)
}

/** A decision says why, and most searches ask how: decisions come after what is found as well elsewhere. */
const decisionWorth = 0.5
const isDecision = /^\/guide\/decisions-/

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)

/** Whole words: the rest of one that begins so belongs to it. */
function piecesOf(text: string, words: readonly Word[]): readonly Piece[] {
  const forms = words.map(
    ({ stem, isShort }) => (isShort ? String.raw`(?<![\p{L}\p{N}])` : '') + escaped(stem),
  )
  const pattern = new RegExp(String.raw`(?:${forms.join('|')})[\p{L}\p{N}]*`, 'giu')
  const pieces: Piece[] = []
  let from = 0
  for (const { 0: found, index } of text.matchAll(pattern)) {
    if (index > from) pieces.push([text.slice(from, index), false])
    pieces.push([found, true])
    from = index + found.length
  }
  if (from < text.length) pieces.push([text.slice(from), false])
  return pieces
}

const snippetLength = 140
const before = 44

/** The text around the first word that is in it; its beginning if none is. */
function snippetOf(text: string, words: readonly Word[]): string {
  const found = words.map((word) => placeIn(text.toLowerCase(), word).place).filter((place) => place >= 0)
  const first = found.length === 0 ? 0 : Math.min(...found)
  const from = first <= before ? 0 : text.indexOf(' ', first - before) + 1
  const end = from + snippetLength
  const to = text.length <= end ? text.length : Math.max(text.lastIndexOf(' ', end), from + before)
  return `${from > 0 ? '… ' : ''}${text.slice(from, to)}${to < text.length ? ' …' : ''}`
}

const partsMax = 20
const ofPageMax = 4

/** The best parts first, under their pages. */
export function findDocuments({ pages, parts }: DocumentIndex, query: string): readonly FoundPage[] {
  const words = wordsIn(query)
  if (query.trim().length < lengthMin || words.length === 0) return []
  const scored = parts
    .map(([page, anchor, heading, text]) => {
      const [address = '', title = ''] = pages[page] ?? []
      // The name of a page is in its address, too.
      const names = anchor === '' ? `${title} ${address.replace('/guide/', '')}` : title
      const texts = { isPage: anchor === '', title: names, heading: anchor === '' ? names : heading, text }
      const score = scoreOf(words, lower(texts)) * (isDecision.test(address) ? decisionWorth : 1)
      return { page: { address, title }, anchor, heading, text, score }
    })
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
  const found = new Map<string, { readonly title: string; readonly parts: FoundPart[] }>()
  let count = 0
  for (const { page, anchor, heading, text } of scored) {
    const group = found.get(page.address) ?? { title: page.title, parts: [] }
    if (group.parts.length === ofPageMax) continue
    found.set(page.address, group)
    group.parts.push({
      href: anchor === '' ? page.address : `${page.address}#${anchor}`,
      heading: piecesOf(heading, words),
      snippet: piecesOf(snippetOf(text, words), words),
    })
    count += 1
    if (count === partsMax) break
  }
  return [...found.values()]
}
