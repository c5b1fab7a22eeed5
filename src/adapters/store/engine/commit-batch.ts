/**
 * Commits the commands of many requests in one batch and returns a claim for each. The batch is written as if every key
 * were new, as the earlier lookup found; a command whose key has been taken since gets the record stored under it.
 */

import { StoreUnavailable } from '../../../app/ports/store.ts'
import type { Claim, CommitCommand } from '../../../app/ports/records.ts'
import { DuplicateIdempotencyKey, type Driver } from './driver.ts'
import { takenClaims, type TakenClaim } from '../records/idempotency.ts'

export interface CommitBatchDeps {
  readonly driver: Driver
  /** Called after the commit. */
  readonly appended: () => void
}

type TakenClaims = Map<CommitCommand, TakenClaim>

/** If it throws anything but `StoreUnavailable`, or a `StoreRefusal`, nothing was written. */
export function createCommitBatch({ driver, appended }: CommitBatchDeps) {
  /** Adds the claims of commands whose key is taken. */
  async function addTaken(commands: readonly CommitCommand[], taken: TakenClaims): Promise<void> {
    const keyed = commands.filter(({ idempotency }) => idempotency !== null)
    const claims = await driver.read(() => takenClaims(keyed))
    for (const [place, command] of keyed.entries()) {
      const claim = claims[place] ?? null
      if (claim !== null) taken.set(command, claim)
    }
  }

  /** Writes all commands whose key is free. */
  async function write(first: readonly CommitCommand[], taken: TakenClaims): Promise<void> {
    let free = first
    while (free.length > 0) {
      try {
        await driver.change('commit', free)
        return appended()
      } catch (error) {
        if (!(error instanceof DuplicateIdempotencyKey)) throw error
        await addTaken(free, taken)
        const remaining = free.filter((command) => !taken.has(command))
        if (remaining.length === free.length) throw error
        free = remaining
      }
    }
  }

  return async (commands: readonly CommitCommand[]): Promise<Claim[]> => {
    const taken: TakenClaims = new Map()
    const { first, later } = byKey(commands)
    await write(first, taken)
    if (later.length > 0) {
      // The first commands are already written, so this must not fail in a way that retries the batch.
      const unreadable = (cause?: unknown): never => {
        throw new StoreUnavailable('cannot read the record stored under an idempotency key', { cause })
      }
      await addTaken(later, taken).catch(unreadable)
      if (later.some((command) => !taken.has(command))) unreadable()
    }
    return commands.map((command) => taken.get(command) ?? { kind: 'fresh' })
  }
}

/** The first command under each key, and the later ones. */
function byKey(commands: readonly CommitCommand[]) {
  const seen = new Set<string>()
  const first: CommitCommand[] = []
  const later: CommitCommand[] = []
  for (const command of commands) {
    const { idempotency, record } = command
    const name = idempotency === null ? null : `${record.ownerId}\n${idempotency.key}`
    if (name !== null && seen.has(name)) later.push(command)
    else first.push(command)
    if (name !== null) seen.add(name)
  }
  return { first, later }
}
