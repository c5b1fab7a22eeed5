/** The document of a policy: its form, its limits, and that it is at least as strict as the contract. */

import { standardCap } from '../decision/policy.ts'
import { degradedFloorHundredths, goFloorHundredths, type Verdict } from '../decision/score.ts'
import { parseCurrency } from '../reference/currency.ts'
import { isObject, pointerPart } from '../reference/json.ts'

export interface PolicyDocument {
  readonly name: string
  readonly require_amount?: boolean
  readonly caps?: Readonly<Record<string, { readonly review_above: number; readonly block_above: number }>>
  readonly go_floor?: number
  readonly no_go_below?: number
  readonly rules?: readonly RuleDocument[]
}

export interface RuleDocument {
  readonly id: string
  readonly when: string
  readonly then: Exclude<Verdict, 'GO'>
  readonly message: string
}

export interface DocumentFault {
  /** JSON pointer into the document. */
  readonly path: string
  readonly message: string
  /** In an expression: the character at which it is, from 1. */
  readonly position?: number
}

export type DocumentRead =
  | { readonly kind: 'read'; readonly document: PolicyDocument }
  | { readonly kind: 'faulty'; readonly faults: readonly DocumentFault[] }

export const documentLimits = { nameMax: 100, rulesMax: 100, whenBytesMax: 2_048, messageMax: 300 } as const

/** The id of the rule that `require_amount` is. */
export const requireAmountId = 'require_amount'

const members = ['name', 'require_amount', 'caps', 'go_floor', 'no_go_below', 'rules']
const ruleMembers = ['id', 'when', 'then', 'message']
const capMembers = ['review_above', 'block_above']
export const stops = ['DEGRADED', 'NO-GO'] as const
const ruleIdPattern = /^[a-z0-9][a-z0-9_-]{0,63}$/

/** Nobody reads more at once. */
const faultsMax = 100

type Report = (path: string, message: string) => void

/** Reports every fault at once. Expressions are read apart: see `app/policy/compile.ts`. */
export function readDocument(value: unknown): DocumentRead {
  const faults: DocumentFault[] = []
  const report: Report = (path, message) => {
    if (faults.length < faultsMax) faults.push({ path, message })
  }
  if (!isObject(value)) report('', 'must be a JSON object')
  else {
    checkMembers(value, members, '', report)
    checkText(value['name'], '/name', documentLimits.nameMax, report)
    if (value['require_amount'] !== undefined && typeof value['require_amount'] !== 'boolean')
      report('/require_amount', 'must be true or false')
    checkCaps(value['caps'], report)
    checkFloors(value, report)
    checkRules(value['rules'], report)
  }
  return faults.length > 0 ? { kind: 'faulty', faults } : { kind: 'read', document: value as PolicyDocument }
}

function checkMembers(value: object, known: readonly string[], path: string, report: Report): void {
  for (const name of Object.keys(value)) {
    if (!known.includes(name))
      report(`${path}/${pointerPart(name)}`, `is not known; the members are ${known.join(', ')}`)
  }
}

function checkText(value: unknown, path: string, lengthMax: number, report: Report): void {
  if (value === undefined) report(path, 'is required')
  else if (typeof value !== 'string' || value.trim() === '') report(path, 'must be a text that is not empty')
  else if (value.length > lengthMax) report(path, `must have at most ${lengthMax} characters`)
  else if (/[\p{Cc}\p{Cs}]/u.test(value)) report(path, 'must not contain control characters')
}

function checkCaps(caps: unknown, report: Report): void {
  if (caps === undefined) return
  if (!isObject(caps)) return report('/caps', 'must be an object with a member for each currency')
  for (const [name, cap] of Object.entries(caps)) {
    const path = `/caps/${pointerPart(name)}`
    if (parseCurrency(name) !== name) report(path, 'must be an ISO 4217 code, like GBP')
    if (!isObject(cap)) report(path, 'must have review_above and block_above')
    else {
      checkMembers(cap, capMembers, path, report)
      const { review_above: review, block_above: block } = cap
      checkNumber(review, `${path}/review_above`, { from: 0, to: standardCap.reviewAbove }, report)
      checkNumber(block, `${path}/block_above`, { from: 0, to: standardCap.blockAbove }, report)
      if (isAbove(review, block)) report(`${path}/review_above`, 'must be at most block_above')
    }
  }
}

function checkFloors(value: Readonly<Record<string, unknown>>, report: Report): void {
  const { go_floor: go, no_go_below: noGo } = value
  if (go !== undefined) checkScore(go, '/go_floor', goFloorHundredths, report)
  if (noGo !== undefined) checkScore(noGo, '/no_go_below', degradedFloorHundredths, report)
  if (isAbove(noGo, go === undefined ? goFloorHundredths / 100 : go))
    report('/no_go_below', `must be at most ${go === undefined ? '0.80' : Number(go)}, which is go_floor`)
}

const isAbove = (one: unknown, other: unknown): boolean =>
  typeof one === 'number' && typeof other === 'number' && one > other

function checkScore(value: unknown, path: string, fromHundredths: number, report: Report): void {
  checkNumber(value, path, { from: fromHundredths / 100, to: 1 }, report)
  if (typeof value === 'number' && Math.abs(value * 100 - Math.round(value * 100)) > 1e-9)
    report(path, 'must be a multiple of 0.01, as scores are')
}

function checkNumber(
  value: unknown,
  path: string,
  range: { from: number; to: number },
  report: Report,
): void {
  const { from, to } = range
  if (value === undefined) report(path, 'is required')
  else if (typeof value !== 'number' || !Number.isFinite(value)) report(path, 'must be a number')
  else if (value < from || value > to)
    report(path, `must be from ${from} to ${to}: a policy is at least as strict as the contract`)
}

function checkRules(rules: unknown, report: Report): void {
  if (rules === undefined) return
  if (!Array.isArray(rules)) return report('/rules', 'must be a list')
  if (rules.length > documentLimits.rulesMax)
    return report('/rules', `must have at most ${documentLimits.rulesMax} rules`)
  const ids = new Set<unknown>([requireAmountId])
  rules.forEach((rule: unknown, index) => {
    const path = `/rules/${index}`
    if (!isObject(rule)) return report(path, 'must be an object')
    checkMembers(rule, ruleMembers, path, report)
    const { id, when } = rule
    if (typeof id !== 'string' || !ruleIdPattern.test(id))
      report(`${path}/id`, 'must have 1 to 64 lower-case letters, digits, hyphens or underscores')
    else if (ids.has(id))
      report(`${path}/id`, id === requireAmountId ? 'is reserved' : 'is the id of an earlier rule')
    ids.add(id)
    if (typeof when !== 'string' || when.trim() === '') report(`${path}/when`, 'must be an expression')
    else if (!when.isWellFormed()) report(`${path}/when`, 'must be valid Unicode')
    else if (utf8Length(when) > documentLimits.whenBytesMax)
      report(`${path}/when`, `must have at most ${documentLimits.whenBytesMax} bytes`)
    if (!stops.some((verdict) => verdict === rule['then']))
      report(`${path}/then`, `must be one of ${stops.join(', ')}`)
    checkText(rule['message'], `${path}/message`, documentLimits.messageMax, report)
  })
}

function utf8Length(text: string): number {
  let length = 0
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    length += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x1_0000 ? 3 : 4
  }
  return length
}
