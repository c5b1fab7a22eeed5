/**
 * Keeps in memory what lookups would find, for a process that is the only one to record decisions. A new key on a corridor
 * that was looked up before needs no read. Nothing rests on it but time: the unique key decides what a key was used for.
 */

import type { CommitCommand, Lookup, LookupCommand } from '../../../app/ports/records.ts'
import { Newest } from './newest.ts'

type Look = (command: LookupCommand) => Promise<Lookup>
type Block = Extract<Lookup, { kind: 'open' }>['block']

/** A retry usually comes within minutes. */
const keysMax = 16_384
const corridorsMax = 4_096

export class LookupMemory {
  readonly #usedKeys = new Newest<true>(keysMax)
  /** By owner, mode and corridor: its block, or null if it has none. */
  readonly #blocks = new Map<string, Block>()
  /** Counts commits, so that a lookup from before one is not remembered after it. */
  #commits = 0

  /** Answers from memory, or asks and remembers. */
  around(look: Look): Look {
    return async (command) => {
      const block = this.#mayBeUsed(command) ? undefined : this.#blocks.get(corridorOf(command))
      if (block !== undefined) return { kind: 'open', block }
      const commits = this.#commits
      const lookup = await look(command)
      if (lookup.kind === 'open' && commits === this.#commits) {
        if (this.#blocks.size >= corridorsMax) this.#blocks.clear()
        this.#blocks.set(corridorOf(command), lookup.block)
      }
      return lookup
    }
  }

  /** To be called when a commit has ended, before its requests are answered; also if it failed. */
  committed(commands: readonly CommitCommand[]): void {
    this.#commits += 1
    for (const { record, idempotency, block } of commands) {
      if (idempotency !== null) this.#usedKeys.set(keyOf(record.ownerId, idempotency.key), true)
      if (block !== null) this.#blocks.delete(corridorOf(record))
    }
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
