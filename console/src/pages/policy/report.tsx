/** The report of a policy on recorded decisions: of the candidate, or of a backtest. */

import type { PolicyReport } from '@fairway/client'
import type { ReactNode } from 'react'
import { formatCount, formatShare } from '../../format.ts'
import { Empty, Notice } from '../../ui/state.tsx'
import { Money, Outcomes } from './effects.tsx'
import { FlipChart, type ChartLinks } from './flip-chart.tsx'
import { flipCount, newlyStoppedCount } from './flips.ts'
import { Flipped, type FlipFilter } from './flipped.tsx'
import { Matrix } from './matrix.tsx'

const decisions = (count: number): string => `${formatCount(count)} ${count === 1 ? 'decision' : 'decisions'}`

function Undecided({ count }: { readonly count: number }) {
  if (count === 0) return null
  return (
    <Notice tone="degraded" title={`${decisions(count)} not decided again`}>
      <p>Another version of the engine decided them, so they are in none of the figures.</p>
    </Notice>
  )
}

function Figures({ of }: { readonly of: PolicyReport }) {
  const flipped = flipCount(of.flips)
  const figures = [
    ['Decided again', of.records, null],
    ['Unchanged', of.unchanged, formatShare(of.unchanged, of.records)],
    ['Flipped', flipped, formatShare(flipped, of.records)],
    ['Newly stopped', newlyStoppedCount(of), 'were GO'],
  ] as const
  return (
    <dl className="policy-figures">
      {figures.map(([name, count, note]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{formatCount(count)}</dd>
          {note !== null && <dd className="small soft">{note}</dd>}
        </div>
      ))}
    </dl>
  )
}

/** An empty stretch is no agreement, and says so. */
function Nothing({ report, empty }: { readonly report: PolicyReport; readonly empty: string }) {
  return (
    <>
      <Undecided count={report.undecided} />
      {report.undecided === 0 ? (
        <Empty icon="search" title={empty}>
          There is nothing to compare, so this says nothing about the policy.
        </Empty>
      ) : (
        <p className="soft">No decision could be compared, so this says nothing about the policy.</p>
      )}
    </>
  )
}

/** The main figures, without lists: for a dialog. */
export function ReportSummary({ report, empty }: { readonly report: PolicyReport; readonly empty: string }) {
  if (report.records === 0) return <Nothing {...{ report, empty }} />
  return (
    <>
      <Undecided count={report.undecided} />
      <Figures of={report} />
      <div className="policy-parts">
        <Matrix flips={report.flips} />
        <div className="policy-part policy-effects">
          <Money of={report} />
          <Outcomes of={report} />
        </div>
      </div>
    </>
  )
}

export interface ReportLinks extends ChartLinks {
  readonly flipHref: (flip: string) => string
  readonly allHref: string
}

export function Report({
  report,
  empty,
  links,
  filter,
  head,
}: {
  readonly report: PolicyReport
  /** Without decisions. */
  readonly empty: string
  readonly links: ReportLinks
  readonly filter: FlipFilter
  readonly head: ReactNode
}) {
  return (
    <div className="stack policy-report">
      {head}
      {report.records === 0 ? (
        <Nothing {...{ report, empty }} />
      ) : (
        <>
          <Undecided count={report.undecided} />
          <Figures of={report} />
          <div className="policy-parts">
            <section className="policy-part" aria-label="Flip matrix">
              <h3>Flip matrix</h3>
              <Matrix flips={report.flips} hrefOf={links.flipHref} chosen={filter.flip} />
            </section>
            <FlipChart report={report} links={links} />
            <Money of={report} />
            <Outcomes of={report} />
          </div>
          <Flipped report={report} filter={filter} clearHref={links.allHref} />
        </>
      )}
    </div>
  )
}
