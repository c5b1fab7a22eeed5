/** Checks that the log only grows and contains what was recorded, against checkpoints saved as it grew. */

import { readNote, type Checkpoint, type Verifier } from '../../../src/app/log/checkpoint.ts'
import { verifyLog, type VerifiedLog } from '../../../src/app/log/verify-log.ts'
import type { Store } from '../../../src/app/ports/store.ts'
import type { WorldDatabase } from '../world-database.ts'
import { ensure } from './violation.ts'

export class LogInspector {
  readonly #store: Store
  readonly #worldDatabase: WorldDatabase
  /** The latest checkpoint at each inspection that found a longer log. */
  readonly #saved: Checkpoint[] = []
  #size = -1

  /** Needs a store without injected faults. */
  constructor(store: Store, worldDatabase: WorldDatabase) {
    this.#store = store
    this.#worldDatabase = worldDatabase
  }

  async inspect(): Promise<void> {
    const { size } = this.#worldDatabase.prepare('SELECT tree_size AS size FROM log_head').get() as {
      size: number
    }
    ensure(size >= this.#size, `the log shrank from ${this.#size} to ${size} leaves`)
    if (size === this.#size) return
    this.#size = size
    const { note } = await this.#store.log.head()
    const checkpoint = note === null ? null : readNote(note)
    if (checkpoint !== null) this.#saved.push(checkpoint)
  }

  async verifyAll(): Promise<VerifiedLog> {
    const verified = await verifyLog({
      store: this.#store,
      verifiers: await this.#verifiers(),
      savedCheckpoints: this.#saved,
      isDetached: () => false,
      onProgress: () => {},
    })
    const [first] = verified.findings
    ensure(first === undefined, `the log: ${first?.place}: ${first?.message}`)
    return verified
  }

  async #verifiers(): Promise<Verifier[]> {
    const { log } = this.#store
    const { origin } = await log.head()
    const keys = await log.keys()
    return origin === null
      ? []
      : keys.map(({ publicKey }) => ({ origin, publicKey: Buffer.from(publicKey, 'base64') }))
  }
}
