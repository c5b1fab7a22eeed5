/** The flip matrix: recorded decisions in rows, decisions under the policy in columns. */

import type { Decision, PolicyReport } from '@fairway/client'
import { Link } from 'wouter'
import { formatCount } from '../../format.ts'
import { toneOf, Verdict } from '../../ui/verdict.tsx'
import { flipOf, flipText, isStricter, verdicts } from './flips.ts'

export interface MatrixProps {
  readonly flips: PolicyReport['flips']
  /** The address of the flipped decisions; without it, counts are plain text. */
  readonly hrefOf?: (flip: string) => string
  readonly chosen?: string | null
}

function Cell({
  from,
  to,
  flips,
  hrefOf,
  chosen,
}: MatrixProps & { readonly from: Decision; readonly to: Decision }) {
  if (from === to) return <span className="soft small">same</span>
  const flip = flipOf(from, to)
  const count = flips[flip] ?? 0
  if (count === 0) return <span className="soft">0</span>
  const figure = <strong className="figures">{formatCount(count)}</strong>
  const note = <span className="matrix-note">{isStricter(from, to) ? 'stricter' : 'laxer'}</span>
  if (hrefOf === undefined) {
    return (
      <span className="matrix-count">
        {figure}
        {note}
      </span>
    )
  }
  return (
    <Link
      className="matrix-count"
      href={hrefOf(flip)}
      {...(chosen === flip && { 'aria-current': 'true' as const })}
    >
      {figure} {note}
      <span className="sr-only">from {flipText(flip)}</span>
    </Link>
  )
}

const lookOf = (from: Decision, to: Decision, count: number): string => {
  if (from === to) return 'matrix-same'
  if (count === 0) return ''
  return isStricter(from, to) ? `tone-${toneOf[to]}` : 'tone-info'
}

export function Matrix(props: MatrixProps) {
  return (
    <table className="matrix">
      <caption className="card-note">
        Rows: the recorded decision. Columns: the decision under this policy.
      </caption>
      <thead>
        <tr>
          <th scope="col">
            <span className="sr-only">Recorded decision</span>
          </th>
          {verdicts.map((to) => (
            <th key={to} scope="col">
              <Verdict of={to} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {verdicts.map((from) => (
          <tr key={from}>
            <th scope="row">
              <Verdict of={from} />
            </th>
            {verdicts.map((to) => (
              <td key={to} className={lookOf(from, to, props.flips[flipOf(from, to)] ?? 0)}>
                <Cell {...props} {...{ from, to }} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
