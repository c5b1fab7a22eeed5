/** Addresses of providers, with places for the corridor, the amount and the currency of a payment. */

import type { SignalQuery } from '../../app/ports/feeds.ts'

const placeNames = ['corridor', 'amount', 'currency'] as const

type PlaceName = (typeof placeNames)[number]

export interface UrlTemplate {
  readonly origin: string
  /** The places that it has. */
  readonly names: readonly PlaceName[]
  /** Path and query. A parameter for the amount is left out where there is none. */
  render(query: SignalQuery): string
}

const place = /\{([^{}]*)\}/g
/** Stands for a place while the address is read: letters that no parser changes. */
const token = (name: string): string => `qZ${name}Zq`
const tokens = /qZ(corridor|amount|currency)Zq/g

/** A template, or a sentence on why it is none. */
export function compileTemplate(text: string): UrlTemplate | string {
  const names = [...text.matchAll(place)].map(([, name = '']) => name)
  const stranger = names.find((name) => !placeNames.some((known) => known === name))
  if (stranger !== undefined) {
    return `has {${stranger}}, and knows ${placeNames.map((name) => `{${name}}`).join(', ')}`
  }
  const whole = text.replaceAll(place, (_all, name: string) => token(name))
  if (/[{}]/.test(whole)) return 'has a brace too many'
  if (!URL.canParse(whole))
    return 'must be an address, like https://provider.example/risk?corridor={corridor}'
  const url = new URL(whole)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'must be an http or https address'
  if (url.username !== '' || url.password !== '') return 'must not hold a user or a password: use a header'
  if (url.hash !== '') return 'must not hold a fragment'
  // Names of hosts are read in small letters.
  if (/qz(?:corridor|amount|currency)zq/.test(url.host.toLowerCase())) {
    return 'must have its places in the path or in the query'
  }
  const { pathname, search } = url
  const parameters = search === '' ? [] : search.slice(1).split('&')
  const amount = token('amount')
  const isWhole = parameters.every(
    (one) => !one.includes(amount) || /^[^=]+=/.exec(one)?.[0] === one.slice(0, -amount.length),
  )
  if (!isWhole || pathname.includes(amount)) {
    return 'may have {amount} only as the whole value of a parameter'
  }
  const known = placeNames.filter((name) => names.includes(name))
  return { origin: url.origin, names: known, render: renderer(pathname, parameters) }
}

function renderer(path: string, parameters: readonly string[]): UrlTemplate['render'] {
  const whole = (kept: readonly string[]): string => (kept.length === 0 ? path : `${path}?${kept.join('&')}`)
  const withAmount = whole(parameters).split(tokens)
  const without = whole(parameters.filter((one) => !one.includes(token('amount')))).split(tokens)
  return (query) => filled(query.amount === null ? without : withAmount, query)
}

/** Texts and names in turn, so that nothing has to be searched for while a request waits. */
function filled(pieces: readonly string[], query: SignalQuery): string {
  let text = pieces[0] ?? ''
  for (let at = 1; at < pieces.length; at += 2) {
    text += encodeURIComponent(String(query[pieces[at] as PlaceName])) + (pieces[at + 1] ?? '')
  }
  return text
}
