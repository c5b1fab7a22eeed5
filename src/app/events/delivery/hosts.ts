/**
 * The hosts that fail an owner's events: after some failures in a row only one attempt at a time, and one per pause, is
 * sent to such a host, so that many endpoints or events cannot be turned against it. Nothing here needs to survive.
 */

/** As many as an owner may have endpoints: each of them may fail once. */
const failuresMax = 20
const hostsMax = 10_000

interface FailingHost {
  failures: number
  /** When the next attempt may be sent, once the host is known to fail. */
  nextAtMs: number
}

export class FailingHosts {
  readonly #pauseMs: number
  /** Those whose last attempt failed, least recently failed first. */
  readonly #hosts = new Map<string, FailingHost>()

  constructor(pauseMs: number) {
    this.#pauseMs = pauseMs
  }

  /** Whether an attempt may be sent now. One that is admitted to a failing host starts its pause. */
  admits(ownerId: string, url: string, nowMs: number): boolean {
    const host = this.#hosts.get(keyOf(ownerId, url))
    if (host === undefined || host.failures < failuresMax) return true
    if (nowMs < host.nextAtMs) return false
    host.nextAtMs = nowMs + this.#pauseMs
    return true
  }

  record(ownerId: string, url: string, isDelivered: boolean, nowMs: number): void {
    const key = keyOf(ownerId, url)
    const failures = this.#hosts.get(key)?.failures ?? 0
    this.#hosts.delete(key)
    if (isDelivered) return
    const [oldest] = this.#hosts.keys()
    if (this.#hosts.size >= hostsMax && oldest !== undefined) this.#hosts.delete(oldest)
    this.#hosts.set(key, { failures: failures + 1, nextAtMs: nowMs + this.#pauseMs })
  }
}

/** Ports are not told apart: they are of one host. */
function keyOf(ownerId: string, url: string): string {
  return `${ownerId} ${new URL(url).hostname}`
}
