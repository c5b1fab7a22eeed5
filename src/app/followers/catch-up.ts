/** Numbers what was appended, and follows it: the two steps behind every projection. */

import type { JournalStore, ProjectionName } from '../ports/journal.ts'

/** Numbers everything that was appended before the call. Returns how many entries have a number. */
export async function sequenceAll(journal: JournalStore, isEnough = () => false): Promise<number> {
  for (;;) {
    const { sequenced, isComplete } = await journal.sequence()
    if (isComplete || isEnough()) return sequenced
  }
}

/** Follows until the follower has passed `target` entries. Returns whether the last ones concerned nobody. */
export async function followTo(
  journal: JournalStore,
  name: ProjectionName,
  { target, isEnough = () => false }: { readonly target: number; readonly isEnough?: () => boolean },
): Promise<boolean> {
  for (let last = -1; !isEnough();) {
    const { position, isIdle } = await journal.follow(name)
    if (position >= target) return isIdle
    if (position === last) throw new Error(`followers: ${name} cannot pass entry ${position}: it is missing`)
    last = position
  }
  return false
}

/** For a command that must not leave anything behind, such as one that takes records away. Returns the target. */
export async function followAll(journal: JournalStore): Promise<number> {
  const target = await sequenceAll(journal)
  for (const name of ['totals', 'webhooks', 'calibration', 'events'] as const)
    await followTo(journal, name, { target })
  return target
}
