/** The sections with decisions by month and by corridor. Long lists are shortened. */

import { isSupported, type Corridor } from '../../../core/reference/corridor.ts'
import {
  noMonthKey,
  otherKey,
  verdicts,
  type Tally,
  type VerdictCounts,
} from '../../../core/assess/report.ts'
import { monthColumns, shareBar, verdictKey } from './charts.ts'
import { counted, withThousands } from '../../../core/explain/wording.ts'
import { byVerdict, monthName, rowsIn, share, sumOf } from './formats.ts'
import { markup, nothing, scrolled, section, type Markup } from './markup.ts'

const monthsShownMax = 36
const corridorsShownMax = 15

interface Line {
  readonly name: Markup
  readonly counts: VerdictCounts
}

type Entry = readonly [key: string, counts: VerdictCounts]

/** By code points, independent of the locale. */
const byKey = ([left]: Entry, [right]: Entry): number => (left < right ? -1 : left > right ? 1 : 0)

function table(caption: string, first: string, lines: readonly Line[]): Markup {
  const heads = verdicts.map((verdict) => markup`<th scope="col" class="number">${verdict}</th>`)
  const body = lines.map(({ name, counts }) => markup`<tr>${cellsOf(name, counts)}</tr>`)
  const total = sumOf(lines.map(({ counts }) => counts))
  return scrolled(
    caption,
    markup`<table class="breakdown">
<caption>${caption}</caption>
<thead><tr><th scope="col">${first}</th><th scope="col" class="number">Rows</th>${heads}</tr></thead>
<tbody>${body}</tbody>
<tfoot><tr>${cellsOf(markup`Total`, total)}</tr></tfoot>
</table>`,
  )
}

function cellsOf(name: Markup, counts: VerdictCounts): Markup {
  const rows = rowsIn(counts)
  const cells = byVerdict(counts).map(
    ({ count }) =>
      markup`<td class="number">${withThousands(count)} <span class="soft">${share(count, rows)}</span></td>`,
  )
  return markup`<th scope="row"><span class="named"><span>${name}</span>${shareBar(counts)}</span></th><td class="number">${withThousands(rows)}</td>${cells}`
}

export function monthSection(tally: Tally): Markup {
  const [other, undated] = [tally.byMonth.get(otherKey), tally.byMonth.get(noMonthKey)]
  const months = [...tally.byMonth].filter(([key]) => key !== noMonthKey && key !== otherKey).toSorted(byKey)
  if (months.length === 0) {
    return section('months', 'Decisions by month', markup`<p>No row has a date, so there are no months.</p>`)
  }
  const earlier = months.slice(0, -monthsShownMax).map(([, counts]) => counts)
  const shown = months.slice(-monthsShownMax).map(([key, counts]) => ({ label: monthName(key), counts }))
  const earlierName = counted(earlier.length, 'earlier month')
  const lines = [
    ...lineOf(earlierName, earlier.length === 0 ? undefined : sumOf(earlier)),
    ...shown.flatMap(({ label, counts }) => lineOf(label, counts)),
    ...lineOf('Other months', other),
    ...lineOf('No date', undated),
  ]
  const note =
    earlier.length === 0
      ? nothing
      : markup`<p class="note">The file has ${withThousands(months.length)} months. The last ${monthsShownMax} are shown; the first row of the table is the sum of the earlier ones (${earlierName}, ${counted(rowsIn(sumOf(earlier)), 'row')}).</p>`
  return section(
    'months',
    'Decisions by month',
    markup`<p class="note">Months are taken from the timestamps as written in the file.${tableOnly(undated, other)}</p>${note}
<figure class="plot months">${verdictKey()}${monthColumns(shown)}</figure>
${table('Decisions by month: rows, and share of the month', 'Month', lines)}`,
  )
}

function lineOf(label: string, counts: VerdictCounts | undefined): Line[] {
  return counts === undefined ? [] : [{ name: markup`${label}`, counts }]
}

/** Text for rows that the chart omits: rows without a date and of months not counted separately. */
function tableOnly(undated: VerdictCounts | undefined, other: VerdictCounts | undefined): string {
  const sentence = (counts: VerdictCounts | undefined, which: string): string => {
    if (counts === undefined) return ''
    const rows = rowsIn(counts)
    return ` ${counted(rows, 'row')} ${which} ${rows === 1 ? 'is' : 'are'} in the table only.`
  }
  return sentence(undated, 'without a date') + sentence(other, 'of other months')
}

export function corridorSection(tally: Tally): Markup {
  const ranked = [...tally.byCorridor]
    .filter(([key]) => key !== otherKey)
    .toSorted((left, right) => rowsIn(right[1]) - rowsIn(left[1]) || byKey(left, right))
  const rest = ranked.slice(corridorsShownMax)
  const uncounted = tally.byCorridor.get(otherKey)
  const lines: Line[] = ranked
    .slice(0, corridorsShownMax)
    .map(([corridor, counts]) => ({ name: corridorName(corridor), counts }))
  if (rest.length > 0 || uncounted !== undefined) {
    const more = uncounted === undefined ? '' : ' and others'
    const counts = sumOf([...rest.map(([, each]) => each), ...(uncounted === undefined ? [] : [uncounted])])
    lines.push({ name: markup`${counted(rest.length, 'further corridor')}${more}`, counts })
  }
  const which =
    rest.length === 0
      ? 'All corridors in the file, by number of rows.'
      : `The ${corridorsShownMax} corridors with the most rows; the last row is the sum of all others.`
  return section(
    'corridors',
    'Decisions by corridor',
    markup`<p class="note">${which} A corridor without data is never GO: decide manually.</p>
${verdictKey()}
${table('Decisions by corridor: rows, and share of the corridor', 'Corridor', lines)}`,
  )
}

function corridorName(corridor: string): Markup {
  const mark = isSupported(corridor as Corridor) ? nothing : markup` <span class="soft tag">no data</span>`
  return markup`<bdi>${corridor}</bdi>${mark}`
}
