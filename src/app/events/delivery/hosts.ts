/**
 * Spares a host that fails an owner's events: after some failures its failing endpoints share one attempt per pause, so
 * that many endpoints or events cannot be turned against it. Endpoints of the host that do not fail are never held back.
 * Nothing here needs to survive.
 */

/** Failures of all endpoints of a host together. As many as an owner may have endpoints: each may fail once. */
const failuresMax = 20
const hostsMax = 10_000

interface FailingHost {
  /** Failures in a row, by endpoint; those without any are absent. */
  readonly failures: Map<string, number>
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
    const host = this.#hosts.get(keyOf(attempted))
    if (host === undefined || !host.failures.has(attempted.webhookId)) return true
    const failures = [...host.failures.values()].reduce((sum, own) => sum + own, 0)
    if (failures < failuresMax) return true
    if (nowMs < host.nextAtMs) return false
    host.nextAtMs = nowMs + this.#pauseMs
    return true
  }

  record(attempted: Attempted, isDelivered: boolean, nowMs: number): void {
    const key = keyOf(attempted)
    const { webhookId } = attempted
    const host = this.#hosts.get(key) ?? { failures: new Map<string, number>(), nextAtMs: 0 }
    if (isDelivered) {
      // A failing endpoint that is reached again shows that the host is back. One that never failed shows nothing.
      if (host.failures.has(webhookId)) this.#hosts.delete(key)
      return
    }
    host.failures.set(webhookId, (host.failures.get(webhookId) ?? 0) + 1)
    host.nextAtMs = nowMs + this.#pauseMs
    this.#hosts.delete(key)
    const [oldest] = this.#hosts.keys()
    if (this.#hosts.size >= hostsMax && oldest !== undefined) this.#hosts.delete(oldest)
    this.#hosts.set(key, host)
  }
}

/** Ports are not told apart: they are of one host. A final dot is part of the spelling, not of the name. */
function keyOf({ ownerId, url }: Attempted): string {
  return `${ownerId} ${new URL(url).hostname.replace(/\.$/, '')}`
}
