/** No window of a limit admits more than its count, and none refuses while it has a place. */

import type { OneAdmission } from './instance.ts'
import { insist } from './violation.ts'

/** When requests were admitted, by life and bucket: the memory of an embedded instance ends with it. */
export type Admitted = Map<string, number[]>

export function inspectLimits(fresh: readonly OneAdmission[], admitted: Admitted): void {
  for (const { life, bucket, limit, atMs, admission } of fresh) {
    const name = `${life.number} ${bucket}`
    const times = admitted.get(name) ?? []
    admitted.set(name, times)
    const inWindow = times.filter((time) => atMs - time < limit.windowMs).length
    if (admission.admitted) {
      insist(inWindow < limit.count, `${bucket} admitted more than ${limit.count} in ${limit.windowMs} ms`)
      times.push(atMs)
    } else insist(inWindow >= limit.count, `${bucket} refused one although it had a place`)
  }
}
