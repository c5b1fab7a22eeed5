/** Resolves host names at the name servers, without using Node's shared thread pool. */

import { Resolver } from 'node:dns/promises'

export interface NameResolver {
  /** Every address of the name, IPv4 first; empty if it does not resolve. Never rejects. */
  resolve(name: string): Promise<readonly string[]>
  /** Cancels pending lookups; they resolve to no addresses. */
  close(): void
}

export interface ResolverOptions {
  /** As `address:port`. Default: the system's name servers. */
  readonly servers?: readonly string[]
  /** For the complete lookup. An address family without an answer by then counts as empty. */
  readonly timeoutMs?: number
}

/** Shorter than the receiver timeout, to distinguish a dead name server from a slow receiver. */
const timeoutMsDefault = 3_000

/**
 * `dns.lookup` runs getaddrinfo on the four threads that file access and compression also use, so four names with dead
 * name servers would block everything else. The drawback: /etc/hosts is not read. `localhost` needs no lookup.
 */
export function createResolver({
  servers,
  timeoutMs = timeoutMsDefault,
}: ResolverOptions = {}): NameResolver {
  const pending = new Set<Resolver>()
  return {
    async resolve(name) {
      // One resolver per lookup: it can be cancelled separately, and uses the current name servers.
      const resolver = new Resolver({ timeout: 1_000, tries: 2 })
      if (servers !== undefined) resolver.setServers(servers)
      pending.add(resolver)
      const timer = setTimeout(() => resolver.cancel(), timeoutMs)
      // If one family fails, the other is used: connections only ever use addresses that were resolved and checked.
      const families = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
      clearTimeout(timer)
      pending.delete(resolver)
      return families.flatMap((family) => (family.status === 'fulfilled' ? family.value : []))
    },
    close() {
      for (const resolver of pending) resolver.cancel()
    },
  }
}
