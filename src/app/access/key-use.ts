/** When keys were last used: noted in memory as they are let in, written down together now and then. */

import type { KeyStore } from '../ports/keys.ts'

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

export interface KeyUseWriting extends Pick<KeyUses, 'note'> {
  /** Writes once more, so that nothing is lost by a stop. */
  stop(): Promise<void>
}

export interface KeyUseWritingDeps extends KeyUseDeps {
  /** Again and again, until what it returns is called. */
  readonly repeat: (work: () => Promise<void>, pauseMs: number) => () => void
}

const writeEveryMs = 10_000

export function startKeyUses({ repeat, ...deps }: KeyUseWritingDeps): KeyUseWriting {
  const uses = createKeyUses(deps)
  let underWay: Promise<void> = Promise.resolve()
  const stopRepeating = repeat(() => {
    underWay = uses.write()
    return underWay
  }, writeEveryMs)
  return {
    note: uses.note,
    async stop() {
      stopRepeating()
      await underWay
      await uses.write()
    },
  }
}
