/** Validates and parses the URL of an endpoint, before any name is resolved. */

import { isIP } from 'node:net'

/** A parsed URL with valid syntax; its addresses are checked later. */
export interface Endpoint {
  readonly isSecure: boolean
  /** A name without its final dot, or an address without brackets. */
  readonly host: string
  readonly isLiteral: boolean
  readonly port: number
  /** The value of the `Host` header. */
  readonly authority: string
  /** Path and query. */
  readonly path: string
}

/** The reason completes a sentence that starts with the field's name. */
export type ReadUrl =
  | { readonly kind: 'read'; readonly endpoint: Endpoint }
  | { readonly kind: 'refused'; readonly reason: string }

const lengthMax = 2_048

export function readUrl(text: string, allowPrivate: boolean): ReadUrl {
  const raw = rawFault(text, allowPrivate)
  if (raw !== null) return refused(raw)
  const url = URL.parse(text)
  if (url === null) return refused(schemeReason(allowPrivate))
  const host = url.hostname.replace(/^\[(.*)\]$|\.$/, '$1')
  const isLiteral = isIP(host) !== 0
  if (url.port === '0') return refused('must not use port 0')
  if (!isLiteral && !isPublicName(host, allowPrivate)) return refused(localNameReason)
  const isSecure = url.protocol === 'https:'
  return {
    kind: 'read',
    endpoint: {
      isSecure,
      host,
      isLiteral,
      port: url.port === '' ? (isSecure ? 443 : 80) : Number(url.port),
      authority: url.host,
      path: url.pathname + url.search,
    },
  }
}

const refused = (reason: string): ReadUrl => ({ kind: 'refused', reason })

const schemeReason = (allowPrivate: boolean): string =>
  allowPrivate ? 'must be a valid http or https URL' : 'must be a valid https URL'

const localNameReason = 'must name a public host, not localhost or a local name'

/**
 * The URL parser repairs invalid URLs: it drops tabs and newlines, trims spaces, converts backslashes, and accepts any
 * number of slashes. Such URLs are refused, so that a URL means what it appears to mean.
 */
function rawFault(text: string, allowPrivate: boolean): string | null {
  if (text.length > lengthMax) return 'must have at most 2,048 characters'
  if (/[^\x21-\x7e]/.test(text)) return 'must contain only printable ASCII characters, without spaces'
  const [, scheme = '', authority = ''] = /^(https?):\/\/([^/?#]+)/i.exec(text) ?? []
  if (authority === '') return schemeReason(allowPrivate)
  if (!allowPrivate && scheme.toLowerCase() !== 'https') return schemeReason(allowPrivate)
  if (text.includes('\\')) return 'must not contain a backslash'
  if (authority.includes('@')) return 'must not contain a user name or password'
  if (text.includes('#')) return 'must not have a fragment'
  return null
}

/**
 * Top-level labels that are never public: RFC 6761 (localhost), RFC 6762 (local, and those of its appendix G),
 * RFC 8375 (home.arpa), and internal, which ICANN reserved for private use in 2024.
 */
const localSuffix =
  /(?:^|\.)(?:localhost|local|internal|localdomain|home\.arpa|lan|intranet|corp|home|private)$/

const label = /^[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d_])?$/

/** The URL parser has already applied lower case and punycode, and parsed names ending in a number as addresses. */
function isPublicName(name: string, allowPrivate: boolean): boolean {
  const labels = name.split('.')
  if (name.length > 253 || !labels.every((part) => label.test(part))) return false
  return allowPrivate || (labels.length > 1 && !localSuffix.test(name))
}

/** RFC 6761, 6.3: such a name always means loopback; name servers must not be queried. */
export const isLocalhost = (name: string): boolean => /(?:^|\.)localhost$/.test(name)
