/**
 * Keeps in memory what lookups would find. If this process alone records decisions, a new key on a corridor that was
 * looked up before needs no read; else it is known what is likely. Nothing rests on it but time: the unique key decides.
 */

import type { CommitCommand, Lookup, LookupCommand } from '../../../app/ports/records.ts'
import { Newest } from '../engine/newest.ts'

type Look = (command: LookupCommand) => Promise<Lookup>
type Block = Extract<Lookup, { kind: 'open' }>['block']

/** A retry usually comes within minutes. */
const keysMax = 16_384
const corridorsMax = 4_096

export class LookupMemory {
  readonly #isAlone: boolean
  readonly #usedKeys = new Newest<true>(keysMax)
  /** By owner, mode and corridor: its block; null, only if alone, if it has none. */
  readonly #blocks = new Map<string, Block>()
  /** Commits that block a corridor: those under way, whose blocks may be in the store already, and all so far. */
  #blocking = 0
  #blocked = 0

  constructor(isAlone: boolean) {
    this.#isAlone = isAlone
  }

  /** Answers from memory, or asks and remembers. */
  around(look: Look): Look {
    return async (command) => {
      const isKnown = this.#isAlone && this.#blocking === 0 && !this.#mayBeUsed(command)
      const block = isKnown ? this.#blocks.get(corridorOf(command)) : undefined
      if (block !== undefined) return { kind: 'open', block }
      const blocked = this.#blocked
      const lookup = await look(command)
      const isCurrent = this.#blocking === 0 && this.#blocked === blocked
      if (lookup.kind === 'open' && isCurrent) this.#remember(command, lookup.block)
      return lookup
    }
  }

  /** A block that is known; null if a lookup is likely to find an earlier answer. */
  expect(command: LookupCommand): { readonly block: Block } | null {
    return this.#mayBeUsed(command) ? null : { block: this.#blocks.get(corridorOf(command)) ?? null }
  }

  /** Runs a commit, and learns from it. Whether it failed is not known for sure: its keys may be used, its blocks set. */
  async during<Result>(commands: readonly CommitCommand[], commit: () => Promise<Result>): Promise<Result> {
    const isBlocking = commands.some(({ block }) => block !== null)
    if (isBlocking) this.#blocking += 1
    try {
      return await commit()
    } finally {
      if (isBlocking) {
        this.#blocking -= 1
        this.#blocked += 1
      }
      for (const { record, idempotency, block } of commands) {
        if (idempotency !== null) this.#usedKeys.set(keyOf(record.ownerId, idempotency.key), true)
        if (block !== null) this.#blocks.delete(corridorOf(record))
      }
    }
  }

  #remember(command: LookupCommand, block: Block): void {
    if (this.#blocks.size >= corridorsMax) this.#blocks.clear()
    if (block !== null || this.#isAlone) this.#blocks.set(corridorOf(command), block)
    else this.#blocks.delete(corridorOf(command))
  }

  /** A live decision asks the store about every key, because it reads feeds: a replay must not depend on them. */
  #mayBeUsed({ ownerId, mode, idempotency }: LookupCommand): boolean {
    if (idempotency === null) return false
    return mode === 'live' || this.#usedKeys.get(keyOf(ownerId, idempotency.key)) === true
  }
}

const keyOf = (ownerId: string, key: string): string => `${ownerId}\n${key}`

const corridorOf = ({ ownerId, mode, corridor }: Pick<LookupCommand, 'ownerId' | 'mode' | 'corridor'>) =>
  `${ownerId}\n${mode}\n${corridor}`
