/** Records when keys were last used: in memory at each request, in the store at intervals. */

import type { KeyStore } from '../ports/identity/keys.ts'
import type { Repeat } from '../ports/system.ts'

export interface KeyUseDeps {
  readonly keys: KeyStore
  readonly log: { warn(fields: object, message: string): void; info(message: string): void }
}

export interface KeyUses {
  /** Called for every keyed request, so it only sets a map entry. */
  readonly record: (keyId: string, usedAtMs: number) => void
  /** Writes the uses recorded since the last write. After a failure the next write retries them. Never throws. */
  readonly write: () => Promise<void>
}

/** Keys held between two writes; a key beyond these is recorded at a later use. */
const pendingKeysMax = 10_000

export function createKeyUses({ keys, log }: KeyUseDeps): KeyUses {
  let pending = new Map<string, number>()
  let hasFailed = false

  function record(keyId: string, usedAtMs: number): void {
    if (pending.size < pendingKeysMax || pending.has(keyId)) pending.set(keyId, usedAtMs)
  }

  async function write(): Promise<void> {
    if (pending.size === 0) return
    const writing = pending
    pending = new Map()
    try {
      await keys.recordUses([...writing].map(([keyId, usedAtMs]) => ({ keyId, usedAtMs })))
      if (hasFailed) log.info('key usage: writes have resumed')
      hasFailed = false
    } catch (error) {
      if (!hasFailed) log.warn({ err: error }, 'key usage: write failed, retrying')
      hasFailed = true
      for (const [keyId, usedAtMs] of writing) if (!pending.has(keyId)) record(keyId, usedAtMs)
    }
  }

  return { record, write }
}

export interface KeyUseWriting {
  /** Writes once more, so that a stop loses nothing. */
  stop(): Promise<void>
}

export interface KeyUseWritingDeps {
  readonly uses: KeyUses
  readonly repeat: Repeat
}

const writeEveryMs = 10_000

export function startKeyUses({ uses, repeat }: KeyUseWritingDeps): KeyUseWriting {
  let currentWrite: Promise<void> = Promise.resolve()
  const stopRepeating = repeat(() => {
    currentWrite = uses.write()
    return currentWrite
  }, writeEveryMs)
  return {
    async stop() {
      stopRepeating()
      await currentWrite
      await uses.write()
    },
  }
}
