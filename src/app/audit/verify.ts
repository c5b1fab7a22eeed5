/** Checks a bundle without asking anybody: do its hashes hold, and does what it tells follow from its evidence? */

import type { Mode } from '../../core/identity/api-key.ts'
import type { Corridor } from '../../core/reference/corridor.ts'
import type { Currency } from '../../core/reference/currency.ts'
import { engineVersion } from '../../core/decision/engine.ts'
import { actualOutcomes } from '../../core/live/outcome.ts'
import { mayBeOverridden, overrideActions } from '../../core/events/override.ts'
import { standardCap } from '../../core/decision/policy.ts'
import type { RequestId } from '../../core/identity/request-id.ts'
import type { Verdict } from '../../core/decision/score.ts'
import { escaped, isObject } from '../../core/reference/json.ts'
import { decisionFileOf, type DecisionFile } from '../inspect/decision-file.ts'
import { explain, timeline } from '../inspect/explain.ts'
import type { Checkpoint, Verifier } from '../log/checkpoint.ts'
import { checkProof } from '../log/verify-proof.ts'
import type { Verification } from '../ports/records.ts'
import { readAnswer } from '../inspect/record-wire.ts'
import {
  canonicalisation,
  hashAlgorithm,
  hashOf,
  integrityOf,
  recordMember,
  type Bundle,
  type Integrity,
} from './bundle.ts'
import { recompute } from './recompute.ts'
import { readBundle } from './read.ts'

interface Finding {
  /** JSON pointer into the bundle. */
  readonly path: string
  readonly message: string
}

export interface Verified {
  /** As the file tells it. */
  readonly record: Readonly<Record<string, unknown>>
  readonly humanOverride: unknown
  readonly outcome: unknown
  readonly told: Pick<Integrity, 'record_hash' | 'bundle_hash'>
  /** As they were computed from the file. */
  readonly computed: Pick<Integrity, 'record_hash' | 'bundle_hash'>
  readonly findings: readonly Finding[]
  /** Sentences that this program would word otherwise: another release may have, or somebody. */
  readonly notices: readonly Finding[]
  /** Where the record stands in a signed log; null where the bundle does not show it. */
  readonly seal: Seal | null
  /** Null where the decision was made again from its evidence; otherwise why it was not. */
  readonly notDecidedAgain: string | null
}

/** The text of a file, JSON or CSV. Throws `NoBundle` where it is none. */
export function verifyBundle(text: string, trusted: Verifier | null = null): Verified {
  const bundle = readBundle(text)
  const { integrity, proof: _proof, ...evidence } = bundle
  const computed = integrityOf(evidence)
  const byHash = onceEach([...strangers(bundle), ...hashFindings(integrity, computed)])
  const isRecordIntact = !byHash.some(({ path }) => /^\/(?:source_)?record\b/.test(path))
  // Of a record that was changed nothing can be said to follow.
  const rebuilt = isRecordIntact ? rebuild(bundle) : null
  const changedParts = new Set(byHash.map(({ path }) => path))
  const byRule = isRecordIntact ? [...ruleFindings(bundle, rebuilt, changedParts)] : []
  const isNotice = ({ path }: Finding): boolean => isProse(path) && !changedParts.has(partOf(path))
  // Where the very place is known, the whole need not be named.
  const located = (path: string): boolean => byRule.some((finding) => finding.path.startsWith(`${path}/`))
  const findings = [...byHash.filter(({ path }) => !located(path)), ...byRule.filter((one) => !isNotice(one))]
  if (findings.length === 0 && integrity.bundle_hash !== computed.bundle_hash) {
    findings.push(changed('/integrity/bundle_hash'))
  }
  const sealed = sealOf(bundle, trusted)
  findings.push(...sealed.findings)
  return {
    record: bundle.record,
    humanOverride: bundle.human_override,
    outcome: bundle.outcome,
    told: integrity,
    computed,
    findings,
    notices: byRule.filter(isNotice),
    seal: sealed.seal,
    notDecidedAgain: doubtOf(rebuilt),
  }
}

interface Seal {
  readonly checkpoint: Checkpoint
  readonly leafIndex: number
  readonly verifierKey: string
  /** The record is sealed, and an override of it is not yet. */
  readonly isOverridePending: boolean
}

/** Whether the record is in a signed log. Who trusts a key wants to see its signature. */
function sealOf(bundle: Bundle, trusted: Verifier | null): { findings: Finding[]; seal: Seal | null } {
  const { proof, record, human_override: override } = bundle
  if (!isObject(proof)) {
    const isWanted = trusted !== null || bundle.export_version >= 3
    return { findings: isWanted ? [{ path: '/proof', message: 'is missing' }] : [], seal: null }
  }
  const { findings, checkpoint } = checkProof(proof, { record, override }, trusted)
  const found = findings.map(({ path, message }) => ({ path: `/proof${path}`, message }))
  const leaf = proof['record']
  if (trusted !== null && leaf === null)
    found.push({ path: '/proof', message: 'was pending when this was exported' })
  // Nothing but its leaf shows that an override was made: without it, anybody can have written it here.
  const isOverridePending = leaf !== null && proof['override'] === null && (override ?? null) !== null
  if (trusted !== null && isOverridePending)
    found.push({
      path: '/proof/override',
      message: 'was pending when this was exported: nothing shows that it was made',
    })
  const isShown = found.length === 0 && checkpoint !== null && isObject(leaf)
  if (!isShown) return { findings: found, seal: null }
  const { verifierKey } = checkpoint
  const leafIndex = Number(leaf['leaf_index'])
  return { findings: found, seal: { checkpoint, leafIndex, verifierKey, isOverridePending } }
}

/** One place, one finding: the first. */
function onceEach(findings: readonly Finding[]): Finding[] {
  const seen = new Set<string>()
  return findings.filter(({ path }) => !seen.has(path) && seen.add(path))
}

function doubtOf(rebuilt: DecisionFile | null): string | null {
  if (rebuilt === null) return 'the record is not as it was written'
  const { engine } = rebuilt.kept
  return engine === engineVersion ? null : `engine ${engine} decided, and this program has ${engineVersion}`
}

/** What was changed, as far as the hashes tell. */
function* hashFindings(told: Integrity, computed: Integrity): Generator<Finding> {
  if (told.algorithm !== hashAlgorithm) yield changed('/integrity/algorithm')
  if (told.canonicalisation !== canonicalisation) yield changed('/integrity/canonicalisation')
  const left = new Map(Object.entries(told.member_hashes))
  let inRecord = 0
  for (const [path, hash] of Object.entries(computed.member_hashes)) {
    const before = left.get(path)
    left.delete(path)
    if (before === hash) continue
    if (path.startsWith('/record/')) inRecord += 1
    yield before === undefined ? { path, message: 'was added: it has no hash' } : changed(path)
  }
  for (const path of left.keys()) {
    if (path.startsWith('/record/')) inRecord += 1
    yield { path, message: 'was removed' }
  }
  const holds = told.record_hash === computed.record_hash
  if (!holds && inRecord === 0) yield changed('/integrity/record_hash')
  if (holds && inRecord > 0) {
    yield { path: '/integrity/member_hashes', message: 'was changed: the record itself has its hash' }
  }
}

function changed(path: string): Finding {
  return { path, message: 'was changed: its hash is another' }
}

const known = {
  '': [
    'export_version',
    'exported_at',
    'record',
    'source_record',
    'human_override',
    'outcome',
    'explanation',
    'timeline',
    'proof',
    'integrity',
  ],
  '/integrity': ['algorithm', 'canonicalisation', 'record_hash', 'bundle_hash', 'member_hashes'],
}

/** From which version on there is such a member. */
const since: Readonly<Record<string, number>> = { outcome: 2, proof: 3 }

/** Members that no export has, whatever hash they bring along. */
function* strangers(bundle: Bundle): Generator<Finding> {
  for (const [path, all] of Object.entries(known)) {
    const names = all.filter((name) => !(since[name] !== undefined && bundle.export_version < since[name]))
    const members = Object.keys(path === '' ? bundle : bundle.integrity)
    for (const name of members) {
      if (!names.includes(name))
        yield { path: `${path}/${escaped(name)}`, message: 'was added: no export has it' }
    }
    for (const name of names) {
      if (!members.includes(name)) yield { path: `${path}/${name}`, message: 'was removed' }
    }
  }
}

/** Null where it is no record, whatever its hashes say. */
function rebuild({ record, source_record: source }: Bundle): DecisionFile | null {
  try {
    const own = verificationOf(record)
    const followed = { override: null, outcome: null }
    const file = decisionFileOf(own, isObject(source) ? verificationOf(source) : own, followed)
    // Whoever lacks what every record has fails here.
    explain(file)
    timeline(file)
    recordMember(own, readAnswer(own))
    return file
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
  rebuilt: DecisionFile | null,
  changedParts: ReadonlySet<string>,
): Generator<Finding> {
  const notOurs = { path: '/record', message: 'has its hash, but is no record that Fairway writes' }
  if (rebuilt === null) return yield notOurs
  yield* overrideFindings(bundle)
  yield* outcomeFindings(bundle)
  const { source_record: source } = bundle
  const sourceId = isObject(source) ? source['request_id'] : null
  if (sourceId !== bundle.record['cooldown_source_request_id']) {
    yield { path: '/source_record', message: 'is not the record that this one repeats' }
  }
  if (rebuilt.kept.engine !== engineVersion) return
  const { cap } = rebuilt.kept.decision.evidence
  if (!(cap.reviewAbove <= standardCap.reviewAbove && cap.blockAbove <= standardCap.blockAbove)) {
    yield { path: '/record/evidence', message: 'has looser caps than there can be' }
  }
  const again = recompute(rebuilt)
  if (again === null) return yield notOurs
  const members = {
    '/record': recordMember(again.record, readAnswer(again.record)),
    '/source_record': again.source === null ? null : recordMember(again.source, readAnswer(again.source)),
    '/explanation': explain(rebuilt),
    '/timeline': timeline(rebuilt),
  }
  for (const [path, value] of Object.entries(members)) {
    const told = bundle[path.slice(1) as 'record' | 'source_record' | 'explanation' | 'timeline']
    if (told === undefined) continue
    const message = changedParts.has(path) ? 'was changed' : 'does not follow from the evidence'
    for (const place of differences(path, told, value)) yield { path: place, message }
  }
}

const overrideMembers = [
  'override_id',
  'request_id',
  'original_decision',
  'action',
  'reason_code',
  'justification',
  'created_at',
  'key_id',
]

/** A person's word can be checked against the decision that it speaks of; whether it was said, the service knows. */
function* overrideFindings({ record, human_override: told }: Bundle): Generator<Finding> {
  const path = '/human_override'
  if (told === null || told === undefined) return
  const isWhole =
    isObject(told) &&
    Object.keys(told).length === overrideMembers.length &&
    overrideMembers.every((name) => typeof told[name] === 'string')
  if (!isWhole) return yield { path, message: 'is no override that Fairway writes' }
  const { request_id: id, original_decision: verdict, action } = told
  if (id !== record['request_id']) yield { path: `${path}/request_id`, message: 'is of another decision' }
  if (verdict !== record['decision'] || !mayBeOverridden(verdict as Verdict)) {
    yield { path: `${path}/original_decision`, message: 'is not the decision of the record, or is GO' }
  }
  if (!overrideActions.some((one) => one === action)) {
    yield { path: `${path}/action`, message: 'is none that there is' }
  }
}

/** Likewise, of how the payment ended. */
function* outcomeFindings({ record, outcome: told }: Bundle): Generator<Finding> {
  const path = '/outcome'
  if (told === null || told === undefined) return
  const texts = ['request_id', 'outcome', 'reported_at', 'key_id']
  const isWhole =
    isObject(told) &&
    Object.keys(told).length === texts.length + 1 &&
    texts.every((name) => typeof told[name] === 'string') &&
    (told['occurred_at'] === null || typeof told['occurred_at'] === 'string')
  if (!isWhole) return yield { path, message: 'is no outcome that Fairway writes' }
  if (told['request_id'] !== record['request_id']) {
    yield { path: `${path}/request_id`, message: 'is of another decision' }
  }
  if (!actualOutcomes.some((one) => one === told['outcome'])) {
    yield { path: `${path}/outcome`, message: 'is none that there is' }
  }
}

const prose = new Set(['summary', 'message', 'change', 'counterfactual_basis', 'validation_note'])

function isProse(path: string): boolean {
  return prose.has(path.slice(path.lastIndexOf('/') + 1))
}

/** The part that has the hash over this place. */
function partOf(path: string): string {
  return path
    .split('/')
    .slice(0, path.startsWith('/record/') ? 3 : 2)
    .join('/')
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
