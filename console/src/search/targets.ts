/** The places that a search can lead to, and those that need no request: pages, corridors and administration. */

import type { SearchResult } from '@fairway/client'
import type { IconName } from '../ui/icon.tsx'
import type { FoundPage, Piece } from './documents.ts'

/** A place to go. */
export interface Target {
  readonly href: string
  readonly title: string
  /** The second line. */
  readonly note: string
  readonly icon: IconName
  /** Not a console page: a full page load. */
  readonly external?: true
}

export interface Group {
  readonly name: string
  readonly targets: readonly Target[]
}

const shownMax = 6
/** Fewer than records, corridors and pages, which are meant more often. */
const documentsMax = 4

const has = (text: string, part: string): boolean => text.toLowerCase().includes(part.toLowerCase())

export function pagesFor(text: string, pages: readonly Target[]): Group {
  const targets = pages.filter(({ title }) => has(title, text))
  return { name: 'Pages', targets: text === '' ? targets : targets.slice(0, shownMax) }
}

const textOf = (pieces: readonly Piece[]): string => pieces.map(([text]) => text).join('')

/** The best part of each page of the guide and the API reference. */
export function documentsFor(found: readonly FoundPage[]): Group {
  const targets = found.slice(0, documentsMax).flatMap(({ title, parts: [best] }): readonly Target[] => {
    if (best === undefined) return []
    const heading = textOf(best.heading)
    const name = heading === title ? title : `${title}: ${heading}`
    return [{ href: best.href, title: name, note: textOf(best.snippet), icon: 'book', external: true }]
  })
  return { name: 'Documents', targets }
}

/** By code, with or without its hyphen, or by the name of a country; any pair of codes is a corridor. */
export function corridorsFor(
  text: string,
  codes: readonly string[],
  nameOf: (corridor: string) => string,
): Group {
  const plain = text.replaceAll(/[\s–>-]+/g, '').toUpperCase()
  const [, from, to] = /^([A-Z]{2})([A-Z]{2})$/.exec(plain) ?? []
  const typed = from !== undefined && to !== undefined && /\W/.test(text) ? [`${from}-${to}`] : []
  const known = codes.filter((code) => code.replace('-', '').startsWith(plain) || has(nameOf(code), text))
  const found = text === '' ? [] : [...new Set([...typed, ...known])].slice(0, shownMax)
  return {
    name: 'Corridors',
    targets: found.map((code) => ({
      href: `/corridors/${encodeURIComponent(code)}`,
      title: code,
      note: nameOf(code),
      icon: 'route',
    })),
  }
}

/** The page of each kind of id that only an admin of the installation looks at. */
const adminPages: Readonly<Record<string, readonly [path: string, name: string]>> = {
  key: ['/admin/keys', 'API key'],
  prs: ['/admin/people', 'Person'],
  acr: ['/admin/access', 'Access request'],
  act: ['/admin/activity', 'Act'],
  own: ['/admin/keys', 'Owner, by its keys'],
}

export function administrationFor(text: string): Group {
  const [id, prefix = ''] = /^(key|prs|acr|act|own)_[0-9a-z]{10,}$/.exec(text.trim().toLowerCase()) ?? []
  const page = adminPages[prefix]
  const targets: readonly Target[] =
    id === undefined || page === undefined
      ? []
      : [{ href: `${page[0]}?q=${encodeURIComponent(id)}`, title: id, note: page[1], icon: 'key' }]
  return { name: 'Administration', targets }
}

const kinds: Readonly<Record<SearchResult['kind'], readonly [name: string, icon: IconName]>> = {
  decision: ['Decision', 'list'],
  override: ['Override', 'bolt'],
  outcome: ['Outcome', 'target'],
  review: ['Review', 'review'],
  event: ['Event', 'hook'],
  policy: ['Policy', 'policy'],
  backtest: ['Backtest', 'policy'],
  report: ['Kept report', 'layers'],
  webhook: ['Webhook', 'hook'],
}

function hrefOf({
  kind,
  id,
  request_id: requestId,
  policy_id: policyId,
  webhook_id: webhookId,
}: SearchResult): string {
  if (kind === 'review') return `/reviews?status=all&review=${encodeURIComponent(id)}`
  if (kind === 'policy') return `/policies/${encodeURIComponent(id)}`
  if (policyId !== undefined)
    return `/policies/${encodeURIComponent(policyId)}?report=${encodeURIComponent(id)}`
  if (kind === 'report') return `/batch/${encodeURIComponent(id)}`
  if (requestId !== undefined) return `/verifications/${encodeURIComponent(requestId)}`
  return webhookId === undefined ? '/webhooks' : `/webhooks/${encodeURIComponent(webhookId)}`
}

/** `moneyOf` formats the payment of a decision. */
export function resultsFor(
  text: string,
  results: readonly SearchResult[],
  moneyOf: (payment: NonNullable<SearchResult['payment']>) => string,
): Group {
  const targets = results.map((result): Target => {
    const [name, icon] = kinds[result.kind]
    const { payment } = result
    return {
      href: hrefOf(result),
      title: payment === undefined ? result.title : `${moneyOf(payment)} on ${payment.corridor}`,
      note: `${name} ${result.id}${payment === undefined ? '' : `, ${payment.decision}`}`,
      icon,
    }
  })
  const isCorrelation = results.length > 1 && results.every(({ kind }) => kind === 'decision')
  const all: Target = {
    href: `/verifications?correlation_id=${encodeURIComponent(text)}`,
    title: 'All decisions with this correlation id',
    note: text,
    icon: 'list',
  }
  return { name: 'Records', targets: isCorrelation ? [...targets, all] : targets }
}
