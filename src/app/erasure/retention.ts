/** Erases personal text that is older than the retention period, by the same means as a single erasure. */

import { monthAt, monthEndMs, monthStartMs, type Month } from '../../core/time/month.ts'
import { firstRequestIdAt } from '../../core/identity/request-id.ts'
import { dayMs } from '../../core/time/durations.ts'
import { textKinds, type TextKind } from '../ports/privacy/erasure.ts'
import { eraseTexts, keysOfTexts, type ErasureDeps } from './erase-texts.ts'

const retentionReference = 'retention'

const textsPerBatch = 500

interface AgedTexts {
  readonly kind: TextKind
  /** The month in which the texts were recorded. */
  readonly month: Month
  readonly texts: number
}

export interface RetentionReport {
  /** Texts from before this time go. */
  readonly beforeMs: number
  /** Oldest month first. */
  readonly texts: readonly AgedTexts[]
  /** Old texts of reviews that are not closed: they stay until they are. */
  readonly inUse: number
  /** Old texts that are part of sealed records of the old form. */
  readonly sealed: number
  readonly batchReports: number
}

export const retainedSince = (nowMs: number, days: number): number => Math.max(0, nowMs - days * dayMs)

export async function reportRetention(
  { store: { erasures } }: ErasureDeps,
  beforeMs: number,
): Promise<RetentionReport> {
  const texts: AgedTexts[] = []
  let inUse = 0
  for (const kind of textKinds) {
    const oldestMs = (await erasures.oldestText(kind)) ?? Infinity
    for (let fromMs = oldestMs; fromMs < beforeMs;) {
      const month = monthAt(fromMs)
      const toMs = Math.min(monthEndMs(month), beforeMs)
      const count = await erasures.countTexts({ kind, fromMs: monthStartMs(month), toMs })
      inUse += count.inUse
      if (count.texts > count.inUse) texts.push({ kind, month, texts: count.texts - count.inUse })
      fromMs = toMs
    }
  }
  return {
    beforeMs,
    texts: texts.toSorted((left, right) =>
      left.month < right.month ? -1 : left.month > right.month ? 1 : 0,
    ),
    inUse,
    sealed: await erasures.countSealed(beforeMs),
    batchReports: (await erasures.oldReports(beforeMs)).length,
  }
}

/** Every batch is a transaction of its own: an interrupted run is continued by the next. Returns the number of texts. */
export async function applyRetention(
  deps: ErasureDeps,
  { beforeMs, by }: { readonly beforeMs: number; readonly by: string },
  onProgress: (erased: number) => void,
): Promise<number> {
  const { erasures } = deps.store
  const reason = { by, reference: retentionReference, ownerId: null }
  await forgetOldKeys(deps, beforeMs)
  const reports = await erasures.oldReports(beforeMs)
  for (let done = 0; done < reports.length; done += textsPerBatch) {
    const ids = reports.slice(done, done + textsPerBatch).map(({ reportId }) => reportId)
    await eraseTexts(deps, reason, [], ids)
  }
  let erased = 0
  for (const kind of textKinds) {
    for (let after = ''; ;) {
      const batch = await erasures.oldTexts({ kind, fromMs: 0, toMs: beforeMs }, after, textsPerBatch)
      const closed = batch.filter(({ isInUse }) => !isInUse)
      // If another command erased one of them meanwhile, the same place is read again.
      if (!(await eraseTexts(deps, reason, closed))) continue
      erased += closed.length
      onProgress(erased)
      const last = batch.at(-1)
      if (last === undefined) break
      after = last.subjectId
    }
  }
  return erased
}

async function forgetOldKeys(deps: ErasureDeps, beforeMs: number): Promise<void> {
  const firstKept = firstRequestIdAt(beforeMs)
  for await (const page of keysOfTexts(deps, { ownerId: '', key: '' }, () => false)) {
    const old = page.filter(({ requestId }) => requestId < firstKept)
    if (old.length > 0) await deps.store.erasures.forgetKeys(old)
  }
}
