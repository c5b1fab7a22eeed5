/** When keys were last used: noted in memory as they are let in, written down together now and then. */

import type { KeyStore } from '../ports/keys.ts'
import type { Repeat } from '../ports/system.ts'

export interface KeyUseDeps {
  readonly keys: KeyStore
  readonly log: { warn(fields: object, message: string): void; info(message: string): void }
}

export interface KeyUses {
  /** On the way of every keyed request: one entry in a map. */
  readonly note: (keyId: string, usedAtMs: number) => void
  /** Writes what was noted since; what could not be written is tried with the next. Never throws. */
  readonly write: () => Promise<void>
}

/** Between two writes; more keys than this are noted when they are used again. */
const notedKeysMax = 10_000

export function createKeyUses({ keys, log }: KeyUseDeps): KeyUses {
  let noted = new Map<string, number>()
  let hasFailed = false

  function note(keyId: string, usedAtMs: number): void {
    if (noted.size < notedKeysMax || noted.has(keyId)) noted.set(keyId, usedAtMs)
  }

  async function write(): Promise<void> {
    if (noted.size === 0) return
    const taken = noted
    noted = new Map()
    try {
      await keys.noteUses([...taken].map(([keyId, usedAtMs]) => ({ keyId, usedAtMs })))
      if (hasFailed) log.info('uses of keys are written down again')
      hasFailed = false
    } catch (error) {
      if (!hasFailed)
        log.warn({ err: error }, 'uses of keys could not be written down and will be tried again')
      hasFailed = true
      for (const [keyId, usedAtMs] of taken) if (!noted.has(keyId)) note(keyId, usedAtMs)
    }
  }

  return { note, write }
}

export interface KeyUseWriting {
  /** Writes once more, so that nothing is lost by a stop. */
  stop(): Promise<void>
}

export interface KeyUseWritingDeps {
  readonly uses: KeyUses
  readonly repeat: Repeat
}

const writeEveryMs = 10_000

export function startKeyUses({ uses, repeat }: KeyUseWritingDeps): KeyUseWriting {
  let underWay: Promise<void> = Promise.resolve()
  const stopRepeating = repeat(() => {
    underWay = uses.write()
    return underWay
  }, writeEveryMs)
  return {
    async stop() {
      stopRepeating()
      await underWay
      await uses.write()
    },
  }
}
