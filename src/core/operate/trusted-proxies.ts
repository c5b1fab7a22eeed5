/** Reads which proxies in front of the service are trusted with the caller's address. */

import { integer } from '../reference/integer.ts'

export const trustProxyRule =
  'false, true (one proxy), the number of proxies, or their addresses and networks, comma-separated'

/** The result is wrapped because false is a valid value. */
export function parseTrustProxy(text: string): { readonly value: false | number | string } | null {
  if (text === 'false' || text === '0') return { value: false }
  if (text === 'true') return { value: 1 }
  const hops = integer(text, 1, 10)
  if (hops !== null) return { value: hops }
  const proxies = text.split(',').map((part) => part.trim())
  return proxies.every(isProxy) ? { value: proxies.join(',') } : null
}

/** Accepts an address, a network like 10.0.0.0/8, or a named private range. */
function isProxy(text: string): boolean {
  if (/^(?:loopback|linklocal|uniquelocal)$/.test(text)) return true
  const [, address = '', bits = '1'] = /^([\da-fA-F:.]+)(?:\/(\d+))?$/.exec(text) ?? []
  if (address.includes(':')) return URL.canParse(`http://[${address}]`) && integer(bits, 1, 128) !== null
  const octets = address.split('.').map((octet) => integer(octet, 0, 255))
  const isCanonical = octets.join('.') === address && octets.length === 4
  return isCanonical && integer(bits, 1, 32) !== null
}
