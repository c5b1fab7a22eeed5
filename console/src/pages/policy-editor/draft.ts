/** The draft of a policy: the form's values as typed, and the document that they make. */

import { readAmount } from '../../money.ts'
import type { PolicyDocument } from '@fairway/client'

export interface CapDraft {
  /** For React; it has no meaning. */
  readonly key: number
  readonly currency: string
  readonly review: string
  readonly block: string
}

export type Stop = 'DEGRADED' | 'NO-GO'

export interface RuleDraft {
  readonly key: number
  readonly id: string
  readonly when: string
  readonly then: Stop
  readonly message: string
}

export interface Draft {
  readonly name: string
  readonly requireAmount: boolean
  readonly goFloor: string
  readonly noGoBelow: string
  readonly caps: readonly CapDraft[]
  readonly rules: readonly RuleDraft[]
}

export const noDraft: Draft = {
  name: '',
  requireAmount: false,
  goFloor: '',
  noGoBelow: '',
  caps: [],
  rules: [],
}

/** A new version starts as a copy. */
export function draftOf(document: PolicyDocument): Draft {
  const { name, require_amount: required = false, caps = {}, go_floor: go, no_go_below: noGo } = document
  return {
    name,
    requireAmount: required,
    goFloor: go === undefined ? '' : String(go),
    noGoBelow: noGo === undefined ? '' : String(noGo),
    caps: Object.entries(caps).map(([currency, { review_above: review, block_above: block }], key) => ({
      key,
      currency,
      review: String(review),
      block: String(block),
    })),
    rules: (document.rules ?? []).map((rule, key) => ({ key, ...rule, when: oneLine(rule.when) })),
  }
}

/** The field has one line, so comments end and line breaks become spaces. Texts in quotes stay as they are. */
export function oneLine(expression: string): string {
  if (!/[\r\n]/.test(expression)) return expression
  return expression
    .replaceAll(
      /("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|\/\/[^\r\n]*/g,
      (_all, text?: string) => text ?? '',
    )
    .replaceAll(/\s*[\r\n]\s*/g, ' ')
    .trim()
}

/** An unused key. */
const nextKey = (items: readonly { readonly key: number }[]): number =>
  Math.max(-1, ...items.map(({ key }) => key)) + 1

export const newCap = (caps: readonly CapDraft[]): CapDraft => ({
  key: nextKey(caps),
  currency: '',
  review: '',
  block: '',
})

export const newRule = (rules: readonly RuleDraft[]): RuleDraft => ({
  key: nextKey(rules),
  id: '',
  when: '',
  then: 'DEGRADED',
  message: '',
})

/** `1,000` is 1000. Text that is no number stays as it is: the server says so, with its place. */
function numberIn(text: string): number | string | undefined {
  const read = readAmount(text)
  if (read.kind === 'none') return undefined
  return read.kind === 'amount' ? read.amount : text.trim()
}

export const currencyOf = ({ currency }: CapDraft): string => currency.trim().toUpperCase()

/** May be faulty: the server checks it. */
export function documentOf(draft: Draft): PolicyDocument {
  const go = numberIn(draft.goFloor)
  const noGo = numberIn(draft.noGoBelow)
  const caps = draft.caps.map(
    (cap) =>
      [currencyOf(cap), { review_above: numberIn(cap.review), block_above: numberIn(cap.block) }] as const,
  )
  const document = {
    name: draft.name.trim(),
    ...(draft.requireAmount && { require_amount: true }),
    ...(caps.length > 0 && { caps: Object.fromEntries(caps) }),
    ...(go !== undefined && { go_floor: go }),
    ...(noGo !== undefined && { no_go_below: noGo }),
    ...(draft.rules.length > 0 && {
      rules: draft.rules.map(({ id, when, then, message }) => ({
        id: id.trim(),
        when: when.trim(),
        then,
        message: message.trim(),
      })),
    }),
  }
  return document as PolicyDocument
}
