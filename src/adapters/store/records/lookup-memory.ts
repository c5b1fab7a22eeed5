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
  /** By corridor: the commits under way that block it. Their blocks may be in the store already. */
  readonly #blocking = new Map<string, number>()
  /** Counts commits that block, so that a lookup from before one is not remembered after it. */
  #blocked = 0

  constructor(isAlone: boolean) {
    this.#isAlone = isAlone
  }

  /** Answers from memory, or asks and remembers. */
  around(look: Look): Look {
    return async (command) => {
      const corridor = corridorOf(command)
      const isKnown = this.#isAlone && !this.#blocking.has(corridor) && !this.#mayBeUsed(command)
      const block = isKnown ? this.#blocks.get(corridor) : undefined
      if (block !== undefined) return { kind: 'open', block }
      const blocked = this.#blocked
      const lookup = await look(command)
      const isCurrent = !this.#blocking.has(corridor) && this.#blocked === blocked
      if (lookup.kind === 'open' && (isCurrent || !this.#isAlone)) this.#remember(corridor, lookup.block)
      return lookup
    }
  }

  /** A block that is known; null if a lookup is likely to find an earlier answer. */
  expect(command: LookupCommand): { readonly block: Block } | null {
    return this.#mayBeUsed(command) ? null : { block: this.#blocks.get(corridorOf(command)) ?? null }
  }

  /** Runs a commit, and learns from it. Whether it failed is not known for sure: its keys may be used, its blocks set. */
  async during<Result>(commands: readonly CommitCommand[], commit: () => Promise<Result>): Promise<Result> {
    const blocked = commands.filter(({ block }) => block !== null).map(({ record }) => corridorOf(record))
    for (const corridor of blocked) this.#blocking.set(corridor, (this.#blocking.get(corridor) ?? 0) + 1)
    try {
      return await commit()
    } finally {
      this.#blocked += blocked.length
      for (const corridor of blocked) this.#endBlocking(corridor)
      for (const { record, idempotency } of commands) {
        if (idempotency !== null) this.#usedKeys.set(keyOf(record.ownerId, idempotency.key), true)
      }
    }
  }

  #endBlocking(corridor: string): void {
    const left = (this.#blocking.get(corridor) ?? 0) - 1
    if (left > 0) this.#blocking.set(corridor, left)
    else this.#blocking.delete(corridor)
    this.#blocks.delete(corridor)
  }

  /** Among others, a block that has ended meanwhile does no harm, and its absence is not believed. */
  #remember(corridor: string, block: Block): void {
    if (this.#blocks.size >= corridorsMax) this.#blocks.clear()
    if (block !== null || this.#isAlone) this.#blocks.set(corridor, block)
    else this.#blocks.delete(corridor)
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
