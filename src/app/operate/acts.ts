/** Describes what an operator does, so that it can be recorded with its effect. */

import { createIds } from '../verify/ids.ts'
import type { Act } from '../ports/records.ts'
import type { Clock, Random } from '../ports/system.ts'

/** Describes one act, now. */
export type DescribeAct = (what: Pick<Act, 'kind' | 'subject' | 'detail'>) => Act

export function actsBy(by: string, deps: { readonly clock: Clock; readonly random: Random }): DescribeAct {
  const ids = createIds(deps)
  return (what) => {
    const { id, atMs } = ids.next('act')
    return { ...what, actId: id, by, atMs }
  }
}
