/** The log only grows, and holds what was recorded: checked against checkpoints that were kept whenever it had grown. */

import { readNote, type Checkpoint, type Verifier } from '../../src/app/log/checkpoint.ts'
import { verifyLog, type VerifiedLog } from '../../src/app/log/verify-log.ts'
import type { Store } from '../../src/app/ports/store.ts'
import type { Ground } from './ground.ts'
import { insist } from './violation.ts'

export class LogInspector {
  readonly #store: Store
  readonly #ground: Ground
  /** The newest checkpoint at each look that found a longer log. */
  readonly #kept: Checkpoint[] = []
  #size = -1

  /** The store is one without faults. */
  constructor(store: Store, ground: Ground) {
    this.#store = store
    this.#ground = ground
  }

  async inspect(): Promise<void> {
    const { size } = this.#ground.prepare('SELECT tree_size AS size FROM log_head').get() as {
      size: number
    }
    insist(size >= this.#size, `the log had ${this.#size} leaves and has ${size}`)
    if (size === this.#size) return
    this.#size = size
    const { note } = await this.#store.log.head()
    const checkpoint = note === null ? null : readNote(note)
    if (checkpoint !== null) this.#kept.push(checkpoint)
  }

  async whole(): Promise<VerifiedLog> {
    const verified = await verifyLog({
      store: this.#store,
      verifiers: await this.#verifiers(),
      kept: this.#kept,
      isAway: () => false,
      onProgress: () => {},
    })
    const [first] = verified.findings
    insist(first === undefined, `the log: ${first?.place}: ${first?.message}`)
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
