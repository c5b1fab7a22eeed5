/** Bar charts in plain HTML: they need no chart library, and screen readers can read them. */

import type { Decision } from '@fairway/client'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { formatAlignedShare, formatCount } from '../format.ts'
import { toneOf, Verdict, verdicts, type Tone } from '../ui/verdict.tsx'
import './bars.css'

export interface CountBar {
  readonly key: string
  readonly name: ReactNode
  readonly count: number
  /** Beside the name. */
  readonly note?: string
  /** A link to the counted items. */
  readonly href?: string
  readonly tone?: Exclude<Tone, 'info'>
}

/** Counts as bars, in the caller's order. Shares and lengths are relative to `all`. */
export function CountBars({
  label,
  bars,
  all,
}: {
  readonly label: string
  readonly bars: readonly CountBar[]
  readonly all?: number
}) {
  const full = Math.max(1, all ?? 0, ...bars.map(({ count }) => count))
  return (
    <ul className="count-bars" aria-label={label}>
      {bars.map(({ key, name, note, count, href, tone }) => (
        <li key={key}>
          <span className="count-name">
            {href === undefined ? name : <Link href={href}>{name}</Link>}
            {note !== undefined && <span className="small soft"> {note}</span>}
          </span>
          <span className="count-figures figures">
            {formatCount(count)}
            {all !== undefined && <span className="soft"> {formatAlignedShare(count, all)}</span>}
          </span>
          <span className="bar" aria-hidden="true">
            <span
              className={tone === undefined ? '' : `fill-${tone}`}
              style={{ width: `${(count / full) * 100}%` }}
            />
          </span>
        </li>
      ))}
    </ul>
  )
}

/** The three decisions as parts of one bar, each with its label, count and share. */
export function VerdictShares({
  counts,
  hrefOf,
}: {
  readonly counts: Readonly<Record<Decision, number>>
  readonly hrefOf?: (decision: Decision) => string
}) {
  const all = verdicts.reduce((sum, verdict) => sum + counts[verdict], 0)
  return (
    <div className="shares">
      <div className="shares-bar" aria-hidden="true">
        {verdicts
          .filter((verdict) => counts[verdict] > 0)
          .map((verdict) => (
            <span key={verdict} className={`fill-${toneOf[verdict]}`} style={{ flexGrow: counts[verdict] }} />
          ))}
      </div>
      <dl className="shares-legend">
        {verdicts.map((verdict) => (
          <div key={verdict}>
            <dt>
              {hrefOf === undefined ? (
                <Verdict of={verdict} />
              ) : (
                <Link href={hrefOf(verdict)}>
                  <Verdict of={verdict} />
                </Link>
              )}
            </dt>
            <dd className="shares-share figures">{formatAlignedShare(counts[verdict], all)}</dd>
            <dd className="small soft figures">{formatCount(counts[verdict])}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

/** The colours of the verdicts, with the chart and not with a page, so that no page can show it without its style. */
export function VerdictLegend() {
  return (
    <ul className="verdict-legend">
      {verdicts.map((verdict) => (
        <li key={verdict}>
          <i className={`fill-${toneOf[verdict]}`} />
          {verdict}
        </li>
      ))}
    </ul>
  )
}
