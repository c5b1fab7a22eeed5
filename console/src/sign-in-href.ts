/** Links to the sign-in page and back. */

import { useLocation, useSearch } from 'wouter'

/** The sign-in URL that returns to the current page. */
export function useSignInHref(): string {
  const [here] = useLocation()
  const search = useSearch()
  const from = here + (search === '' ? '' : `?${search}`)
  return from === '/' || here === '/sign-in' ? '/sign-in' : `/sign-in?from=${encodeURIComponent(from)}`
}

/** The page to open after sign-in; always on this origin, whatever the URL contains. */
export function destinationIn(search: string): string {
  const from = new URLSearchParams(search).get('from') ?? ''
  const { origin } = window.location
  if (!from.startsWith('/') || !URL.canParse(from, origin)) return '/overview'
  const { origin: to, pathname, search: query, hash } = new URL(from, origin)
  return to === origin ? pathname + query + hash : '/overview'
}
