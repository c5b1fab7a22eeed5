/** The index of the search: the text of each page by its parts, from the markup of the page. */

import type { DocumentIndex } from '../../console/src/search/documents.ts'
import { plainText, unescaped } from './markdown.ts'

/** The beginnings of parts: headings of the guide, sections of the reference. Without an anchor, of the page. */
const partStart = /<(?:h[1-6]|section)\b[^>]* id="[^"]+"/g

/** Parts without words to find: samples repeat the text, and outputs have other values on every machine. */
const aside = /<div class="ref-samples">[^]*|<pre class="output"[^]*?<\/pre>|<p class="guide-open">.*<\/p>/g

const textOf = (html: string): string =>
  unescaped(
    plainText(
      html
        .replaceAll(aside, '')
        .replaceAll(/<\/t[dh]><t[dh]>/g, ' · ')
        .replaceAll(/<\/(?:h\d|p|li|tr|pre|dt|dd|summary)>/g, ' '),
    ),
  )
    .replaceAll(/\s+/g, ' ')
    .trim()

type Part = readonly [anchor: string, heading: string, text: string]

/** Of one part, and of each row in it that has an anchor. */
function partsOf(html: string): readonly Part[] {
  const [, anchor = ''] = /^<\w+\b[^>]* id="([^"]+)"/.exec(html) ?? []
  const [, heading = ''] = /<h\d\b[^>]*>([^]*?)<\/h\d>/.exec(html) ?? []
  const rows = [...html.matchAll(/<tr id="([^"]+)"><td>.*?<\/td>(.*)<\/tr>/g)]
  const rest = rows
    .reduce((left, [row]) => left.replace(row, ''), html)
    .replace(/<h\d\b[^>]*>[^]*?<\/h\d>/, '')
  return [
    [anchor, textOf(heading), textOf(rest)],
    ...rows.map(([, name = '', cells = '']): Part => [name, name, textOf(cells.replace('<td>', ''))]),
  ]
}

function mainOf(page: string): string {
  const [, main = ''] = /<main\b[^>]*>([^]*)<\/main>/.exec(page) ?? []
  return main.replace(/<details class="guide-menu">[^]*?<\/details>/, '')
}

/** Takes each page's markup by its address. */
export function searchIndex(site: ReadonlyMap<string, string>): DocumentIndex {
  const pages: DocumentIndex['pages'][number][] = []
  const parts: DocumentIndex['parts'][number][] = []
  for (const [address, page] of site) {
    const main = mainOf(page)
    const starts = [0, ...[...main.matchAll(partStart)].map(({ index }) => index), main.length]
    const found = starts.slice(1).flatMap((end, at) => partsOf(main.slice(starts[at], end)))
    const [first, ...others] = found.filter(([, heading]) => heading !== '')
    if (first === undefined) throw new Error(`the page ${address} has no heading`)
    const place = pages.push([address, first[1]]) - 1
    // A link to the page itself leads to its first part.
    parts.push([place, '', first[1], first[2]], ...others.map((part) => [place, ...part] as const))
  }
  return { pages, parts }
}
