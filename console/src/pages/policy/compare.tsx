/** Two versions side by side, with the differences marked by word and colour. */

import type { Policy, PolicyDocument } from '@fairway/client'
import { useState, type ReactNode } from 'react'
import { useAddress } from '../../address.ts'
import { formatTime } from '../../format.ts'
import { QueryResult } from '../../query-result.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { StackTable } from '../../ui/stack-table.tsx'
import type { Column } from '../../ui/table.tsx'
import { Chip, type Tone } from '../../ui/verdict.tsx'
import { statuses } from '../policies/labels.ts'
import { usePolicyPage } from '../policies/queries.ts'
import { changedParts, compareDocuments, type Difference, type Mark, type RulePart } from './diff.ts'
import { Then, type Rule } from './document.tsx'

const marks: Readonly<Record<Mark, readonly [label: string, tone?: Tone]>> = {
  added: ['Added', 'go'],
  removed: ['Removed', 'nogo'],
  changed: ['Changed', 'degraded'],
  same: ['Same'],
}

function MarkChip({ of }: { readonly of: Mark }) {
  const [label, tone] = marks[of]
  return <Chip {...(tone !== undefined && { tone })}>{label}</Chip>
}

const absent = <span className="soft">absent</span>

function RuleSide({ rule, changed }: { readonly rule: Rule; readonly changed: readonly RulePart[] }) {
  const line = (part: RulePart, content: ReactNode) => (
    <span className={changed.includes(part) ? 'diff-line diff-changed' : 'diff-line'}>
      {content}
      {changed.includes(part) && <span className="diff-word">changed</span>}
    </span>
  )
  return (
    <span className="diff-rule">
      {line('when', <code className="policy-when">{rule.when}</code>)}
      {line('then', <Then of={rule.then} />)}
      {line('message', <span>{rule.message}</span>)}
    </span>
  )
}

function sideOf({ before, after }: Difference<Rule>, side: 'before' | 'after') {
  const rule = side === 'before' ? before : after
  if (rule === null) return absent
  return <RuleSide rule={rule} changed={before && after ? changedParts(before, after) : []} />
}

function columnsOf<Value>(
  first: string,
  titles: readonly [before: string, after: string],
  cell: (difference: Difference<Value>, side: 'before' | 'after') => ReactNode,
): readonly Column<Difference<Value>>[] {
  return [
    { name: first, cell: ({ name }) => (first === 'Rule' ? <code>{name}</code> : name) },
    { name: titles[0], cell: (difference) => cell(difference, 'before') },
    { name: titles[1], cell: (difference) => cell(difference, 'after') },
    { name: 'Difference', cell: ({ mark }) => <MarkChip of={mark} /> },
  ]
}

const countText = (differences: readonly { readonly mark: Mark }[]): string =>
  (['added', 'removed', 'changed', 'same'] as const)
    .map((mark) => [mark, differences.filter((one) => one.mark === mark).length] as const)
    .filter(([, count]) => count > 0)
    .map(([mark, count]) => `${count} ${mark}`)
    .join(', ')

function SideBySide({ before, after }: { readonly before: PolicyDocument; readonly after: PolicyDocument }) {
  const [isAll, setAll] = useState(false)
  const { members, rules, isReordered } = compareDocuments(before, after)
  const titles = ['Other version', 'This version'] as const
  const all = [...members, ...rules]
  const sameCount = all.filter(({ mark }) => mark === 'same').length
  const isShown = ({ mark }: { readonly mark: Mark }): boolean => isAll || mark !== 'same'
  const shownMembers = members.filter(isShown)
  const shownRules = rules.filter(isShown)
  return (
    <>
      <p role="status">
        {sameCount === all.length && !isReordered
          ? 'The two documents are equal.'
          : `Members: ${countText(members)}. Rules: ${rules.length === 0 ? 'none' : countText(rules)}.`}
        {isReordered && ' The rules are in another order.'}
      </p>
      {shownMembers.length > 0 && (
        <StackTable
          caption="Members"
          prose
          columns={columnsOf<string>('Member', titles, (difference, side) => difference[side] ?? absent)}
          rows={shownMembers}
          keyOf={({ name }) => name}
        />
      )}
      {shownRules.length > 0 && (
        <StackTable
          caption="Rules"
          prose
          columns={columnsOf<Rule>('Rule', titles, sideOf)}
          rows={shownRules}
          keyOf={({ name }) => name}
        />
      )}
      {sameCount > 0 && (
        <div>
          <Button small aria-expanded={isAll} onClick={() => setAll(!isAll)}>
            {isAll ? 'Show differences only' : `Show what is the same (${sameCount})`}
          </Button>
        </div>
      )}
    </>
  )
}

/** The policy in force; else the version before this one. */
function otherOf(policy: Policy, others: readonly Policy[], wanted: string | null): Policy | undefined {
  return (
    others.find(({ policy_id: id }) => id === wanted) ??
    others.find(({ status }) => status === 'active') ??
    others.find(({ created_at: at }) => at < policy.created_at) ??
    others[0]
  )
}

const offeredMax = 100

export function Compare({ policy }: { readonly policy: Policy }) {
  const [params, change] = useAddress()
  const query = usePolicyPage(null, null, offeredMax)
  return (
    <Card title="Compare versions">
      <QueryResult query={query}>
        {({ policies, next_cursor: next }) => {
          const others = policies.filter(({ policy_id: id }) => id !== policy.policy_id)
          const other = otherOf(policy, others, params.get('with'))
          if (other === undefined) return <p className="soft">This is your only version.</p>
          return (
            <>
              <Field
                label="Other version"
                {...(next !== null && { hint: `The newest ${offeredMax} versions are offered.` })}
              >
                {(input) => (
                  <select
                    {...input}
                    value={other.policy_id}
                    onChange={({ target }) => change({ with: target.value })}
                  >
                    {others.map(({ policy_id: id, document, status, created_at: at }) => (
                      <option key={id} value={id}>
                        {`${document.name}: ${statuses[status].label.toLowerCase()}, ${formatTime(at, false)}`}
                      </option>
                    ))}
                  </select>
                )}
              </Field>
              <SideBySide before={other.document} after={policy.document} />
            </>
          )
        }}
      </QueryResult>
    </Card>
  )
}
