/** Verifies a bundle offline: its hashes, and that its contents follow from its evidence. */

import type { Mode } from '../../core/identity/api-key.ts'
import type { Corridor } from '../../core/reference/corridor.ts'
import type { Currency } from '../../core/reference/currency.ts'
import { engineVersion } from '../../core/decision/engine.ts'
import { actualOutcomes } from '../../core/live/outcome.ts'
import { mayBeOverridden, overrideActions } from '../../core/events/override.ts'
import type { RequestId } from '../../core/identity/request-id.ts'
import type { ReasonCode } from '../../core/decision/reasons.ts'
import type { Verdict } from '../../core/decision/score.ts'
import { escaped, isObject } from '../../core/reference/json.ts'
import { decisionFileOf, type DecisionFile } from '../inspect/decision-file.ts'
import { explain, timeline } from '../inspect/explain.ts'
import type { Verifier } from '../log/checkpoint.ts'
import { erased } from '../log/personal-text.ts'
import { committed } from '../log/verify-proof.ts'
import type { PersonalText, Verification } from '../ports/records.ts'
import { readAnswer } from '../inspect/record-wire.ts'
import {
  canonicalisation,
  hashAlgorithm,
  hashOf,
  integrityOf,
  policiesMember,
  recordMember,
  type Bundle,
  type Integrity,
} from './bundle.ts'
import { approvedMembers, hasApproval, hasPrincipal, principalMembers } from './principal.ts'
import { bundledPolicies, laxFindings, type BundledPolicies } from './policies.ts'
import { recompute, type Recomputed } from './recompute.ts'
import { readBundle } from './read.ts'
import { checkSignature, coverageOf, sealOf, type Coverage, type Finding, type Seal } from './sealed.ts'

export interface Verified {
  /** The record in the file. */
  readonly record: Readonly<Record<string, unknown>>
  readonly humanOverride: unknown
  readonly outcome: unknown
  /** The hashes in the file. */
  readonly claimed: Pick<Integrity, 'record_hash' | 'bundle_hash'>
  /** The hashes computed from the file. */
  readonly computed: Pick<Integrity, 'record_hash' | 'bundle_hash'>
  readonly findings: readonly Finding[]
  /** Texts that this release words differently. Another release may have written them, or they were changed. */
  readonly notices: readonly Finding[]
  /** The record's place in a signed log; null if the bundle does not prove one. */
  readonly seal: Seal | null
  /** Null if the decision was recomputed from its evidence; otherwise the reason why not. */
  readonly notRecomputed: string | null
  /** The parts that a signature proves, if there are no findings, and those that nothing proves. */
  readonly coverage: Coverage
}

/** Verifies the text of a JSON or CSV file. Throws `InvalidBundle` if it is not a bundle. */
export function verifyBundle(text: string, trusted: Verifier | null = null): Verified {
  const bundle = readBundle(text)
  const { integrity, proof: _proof, ...evidence } = bundle
  const computed = integrityOf(evidence)
  const byHash = firstPerPath([...memberFindings(bundle), ...hashFindings(integrity, computed)])
  const isRecordIntact = !byHash.some(({ path }) => /^\/(?:source_)?record\b/.test(path))
  const policies = bundledPolicies(bundle)
  // A changed record cannot be recomputed.
  const rebuilt = isRecordIntact ? rebuild(bundle, policies) : null
  const changedParts = new Set(byHash.map(({ path }) => path))
  const byRule = isRecordIntact ? [...ruleFindings(bundle, { rebuilt, policies }, changedParts)] : []
  const isNotice = ({ path }: Finding): boolean =>
    isProse(path) && !isOfPolicy(bundle, path) && !changedParts.has(partOf(path))
  // If the exact place is known, the finding for its parent is dropped.
  const located = (path: string): boolean => byRule.some((finding) => finding.path.startsWith(`${path}/`))
  const findings = [
    ...byHash.filter(({ path }) => !located(path)),
    ...byRule.filter((finding) => !isNotice(finding)),
  ]
  if (findings.length === 0 && integrity.bundle_hash !== computed.bundle_hash) {
    findings.push(changed('/integrity/bundle_hash'))
  }
  const sealed = sealOf(bundle, trusted)
  const signature = checkSignature(bundle, trusted)
  findings.push(...sealed.findings, ...signature.findings)
  return {
    record: bundle.record,
    humanOverride: bundle.human_override,
    outcome: bundle.outcome,
    claimed: integrity,
    computed,
    findings,
    notices: byRule.filter(isNotice),
    seal: sealed.seal,
    notRecomputed: obstacleTo(rebuilt, policies),
    coverage: coverageOf(sealed.seal, signature.isSigned),
  }
}

/** Keeps only the first finding for each path. */
function firstPerPath(findings: readonly Finding[]): Finding[] {
  const seen = new Set<string>()
  return findings.filter(({ path }) => !seen.has(path) && seen.add(path))
}

/** The reason why the decision cannot be recomputed, if any. */
function obstacleTo(rebuilt: DecisionFile | null, policies: BundledPolicies): string | null {
  if (policies.findings.length > 0) return 'a policy of the decision is missing or was changed'
  if (rebuilt === null) return 'the record was changed'
  const { engine } = rebuilt.recorded
  return engine === engineVersion
    ? null
    : `engine ${engine} decided and this release has engine ${engineVersion}`
}

/** The changes that the hashes reveal. */
function* hashFindings(claimed: Integrity, computed: Integrity): Generator<Finding> {
  if (claimed.algorithm !== hashAlgorithm) yield changed('/integrity/algorithm')
  if (claimed.canonicalisation !== canonicalisation) yield changed('/integrity/canonicalisation')
  const remaining = new Map(Object.entries(claimed.member_hashes))
  let changesInRecord = 0
  for (const [path, hash] of Object.entries(computed.member_hashes)) {
    const expected = remaining.get(path)
    remaining.delete(path)
    if (expected === hash) continue
    if (path.startsWith('/record/')) changesInRecord += 1
    yield expected === undefined ? { path, message: 'was added: it has no hash' } : changed(path)
  }
  for (const path of remaining.keys()) {
    if (path.startsWith('/record/')) changesInRecord += 1
    yield { path, message: 'was removed' }
  }
  const isRecordValid = claimed.record_hash === computed.record_hash
  if (!isRecordValid && changesInRecord === 0) yield changed('/integrity/record_hash')
  if (isRecordValid && changesInRecord > 0) {
    yield { path: '/integrity/member_hashes', message: 'was changed: the record matches its record_hash' }
  }
}

function changed(path: string): Finding {
  return { path, message: 'was changed: hash mismatch' }
}

const exportMembers = {
  '': [
    'export_version',
    'exported_at',
    'record',
    'source_record',
    'human_override',
    'outcome',
    'policies',
    'explanation',
    'timeline',
    'proof',
    'integrity',
  ],
  '/integrity': ['algorithm', 'canonicalisation', 'record_hash', 'bundle_hash', 'member_hashes', 'signature'],
}

/** The export version that introduced a member. */
const introducedIn: Readonly<Record<string, number>> = { outcome: 2, proof: 3, signature: 5, policies: 6 }

/** Members that do not belong in an export, and members that are missing. */
function* memberFindings(bundle: Bundle): Generator<Finding> {
  for (const [path, all] of Object.entries(exportMembers)) {
    const names = all.filter(
      (name) => !(introducedIn[name] !== undefined && bundle.export_version < introducedIn[name]),
    )
    const members = Object.keys(path === '' ? bundle : bundle.integrity)
    for (const name of members) {
      if (!names.includes(name))
        yield { path: `${path}/${escaped(name)}`, message: 'was added: it is not part of an audit export' }
    }
    for (const name of names) {
      // A missing signature is reported with what it means.
      if (!members.includes(name) && name !== 'signature')
        yield { path: `${path}/${name}`, message: 'was removed' }
    }
  }
}

/** Null if the record is not valid, even if its hashes are, or a policy that it was decided under is not. */
function rebuild({ record, source_record: source }: Bundle, policies: BundledPolicies): DecisionFile | null {
  if (policies.findings.length > 0) return null
  try {
    const own = verificationOf(record)
    const noFollowUps = { override: null, outcome: null }
    const computed = isObject(source) ? verificationOf(source) : own
    const file = decisionFileOf(own, computed, noFollowUps, policies.inForce)
    // A record that lacks a required member fails here.
    explain(file)
    timeline(file)
    recordMember(own, readAnswer(own))
    return file
  } catch {
    return null
  }
}

/** The inverse of `recordMember`. */
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
    form: member['form'] === 2 ? 2 : 1,
    correlationId: member['correlation_id'] as string | null,
    personalText: (member['personal_text'] ?? null) as PersonalText | null,
    evaluatedAtMs: atMs('evaluated_at'),
    recordedAtMs: atMs('recorded_at'),
    cooldownSourceId: member['cooldown_source_request_id'] as RequestId | null,
    answer: JSON.stringify(member['answer']),
    evidence: JSON.stringify(member['evidence']),
  }
}

type MemberName = 'record' | 'source_record' | 'policies' | 'explanation' | 'timeline'

/** Contents that do not follow from the evidence, for bundles whose hashes were recomputed after a change. */
function* ruleFindings(
  bundle: Bundle,
  { rebuilt, policies }: { readonly rebuilt: DecisionFile | null; readonly policies: BundledPolicies },
  changedParts: ReadonlySet<string>,
): Generator<Finding> {
  if (policies.findings.length > 0) return yield* policies.findings
  const invalid = { path: '/record', message: 'matches its hash but is not a valid Fairway record' }
  if (rebuilt === null) return yield invalid
  yield* textFindings(bundle)
  yield* overrideFindings(bundle)
  yield* outcomeFindings(bundle)
  const { source_record: source } = bundle
  const sourceId = isObject(source) ? source['request_id'] : null
  if (sourceId !== bundle.record['cooldown_source_request_id']) {
    yield { path: '/source_record', message: 'is not the record that this one repeats' }
  }
  if (rebuilt.recorded.engine !== engineVersion) return
  yield* laxFindings(rebuilt)
  const expected = recomputedOrNull(rebuilt)
  if (expected === null) return yield invalid
  const version = bundle.export_version
  const members = {
    '/record': recordMember(expected.record, readAnswer(expected.record), version),
    '/source_record':
      expected.source === null ? null : recordMember(expected.source, readAnswer(expected.source), version),
    '/policies': policiesMember(rebuilt.policies),
    '/explanation': explain(rebuilt),
    '/timeline': timeline(rebuilt),
  }
  for (const [path, value] of Object.entries(members)) {
    const claimed = bundle[path.slice(1) as MemberName]
    if (claimed === undefined) continue
    const message = changedParts.has(path) ? 'was changed' : 'does not follow from the evidence'
    for (const place of differences(path, claimed, value)) yield { path: place, message }
  }
}

/** Null also for evidence of a form that no decision has, which a forger may have written. */
function recomputedOrNull(rebuilt: DecisionFile): Recomputed | null {
  try {
    return recompute(rebuilt)
  } catch {
    return null
  }
}

/** Personal texts that are kept apart must be those that their salted hashes were made of. */
function* textFindings({
  record,
  source_record: source,
  human_override: override,
}: Bundle): Generator<Finding> {
  const texts = [
    { path: '/record', member: record, name: 'correlation_id', erasedAs: null },
    { path: '/source_record', member: source, name: 'correlation_id', erasedAs: null },
    { path: '/human_override', member: override, name: 'justification', erasedAs: erased },
  ]
  for (const { path, member, name, erasedAs } of texts) {
    if (isObject(member) && committed(member, { text: member[name], erasedAs }) === undefined)
      yield { path, message: `${name} does not match its salted hash` }
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

/** Checks the override against its decision. That it was recorded, only the log can prove. */
function* overrideFindings({
  record,
  human_override: override,
  export_version: version,
}: Bundle): Generator<Finding> {
  const path = '/human_override'
  if (override === null || override === undefined) return
  const names = Object.keys(isObject(override) ? override : {}).length
  const isComplete =
    isObject(override) &&
    names === overrideMembers.length + (version < 4 ? 0 : 2) + approvedMembers(version) &&
    hasPrincipal(override, 'created_by', version) &&
    hasApproval(override['approval'], version) &&
    overrideMembers.every((name) => typeof override[name] === 'string') &&
    (version < 4 || (typeof override['form'] === 'number' && override['personal_text'] !== undefined))
  if (!isComplete) return yield { path, message: 'is not a valid override' }
  const { request_id: id, original_decision: verdict, action } = override
  if (id !== record['request_id'])
    yield { path: `${path}/request_id`, message: 'belongs to another decision' }
  if (verdict !== record['decision'] || !mayBeOverridden(verdict as Verdict))
    yield { path: `${path}/original_decision`, message: 'is GO or not the decision of the record' }
  if (!overrideActions.some((known) => known === action))
    yield { path: `${path}/action`, message: 'is not a known action' }
}

/** Checks the outcome against its decision. */
function* outcomeFindings({ record, outcome, export_version: version }: Bundle): Generator<Finding> {
  const path = '/outcome'
  if (outcome === null || outcome === undefined) return
  const texts = ['request_id', 'outcome', 'reported_at', 'key_id']
  const names = Object.keys(isObject(outcome) ? outcome : {}).length
  const isComplete =
    isObject(outcome) &&
    names ===
      texts.length + (version < 4 ? 1 : 2) + principalMembers(version) + ('partner' in outcome ? 1 : 0) &&
    hasPrincipal(outcome, 'reported_by', version) &&
    (!('partner' in outcome) || typeof outcome['partner'] === 'string') &&
    (version < 4 || outcome['outcome_id'] === null || typeof outcome['outcome_id'] === 'string') &&
    texts.every((name) => typeof outcome[name] === 'string') &&
    (outcome['occurred_at'] === null || typeof outcome['occurred_at'] === 'string')
  if (!isComplete) return yield { path, message: 'is not a valid outcome' }
  // An outcome is reported after its record, so it is no older than the record's form.
  if (record['form'] === 2 && outcome['outcome_id'] === null) {
    yield { path: `${path}/outcome_id`, message: 'is missing: outcomes of such a record are in the log' }
  }
  if (outcome['request_id'] !== record['request_id']) {
    yield { path: `${path}/request_id`, message: 'belongs to another decision' }
  }
  if (!actualOutcomes.some((known) => known === outcome['outcome'])) {
    yield { path: `${path}/outcome`, message: 'is not a known outcome' }
  }
}

const prose = new Set([
  'summary',
  'message',
  'change',
  'comparison',
  'counterfactual_basis',
  'validation_note',
])

function isProse(path: string): boolean {
  return prose.has(path.slice(path.lastIndexOf('/') + 1))
}

const ruleCode: ReasonCode = 'POLICY_RULE_APPLIED'

/** Texts of a policy's document are evidence: no release words them differently. */
function isOfPolicy(bundle: Bundle, path: string): boolean {
  if (/^\/(?:explanation\/)?policies\//.test(path)) return true
  const names = path.split('/').slice(1, -1)
  const parent = names.reduce<unknown>((node, name) => (isTree(node) ? node[name] : undefined), bundle)
  return isTree(parent) && parent['code'] === ruleCode
}

/** The part of the bundle whose hash covers this path. */
function partOf(path: string): string {
  return path
    .split('/')
    .slice(0, path.startsWith('/record/') ? 3 : 2)
    .join('/')
}

/** The paths at which two JSON values differ. */
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
