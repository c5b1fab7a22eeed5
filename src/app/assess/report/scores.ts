/** The section with the score distribution: a chart and its data. */

import type { Tally } from '../../../core/assess/report.ts'
import { binsOf, scoreHistogram } from './charts.ts'
import { counted, withThousands } from '../../../core/explain/wording.ts'
import { decimal, rowsIn, share } from './formats.ts'
import { markup, section, type Markup } from './markup.ts'

export function scoreSection(tally: Tally): Markup {
  const bins = binsOf(tally.scores)
  const total = rowsIn(tally.counts)
  const rows = bins
    .filter(({ count }) => count > 0)
    .map(
      ({ from, to, count }) =>
        markup`<tr><th scope="row">${decimal(from, 2)}–${decimal(to, 2)}</th><td class="number">${withThousands(count)}</td><td class="number">${share(count, total)}</td></tr>`,
    )
  return section(
    'scores',
    'Score distribution',
    markup`<p class="note">Each bar is the share of rows whose score is in a step of 0.05. The bands show the decision by score alone. A decision can differ from its band if the amount is above a cap (${counted(tally.policyCapped, 'row')}) or the corridor has no data (${counted(tally.unsupported, 'row')}).</p>
<figure class="plot">${scoreHistogram(bins)}</figure>
<details><summary>Chart data</summary><table class="small">
<caption>Rows by score; steps without rows are omitted</caption>
<thead><tr><th scope="col">Score</th><th scope="col" class="number">Rows</th><th scope="col" class="number">Share</th></tr></thead>
<tbody>${rows}</tbody></table></details>`,
  )
}
