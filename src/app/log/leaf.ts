/** Builds the leaf text of each kind of entry, and its hash. */

import type {
  Act,
  Approval,
  Attributed,
  Override,
  ReportedOutcome,
  StoredForm,
  Verification,
} from '../ports/records.ts'
import type { LeafHashes } from '../ports/log.ts'
import type { ReviewChange } from '../ports/reviews.ts'
import { leafHash, type Hash } from './merkle.ts'

/** The members of a type with unchecked values, so that claimed members of an export fit, too. */
type Unchecked<Subject> = Readonly<Record<keyof Subject, unknown>>

/** The name and version of each form. A changed form gets a new version; old leaves stay valid. */
export const recordForms: Readonly<Record<StoredForm, string>> = {
  1: 'fairway/record/1',
  2: 'fairway/record/2',
}
const overrideForms: Readonly<Record<StoredForm, string>> = {
  1: 'fairway/override/1',
  2: 'fairway/override/2',
}
/** Records from before principals have neither. */
type Principals = Unchecked<Pick<Attributed, 'personId' | 'principalId'>>

const isAttributed = ({ personId, principalId }: Principals): boolean =>
  personId !== null || principalId !== null

/** Form 3 ends with the person and the principal, form 4 also with the review and who approved. */
export const overrideFormOf = (
  form: StoredForm,
  override: Principals & { readonly approval: unknown },
): string => {
  if (override.approval !== null) return 'fairway/override/4'
  return isAttributed(override) ? 'fairway/override/3' : overrideForms[form]
}
/** Form 2 ends with the partner, form 3 with the partner, the person and the principal. */
export const outcomeFormOf = (outcome: Principals & { readonly partner: unknown }): string => {
  if (isAttributed(outcome)) return 'fairway/outcome/3'
  return outcome.partner === null ? 'fairway/outcome/1' : 'fairway/outcome/2'
}
const actForm = 'fairway/act/1'
const reviewForm = 'fairway/review/1'

type Apart = 'form' | 'personalText' | 'actorName'

/** The personal text itself in form 1, its salted hash in form 2. */
interface Committed {
  readonly personal: unknown
}

/** The members of a record except answer and evidence, in the order of the form. */
export function recordMembers(
  record: Unchecked<Omit<Verification, 'answer' | 'evidence' | 'correlationId' | Apart>> & Committed,
): unknown[] {
  return [
    record.requestId,
    record.ownerId,
    record.keyId,
    record.mode,
    record.corridor,
    record.verdict,
    record.scoreHundredths,
    record.confidenceHundredths,
    record.amount,
    record.currency,
    record.personal,
    record.evaluatedAtMs,
    record.recordedAtMs,
    record.cooldownSourceId,
  ]
}

export function overrideMembers(
  override: Unchecked<Omit<Override, 'justification' | 'approval' | Apart>> &
    Committed & { readonly approval: Unchecked<Omit<Approval, 'actorName'>> | null },
): unknown[] {
  const { approval } = override
  return [
    override.overrideId,
    override.requestId,
    override.ownerId,
    override.keyId,
    override.action,
    override.reasonCode,
    override.personal,
    override.originalVerdict,
    override.createdAtMs,
    ...(isAttributed(override) || approval !== null ? [override.personId, override.principalId] : []),
    ...(approval === null
      ? []
      : [approval.reviewId, approval.keyId, approval.personId, approval.principalId]),
  ]
}

export function outcomeMembers(outcome: Unchecked<Omit<ReportedOutcome, 'actorName'>>): unknown[] {
  const { partner, personId, principalId } = outcome
  return [
    outcome.outcomeId,
    outcome.requestId,
    outcome.ownerId,
    outcome.keyId,
    outcome.mode,
    outcome.corridor,
    outcome.outcome,
    outcome.occurredAtMs,
    outcome.reportedAtMs,
    ...(isAttributed(outcome) ? [partner, personId, principalId] : partner === null ? [] : [partner]),
  ]
}

/** Three lines: the members as a JSON array, the stored answer, the stored evidence. Stored JSON has no line breaks. */
function recordLines(record: Verification): string[] {
  const personal = record.form === 1 ? record.correlationId : (record.personalText?.hash ?? null)
  const members = JSON.stringify([recordForms[record.form], ...recordMembers({ ...record, personal })])
  return [members, '\n', record.answer, '\n', record.evidence]
}

export const recordLeaf = (record: Verification): string => recordLines(record).join('')

export function overrideLeaf(override: Override): string {
  const personal = override.form === 1 ? override.justification : (override.personalText?.hash ?? null)
  return JSON.stringify([
    overrideFormOf(override.form, override),
    ...overrideMembers({ ...override, personal }),
  ])
}

export function outcomeLeaf(outcome: ReportedOutcome): string {
  return JSON.stringify([outcomeFormOf(outcome), ...outcomeMembers(outcome)])
}

function actLeaf({ actId, kind, subject, by, atMs, detail }: Act): string {
  return JSON.stringify([actForm, actId, kind, subject, by, atMs, detail])
}

function reviewLeaf(change: ReviewChange): string {
  const { by } = change
  return JSON.stringify([
    reviewForm,
    change.changeId,
    change.reviewId,
    change.number,
    change.ownerId,
    change.requestId,
    change.kind,
    by?.keyId ?? null,
    by?.personId ?? null,
    by?.principalId ?? null,
    change.action,
    change.reasonCode,
    change.personalText?.hash ?? null,
    change.proposalId,
    change.overrideId,
    change.dueAtMs,
    change.expiresAtMs,
    change.atMs,
  ])
}

export const recordHash = (record: Verification): Hash => leafHash(...recordLines(record))
export const overrideHash = (override: Override): Hash => leafHash(overrideLeaf(override))

/** The hashes that the store computes for each entry it writes. */
export const leafHashes: LeafHashes = {
  record: recordHash,
  override: overrideHash,
  outcome: (outcome) => leafHash(outcomeLeaf(outcome)),
  act: (act) => leafHash(actLeaf(act)),
  review: (change) => leafHash(reviewLeaf(change)),
}
