/** Turns a document into HTML: headings with anchors, links to the pages of the site, tables that scroll by themselves. */

import { posix } from 'node:path'
import { Marked, type Tokens } from 'marked'
import { escapeHtml } from './frame.ts'
import type { Settings } from './settings.ts'

export interface Heading {
  readonly id: string
  /** Markup. */
  readonly text: string
  readonly level: number
}

export interface Rendered {
  /** The text of the first heading. */
  readonly title: string
  readonly html: string
  readonly headings: readonly Heading[]
}

export interface Site {
  /** The address of a document, by its path in the repository; undefined if the site does not have it. */
  readonly addressOf: (path: string) => string | undefined
  /** Addresses that a document may name as code, and that become links. */
  readonly consolePaths: ReadonlySet<string>
  readonly settings: Settings
}

/** An address of the example server is a page of the server that serves the guide. */
const exampleServer = /^http:\/\/(?:127\.0\.0\.1|localhost):8080(?=\/|$)/

/** As GitHub makes them, so that links work in both places. */
function anchorOf(text: string, seen: Map<string, number>): string {
  const anchor = text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')
  const earlier = seen.get(anchor) ?? 0
  seen.set(anchor, earlier + 1)
  return earlier === 0 ? anchor : `${anchor}-${earlier}`
}

/** Null if the target is a file of the repository that the site does not have. */
function hrefOf(target: string, path: string, { addressOf }: Site): string | null {
  if (exampleServer.test(target)) return target.replace(exampleServer, '') || '/'
  if (/^[a-z]+:|^#/.test(target)) return target
  const [file = '', fragment] = target.split('#')
  const address = addressOf(posix.join(posix.dirname(path), file))
  if (address === undefined) return null
  return fragment === undefined ? address : `${address}#${fragment}`
}

/** The address of what a document names as code; null if the site has no page or part for it. */
function codeHref(text: string, path: string, { addressOf, consolePaths, settings }: Site): string | null {
  if (consolePaths.has(text)) return text
  const [name = ''] = text.split('=')
  if (!settings.names.has(name)) return null
  return `${path === settings.home ? '' : (addressOf(settings.home) ?? '')}#${name}`
}

const withoutLinks = (html: string): string => html.replaceAll(/<\/?a\b[^>]*>/g, '')

export const plainText = (html: string): string => html.replaceAll(/<[^>]+>/g, '')

export const unescaped = (html: string): string =>
  html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

/** A row about one code, such as a setting or an error, is a part that links lead to; it does not link to itself. */
function rowOf(cells: string, seen: Map<string, number>): string {
  const begin = /^<td>(?:<a href="#[^"]+">)?<code>([A-Z][A-Z\d_]{3,})<\/code>(?:<\/a>)?(?=<|,)/
  const [whole = '', name = ''] = begin.exec(cells) ?? []
  if (name === '' || seen.has(name)) return `<tr>${cells}</tr>`
  seen.set(name, 1)
  return `<tr id="${name}"><td><code>${name}</code>${cells.slice(whole.length)}</tr>`
}

/** The path is that of the document in the repository: its links are relative to it. */
export function render(markdown: string, path: string, site: Site): Rendered {
  const headings: Heading[] = []
  const seen = new Map<string, number>()
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const text = this.parser.parseInline(tokens)
        const id = anchorOf(unescaped(plainText(text)), seen)
        headings.push({ id, text, level: depth })
        return `<h${depth} id="${id}">${text}</h${depth}>\n`
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens)
        const address = hrefOf(href, path, site)
        return address === null ? text : `<a href="${escapeHtml(address)}">${withoutLinks(text)}</a>`
      },
      image({ href, text }) {
        const address = site.addressOf(posix.join(posix.dirname(path), href))
        if (address === undefined)
          throw new Error(`${path} has a picture that the site does not have: ${href}`)
        // Focusable, because it scrolls in a narrow window.
        return `<span class="guide-picture" tabindex="0" role="group" aria-label="Picture"><img src="${address}" alt="${escapeHtml(text)}" loading="lazy"></span>`
      },
      codespan({ text }) {
        const code = `<code>${escapeHtml(text)}</code>`
        const href = codeHref(text, path, site)
        return href === null ? code : `<a href="${escapeHtml(href)}">${code}</a>`
      },
      code({ text, lang = '' }) {
        const [language = 'text', ...words] = lang.split(' ')
        const isOutput = words.includes('output')
        const label = isOutput ? 'Output' : `Code, ${language === '' ? 'text' : language}`
        // Focusable, because it scrolls.
        return `<pre${isOutput ? ' class="output"' : ''} tabindex="0" role="group" aria-label="${escapeHtml(label)}"><code>${escapeHtml(text)}</code></pre>\n`
      },
      table({ header, rows }) {
        const cell = ({ tokens, header: isHeader }: Tokens.TableCell): string => {
          const text = this.parser.parseInline(tokens)
          // A header without a text would name nothing.
          const tag = isHeader && text !== '' ? 'th' : 'td'
          return `<${tag}>${text}</${tag}>`
        }
        const cells = (row: readonly Tokens.TableCell[]): string => row.map(cell).join('')
        const body = rows.map((row) => rowOf(cells(row), seen)).join('\n')
        const label = plainText(header.map(({ text }) => text).join(', '))
        return `<div class="guide-table" tabindex="0" role="group" aria-label="Table: ${escapeHtml(label)}"><table><thead><tr>${cells(header)}</tr></thead>\n<tbody>${body}</tbody></table></div>\n`
      },
    },
  })
  const html = marked.parse(markdown, { async: false })
  return { title: unescaped(plainText(headings[0]?.text ?? path)), html, headings }
}
