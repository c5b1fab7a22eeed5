/** Keeps the counted columns of the newest records, so that the follower `totals` rarely reads them back. */

import type { CommitCommand } from '../../../app/ports/records.ts'
import { Newest } from '../engine/newest.ts'
import type { CountedRecord } from './rollups.ts'

/** More than a busy instance records between two runs of the follower. Older ones are read from the store. */
const countMax = 2_048

export class RecentRecords {
  readonly #byId = new Newest<CountedRecord>(countMax)

  /** Called before the commit: the id of a record that is not committed never appears in the journal. */
  add({ record, rollup }: CommitCommand): void {
    this.#byId.set(record.requestId, {
      ownerId: record.ownerId,
      keyId: record.keyId,
      mode: record.mode,
      corridor: record.corridor,
      verdict: record.verdict,
      scoreHundredths: record.scoreHundredths,
      confidenceHundredths: record.confidenceHundredths,
      recordedAtMs: record.recordedAtMs,
      isCooldownHit: record.cooldownSourceId !== null,
      reasonCodes: rollup.reasonCodes,
      latencyUs: rollup.latencyUs,
    })
  }

  find(requestId: string): CountedRecord | null {
    return this.#byId.get(requestId) ?? null
  }
}
