/** URL templates of providers, with placeholders for the corridor, amount, currency and partner of a payment. */

import type { RouteQuery } from '../../app/ports/feeds.ts'

const placeholderNames = ['corridor', 'amount', 'currency', 'partner'] as const

type PlaceholderName = (typeof placeholderNames)[number]

export interface UrlTemplate {
  readonly origin: string
  /** The placeholders it contains. */
  readonly names: readonly PlaceholderName[]
  /** Path and query. The parameter of the amount is omitted if there is no amount. */
  render(query: RouteQuery): string
}

const placeholder = /\{([^{}]*)\}/g
/** Replaces a placeholder while the URL is parsed: letters that no parser changes. */
const token = (name: string): string => `qZ${name}Zq`
const tokens = /qZ(corridor|amount|currency|partner)Zq/g

/** Returns a template, or the reason why the text is not one. */
export function compileTemplate(text: string): UrlTemplate | string {
  const names = [...text.matchAll(placeholder)].map(([, name = '']) => name)
  const unknownName = names.find((name) => !placeholderNames.some((known) => known === name))
  if (unknownName !== undefined) {
    return `has the unknown placeholder {${unknownName}}: use ${placeholderNames.map((name) => `{${name}}`).join(', ')}`
  }
  const marked = text.replaceAll(placeholder, (_all, name: string) => token(name))
  if (/[{}]/.test(marked)) return 'has an unmatched brace'
  if (!URL.canParse(marked)) return 'must be a URL, like https://provider.example/risk?corridor={corridor}'
  const url = new URL(marked)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'must be an http or https URL'
  if (url.username !== '' || url.password !== '') return 'must not contain a user or password: use a header'
  if (url.hash !== '') return 'must not contain a fragment'
  // The parser converts host names to lower case.
  if (/qz(?:corridor|amount|currency|partner)zq/.test(url.host.toLowerCase())) {
    return 'must have its placeholders in the path or the query'
  }
  const { pathname, search } = url
  const parameters = search === '' ? [] : search.slice(1).split('&')
  const amount = token('amount')
  const isCompleteValue = parameters.every(
    (one) => !one.includes(amount) || /^[^=]+=/.exec(one)?.[0] === one.slice(0, -amount.length),
  )
  if (!isCompleteValue || pathname.includes(amount)) {
    return 'may have {amount} only as the complete value of a parameter'
  }
  const used = placeholderNames.filter((name) => names.includes(name))
  return { origin: url.origin, names: used, render: renderer(pathname, parameters) }
}

function renderer(path: string, parameters: readonly string[]): UrlTemplate['render'] {
  const join = (parts: readonly string[]): string =>
    parts.length === 0 ? path : `${path}?${parts.join('&')}`
  const withAmount = join(parameters).split(tokens)
  const kept = parameters.filter((one) => !one.includes(token('amount')))
  const without = kept.length === parameters.length ? withAmount : join(kept).split(tokens)
  return (query) => fill(query.amount === null ? without : withAmount, query)
}

/**
 * Payments of a corridor mostly give the same text: the one before is kept with the values that it was made of. Each feed
 * has its own, because partners share templates.
 */
export function remembered(template: UrlTemplate): UrlTemplate['render'] {
  const { names } = template
  let last: RouteQuery | null = null
  let text = ''
  return (query) => {
    const before = last
    if (before === null || names.some((name) => before[name] !== query[name])) text = template.render(query)
    last = query
    return text
  }
}

/** Literal texts and placeholder names alternate in `pieces`, so that no search is needed per request. */
function fill(pieces: readonly string[], query: RouteQuery): string {
  let text = pieces[0] ?? ''
  for (let at = 1; at < pieces.length; at += 2) {
    text += encodeURIComponent(String(query[pieces[at] as PlaceholderName])) + (pieces[at + 1] ?? '')
  }
  return text
}
