/** Markup of the API reference: descriptions as Markdown that cannot bring markup of its own, and blocks of code. */

import { Marked, type Tokens } from 'marked'
import { escapeHtml } from '../frame.ts'

/** Elements and addresses of a description are text: only what Markdown itself makes is markup. */
const marked = new Marked({
  renderer: {
    html: ({ text }: Tokens.HTML | Tokens.Tag) => escapeHtml(text),
    image: ({ text }) => escapeHtml(text),
    heading({ tokens }) {
      return `<p>${this.parser.parseInline(tokens)}</p>`
    },
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens)
      return /^(?:https:\/\/|\/(?!\/)|#)/.test(href) ? `<a href="${escapeHtml(href)}">${text}</a>` : text
    },
  },
})

/** A description in one line. */
export const inline = (text = ''): string => marked.parseInline(text, { async: false })

/** A description in paragraphs. */
export const paragraphs = (text = ''): string => marked.parse(text, { async: false })

export const code = (text: unknown): string => `<code>${escapeHtml(String(text))}</code>`

/** As people read it: JSON over several lines, any other text as it is. */
export const exampleText = (example: unknown): string =>
  typeof example === 'string' ? example : JSON.stringify(example, null, 2)

/** The content is markup. The title is seen; the label says what it belongs to, too. */
export function codeBlock(title: string, label: string, content: string): string {
  // Focusable, because it scrolls.
  return `<div class="code ref-code"><div class="code-head"><span>${escapeHtml(title)}</span></div><pre tabindex="0" role="group" aria-label="${escapeHtml(label)}"><code>${content}</code></pre></div>\n`
}
