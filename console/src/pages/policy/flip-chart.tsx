/** Flips by rule, corridor or currency, as bars that lead to the decisions. */

import type { PolicyReport } from '@fairway/client'
import { useState } from 'react'
import { CountBars, type CountBar } from '../../charts/bars.tsx'
import { formatCount } from '../../format.ts'
import { Segments } from '../../ui/field.tsx'
import { flipCount } from './flips.ts'

const kinds = [
  ['rule', 'By rule'],
  ['corridor', 'By corridor'],
  ['currency', 'By currency'],
] as const

type Kind = (typeof kinds)[number][0]

export interface ChartLinks {
  readonly ruleHref: (rule: string) => string
  readonly corridorHref: (corridor: string) => string
}

const notes: Readonly<Record<Kind, string>> = {
  rule: 'Decisions that each rule makes stricter, and how often it fires. Caps and floors have no rule.',
  corridor: 'Flipped decisions of each corridor.',
  currency: 'Flipped decisions of each currency.',
}

const byCount = (left: CountBar, right: CountBar): number => right.count - left.count

function ruleBars({ by_rule: rules }: PolicyReport, { ruleHref }: ChartLinks): CountBar[] {
  return rules.map(({ rule_id: id, fired, decided }) => ({
    key: id,
    name: <code>{id}</code>,
    note: `fired ${formatCount(fired)} times`,
    count: decided,
    ...(decided > 0 && { href: ruleHref(id) }),
  }))
}

function barsOf(report: PolicyReport, kind: Kind, links: ChartLinks): CountBar[] {
  if (kind === 'rule') return ruleBars(report, links)
  if (kind === 'corridor') {
    return report.by_corridor.map(({ corridor, records, flips }) => ({
      key: corridor,
      name: corridor,
      note: `of ${formatCount(records)}`,
      count: flipCount(flips),
      href: links.corridorHref(corridor),
    }))
  }
  return report.by_currency.map(({ currency, records, flips }) => ({
    key: currency,
    name: currency,
    note: `of ${formatCount(records)}`,
    count: flipCount(flips),
  }))
}

const barsMax = 12

export function FlipChart({ report, links }: { readonly report: PolicyReport; readonly links: ChartLinks }) {
  const [kind, setKind] = useState<Kind>('rule')
  const bars = barsOf(report, kind, links).toSorted(byCount)
  const more = bars.length - barsMax
  return (
    <section className="policy-part" aria-label="Flips">
      <div className="policy-part-head">
        <h3>Flips</h3>
        <Segments label="Flips" options={kinds} value={kind} onChange={setKind} />
      </div>
      <p className="card-note">{notes[kind]}</p>
      {bars.length === 0 ? (
        <p className="soft">The policy has no rules.</p>
      ) : (
        <CountBars
          label={`Flips ${kinds.find(([one]) => one === kind)?.[1] ?? ''}`}
          bars={bars.slice(0, barsMax)}
        />
      )}
      {more > 0 && <p className="small soft">{formatCount(more)} more with fewer flips.</p>}
    </section>
  )
}
