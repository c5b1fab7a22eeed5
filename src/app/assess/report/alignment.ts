/** The section that compares decisions with the outcomes of the payments. */

import { alignmentOf } from '../../../core/assess/assessment.ts'
import {
  outcomeColumns,
  summaryOf,
  verdicts,
  type OutcomeColumn,
  type Tally,
} from '../../../core/assess/report.ts'
import type { Verdict } from '../../../core/decision/score.ts'
import { counted, withThousands } from '../../../core/explain/wording.ts'
import { percent, rowsIn } from './formats.ts'
import { markup, scrolled, section, verdictMark, type Markup } from './markup.ts'

type Mark = 'matches' | 'does not match' | 'not counted'

/** The alignment rule of rows, applied to a cell. */
function markOf(verdict: Verdict, outcome: OutcomeColumn): Mark {
  const alignment = alignmentOf(verdict, outcome === 'NONE' ? null : outcome)
  if (alignment === null) return 'not counted'
  return alignment ? 'matches' : 'does not match'
}

const styles: Readonly<Record<Mark, { tone: string; sign: string }>> = {
  matches: { tone: 'match', sign: '✓' },
  'does not match': { tone: 'mismatch', sign: '✕' },
  'not counted': { tone: 'uncounted', sign: '–' },
}

export function alignmentSection(tally: Tally): Markup {
  const { total, withOutcome, alignmentPermille } = summaryOf(tally)
  const without = rowsIn(tally.byOutcome.NONE)
  if (without === total) {
    return section(
      'alignment',
      'Decisions compared with outcomes',
      markup`<p>The file has no outcomes. Add a column <code>actual_outcome</code> to compare each decision with the outcome of its payment.</p>`,
    )
  }
  const result =
    alignmentPermille === null
      ? 'No row has a final outcome yet, so there is no alignment.'
      : `The decision matches the final outcome in ${withThousands(tally.aligned)} of ${counted(withOutcome, 'row')} that have one: an alignment of ${percent(alignmentPermille)}.`
  return section(
    'alignment',
    'Decisions compared with outcomes',
    markup`<p>${result}</p>
<p class="note">GO matches COMPLETED. DEGRADED and NO-GO match FAILED, REJECTED and DELAYED. PENDING rows and rows without an outcome are not counted.</p>
${matrix(tally)}`,
  )
}

const columnName = (outcome: OutcomeColumn): string => (outcome === 'NONE' ? 'No outcome' : outcome)

function matrix(tally: Tally): Markup {
  const caption = 'Rows by decision and actual outcome'
  const heads = outcomeColumns.map(
    (outcome) => markup`<th scope="col" class="number">${columnName(outcome)}</th>`,
  )
  const body = verdicts.map((verdict, place) => {
    const cells = outcomeColumns.map((outcome) =>
      cell(verdict, outcome, tally.byOutcome[outcome][place] ?? 0),
    )
    const total = withThousands(tally.counts[place] ?? 0)
    return markup`<tr><th scope="row">${verdictMark(verdict)}</th>${cells}<td class="number total">${total}</td></tr>`
  })
  const totals = outcomeColumns.map(
    (outcome) => markup`<td class="number total">${withThousands(rowsIn(tally.byOutcome[outcome]))}</td>`,
  )
  return scrolled(
    caption,
    markup`<table class="matrix">
<caption>${caption}</caption>
<thead><tr><th scope="col">Decision</th>${heads}<th scope="col" class="number">Total</th></tr></thead>
<tbody>${body}</tbody>
<tfoot><tr><th scope="row">Total</th>${totals}<td class="number total">${withThousands(rowsIn(tally.counts))}</td></tr></tfoot>
</table>`,
  )
}

function cell(verdict: Verdict, outcome: OutcomeColumn, count: number): Markup {
  const mark = markOf(verdict, outcome)
  // The sign is decorative; the text carries the meaning.
  const { tone, sign } = styles[mark]
  const empty = count === 0 ? ' empty' : ''
  return markup`<td class="number ${tone}${empty}"><b>${withThousands(count)}</b> <small><span aria-hidden="true">${sign} </span>${mark}</small></td>`
}
