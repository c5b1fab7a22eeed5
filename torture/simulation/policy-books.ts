/** The policies in the database of a simulated world, and which of them was in force since when. */

import type { Changed, NewChange, PolicyOwner } from '../../src/app/ports/policies.ts'
import { lifeOf, type PolicyChange } from '../../src/core/policy/life.ts'
import type { AppliedChange } from './faulty-driver.ts'

interface InForce {
  readonly fromMs: number
  readonly activeId: string | null
}

/** Longer than an instance may rely on what it has read, on a store whose answers are slow. */
const knownForMs = 6_000

export class PolicyBooks {
  readonly written = new Map<string, string[]>()
  /** Acts of any kind: entries of the log. */
  acts = 0
  readonly #changes = new Map<PolicyOwner, PolicyChange[]>()
  readonly #inForce = new Map<string, InForce[]>()

  record({ name, values, result }: AppliedChange, monotonicMs: number): void {
    if (name === 'insertPolicy' && result === true) {
      const { ownerId, policyId } = values[0] as { ownerId: string; policyId: string }
      this.written.set(ownerId, [...(this.written.get(ownerId) ?? []), policyId])
      this.acts += 1
    }
    if (name !== 'changePolicy' || (result as Changed).kind !== 'changed') return
    const { ownerId } = values[0] as NewChange
    const { change } = result as Extract<Changed, { kind: 'changed' }>
    const changes = [...(this.#changes.get(ownerId) ?? []), change]
    this.#changes.set(ownerId, changes)
    this.acts += 1
    const history = this.#inForce.get(ownerId ?? '') ?? []
    history.push({ fromMs: monotonicMs, activeId: lifeOf(changes).activeId })
    this.#inForce.set(ownerId ?? '', history)
  }

  /** Whether the policy was in force at some time between these. */
  wasInForce(ownerId: string, policyId: string | null, sinceMs: number, untilMs: number): boolean {
    const history = [{ fromMs: -Infinity, activeId: null }, ...(this.#inForce.get(ownerId) ?? [])]
    return history.some(({ fromMs, activeId }, place) => {
      const endMs = history[place + 1]?.fromMs ?? Infinity
      return activeId === policyId && fromMs <= untilMs && endMs >= sinceMs - knownForMs
    })
  }
}
