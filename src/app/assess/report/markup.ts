/** An HTML template tag that escapes every inserted text, and the elements shared by the report's sections. */

import type { Verdict } from '../../../core/decision/score.ts'
import { toneOf } from './formats.ts'

export interface Markup {
  readonly html: string
}

type Part = string | number | Markup | readonly Markup[]

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeText(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character)
}

/** Only template literals and results of this function count as markup; all other text is escaped. */
export function markup(literals: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  let html = literals[0] ?? ''
  for (const [place, part] of parts.entries()) html += htmlOf(part) + (literals[place + 1] ?? '')
  return { html }
}

function htmlOf(part: Part): string {
  if (typeof part === 'string') return escapeText(part)
  if (typeof part === 'number') return String(part)
  return 'html' in part ? part.html : part.map(({ html }) => html).join('')
}

export const nothing: Markup = { html: '' }

/** Trusted text, such as the stylesheet, that is not escaped. */
export function ownMarkup(html: string): Markup {
  return { html }
}

// Elements shared by several sections

export function section(id: string, title: string, body: Markup): Markup {
  return markup`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>
${body}
</section>`
}

export function verdictMark(verdict: Verdict): Markup {
  return markup`<span class="verdict ${toneOf[verdict]}-mark">${verdict}</span>`
}

/** A wide table scrolls inside its own frame, also by keyboard, so that the page does not scroll sideways. */
export function scrolled(name: string, table: Markup): Markup {
  return markup`<div class="scroll" role="region" aria-label="${name}" tabindex="0">${table}</div>`
}
