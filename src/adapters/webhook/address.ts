/** Which addresses a webhook may be sent to: public ones, and in a trial on one machine those of its own network. */

import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

export interface AddressRules {
  /** For a trial on one machine: loopback, private networks and our own addresses are allowed as well. */
  readonly allowPrivate: boolean
  /** The addresses of this machine now. They may be public, and yet lead to what listens for us alone. */
  readonly ownAddresses: () => readonly string[]
}

/** `local` ones are allowed where private addresses are; `refused` ones never. */
export type AddressKind = 'public' | 'local' | 'refused'

/** The kind may be given where it is known: an address never changes its kind, but it may become ours. */
export function mayConnect(
  address: string,
  { allowPrivate, ownAddresses }: AddressRules,
  kind = kindOf(address),
): boolean {
  if (kind === 'refused') return false
  if (allowPrivate) return true
  if (kind === 'local') return false
  const plain = normal(address)
  return ownAddresses().every((own) => normal(own) !== plain)
}

export function kindOf(address: string): AddressKind {
  // An address with a zone is one of a link; the library also takes 10 and 0x7f.1 for addresses.
  if (isIP(address) === 0 || address.includes('%')) return 'refused'
  const parsed = ipaddr.parse(address)
  if (metadata.has(parsed.toNormalizedString())) return 'refused'
  return parsed instanceof ipaddr.IPv4 ? kindOfIPv4(parsed) : kindOfIPv6(parsed)
}

/**
 * What a cloud tells the machines inside it, their credentials among it. Most of these are link-local; the others look
 * public (Azure) or private (Alibaba; the IPv6 ones of AWS, Google, Oracle, Akamai and Scaleway), and no trial needs them.
 */
const metadata = new Set(
  [
    '168.63.129.16',
    '169.254.169.254',
    '100.100.100.200',
    '192.0.0.192',
    'fd00:ec2::254',
    'fd00:ec2::253',
    'fd00:ec2::123',
    'fd00:ec2::23',
    'fd20:ce::254',
    'fd00:c1::a9fe:a9fe',
    'fd00:a9fe:a9fe::1',
    'fd00:42::42',
  ].map((address) => normal(address)),
)

/**
 * Everything that the IANA registry of special-purpose addresses (RFC 6890) has is something else than `unicast` to the
 * library. That includes AS112 and AMT (192.31.196.0/24, 192.52.193.0/24, 192.175.48.0/24), where no receiver can be.
 */
function kindOfIPv4(address: ipaddr.IPv4): AddressKind {
  const range = address.range()
  if (range === 'unicast') return 'public'
  return range === 'loopback' || range === 'private' || range === 'carrierGradeNat' ? 'local' : 'refused'
}

/**
 * Only 2000::/3 is global unicast (RFC 4291, 2.4). The library takes what it does not know for unicast: IPv4-compatible
 * addresses (::/96) among it, and all that no one has assigned.
 */
function kindOfIPv6(address: ipaddr.IPv6): AddressKind {
  const range = address.range()
  if (range === 'loopback' || range === 'uniqueLocal') return 'local'
  const isGlobal = address.match(globalUnicast, 3) && !address.match(sixBone, 16)
  return range === 'unicast' && isGlobal && !isIsatap(address) ? 'public' : 'refused'
}

const globalUnicast = ipaddr.IPv6.parse('2000::')

/** 3ffe::/16, given back (RFC 3701): whoever answers there is not on the public network. */
const sixBone = ipaddr.IPv6.parse('3ffe::')

/** Under any prefix, `0:5efe` or `200:5efe` and an IPv4 address: a tunnel may carry it there (RFC 5214, 6.1). */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return ((parts[4] ?? 0) & 0xfdff) === 0 && parts[5] === 0x5efe
}

function normal(address: string): string {
  return ipaddr.isValid(address) ? ipaddr.parse(address).toNormalizedString() : address
}
