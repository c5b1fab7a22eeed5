/** The differences of two documents: members and rules that were added, removed or changed. */

import type { PolicyDocument } from '@fairway/client'
import { formatAlignedAmount, formatScore } from '../../format.ts'
import type { Rule } from './document.tsx'

export type Mark = 'added' | 'removed' | 'changed' | 'same'

/** Null on the side that lacks it. */
export interface Difference<Value> {
  readonly name: string
  readonly before: Value | null
  readonly after: Value | null
  readonly mark: Mark
}

function capText(currency: string, above: { review_above: number; block_above: number }): string {
  const [review, block] = [above.review_above, above.block_above].map((amount) =>
    formatAlignedAmount(amount, currency),
  )
  return `DEGRADED above ${review}, NO-GO above ${block}`
}

/** The members but the rules, by the name that they are shown with. */
function membersOf(document: PolicyDocument): ReadonlyMap<string, string> {
  const { name, require_amount: required, go_floor: go, no_go_below: noGo, caps = {} } = document
  return new Map([
    ['Name', name],
    ...(required === true ? [['Amount', 'required'] as const] : []),
    ...(go === undefined ? [] : [['GO from score', formatScore(go)] as const]),
    ...(noGo === undefined ? [] : [['NO-GO below score', formatScore(noGo)] as const]),
    ...Object.entries(caps).map(([currency, cap]) => [`Cap ${currency}`, capText(currency, cap)] as const),
  ])
}

function differences<Value>(
  before: ReadonlyMap<string, Value>,
  after: ReadonlyMap<string, Value>,
  isSame: (left: Value, right: Value) => boolean,
): readonly Difference<Value>[] {
  const names = new Set([...before.keys(), ...after.keys()])
  return [...names].map((name) => {
    const [left, right] = [before.get(name) ?? null, after.get(name) ?? null]
    const mark =
      left === null ? 'added' : right === null ? 'removed' : isSame(left, right) ? 'same' : 'changed'
    return { name, before: left, after: right, mark }
  })
}

const partsOfRule = ['when', 'then', 'message'] as const

export type RulePart = (typeof partsOfRule)[number]

/** The parts that differ between two rules of the same id. */
export const changedParts = (before: Rule, after: Rule): readonly RulePart[] =>
  partsOfRule.filter((part) => before[part] !== after[part])

const rulesOf = ({ rules = [] }: PolicyDocument): ReadonlyMap<string, Rule> =>
  new Map(rules.map((rule) => [rule.id, rule]))

export interface DocumentDifferences {
  readonly members: readonly Difference<string>[]
  readonly rules: readonly Difference<Rule>[]
  /** Whether the rules that both have are in another order. */
  readonly isReordered: boolean
}

export function compareDocuments(before: PolicyDocument, after: PolicyDocument): DocumentDifferences {
  const [left, right] = [rulesOf(before), rulesOf(after)]
  const common = [...left.keys()].filter((id) => right.has(id))
  const inOrder = [...right.keys()].filter((id) => left.has(id))
  return {
    members: differences(membersOf(before), membersOf(after), Object.is),
    rules: differences(left, right, (one, other) => changedParts(one, other).length === 0),
    isReordered: common.some((id, place) => inOrder[place] !== id),
  }
}
