/** Decisions as rows: money, corridor, verdict, reason, instruction and age first, ids last. */

import type { Verification } from '@fairway/client'
import { Fragment, type ReactNode } from 'react'
import { Link } from 'wouter'
import { RepeatMark } from './cooldown.tsx'
import './decision-table.css'
import { formatAlignedAmount } from './format.ts'
import { shortActionLabel, codeLabel, outcomes } from './labels.ts'
import { useNowMs } from './now.ts'
import { CopyId } from './ui/copy-id.tsx'
import './ui/table-list.css'
import { rowClicks, rowLink } from './ui/table-row.ts'
import { SortHeading, sortRows, useSorting, type Sorter, type SortValues } from './ui/table-sort.tsx'
import { ShortAge } from './ui/time.tsx'
import { Verdict } from './ui/verdict.tsx'

/** Explicit roles, because table elements displayed as blocks lose their implicit ones. */
const as = (role: string) => ({ role })

export const sortColumns = [
  ['amount', 'Amount'],
  ['corridor', 'Corridor'],
  ['decision', 'Decision'],
  ['reason', 'Main reason'],
  ['instruction', 'Instruction'],
  ['age', 'Age'],
] as const

const plainColumns = [
  ['state', 'State'],
  ['reference', 'Correlation id'],
  ['id', 'Id'],
] as const

const verdicts = ['NO-GO', 'DEGRADED', 'GO']

/** Sums of different currencies cannot be compared, so amounts are sorted within each. */
const sortValues: SortValues<Verification> = {
  amount: ({ amount, currency }) => (amount === null ? null : [currency, amount]),
  corridor: ({ corridor }) => corridor,
  decision: ({ decision }) => verdicts.indexOf(decision),
  reason: ({ reason_codes: [reason] }) => (reason === undefined ? null : codeLabel(reason)),
  instruction: (item) => instructionOf(item),
  age: ({ recorded_at: at }) => -Date.parse(at),
}

const sortNames = sortColumns.map(([name]) => name)

export const useDecisionSorting = (): Sorter => useSorting(sortNames)

const byOverride = {
  EXECUTE: 'Send',
  HOLD: 'Hold',
  REJECT: 'Do not send',
}

/** As the page of the decision says it, in short: the column is its heading. */
function instructionOf({
  outcome,
  human_override: override,
  recommended_action: action,
}: Verification): string {
  if (outcome !== null) return outcome.outcome === 'PENDING' ? 'Wait for the outcome' : 'Nothing to do'
  return override === null ? shortActionLabel(action) : byOverride[override.action]
}

const amountLengthMax = 14

/** Lets a long amount break between its digit groups, so that other columns stay visible. */
function breakable(amount: string): ReactNode {
  if (amount.length <= amountLengthMax) return <span className="nowrap">{amount}</span>
  return (
    <span className="list-long">
      {[...amount.matchAll(/\d+\D?/g)].map(({ 0: group, index }) => (
        <Fragment key={index}>
          {group}
          <wbr />
        </Fragment>
      ))}
    </span>
  )
}

function Amount({ of: { amount, currency, request_id: id } }: { readonly of: Verification }) {
  return (
    <Link href={`/verifications/${encodeURIComponent(id)}`} {...rowLink}>
      {amount === null ? (
        'No amount'
      ) : (
        <>
          {breakable(formatAlignedAmount(amount, currency))} <span className="list-currency">{currency}</span>
        </>
      )}
    </Link>
  )
}

/** One line, whose rest is in the title. */
function Clip({ text }: { readonly text: string }) {
  return (
    <span className="clip" title={text}>
      {text}
    </span>
  )
}

function Reasons({ of: item }: { readonly of: Verification }) {
  const [main = '', ...more] = item.reason_codes.map(codeLabel)
  return (
    <span className="list-reasons">
      <span className="clip" title={[main, ...more].join(', ')}>
        {main}
      </span>
      {more.length > 0 && <span className="list-more">+{more.length}</span>}
    </span>
  )
}

const overrideMarks = { EXECUTE: 'Executed', HOLD: 'Held', REJECT: 'Rejected' } as const

function State({ of: item }: { readonly of: Verification }) {
  const { human_override: override, outcome, mode } = item
  const text = [
    outcome !== null && outcomes[outcome.outcome],
    override !== null && `${overrideMarks[override.action]} by override`,
    mode,
  ]
    .filter((mark) => mark !== false)
    .join(', ')
  return <Clip text={text} />
}

function Row({ of: item, nowMs }: { readonly of: Verification; readonly nowMs: number }) {
  return (
    <tr {...as('row')} {...rowClicks}>
      <th {...as('rowheader')} scope="row" className="list-amount num">
        <Amount of={item} />
      </th>
      <td {...as('cell')} className="list-corridor">
        {item.corridor}
      </td>
      <td {...as('cell')} className="list-decision">
        {/* The mark of a repeat is here, where every list shows it at every width, and the reason keeps its room. */}
        <span className="list-verdict">
          <Verdict of={item.decision} />
          <RepeatMark source={item.cooldown_source_request_id} />
        </span>
      </td>
      <td {...as('cell')} className="list-reason">
        <Reasons of={item} />
      </td>
      <td {...as('cell')} className="list-instruction">
        <Clip text={instructionOf(item)} />
      </td>
      <td {...as('cell')} className="list-age num">
        <ShortAge at={item.recorded_at} nowMs={nowMs} />
      </td>
      <td {...as('cell')} className="list-state-cell">
        <State of={item} />
      </td>
      <td {...as('cell')} className="list-reference">
        {item.correlation_id !== null && <Clip text={item.correlation_id} />}
      </td>
      <td {...as('cell')} className="list-id">
        <CopyId id={item.request_id} />
      </td>
    </tr>
  )
}

const numbers: ReadonlySet<string> = new Set(['amount', 'age'])
const classOf = (name: string): string =>
  `list-${name === 'state' ? 'state-cell' : name}${numbers.has(name) ? ' num' : ''}`

function Headings({ sorter }: { readonly sorter: Sorter | null }) {
  return (
    <tr {...as('row')}>
      {[...sortColumns, ...plainColumns].map(([name, label]) =>
        sorter !== null && sortNames.some((one) => one === name) ? (
          <SortHeading key={name} {...{ name, label, sorter }} className={classOf(name)} />
        ) : (
          <th key={name} {...as('columnheader')} scope="col" className={classOf(name)}>
            {label}
          </th>
        ),
      )}
    </tr>
  )
}

/** `sorter` is null for a short list that has one order. */
export function DecisionTable({
  caption,
  items,
  sorter,
  stale = false,
}: {
  readonly caption: string
  readonly items: readonly Verification[]
  readonly sorter: Sorter | null
  readonly stale?: boolean
}) {
  const nowMs = useNowMs(5_000)
  const rows = sorter === null ? items : sortRows(items, sorter.sorting, sortValues)
  return (
    <table className="table list-table decisions" {...as('table')} aria-label={caption} aria-busy={stale}>
      <thead {...as('rowgroup')}>
        <Headings sorter={sorter} />
      </thead>
      <tbody {...as('rowgroup')}>
        {rows.map((item) => (
          <Row key={item.request_id} of={item} nowMs={nowMs} />
        ))}
      </tbody>
    </table>
  )
}
