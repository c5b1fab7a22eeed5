/**
 * Commits the commands of many requests at once, and tells each what became of it. All are written together as if each key
 * were new, which the look before has found; where another was first meanwhile, those are told what the first one stored.
 */

import { StoreUnavailable } from '../../../app/ports/store.ts'
import type { Claim, CommitCommand } from '../../../app/ports/records.ts'
import { KeyTaken, type Driver } from './driver.ts'
import { takenKeys, type TakenClaim } from '../records/idempotency.ts'
import type { Shards } from '../records/commit.ts'

export interface CommitBatchDeps {
  readonly driver: Driver
  readonly shards: () => Shards
  /** Called after the commit, with the endpoints for which events were written. */
  readonly written: (webhookIds: readonly string[]) => void
}

type TakenClaims = Map<CommitCommand, TakenClaim>

/** When it throws anything but that the store is unavailable, nothing has happened. */
export function createCommitBatch({ driver, shards, written }: CommitBatchDeps) {
  /** Those among them whose key is taken are told so. */
  async function findTaken(commands: readonly CommitCommand[], taken: TakenClaims): Promise<void> {
    const keyed = commands.filter(({ idempotency }) => idempotency !== null)
    const claims = await driver.read(() => takenKeys(keyed))
    for (const [place, command] of keyed.entries()) {
      const claim = claims[place] ?? null
      if (claim !== null) taken.set(command, claim)
    }
  }

  /** Writes all whose key is free. */
  async function write(first: readonly CommitCommand[], taken: TakenClaims): Promise<void> {
    let free = first
    while (free.length > 0) {
      try {
        written(await driver.change('commit', free, shards()))
        return
      } catch (error) {
        if (!(error instanceof KeyTaken)) throw error
        await findTaken(free, taken)
        const left = free.filter((command) => !taken.has(command))
        if (left.length === free.length) throw error
        free = left
      }
    }
  }

  return async (commands: readonly CommitCommand[]): Promise<Claim[]> => {
    const taken: TakenClaims = new Map()
    const { first, later } = byKey(commands)
    await write(first, taken)
    if (later.length > 0) {
      // The others are written already: they must not be tried again.
      const unreadable = (cause?: unknown): never => {
        throw new StoreUnavailable('what was stored under a key cannot be read', { cause })
      }
      await findTaken(later, taken).catch(unreadable)
      if (later.some((command) => !taken.has(command))) unreadable()
    }
    return commands.map((command) => taken.get(command) ?? { kind: 'fresh' })
  }
}

/** The first under each key, and those that came after it. */
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
