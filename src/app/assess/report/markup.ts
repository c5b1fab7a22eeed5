/** Markup that cannot forget to escape: all text that is put into it is escaped, by one function. */

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

export function escapeText(text: string): string {
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
