/**
 * Spares a host that fails an owner's events: after some failures its failing endpoints share one attempt per pause, so
 * that many endpoints or events cannot be turned against it. Endpoints of the host that do not fail are never held back.
 * Nothing here needs to survive.
 */

import { hourMs } from '../../../core/time/durations.ts'

/** Failures of all endpoints of a host together. As many as an owner may have endpoints: each may fail once. */
const failuresMax = 20
/** Failing endpoints remembered for a host. An owner has no more at a time. */
const endpointsMax = 20
const hostsMax = 10_000
/** A host that has not failed for so long is as any other. */
const rememberedMs = hourMs

/** An endpoint with so many times fewer failures than the worst of its host is not held back by it. */
const farBetter = 10

interface FailingEndpoint {
  /** In a row. */
  readonly failures: number
  readonly failedAtMs: number
}

interface FailingHost {
  /** Those that fail, by id. Least recently failed first. */
  readonly endpoints: Map<string, FailingEndpoint>
  failedAtMs: number
  /** When the next attempt of a failing endpoint may be sent, once there were too many failures. */
  nextAtMs: number
}

/** The delivery that an attempt is for. */
interface Attempted {
  readonly ownerId: string
  readonly webhookId: string
  readonly url: string
}

export class FailingHosts {
  readonly #pauseMs: number
  /** Least recently failed first. */
  readonly #hosts = new Map<string, FailingHost>()

  constructor(pauseMs: number) {
    this.#pauseMs = pauseMs
  }

  /** Whether an attempt may be sent now. */
  admits(attempted: Attempted, nowMs: number): boolean {
    const key = keyOf(attempted)
    const host = this.#hosts.get(key)
    const own = host?.endpoints.get(attempted.webhookId)
    if (host === undefined || own === undefined) return true
    if (nowMs - host.failedAtMs >= rememberedMs) return this.#hosts.delete(key)
    const failures = [...host.endpoints.values()].map((endpoint) => endpoint.failures)
    if (failures.reduce((sum, one) => sum + one, 0) < failuresMax) return true
    if (nowMs >= host.nextAtMs) {
      host.nextAtMs = nowMs + this.#pauseMs
      return true
    }
    // One that failed for a moment does not share the fate of one that is dead, and busy enough to take every turn.
    const isFarBetter = own.failures * farBetter <= Math.max(...failures)
    return isFarBetter && nowMs - own.failedAtMs >= this.#pauseMs
  }

  record(attempted: Attempted, isDelivered: boolean, nowMs: number): void {
    const key = keyOf(attempted)
    const { webhookId } = attempted
    const host = this.#hosts.get(key) ?? { endpoints: new Map(), failedAtMs: 0, nextAtMs: 0 }
    const own = host.endpoints.get(webhookId)
    if (isDelivered) {
      // A failing endpoint that is reached again shows that the host is back. One that never failed shows nothing.
      if (own !== undefined) this.#hosts.delete(key)
      return
    }
    host.endpoints.delete(webhookId)
    makeRoom(host.endpoints, endpointsMax)
    host.endpoints.set(webhookId, { failures: (own?.failures ?? 0) + 1, failedAtMs: nowMs })
    host.failedAtMs = nowMs
    host.nextAtMs = nowMs + this.#pauseMs
    this.#hosts.delete(key)
    makeRoom(this.#hosts, hostsMax)
    this.#hosts.set(key, host)
  }
}

/** Forgets the first. */
function makeRoom(entries: Map<string, unknown>, countMax: number): void {
  const [first] = entries.keys()
  if (entries.size >= countMax && first !== undefined) entries.delete(first)
}

/** By host name: the port and a final dot do not matter. */
function keyOf({ ownerId, url }: Attempted): string {
  return `${ownerId} ${new URL(url).hostname.replace(/\.$/, '')}`
}
