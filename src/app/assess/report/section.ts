/** The small pieces that several sections of the report are made of. */

import type { Verdict } from '../../../core/decision/score.ts'
import { toneOf } from './formats.ts'
import { markup, type Markup } from './markup.ts'

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
