/** The policies of a bundle: their documents, held against the hashes in the evidence of its decision. */

import { standardCap, type Cap } from '../../core/decision/policy.ts'
import { contractFloors, type Policies } from '../../core/decision/tightening.ts'
import { isObject } from '../../core/reference/json.ts'
import { sourceOf, type DecisionFile } from '../inspect/decision-file.ts'
import { compilePolicy, type CompiledPolicy } from '../policy/compile.ts'
import type { PoliciesInForce } from '../policy/in-force.ts'
import { hashOf, type Bundle } from './bundle.ts'
import type { Finding } from './sealed.ts'

export interface BundledPolicies {
  /** Those that the decision was made under, as far as there are no findings; null if there were none. */
  readonly inForce: PoliciesInForce | null
  readonly findings: readonly Finding[]
}

interface Held {
  readonly path: string
  readonly document: unknown
  isNamed: boolean
}

/** Compiles only documents that the evidence names: at most two, however many a file has. */
export function bundledPolicies(bundle: Bundle): BundledPolicies {
  const findings: Finding[] = []
  const held = heldDocuments(bundle.policies, findings)
  const named = namedPolicies(bundle)
  const compiled = (side: keyof Policies): CompiledPolicy | null => {
    const reference = named[side] ?? null
    if (reference === null) return null
    const { policy_id: id, sha256 } = isObject(reference) ? reference : {}
    const found = held.get(id)
    if (found === undefined) {
      findings.push({ path: '/policies', message: `does not have the document of the ${side}'s policy` })
      return null
    }
    found.isNamed = true
    return compiledFrom(found, { id: String(id), sha256 }, findings)
  }
  const [owner, installation] = [compiled('owner'), compiled('installation')]
  for (const { path, isNamed } of held.values()) {
    if (!isNamed) findings.push({ path, message: 'was added: the decision was not made under it' })
  }
  return { inForce: owner === null && installation === null ? null : { owner, installation }, findings }
}

/** The references in the evidence of the computed record, whatever form they have. */
function namedPolicies({ record, source_record: source }: Bundle): Readonly<Record<string, unknown>> {
  const { evidence } = isObject(source) ? source : record
  const named = isObject(evidence) ? evidence['policies'] : undefined
  return isObject(named) ? named : {}
}

/** By policy id. Absent before version 6, when there were no policies. */
function heldDocuments(member: unknown, findings: Finding[]): Map<unknown, Held> {
  const held = new Map<unknown, Held>()
  if (member === undefined) return held
  if (!Array.isArray(member)) findings.push({ path: '/policies', message: 'is not a list of policies' })
  for (const [index, entry] of (Array.isArray(member) ? member : []).entries()) {
    const path = `/policies/${index}`
    const id: unknown = isObject(entry) ? entry['policy_id'] : undefined
    if (!isObject(entry) || typeof id !== 'string' || entry['document'] === undefined)
      findings.push({ path, message: 'is not a policy with its document' })
    else if (held.has(id)) findings.push({ path, message: 'repeats a policy' })
    else held.set(id, { path, document: entry['document'], isNamed: false })
  }
  return held
}

function compiledFrom(
  { path, document }: Held,
  { id, sha256 }: { readonly id: string; readonly sha256: unknown },
  findings: Finding[],
): CompiledPolicy | null {
  const at = `${path}/document`
  if (hashOf(document) !== sha256) {
    findings.push({ path: at, message: 'does not match its hash in the evidence' })
    return null
  }
  const compiled = compilePolicy(document)
  if (compiled.kind === 'compiled') return compiled.as(id)
  for (const { path: place, message } of compiled.faults) findings.push({ path: `${at}${place}`, message })
  return null
}

/** Recorded caps and floors that are laxer than the contract's: no setting and no policy makes such. */
export function* laxFindings(file: DecisionFile): Generator<Finding> {
  const { cap, baseCap, floors } = file.recorded.decision.evidence
  const path = sourceOf(file) === null ? '/record/evidence' : '/source_record/evidence'
  const looseCaps = 'has looser caps than the standard caps'
  if (!isStrict(cap)) yield { path, message: looseCaps }
  if (file.evidence.policies === undefined) return
  if (!isStrict(baseCap)) yield { path: `${path}/policies`, message: looseCaps }
  const { goFloor, degradedFloor } = contractFloors
  if (!(floors.goFloor >= goFloor && floors.degradedFloor >= degradedFloor))
    yield { path: `${path}/policies`, message: 'has lower floors than the contract' }
}

/** False also for what is not a number. */
const isStrict = ({ reviewAbove, blockAbove }: Cap): boolean =>
  reviewAbove <= standardCap.reviewAbove && blockAbove <= standardCap.blockAbove
