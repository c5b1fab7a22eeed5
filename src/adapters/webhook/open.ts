/** Opens webhook egress: one set of rules for the check at registration and for every connection. */

import type { Clock } from '../../app/ports/system.ts'
import type { EndpointGuard, WebhookSender } from '../../app/ports/webhooks.ts'
import { createEndpointGuard } from './endpoint.ts'
import { createOwnAddresses } from './own-addresses.ts'
import { createResolver } from './resolver.ts'
import { createWebhookSender } from './sender.ts'

export interface WebhookEgress {
  readonly guard: EndpointGuard
  readonly sender: WebhookSender
  close(): Promise<void>
}

export interface WebhookEgressOptions {
  readonly clock: Clock
  readonly allowPrivate: boolean
  /** As `address:port`. Default: the system's name servers. */
  readonly dnsServers?: readonly string[]
  /** Time limit of one delivery attempt. Default: five seconds. */
  readonly timeoutMs?: number
}

export function openWebhookEgress({
  clock,
  allowPrivate,
  dnsServers,
  timeoutMs,
}: WebhookEgressOptions): WebhookEgress {
  const resolver = createResolver(dnsServers === undefined ? {} : { servers: dnsServers })
  const rules = { resolver, allowPrivate, ownAddresses: createOwnAddresses(clock) }
  const sender = createWebhookSender({ ...rules, ...(timeoutMs === undefined ? {} : { timeoutMs }) })
  return {
    guard: createEndpointGuard(rules),
    sender,
    async close() {
      await sender.close()
      resolver.close()
    },
  }
}
