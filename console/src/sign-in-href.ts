/** The way to signing in, and from there back to where one was. */

import { useLocation, useSearch } from 'wouter'

/** The address of the sign-in page that leads back to this one. */
export function useSignInHref(): string {
  const [here] = useLocation()
  const search = useSearch()
  const from = here + (search === '' ? '' : `?${search}`)
  return from === '/' || here === '/sign-in' ? '/sign-in' : `/sign-in?from=${encodeURIComponent(from)}`
}

/** Where to go on after signing in: a page of this origin alone, whatever the address says. */
export function destinationIn(search: string): string {
  const from = new URLSearchParams(search).get('from') ?? ''
  const { origin } = window.location
  if (!from.startsWith('/') || !URL.canParse(from, origin)) return '/overview'
  const { origin: to, pathname, search: query, hash } = new URL(from, origin)
  return to === origin ? pathname + query + hash : '/overview'
}
