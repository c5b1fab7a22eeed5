/** Checks a bundle without asking anybody: do its hashes hold, and does what it tells follow from its evidence? */

import type { Mode } from '../../core/api-key.ts'
import type { Corridor } from '../../core/corridor.ts'
import type { Currency } from '../../core/currency.ts'
import { engineVersion } from '../../core/engine.ts'
import { isReproducible } from '../../core/kept-decision.ts'
import type { RequestId } from '../../core/request-id.ts'
import type { Verdict } from '../../core/score.ts'
import { dossierOf, type Dossier } from '../dossier.ts'
import { explain, timeline } from '../explain.ts'
import type { Verification } from '../ports.ts'
import { auditMembers } from '../record-wire.ts'
import {
  canonicalisation,
  escaped,
  exportVersion,
  hashAlgorithm,
  hashOf,
  type Bundle,
  type Integrity,
} from './bundle.ts'
import { fromCsv, NoBundle } from './csv-form.ts'

export interface Finding {
  /** JSON pointer into the bundle. */
  readonly path: string
  readonly message: string
}

export interface Verified {
  readonly requestId: string
  /** As the file tells it. */
  readonly recordHash: string
  /** As it was computed from the file. */
  readonly computedHash: string
  readonly findings: readonly Finding[]
  /** Null where the decision was made again from its evidence; otherwise why it was not. */
  readonly notDecidedAgain: string | null
}

/** The text of a file, JSON or CSV. Throws `NoBundle` where it is none. */
export function verifyBundle(text: string): Verified {
  const bundle = readBundle(text)
  const { integrity, ...evidence } = bundle
  const computedHash = hashOf(bundle.record)
  const byHash = [...hashFindings(evidence, integrity, computedHash)]
  const isRecordIntact = !byHash.some(({ path }) => /^\/(?:source_)?record\b/.test(path))
  // Of a record that was changed nothing can be said to follow.
  const rebuilt = isRecordIntact ? rebuild(bundle) : null
  const byRule = isRecordIntact
    ? [...ruleFindings(bundle, rebuilt, new Set(byHash.map(({ path }) => path)))]
    : []
  // Where the very place is known, the whole need not be named.
  const located = (path: string): boolean => byRule.some((finding) => finding.path.startsWith(`${path}/`))
  return {
    requestId: String(bundle.record['request_id']),
    recordHash: integrity.record_hash,
    computedHash,
    findings: [...byHash.filter(({ path }) => !located(path)), ...byRule],
    notDecidedAgain: doubtOf(rebuilt),
  }
}

function doubtOf(rebuilt: Dossier | null): string | null {
  if (rebuilt === null) return 'the record is not as it was written'
  const { engine } = rebuilt.kept
  return engine === engineVersion ? null : `engine ${engine} decided, and this program has ${engineVersion}`
}

function readBundle(text: string): Bundle {
  const trimmed = text.replace(/^\uFEFF/, '').trimStart()
  const value = trimmed.startsWith('{') ? parseJson(trimmed) : fromCsv(text)
  if (!isObject(value) || !isObject(value['record']) || !isObject(value['integrity'])) {
    throw new NoBundle('is no audit export: record and integrity are missing')
  }
  const { integrity } = value
  if (!isObject(integrity['member_hashes']) || typeof integrity['record_hash'] !== 'string') {
    throw new NoBundle('is no audit export: its hashes are missing')
  }
  if (value['export_version'] !== exportVersion && typeof value['export_version'] === 'number') {
    throw new NoBundle(
      `is of export version ${value['export_version']}, and this program knows ${exportVersion}`,
    )
  }
  return value as unknown as Bundle
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new NoBundle(`is no JSON: ${(error as Error).message}`)
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What was changed, as far as the hashes tell. */
function* hashFindings(evidence: object, integrity: Integrity, recordHash: string): Generator<Finding> {
  if (integrity.algorithm !== hashAlgorithm) yield changed('/integrity/algorithm')
  if (integrity.canonicalisation !== canonicalisation) yield changed('/integrity/canonicalisation')
  const left = new Map(Object.entries(integrity.member_hashes))
  let inRecord = 0
  for (const [path, value] of partsOf(evidence)) {
    const told = left.get(path)
    left.delete(path)
    if (told === hashOf(value)) continue
    if (path.startsWith('/record/')) inRecord += 1
    yield told === undefined ? { path, message: 'was added: it has no hash' } : changed(path)
  }
  for (const path of left.keys()) {
    if (path.startsWith('/record/')) inRecord += 1
    yield { path, message: 'was removed' }
  }
  const holds = integrity.record_hash === recordHash
  if (!holds && inRecord === 0) yield changed('/integrity/record_hash')
  if (holds && inRecord > 0) {
    yield { path: '/integrity/member_hashes', message: 'was changed: the record itself has its hash' }
  }
}

/** What `integrityOf` gives a hash of its own: each member of the record, and each other member whole. */
function partsOf(evidence: object): [path: string, value: unknown][] {
  return Object.entries(evidence).flatMap(([name, value]): [string, unknown][] => {
    if (name !== 'record') return [[`/${escaped(name)}`, value]]
    return Object.entries(value as object).map(([member, inner]) => [`/record/${escaped(member)}`, inner])
  })
}

function changed(path: string): Finding {
  return { path, message: 'was changed: its hash is another' }
}

/** Null where it is no record, whatever its hashes say. */
function rebuild({ record, source_record: source }: Bundle): Dossier | null {
  try {
    const own = verificationOf(record)
    const dossier = dossierOf(own, isObject(source) ? verificationOf(source) : own, null)
    // Whoever lacks what every record has fails here.
    explain(dossier)
    timeline(dossier)
    auditMembers(dossier.answer)
    return dossier
  } catch {
    return null
  }
}

/** The other way of `recordMember`. */
function verificationOf(member: Readonly<Record<string, unknown>>): Verification {
  const hundredths = (name: string): number => Math.round(Number(member[name]) * 100)
  const atMs = (name: string): number => Date.parse(String(member[name]))
  return {
    requestId: member['request_id'] as RequestId,
    ownerId: '',
    keyId: String(member['key_id']),
    mode: member['mode'] as Mode,
    corridor: member['corridor'] as Corridor,
    verdict: member['decision'] as Verdict,
    scoreHundredths: hundredths('score'),
    confidenceHundredths: hundredths('confidence'),
    amount: member['amount'] as number | null,
    currency: member['currency'] as Currency,
    correlationId: member['correlation_id'] as string | null,
    evaluatedAtMs: atMs('evaluated_at'),
    recordedAtMs: atMs('recorded_at'),
    cooldownSourceId: member['cooldown_source_request_id'] as RequestId | null,
    answer: JSON.stringify(member['answer']),
    evidence: JSON.stringify(member['evidence']),
  }
}

/** What does not follow: whoever changes a bundle and mends its hashes has all of this to mend too. */
function* ruleFindings(
  bundle: Bundle,
  rebuilt: Dossier | null,
  changedParts: ReadonlySet<string>,
): Generator<Finding> {
  if (rebuilt === null) {
    yield { path: '/record', message: 'has its hash, but is no record that Fairway writes' }
    return
  }
  yield* answerFindings(bundle, rebuilt)
  const { kept } = rebuilt
  const { factors, score } = kept.decision.evidence
  if (factors.reduce((sum, factor) => sum + factor.contribution, 0) !== score.composite) {
    yield { path: '/record/evidence/composite', message: 'is not the sum of the contributions' }
  }
  if (kept.engine !== engineVersion) return
  if (!isReproducible(kept)) {
    yield {
      path: '/record/decision',
      message: 'does not follow: from this evidence the engine decides otherwise',
    }
  }
  const made = { '/explanation': explain(rebuilt), '/timeline': timeline(rebuilt) }
  for (const [path, value] of Object.entries(made)) {
    const told = bundle[path.slice(1) as 'explanation' | 'timeline']
    const message = changedParts.has(path) ? 'was changed' : 'does not follow from the record'
    for (const place of differences(path, told, value)) {
      // Wording may differ between releases: it counts only where the hash says that something was changed.
      if (changedParts.has(path) || !isProse(place)) yield { path: place, message }
    }
  }
}

/** The record tells some things twice. */
function* answerFindings({ record, source_record: source }: Bundle, { answer }: Dossier): Generator<Finding> {
  const twice: Record<string, unknown> = {
    request_id: answer.request_id,
    decision: answer.decision,
    score: answer.score,
    confidence: answer.confidence,
    corridor: answer.corridor,
    mode: answer.mode,
    evaluated_at: answer.evaluated_at,
    recorded_at: answer.timestamp,
    correlation_id: answer.correlation_id ?? null,
    cooldown_source_request_id: answer.cooldown?.source_request_id ?? null,
    ...auditMembers(answer),
  }
  for (const [name, value] of Object.entries(twice)) {
    for (const path of differences(`/record/${name}`, record[name], value)) {
      yield { path, message: 'disagrees with the answer in the record' }
    }
  }
  const sourceId = isObject(source) ? source['request_id'] : null
  if (sourceId !== record['cooldown_source_request_id']) {
    yield { path: '/source_record', message: 'is not the record that this one repeats' }
  }
}

const prose = new Set(['summary', 'message', 'change', 'counterfactual_basis'])

function isProse(path: string): boolean {
  return prose.has(path.slice(path.lastIndexOf('/') + 1))
}

/** The places where two JSON values differ. */
function* differences(path: string, left: unknown, right: unknown): Generator<string> {
  const areBoth = isTree(left) && isTree(right) && Array.isArray(left) === Array.isArray(right)
  if (!areBoth) {
    if (hashOf(left ?? null) !== hashOf(right ?? null)) yield path
    return
  }
  for (const name of new Set([...Object.keys(left), ...Object.keys(right)])) {
    yield* differences(`${path}/${escaped(name)}`, left[name], right[name])
  }
}

function isTree(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
