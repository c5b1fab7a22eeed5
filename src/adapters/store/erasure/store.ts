/** Implements the port of erasure. */

import type { ErasureStore } from '../../../app/ports/privacy/erasure.ts'
import * as erasures from './erasures.ts'
import * as old from './old-texts.ts'
import type { Driver } from '../engine/driver.ts'

export function erasuresOf(driver: Driver, appended: () => void): ErasureStore {
  return {
    findPayments: (ownerId, correlationId) =>
      driver.read(() => erasures.findPayments(ownerId, correlationId)),
    subjectsOf: (requestIds) => driver.read(() => erasures.subjectsOf(requestIds)),
    keys: (after, limit) => driver.read(() => old.keys(after, limit)),
    forgetKeys: (keys) => driver.change('forgetKeys', keys),
    async erase(command) {
      try {
        await driver.change('eraseTexts', command)
        appended()
        return true
      } catch (error) {
        if (error instanceof erasures.ErasureRace) return false
        throw error
      }
    },
    oldTexts: (range, afterId, limit) => driver.read(() => old.oldTexts(range, afterId, limit)),
    countTexts: (range) => driver.longRead('countTexts', range),
    oldestText: (kind) => driver.read(() => old.oldestText(kind)),
    countSealed: (toMs) => driver.longRead('countSealed', toMs),
    oldReports: (toMs) => driver.read(() => erasures.oldReports(toMs)),
    needsCleaning: async () => (await driver.read(() => erasures.uncleaned())).length > 0,
    async clean() {
      // Read first: what is erased meanwhile may miss the cleaning.
      const actIds = await driver.read(() => erasures.uncleaned())
      await driver.clean()
      if (actIds.length > 0) await driver.change('recordCleaned', actIds)
    },
    erasedAmong: (subjectIds) => driver.read(() => erasures.erasedAmong(subjectIds)),
    erasedBy: (actId) => driver.read(() => erasures.erasedBy(actId)),
    inconsistent: (limit) => driver.read(() => erasures.inconsistent(limit)),
  }
}
