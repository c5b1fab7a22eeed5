/** Looks names up at the name servers, without the threads that the whole process shares. */

import { Resolver } from 'node:dns/promises'

export interface NameResolver {
  /** Every address that the name has, IPv4 first; none where it does not resolve. Never rejects. */
  resolve(name: string): Promise<readonly string[]>
  /** Ends what is under way: those names do not resolve. */
  close(): void
}

export interface ResolverOptions {
  /** As `address:port`; those of the system where not given. */
  readonly servers?: readonly string[]
  /** In all. A family that has not answered by then has no addresses. */
  readonly timeoutMs?: number
}

/** Less than a receiver has to answer, so that a dead name server is told from a slow receiver. */
const timeoutMsDefault = 3_000

/**
 * `dns.lookup` would run getaddrinfo on four threads that files and compression need too: four names whose servers do
 * not answer would stop everything else. The price is that /etc/hosts is not read; `localhost` needs no look-up.
 */
export function createResolver({
  servers,
  timeoutMs = timeoutMsDefault,
}: ResolverOptions = {}): NameResolver {
  const underWay = new Set<Resolver>()
  return {
    async resolve(name) {
      // One for each look-up: it can be cancelled alone, and sees name servers that have changed since.
      const resolver = new Resolver({ timeout: 1_000, tries: 2 })
      if (servers !== undefined) resolver.setServers(servers)
      underWay.add(resolver)
      const timer = setTimeout(() => resolver.cancel(), timeoutMs)
      // Where one family fails, the other's answer counts: only what was answered, and judged, is ever connected to.
      const families = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
      clearTimeout(timer)
      underWay.delete(resolver)
      return families.flatMap((family) => (family.status === 'fulfilled' ? family.value : []))
    },
    close() {
      for (const resolver of underWay) resolver.cancel()
    },
  }
}
