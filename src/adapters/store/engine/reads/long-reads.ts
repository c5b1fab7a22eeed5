/**
 * Lists the reads whose length a caller chooses, or that grow with the records, by name. A read given as a name and
 * values is data, so it can run in this thread or another.
 */

import type { HistoryQuery } from '../../../../app/ports/records.ts'
import * as acts from '../../admin/acts.ts'
import { calibrate } from '../../calibration/read.ts'
import * as oldTexts from '../../erasure/old-texts.ts'
import * as streamed from '../../events/read-events.ts'
import * as outbox from '../../outbox/outbox.ts'
import { findCorrelated } from '../../records/find.ts'
import * as history from '../../records/history/list.ts'
import { search, searchAmounts } from '../../records/history/search.ts'
import { summarise } from '../../records/rollups.ts'
import * as holds from '../../reviews/holds.ts'
import * as reviews from '../../reviews/reviews.ts'
import type { Script } from '../script.ts'

/** `nowMs` is null if all records are in one table. */
const list = (ownerId: string, request: HistoryQuery, nowMs: number | null) =>
  nowMs === null ? history.list(ownerId, request) : history.listByMonth(ownerId, request, nowMs)

const longReads = {
  list,
  search,
  searchAmounts,
  summarise,
  calibrate,
  findCorrelated,
  listReviews: reviews.list,
  waitingReviews: reviews.waiting,
  holds: holds.sums,
  events: streamed.page,
  deliveries: outbox.list,
  deliveriesOf: outbox.listOf,
  listActs: acts.list,
  countTexts: oldTexts.countTexts,
  countSealed: oldTexts.countSealed,
}

type LongReads = typeof longReads
export type LongReadName = keyof LongReads
type ResultOf<Name extends LongReadName> =
  ReturnType<LongReads[Name]> extends Script<infer Result> ? Result : never

export type LongRead = <Name extends LongReadName>(
  name: Name,
  ...values: Parameters<LongReads[Name]>
) => Promise<ResultOf<Name>>

/** For code that passes a read on. */
export type AnyLongRead = (name: LongReadName, ...values: readonly unknown[]) => Promise<unknown>

type Read = <Result>(script: () => Script<Result>) => Promise<Result>

export function createLongRead(read: Read): LongRead {
  return (name, ...values) => {
    const script = longReads[name] as unknown as (...args: typeof values) => Script<ResultOf<typeof name>>
    return read(() => script(...values))
  }
}
