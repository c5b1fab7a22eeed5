/** The figures of a stretch, and what they leave out. */

import type { Calibration } from '@fairway/client'
import { brierScale, brierText, failureNote } from '../../charts/rates.ts'
import { formatCount, formatShare } from '../../format.ts'
import { Card, Tile, Tiles } from '../../ui/card.tsx'

const decisions = (count: number): string => `${formatCount(count)} ${count === 1 ? 'decision' : 'decisions'}`

export function Figures({ of }: { readonly of: Calibration }) {
  const { records, with_outcome: ended, failures, brier, censored } = of
  return (
    <Tiles>
      <Tile name="Decisions" value={formatCount(records)} note="whose score predicts an outcome" />
      <Tile
        name="With a final outcome"
        value={formatCount(ended)}
        note={records === 0 ? 'none to report' : `${formatShare(ended, records)} of decisions`}
      />
      <Tile name="Failures" value={formatCount(failures)} note={failureNote(failures, ended)} />
      <Tile
        name="Brier score"
        value={brier === null ? '—' : brierText(brier)}
        note={`Mean squared distance of prediction and outcome: ${brierScale}.`}
      />
      <Tile name="Censored" value={formatCount(censored)} note="NO-GO without a final outcome" />
    </Tiles>
  )
}

const stoppedText = (censored: number): string =>
  ({
    0: 'No NO-GO decision lacks a final outcome.',
    1: '1 NO-GO decision has no final outcome: nobody will know how this payment would have ended.',
  })[censored] ??
  `${formatCount(censored)} NO-GO decisions have no final outcome: nobody will know how these payments would have ended.`

export function WithoutData({ count }: { readonly count: number }) {
  if (count === 0) return null
  return (
    <p>
      {`${decisions(count)} in live mode ${count === 1 ? 'was' : 'were'} on a corridor without data, which predicts nothing: no figure here counts ${count === 1 ? 'it' : 'them'}.`}
    </p>
  )
}

/** Payments that were never made distort every figure, in one direction. */
export function Censored({ of: { censored, no_data: noData } }: { readonly of: Calibration }) {
  return (
    <Card title="Payments that were not made">
      <p>
        {stoppedText(censored)} Every rate on this page is that of payments that were made. Bins of a high
        predicted probability look emptier, or better, than they are: the payments that were stopped there are
        missing. DEGRADED payments that were held back and never made are missing, too, and are not in that
        count. Each tightening stops more payments, so the next figures see less.
      </p>
      <WithoutData count={noData} />
    </Card>
  )
}

/** How to read the curve beside it. */
export function Explanation() {
  return (
    <Card title="How to read the curve">
      <p>
        A score of 0.90 says that 10 of 100 such payments fail. Each mark is the share that did fail, with the
        interval of 95%: the fewer payments, the longer it is.
      </p>
      <ul className="calibration-list">
        <li>On the diagonal, scores mean what they say.</li>
        <li>Above it, payments fail more often than their scores say: decisions are too lenient.</li>
        <li>Below it, they fail less often: decisions are too strict.</li>
      </ul>
    </Card>
  )
}
