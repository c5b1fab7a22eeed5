/** Erases all personal text of the payments with a correlation id: first the plan, which changes nothing, then the work. */

import type { RequestId } from '../../core/identity/request-id.ts'
import type { Month } from '../../core/time/month.ts'
import type { KeptContent } from '../assess/kept-reports.ts'
import type { KeyOfText, TextKind, TextSubject } from '../ports/privacy/erasure.ts'
import { eraseTexts, keysOfTexts, type ErasureDeps, type Reason } from './erase-texts.ts'

interface Target {
  readonly ownerId: string
  readonly correlationId: string
}

export interface ErasurePlan extends Target {
  /** All payments with the correlation id. */
  readonly requestIds: readonly RequestId[]
  readonly counts: Readonly<Record<TextKind, number>>
  /** Payments and overrides of the old form: their text is in the sealed entry itself. */
  readonly sealed: readonly string[]
  readonly keys: readonly KeyOfText[]
  /** Kept batch reports that name the correlation id. */
  readonly reportIds: readonly string[]
  /** Their records of the old form cannot be searched. */
  readonly detachedMonths: readonly Month[]
}

/** The most payments in one transaction. */
const paymentsPerBatch = 200
/** Each further attempt means that somebody wrote or erased a text of the same payment at the same moment. */
const attemptsMax = 5

export async function planErasure(deps: ErasureDeps, target: Target): Promise<ErasurePlan> {
  const { store } = deps
  const { ownerId, correlationId } = target
  const { apart, sealed } = await store.erasures.findPayments(ownerId, correlationId)
  const requestIds = [...new Set([...apart, ...sealed])].toSorted()
  const subjects = await store.erasures.subjectsOf(requestIds)
  const count = (kind: TextKind): number =>
    subjects.filter((subject) => subject.kind === kind && subject.text === 'kept').length
  const months = (await store.partitions?.list()) ?? []
  return {
    ...target,
    requestIds,
    counts: {
      correlation_id: count('correlation_id'),
      justification: count('justification'),
      review_text: count('review_text'),
    },
    sealed: [
      ...sealed,
      ...subjects.filter(({ text }) => text === 'sealed').map(({ subjectId }) => subjectId),
    ],
    keys: await keysOf(deps, ownerId, new Set(apart)),
    reportIds: await reportsWith(deps, target),
    detachedMonths: months.filter(({ state }) => state !== 'attached').map(({ month }) => month),
  }
}

/** Whether there is anything to erase. */
export function isEmpty({ counts, keys, reportIds }: ErasurePlan): boolean {
  return Object.values(counts).every((count) => count === 0) && keys.length + reportIds.length === 0
}

async function keysOf(
  deps: ErasureDeps,
  ownerId: string,
  requestIds: ReadonlySet<RequestId>,
): Promise<KeyOfText[]> {
  const found: KeyOfText[] = []
  if (requestIds.size === 0) return found
  const pages = keysOfTexts(deps, { ownerId, key: '' }, (place) => place.ownerId !== ownerId)
  for await (const page of pages)
    found.push(...page.filter((key) => key.ownerId === ownerId && requestIds.has(key.requestId)))
  return found
}

/** Ids of payments in a batch are the caller's own, so they may be correlation ids. */
async function reportsWith({ store }: ErasureDeps, { ownerId, correlationId }: Target): Promise<string[]> {
  const { reports } = store.forOwner(ownerId)
  const ids: string[] = []
  for (const { reportId, name } of await reports.list()) {
    const found = await reports.find(reportId)
    const texts = found === null ? [] : [name, ...textsOf(JSON.parse(found.content) as KeptContent)]
    if (texts.some((text) => hasWord(text, correlationId))) ids.push(reportId)
  }
  return ids
}

/** The texts of a kept report that its caller wrote, but for its name. */
function textsOf({ report: { warnings, assessments } }: KeptContent): string[] {
  return [...warnings, ...assessments.map((assessment) => assessment.transaction_id)]
}

/** `order-7` is in `order-7, again`, but not in `order-71`. */
export function hasWord(text: string, word: string): boolean {
  if (word === '') return false
  const isOuter = (character = ''): boolean => !/[\p{L}\p{N}]/u.test(character)
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1))
    if (isOuter(text[at - 1]) && isOuter(text[at + word.length])) return true
  return false
}

/** Each batch is all or nothing, so that an interrupted command can be run again. Returns the number of texts. */
export async function erasePayments(
  deps: ErasureDeps,
  plan: ErasurePlan,
  reason: Omit<Reason, 'ownerId'>,
  onProgress: (done: number, all: number) => void,
): Promise<number> {
  const { erasures } = deps.store
  const { ownerId, requestIds, reportIds, keys } = plan
  // Before the texts: these say which keys hold one.
  await erasures.forgetKeys(keys)
  let texts = 0
  for (let done = 0; done < Math.max(1, requestIds.length); done += paymentsPerBatch) {
    const batch = requestIds.slice(done, done + paymentsPerBatch)
    texts += await eraseBatch(deps, { ...reason, ownerId }, batch, done === 0 ? reportIds : [])
    onProgress(done + batch.length, requestIds.length)
  }
  return texts
}

async function eraseBatch(
  deps: ErasureDeps,
  reason: Reason,
  requestIds: readonly RequestId[],
  reportIds: readonly string[],
): Promise<number> {
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    // Read again: a text may have come since the plan.
    const subjects: TextSubject[] = await deps.store.erasures.subjectsOf(requestIds)
    // An event of a decision without a text of its own is answered, too.
    const decisions = requestIds
      .filter((requestId) => !subjects.some(({ subjectId }) => subjectId === requestId))
      .map((subjectId): TextSubject => {
        return { subjectId, ownerId: reason.ownerId ?? '', kind: 'correlation_id', text: 'none' }
      })
    const isErased = await eraseTexts(deps, reason, [...subjects, ...decisions], reportIds)
    if (isErased) return subjects.filter(({ text }) => text === 'kept').length
  }
  throw new Error('texts of these payments are being erased by another command: run this one again')
}
