/** Identifies the caller of a public route for rate limiting: by its IPv4 address or its IPv6 network. */

import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'

/** IPv6 callers are counted by /64, since each holds one. An IPv4-mapped IPv6 address counts as its IPv4 address. */
export function clientGroup(request: FastifyRequest): string {
  // A proxy may forward any text; if it is not an address, the request counts for the proxy itself.
  return groupOf(ipOf(request)) ?? groupOf(request.raw.socket.remoteAddress ?? '') ?? 'unknown'
}

/** The exact client address; empty if it is unknown. */
export function clientAddress(request: FastifyRequest): string {
  const parsed = parse(ipOf(request)) ?? parse(request.raw.socket.remoteAddress ?? '')
  return parsed?.toString() ?? ''
}

/** `request.ip` is undefined after the caller disconnects, despite its type. */
function ipOf({ ip }: { readonly ip: string | undefined }): string {
  return ip ?? ''
}

const ipv6GroupBytes = 8

export function groupOf(address: string): string | null {
  const parsed = parse(address)
  if (parsed === null || parsed.kind() === 'ipv4') return parsed?.toString() ?? null
  const network = [...parsed.toByteArray().slice(0, ipv6GroupBytes), ...Array.from({ length: 8 }, () => 0)]
  return `${ipaddr.fromByteArray(network).toString()}/64`
}

function parse(address: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  // Some proxies add the port, some systems the zone.
  const [, bracketed, dotted] = /^\[(.+)\](?::\d+)?$|^([\d.]+):\d+$/.exec(address) ?? []
  const [plain = ''] = (bracketed ?? dotted ?? address).split('%')
  // Only complete addresses: the library also accepts 10 and 0x7f.1.
  if (!ipaddr.IPv4.isValidFourPartDecimal(plain) && !ipaddr.IPv6.isValid(plain)) return null
  return ipaddr.process(plain)
}
