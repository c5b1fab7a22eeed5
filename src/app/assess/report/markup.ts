/** Markup that cannot forget to escape, since one function escapes all text that is put into it; and pieces made of it. */

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

/** Only what stands in the source, and what was made by this function before, is taken as markup. */
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

/** The stylesheet and the like: text of our own that is not to be escaped. */
export function ownMarkup(html: string): Markup {
  return { html }
}

// Pieces that several sections of the report are made of

export function section(id: string, title: string, body: Markup): Markup {
  return markup`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>
${body}
</section>`
}

export function verdictMark(verdict: Verdict): Markup {
  return markup`<span class="verdict ${toneOf[verdict]}-mark">${verdict}</span>`
}

/** A wide table moves inside its own frame, so that the page never does; the keyboard can move it too. */
export function scrolled(name: string, table: Markup): Markup {
  return markup`<div class="scroll" role="region" aria-label="${name}" tabindex="0">${table}</div>`
}
