/** Whether an endpoint may be called: its URL, its name, and every address that the name has. */

import type { EndpointGuard } from '../../app/ports/webhooks.ts'
import { mayConnect, type AddressRules } from './address.ts'
import type { NameResolver } from './resolver.ts'
import { isLocalhost, readUrl } from './url.ts'

export interface TargetRules extends AddressRules {
  readonly resolver: Pick<NameResolver, 'resolve'>
}

export type Targets =
  | { readonly kind: 'found'; readonly addresses: readonly string[] }
  | { readonly kind: 'unresolved' }
  | { readonly kind: 'refused' }

/** The addresses behind a host. One that is refused refuses them all: the next connection might be to that one. */
export async function findTargets(host: string, isLiteral: boolean, rules: TargetRules): Promise<Targets> {
  const addresses = isLiteral ? [host] : await addressesOf(host, rules)
  if (addresses.length === 0) return { kind: 'unresolved' }
  return addresses.every((address) => mayConnect(address, rules))
    ? { kind: 'found', addresses }
    : { kind: 'refused' }
}

const loopback = ['127.0.0.1', '::1']

async function addressesOf(name: string, { resolver }: TargetRules): Promise<readonly string[]> {
  return isLocalhost(name) ? loopback : resolver.resolve(name)
}

const reasonOf = {
  unresolved: 'does not resolve to an address',
  refused: 'must not lead to a private, local or reserved address',
} satisfies Record<Exclude<Targets['kind'], 'found'>, string>

export function createEndpointGuard(rules: TargetRules): EndpointGuard {
  return {
    async check(url) {
      const read = readUrl(url, rules.allowPrivate)
      if (read.kind === 'refused') return read.reason
      const { host, isLiteral } = read.endpoint
      const targets = await findTargets(host, isLiteral, rules)
      return targets.kind === 'found' ? null : reasonOf[targets.kind]
    },
  }
}
