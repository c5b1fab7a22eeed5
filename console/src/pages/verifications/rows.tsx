/** Decisions as table rows; in a narrow window, as cards. */

import type { Verification } from '@fairway/client'
import { Fragment, type ReactNode } from 'react'
import { Link } from 'wouter'
import { RepeatMark } from '../../cooldown.tsx'
import { formatAlignedAmount, formatScore } from '../../format.ts'
import { overrideLabels, outcomes } from '../../labels.ts'
import { Time } from '../../ui/time.tsx'
import { Verdict } from '../../ui/verdict.tsx'

const columns = [
  ['id', 'Request id, time'],
  ['verdict', 'Decision'],
  ['score', 'Score'],
  ['confidence', 'Confidence'],
  ['amount', 'Amount'],
  ['corridor', 'Corridor'],
  ['own', 'Correlation id'],
] as const

const numbers: ReadonlySet<string> = new Set(['score', 'confidence', 'amount'])
const classOf = (name: string): string => `records-${name}${numbers.has(name) ? ' num' : ''}`

const amountLengthMax = 14

/** Lets a long amount break between its digit groups, so that other columns stay visible. */
function breakable(amount: string): ReactNode {
  if (amount.length <= amountLengthMax) return <span className="records-figure">{amount}</span>
  return [...amount.matchAll(/\d+\D?/g)].map(({ 0: group, index }) => (
    <Fragment key={index}>
      {group}
      <wbr />
    </Fragment>
  ))
}

/** The override and the outcome of a decision. */
function Marks({ of: { human_override: override, outcome } }: { readonly of: Verification }) {
  if (override === null && outcome === null) return null
  return (
    <span className="records-second">
      {[
        override !== null && overrideLabels[override.action],
        outcome !== null && `Payment: ${outcomes[outcome.outcome].toLowerCase()}`,
      ]
        .filter((mark) => mark !== false)
        .map((mark) => (
          <span key={mark} className="records-mark">
            {mark}
          </span>
        ))}
    </span>
  )
}

function Row({ of: one }: { readonly of: Verification }) {
  return (
    <tr>
      <th scope="row" className="records-id">
        <Link href={`/verifications/${encodeURIComponent(one.request_id)}`} className="mono">
          {one.request_id}
        </Link>
        <span className="records-second">
          <Time at={one.recorded_at} />
        </span>
      </th>
      <td className="records-verdict">
        <span className="row records-decision">
          <Verdict of={one.decision} />
          <RepeatMark source={one.cooldown_source_request_id} />
        </span>
        <Marks of={one} />
      </td>
      <td className={classOf('score')}>{formatScore(one.score)}</td>
      <td className={classOf('confidence')}>{formatScore(one.confidence)}</td>
      <td className={classOf('amount')}>
        {one.amount === null ? (
          <span className="soft">none</span>
        ) : (
          <>
            {breakable(formatAlignedAmount(one.amount, one.currency))}{' '}
            <span className="soft">{one.currency}</span>
          </>
        )}
      </td>
      <td className="records-corridor">
        {one.corridor} <span className="records-second">{one.mode}</span>
      </td>
      <td className="records-own">
        {one.correlation_id !== null && <span title={one.correlation_id}>{one.correlation_id}</span>}
      </td>
    </tr>
  )
}

export function Rows({ items, stale }: { readonly items: readonly Verification[]; readonly stale: boolean }) {
  return (
    <div className="table-frame" tabIndex={0} role="region" aria-label="Decisions" aria-busy={stale}>
      <table className="table records">
        <caption className="sr-only">Decisions, newest first</caption>
        <thead>
          <tr>
            {columns.map(([name, label]) => (
              <th key={name} scope="col" className={classOf(name)}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((one) => (
            <Row key={one.request_id} of={one} />
          ))}
        </tbody>
      </table>
    </div>
  )
}
