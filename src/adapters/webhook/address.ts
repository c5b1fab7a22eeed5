/** Decides which IP addresses webhooks may be sent to: public ones, and with `allowPrivate` local ones too. */

import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

export interface AddressRules {
  /** For development: also allows loopback, private networks and this machine's own addresses. */
  readonly allowPrivate: boolean
  /** The current addresses of this machine. They may be public and still reach services meant only for this machine. */
  readonly ownAddresses: () => readonly string[]
}

/** `local` addresses are allowed only with `allowPrivate`; `refused` ones never. */
export type AddressKind = 'public' | 'local' | 'refused'

/** Pass `kind` if it is already computed: the kind of an address never changes, but the address may become our own. */
export function mayConnect(
  address: string,
  { allowPrivate, ownAddresses }: AddressRules,
  kind = kindOf(address),
): boolean {
  if (kind === 'refused') return false
  if (allowPrivate) return true
  if (kind === 'local') return false
  const normalized = normalize(address)
  return ownAddresses().every((own) => normalize(own) !== normalized)
}

export function kindOf(address: string): AddressKind {
  // An address with a zone is link-local. The library also accepts 10 and 0x7f.1 as addresses.
  if (isIP(address) === 0 || address.includes('%')) return 'refused'
  const parsed = ipaddr.parse(address)
  if (metadata.has(parsed.toNormalizedString())) return 'refused'
  return parsed instanceof ipaddr.IPv4 ? kindOfIPv4(parsed) : kindOfIPv6(parsed)
}

/**
 * Cloud metadata services, which hand out credentials. Most are link-local; the others look public (Azure) or private
 * (Alibaba; the IPv6 ones of AWS, Google, Oracle, Akamai and Scaleway). They are refused even with `allowPrivate`.
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
  ].map((address) => normalize(address)),
)

/**
 * The library classifies every range of the IANA special-purpose registry (RFC 6890) as something other than `unicast`.
 * That includes AS112 and AMT (192.31.196.0/24, 192.52.193.0/24, 192.175.48.0/24), where no receiver can be.
 */
function kindOfIPv4(address: ipaddr.IPv4): AddressKind {
  const range = address.range()
  if (range === 'unicast') return 'public'
  return range === 'loopback' || range === 'private' || range === 'carrierGradeNat' ? 'local' : 'refused'
}

/**
 * Only 2000::/3 is global unicast (RFC 4291, 2.4). The library reports every unknown range as unicast, including
 * IPv4-compatible addresses (::/96) and unassigned ranges.
 */
function kindOfIPv6(address: ipaddr.IPv6): AddressKind {
  const range = address.range()
  if (range === 'loopback' || range === 'uniqueLocal') return 'local'
  const isGlobal = address.match(globalUnicast, 3) && !address.match(sixBone, 16)
  return range === 'unicast' && isGlobal && !isIsatap(address) ? 'public' : 'refused'
}

const globalUnicast = ipaddr.IPv6.parse('2000::')

/** 3ffe::/16, the retired 6bone (RFC 3701): not part of the public network. */
const sixBone = ipaddr.IPv6.parse('3ffe::')

/** Any prefix, then `0:5efe` or `200:5efe` and an IPv4 address: a tunnel may forward it there (RFC 5214, 6.1). */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return ((parts[4] ?? 0) & 0xfdff) === 0 && parts[5] === 0x5efe
}

function normalize(address: string): string {
  return ipaddr.isValid(address) ? ipaddr.parse(address).toNormalizedString() : address
}
