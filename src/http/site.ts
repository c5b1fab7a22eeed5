/** The site that browsers see: its origin, its cookies, and whether a request comes from its own pages. */

import type { FastifyRequest } from 'fastify'

/** The cookie of a session, and the prefix of those of sign-ins at the provider that have not ended. */
const sessionCookie = 'fairway-session'
const signInCookie = 'fairway-sign-in-'

/** Whether a host is this machine, so that plain http is safe. */
function isLoopback(hostname: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i.test(hostname)
}

export interface Site {
  /** `https://fairway.example`, without a slash at the end. */
  readonly origin: string
  readonly isSecure: boolean
}

/**
 * Null if people cannot sign in here: without FAIRWAY_PUBLIC_URL the site is known on this machine alone. The name that a
 * browser used is believed only there, where another site cannot choose it.
 */
export function siteOf(request: FastifyRequest, publicUrl: string | null): Site | null {
  if (publicUrl !== null) return { origin: publicUrl, isSecure: publicUrl.startsWith('https:') }
  const { host = '' } = request.headers
  if (!URL.canParse(`http://${host}`)) return null
  const { hostname, origin } = new URL(`http://${host}`)
  return isLoopback(hostname) ? { origin, isSecure: false } : null
}

/** A browser names the origin of the page with every request that can change anything. */
export function isFromOwnPage({ headers }: FastifyRequest, site: Site | null): boolean {
  return site !== null && headers.origin === site.origin
}

/** The prefix makes browsers refuse the cookie from other hosts and over plain http. */
const nameOn = ({ isSecure }: Site, name: string): string => (isSecure ? `__Host-${name}` : name)

export const sessionCookieOn = (site: Site): string => nameOn(site, sessionCookie)

/** One for each sign-in, so that two tabs do not disturb each other. */
export const signInCookieOn = (site: Site, state: string): string =>
  nameOn(site, signInCookie + state.replaceAll(/[^A-Za-z0-9_-]/g, '').slice(0, 16))

/** Sign-ins that one browser may have begun: all cookies together must fit into the headers of a request. */
const signInsMax = 4

/** The cookies of sign-ins that did not end, if there are too many. */
export function staleSignIns({ headers }: FastifyRequest, site: Site): string[] {
  const begun = (headers.cookie ?? '')
    .split(';')
    .map((part) => part.slice(0, part.indexOf('=')).trim())
    .filter((name) => name.startsWith(nameOn(site, signInCookie)))
  return begun.length < signInsMax ? [] : begun
}

export function readCookie({ headers }: FastifyRequest, name: string): string | null {
  for (const part of (headers.cookie ?? '').split(';')) {
    const at = part.indexOf('=')
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim()
  }
  return null
}

export function cookieText(site: Site, name: string, value: string, lifetimeMs: number): string {
  const parts = [`${name}=${value}`, 'Path=/', 'HttpOnly', 'SameSite=Lax', `Max-Age=${lifetimeMs / 1000}`]
  return [...parts, ...(site.isSecure ? ['Secure'] : [])].join('; ')
}
