/** Checks that no limit window admits more than its count, or refuses a request before it is full. */

import type { OneAdmission } from '../instance.ts'
import { ensure } from './violation.ts'

/** Times of admissions by life and bucket: the in-memory limits of an embedded instance end with it. */
export type Admitted = Map<string, number[]>

export function inspectLimits(fresh: readonly OneAdmission[], admitted: Admitted): void {
  for (const { life, bucket, limit, atMs, admission } of fresh) {
    const name = `${life.number} ${bucket}`
    const times = admitted.get(name) ?? []
    admitted.set(name, times)
    const inWindow = times.filter((time) => atMs - time < limit.windowMs).length
    if (admission.admitted) {
      ensure(inWindow < limit.count, `${bucket} admitted more than ${limit.count} in ${limit.windowMs} ms`)
      times.push(atMs)
    } else ensure(inWindow >= limit.count, `${bucket} refused a request although it was not full`)
  }
}
