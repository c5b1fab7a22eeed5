/** Who calls a public route, as far as a limit goes: an address, or the network that stands for one household. */

import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'

/** IPv6 callers hold a /64 each, so that is what is counted; an IPv4 address in IPv6 clothes is itself. */
export function clientGroup(request: FastifyRequest): string {
  // A proxy may pass on anything; what is no address counts for the proxy itself.
  return groupOf(ipOf(request)) ?? groupOf(request.raw.socket.remoteAddress ?? '') ?? 'unknown'
}

/** The one address itself, for those who want to know exactly; empty where none can be told. */
export function clientAddress(request: FastifyRequest): string {
  const parsed = parse(ipOf(request)) ?? parse(request.raw.socket.remoteAddress ?? '')
  return parsed?.toString() ?? ''
}

/** Of a caller who has hung up meanwhile there is none, whatever the type says. */
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
  // Only whole addresses: the library also takes 10 and 0x7f.1 for one.
  if (!ipaddr.IPv4.isValidFourPartDecimal(plain) && !ipaddr.IPv6.isValid(plain)) return null
  return ipaddr.process(plain)
}
