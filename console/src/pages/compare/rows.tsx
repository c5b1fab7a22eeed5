/** The rows of a comparison: each member of two decisions, and whether it differs. */

import type { DecisionFile, SignalName } from '@fairway/client'
import type { ReactNode } from 'react'
import { formatAmount, formatScore } from '../../format.ts'
import { actionLabel, codeLabel, outcomes, overrideLabels, signalLabel } from '../../labels.ts'
import { RiskMark, riskShown } from '../../ui/risk.tsx'
import { Verdict } from '../../ui/verdict.tsx'

export interface CompareRow {
  readonly group: string
  readonly name: string
  readonly left: ReactNode
  readonly right: ReactNode
  /** Right minus left, for numbers. */
  readonly change: string
  readonly isSame: boolean
}

/** How a member is read, compared and shown. */
interface Member {
  readonly group: string
  readonly name: string
  /** Equal texts are the same. */
  readonly text: (file: DecisionFile) => string
  /** The text by default. */
  readonly shown?: (file: DecisionFile) => ReactNode
  /** For a number that has a difference; null if it is not known. */
  readonly number?: (file: DecisionFile) => number | null
  readonly places?: number
}

const none = '–'

const decisionMembers: readonly Member[] = [
  {
    group: 'Decision',
    name: 'Verdict',
    text: ({ explanation }) => explanation.decision,
    shown: ({ explanation }) => <Verdict of={explanation.decision} />,
  },
  {
    group: 'Decision',
    name: 'Score',
    text: ({ explanation }) => formatScore(explanation.score),
    number: ({ explanation }) => explanation.score,
  },
  {
    group: 'Decision',
    name: 'Confidence',
    text: ({ audit }) => (audit === null ? none : formatScore(audit.confidence)),
    number: ({ audit }) => audit?.confidence ?? null,
  },
  {
    group: 'Decision',
    name: 'Recommended action',
    text: ({ answer }) => (answer === null ? none : actionLabel(answer.recommended_action)),
  },
]

const paymentMembers: readonly Member[] = [
  {
    group: 'Payment',
    name: 'Amount',
    text: ({ audit }) => (audit === null ? none : formatAmount(audit.amount, audit.currency)),
  },
  { group: 'Payment', name: 'Corridor', text: ({ audit }) => audit?.corridor ?? none },
  { group: 'Payment', name: 'Partner', text: ({ answer }) => answer?.recommended_partner ?? none },
  { group: 'Payment', name: 'Mode', text: ({ audit }) => audit?.mode ?? none },
  {
    group: 'People',
    name: 'Override',
    text: ({ impact: { human_override: override } }) =>
      override === null ? none : overrideLabels[override.action],
  },
  {
    group: 'People',
    name: 'Outcome',
    text: ({ audit }) => (audit?.outcome ? outcomes[audit.outcome.outcome] : none),
  },
]

type Policy = NonNullable<NonNullable<DecisionFile['explanation']['policies']>['owner']>

const policyText = (policy: Policy | null | undefined): string =>
  policy === null || policy === undefined ? 'none' : `${policy.name} (${policy.policy_id})`

const firedText = ({ explanation: { policies } }: DecisionFile): string => {
  const fired = [policies?.owner, policies?.installation].flatMap((policy) => policy?.rules_fired ?? [])
  return fired.length === 0 ? 'none' : fired.map(({ rule_id: id, then }) => `${id}: ${then}`).join(', ')
}

const policyMembers: readonly Member[] = [
  { group: 'Policies', name: 'Policy', text: ({ explanation }) => policyText(explanation.policies?.owner) },
  {
    group: 'Policies',
    name: 'Policy of the installation',
    text: ({ explanation }) => policyText(explanation.policies?.installation),
  },
  { group: 'Policies', name: 'Rules that fired', text: firedText },
  { group: 'Policies', name: 'Amount cap', text: ({ explanation }) => explanation.policy_gate.message },
]

/** A reason is one that either decision has. */
function reasonMembers(files: readonly DecisionFile[]): Member[] {
  const codesOf = ({ answer, explanation }: DecisionFile): string[] =>
    answer === null
      ? explanation.factors.flatMap(({ reason_code: code }) => code ?? [])
      : answer.reasons.map(({ code }) => code)
  return [...new Set(files.flatMap(codesOf))].map((code) => ({
    group: 'Reasons',
    name: codeLabel(code),
    text: (file) => (codesOf(file).includes(code) ? 'Yes' : 'No'),
  }))
}

function signalMember(signal: SignalName): Member {
  const factorOf = ({ explanation }: DecisionFile) =>
    explanation.factors.find((factor) => factor.signal === signal)
  return {
    group: 'Signals',
    name: signalLabel(signal),
    text: (file) => {
      const factor = factorOf(file)
      return `${file.explanation.corridor_supported} ${factor?.status} ${factor?.risk_value}`
    },
    shown: (file) => {
      const factor = factorOf(file)
      if (factor === undefined) return none
      return (
        <span className="compare-signal">
          <RiskMark of={riskShown(factor.status, file.explanation.corridor_supported)} />
          {factor.risk_value !== null && <span className="num">{factor.risk_value.toFixed(3)}</span>}
        </span>
      )
    },
    number: (file) => factorOf(file)?.risk_value ?? null,
    places: 3,
  }
}

function changeOf(member: Member, left: DecisionFile, right: DecisionFile): string {
  const [from, to] = [left, right].map((file) => member.number?.(file) ?? null)
  if (from === null || from === undefined || to === null || to === undefined) return ''
  const text = Math.abs(to - from).toFixed(member.places ?? 2)
  return Number(text) === 0 ? '' : `${to < from ? '−' : '+'}${text}`
}

/** In the order of the page of a decision. */
export function rowsOf(left: DecisionFile, right: DecisionFile): CompareRow[] {
  const members = [
    ...decisionMembers,
    ...paymentMembers,
    ...reasonMembers([left, right]),
    ...left.explanation.factors.map(({ signal }) => signalMember(signal)),
    ...policyMembers,
  ]
  return members.map((member) => {
    const { group, name, text, shown = text } = member
    const isSame = text(left) === text(right)
    return {
      group,
      name,
      left: shown(left),
      right: shown(right),
      change: changeOf(member, left, right),
      isSame,
    }
  })
}
