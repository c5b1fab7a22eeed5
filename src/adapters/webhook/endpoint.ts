/** Checks whether an endpoint may be called: its URL, its host name, and every address of that name. */

import type { EndpointGuard } from '../../app/ports/webhooks.ts'
import { mayConnect, type AddressRules } from './address.ts'
import type { NameResolver } from './resolver.ts'
import { isLocalhost, readUrl } from './url.ts'

export interface TargetRules extends AddressRules {
  readonly resolver: Pick<NameResolver, 'resolve'>
}

export type Targets =
  | { readonly kind: 'resolved'; readonly addresses: readonly string[] }
  | { readonly kind: 'unresolved' }
  | { readonly kind: 'refused' }

/** Resolves a host to addresses. One refused address refuses the host, because the next connection might use it. */
export async function findTargets(host: string, isLiteral: boolean, rules: TargetRules): Promise<Targets> {
  const addresses = isLiteral ? [host] : await addressesOf(host, rules)
  if (addresses.length === 0) return { kind: 'unresolved' }
  return addresses.every((address) => mayConnect(address, rules))
    ? { kind: 'resolved', addresses }
    : { kind: 'refused' }
}

const loopback = ['127.0.0.1', '::1']

async function addressesOf(name: string, { resolver }: TargetRules): Promise<readonly string[]> {
  return isLocalhost(name) ? loopback : resolver.resolve(name)
}

const reasonOf = {
  unresolved: 'does not resolve to an address',
  refused: 'must not lead to a private, local or reserved address',
} satisfies Record<Exclude<Targets['kind'], 'resolved'>, string>

export function createEndpointGuard(rules: TargetRules): EndpointGuard {
  return {
    async check(url) {
      const read = readUrl(url, rules.allowPrivate)
      if (read.kind === 'refused') return read.reason
      const { host, isLiteral } = read.endpoint
      const targets = await findTargets(host, isLiteral, rules)
      return targets.kind === 'resolved' ? null : reasonOf[targets.kind]
    },
  }
}
