/**
 * One decision as a line of JSON, and the way back to its leaf. Answer and evidence are the stored texts, byte for byte:
 * the leaf is made of them, and writing them again would cost more than all other work.
 */

import { isObject } from '../../core/reference/json.ts'
import { iso } from '../../core/time/durations.ts'
import { outcomeOf, overrideOf } from '../audit/bundle.ts'
import { leafHash, type Hash } from '../log/merkle.ts'
import { claimedOutcome, claimedOverride, claimedRecord } from '../log/verify-proof.ts'
import type { LogLeaf } from '../ports/log.ts'
import type { SealedDecision } from '../ports/operate/archive.ts'

const answerName = ',"answer":'
const evidenceName = ',"evidence":'

/** In pieces, with its line end. By the names of an audit export; ids and codes are plain text and need no escapes. */
export function lineOf({ index, leafHash: hash }: LogLeaf, decision: SealedDecision): readonly string[] {
  const { record } = decision
  const { amount, correlationId, personalText, cooldownSourceId } = record
  const head =
    `{"leaf_index":${index},"leaf_hash":"${hash}","form":${record.form},` +
    `"personal_text":${personalText === null ? 'null' : JSON.stringify(personalText)},` +
    `"request_id":"${record.requestId}","corridor":"${record.corridor}","decision":"${record.verdict}",` +
    `"score":${record.scoreHundredths / 100},"confidence":${record.confidenceHundredths / 100},` +
    `"amount":${amount === null ? 'null' : JSON.stringify(amount)},"currency":"${record.currency}",` +
    `"mode":"${record.mode}","evaluated_at":"${isoText(record.evaluatedAtMs)}",` +
    `"correlation_id":${correlationId === null ? 'null' : JSON.stringify(correlationId)},` +
    `"recorded_at":"${isoText(record.recordedAtMs)}","owner_id":"${record.ownerId}",` +
    `"key_id":"${record.keyId}",` +
    `"cooldown_source_request_id":${cooldownSourceId === null ? 'null' : `"${cooldownSourceId}"`}${answerName}`
  const tail = tailOf(overrideMember(decision), outcomeMember(decision))
  return [head, record.answer, evidenceName, record.evidence, tail, '\n']
}

const secondMs = 1_000
const lastSecond = { startsAtMs: Number.NaN, text: '' }

/** Like `iso`. Records of the same second share all but its last digits. */
function isoText(atMs: number): string {
  const startsAtMs = Math.floor(atMs / secondMs) * secondMs
  if (startsAtMs !== lastSecond.startsAtMs)
    Object.assign(lastSecond, { startsAtMs, text: iso(startsAtMs).slice(0, -'000Z'.length) })
  return `${lastSecond.text}${String(atMs - startsAtMs).padStart(3, '0')}Z`
}

function tailOf(override: unknown, outcome: unknown): string {
  if (override === null && outcome === null) return ',"human_override":null,"outcome":null}'
  return `,"human_override":${JSON.stringify(override)},"outcome":${JSON.stringify(outcome)}}`
}

const leafMembers = (leaf: LogLeaf | null) => ({
  leaf_index: leaf?.index ?? null,
  leaf_hash: leaf?.leafHash ?? null,
})

function overrideMember({ override }: SealedDecision): unknown {
  if (override === null) return null
  return { ...overrideOf({ override: override.value }), ...leafMembers(override.leaf) }
}

function outcomeMember({ outcome }: SealedDecision): unknown {
  if (outcome === null) return null
  return { ...outcomeOf({ outcome: outcome.value }), ...leafMembers(outcome.leaf) }
}

const headNames = [
  'leaf_index',
  'leaf_hash',
  'form',
  'personal_text',
  'request_id',
  'corridor',
  'decision',
  'score',
  'confidence',
  'amount',
  'currency',
  'mode',
  'evaluated_at',
  'correlation_id',
  'recorded_at',
  'owner_id',
  'key_id',
  'cooldown_source_request_id',
].join(' ')

/** A leaf that a line claims, with the hash of its contents. */
export interface ClaimedLeaf {
  readonly kind: 'record' | 'override' | 'outcome'
  readonly index: number
  readonly hash: Hash
}

export interface ReadLine {
  readonly requestId: string
  readonly ownerId: string
  readonly recordedAtMs: number
  readonly decision: unknown
  /** The record first. An outcome from before outcomes were in the log has none. */
  readonly leaves: readonly ClaimedLeaf[]
  /** Personal texts that were erased. */
  readonly erased: number
}

/** The line without its end; a text if it is not one that an export writes, or does not match its leaves. */
export function readLine(text: string): ReadLine | string {
  return unlessTooDeep(() => readMembers(text)) ?? tooDeep
}

export const tooDeep = 'is nested too deeply'

/** Null for a value that is nested so deeply that it cannot be written as JSON again. */
export function unlessTooDeep<Result>(work: () => Result): Result | null {
  try {
    return work()
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

function readMembers(text: string): ReadLine | string {
  const value = parsed(text)
  if (!isObject(value)) return 'is not a JSON object'
  const { answer: _answer, evidence: _evidence, human_override: override, outcome, ...head } = value
  const start = `${JSON.stringify(head).slice(0, -1)}${answerName}`
  const end = tailOf(override, outcome)
  const isWhole = Object.keys(head).join(' ') === headNames && text.startsWith(start) && text.endsWith(end)
  if (!isWhole) return 'is not in the form of an archive'
  const members = claimedRecord(head, head['owner_id'])
  const leaf = { kind: 'record', index: Number(head['leaf_index']), hash: String(head['leaf_hash']) } as const
  if (!isComplete(members) || !isStored(text.slice(start.length, -end.length), members, leaf.hash))
    return 'the record does not match its leaf hash'
  const annotations = annotationLeaves(head, { override, outcome })
  if (typeof annotations === 'string') return annotations
  return {
    requestId: String(head['request_id']),
    ownerId: String(head['owner_id']),
    recordedAtMs: Date.parse(String(head['recorded_at'])),
    decision: head['decision'],
    leaves: [leaf, ...annotations],
    erased: [head, override].filter(isErased).length,
  }
}

/** A personal text that does not match its hash is undefined, which JSON would write as null. */
const isComplete = (members: readonly unknown[]): boolean => members.every((member) => member !== undefined)

/** Whether answer and evidence are those of the leaf. Only the hash tells which of several places divides them. */
function isStored(texts: string, members: readonly unknown[], expected: Hash): boolean {
  const line = JSON.stringify(members)
  for (let at = texts.indexOf(evidenceName); at !== -1; at = texts.indexOf(evidenceName, at + 1)) {
    const evidence = texts.slice(at + evidenceName.length)
    if (leafHash(line, '\n', texts.slice(0, at), '\n', evidence) === expected) return true
  }
  return false
}

type Members = Readonly<Record<string, unknown>>

function annotationLeaves(
  head: Members,
  { override, outcome }: { readonly override: unknown; readonly outcome: unknown },
): ClaimedLeaf[] | string {
  const claims: ClaimedLeaf[] = []
  const add = (kind: ClaimedLeaf['kind'], member: Members, members: readonly unknown[]): boolean => {
    const hash = leafHash(JSON.stringify(members))
    claims.push({ kind, index: Number(member['leaf_index']), hash })
    return isComplete(members) && member['request_id'] === head['request_id'] && hash === member['leaf_hash']
  }
  const { owner_id: ownerId } = head
  if (isObject(override)) {
    if (!add('override', override, claimedOverride(override, ownerId)))
      return 'the override does not match its leaf hash'
  } else if (override !== null) return 'has no valid override'
  if (isObject(outcome)) {
    const isBefore = (outcome['outcome_id'] ?? null) === null && outcome['leaf_index'] === null
    if (!isBefore && !add('outcome', outcome, claimedOutcome(outcome, head, ownerId)))
      return 'the outcome does not match its leaf hash'
  } else if (outcome !== null) return 'has no valid outcome'
  return claims
}

function isErased(member: unknown): boolean {
  const personal = isObject(member) ? member['personal_text'] : null
  return isObject(personal) && personal['salt'] === null
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return null
  }
}
