/** Shows policies as text: the list, and one with its document and its life. */

import type { Policy } from '../../../../client/src/index.ts'
import { moneyText } from '../../../core/explain/wording.ts'
import type { Cell, Format } from '../../table.ts'
import { decisionCell, timeText, type Screen } from '../session/screen.ts'

const statusFormats: Readonly<Record<Policy['status'], Format>> = {
  active: ['bold', 'green'],
  candidate: ['bold', 'cyan'],
  draft: 'reset',
  retired: 'dim',
}

const statusCell = ({ status }: Policy): Cell => ({
  text: status,
  format: statusFormats[status] ?? 'reset',
})

export function policyListLines(screen: Screen, policies: readonly Policy[], create: string): string[] {
  if (policies.length === 0) return [`No policies: to create one, run ${create}`]
  return screen.table(
    [
      { title: 'POLICY', fixed: true },
      { title: 'STATUS', fixed: true },
      { title: 'NAME' },
      { title: 'RULES', align: 'right', fixed: true, optional: true },
      { title: 'CREATED', fixed: true, optional: true },
      { title: 'BY', optional: true },
    ],
    policies.map((policy) => [
      policy.policy_id,
      statusCell(policy),
      policy.document.name,
      String(policy.document.rules?.length ?? 0),
      timeText(policy.created_at),
      policy.created_by.name,
    ]),
  )
}

export function policyLines(screen: Screen, policy: Policy): string[] {
  const { document, created_by: author } = policy
  const { go_floor: goFloor, no_go_below: noGoBelow, require_amount: needsAmount } = document
  return [
    `${screen.cell({ text: document.name, format: 'bold' })}  ${screen.cell(statusCell(policy))}`,
    '',
    ...screen.facts([
      ['Policy', policy.policy_id],
      ['Created', `${timeText(policy.created_at)} by ${author.name} (${author.kind} ${author.id})`],
      ['SHA-256', policy.sha256],
      ...(needsAmount === true ? [['Amount', 'required: without one at most DEGRADED'] as const] : []),
      ...(goFloor === undefined ? [] : [['GO from', goFloor.toFixed(2)] as const]),
      ...(noGoBelow === undefined ? [] : [['NO-GO below', noGoBelow.toFixed(2)] as const]),
    ]),
    ...capTable(screen, document.caps ?? {}),
    ...ruleTable(screen, document.rules ?? []),
    ...changeTable(screen, policy.changes),
  ]
}

function capTable(screen: Screen, caps: NonNullable<Policy['document']['caps']>): string[] {
  const rows = Object.entries(caps).map(([currency, { review_above: review, block_above: block }]) => [
    currency,
    moneyText(review, currency),
    moneyText(block, currency),
  ])
  if (rows.length === 0) return []
  return [
    '',
    ...screen.table(
      [
        { title: 'CURRENCY' },
        { title: 'DEGRADED ABOVE', align: 'right' },
        { title: 'NO-GO ABOVE', align: 'right' },
      ],
      rows,
    ),
  ]
}

function ruleTable(screen: Screen, rules: NonNullable<Policy['document']['rules']>): string[] {
  if (rules.length === 0) return []
  return [
    '',
    ...screen.table(
      [{ title: 'RULE' }, { title: 'THEN', fixed: true }, { title: 'WHEN' }, { title: 'MESSAGE' }],
      rules.map(({ id, then, when, message }): Cell[] => [id, decisionCell(then), when, message]),
    ),
  ]
}

const changeNames: Readonly<Record<Policy['changes'][number]['kind'], string>> = {
  candidate: 'made the candidate',
  promoted: 'promoted',
  rolled_back: 'rolled back',
}

function changeTable(screen: Screen, changes: Policy['changes']): string[] {
  if (changes.length === 0) return []
  return [
    '',
    ...screen.table(
      [{ title: 'AT', fixed: true }, { title: 'CHANGE', fixed: true }, { title: 'BY' }, { title: 'REASON' }],
      changes.map(({ kind, at, by, reason }) => [
        timeText(at),
        changeNames[kind],
        `${by.name} (${by.kind})`,
        reason ?? '-',
      ]),
    ),
  ]
}
