/** The sections with the most frequent reasons and the rows to review first. */

import type { ReasonCode } from '../../../core/decision/reasons.ts'
import type { Tally, WorstRow } from '../../../core/assess/report.ts'
import { lengthBar } from './charts.ts'
import { counted, moneyText, withThousands } from '../../../core/explain/wording.ts'
import { decimal, rowsIn, share } from './formats.ts'
import { markup, section, verdictMark, type Markup } from './markup.ts'

interface Meaning {
  readonly meaning: string
  readonly action: string
}

const meanings: Readonly<Record<ReasonCode, Meaning>> = {
  HEALTHY_PARTNER: { meaning: 'No signal is flagged.', action: 'Proceed.' },
  HIGH_FRAUD_SIGNAL: {
    meaning: 'There is at least one open fraud or AML flag.',
    action: 'Block and escalate.',
  },
  NETWORK_DEGRADED: {
    meaning: 'The settlement network of the corridor is degraded.',
    action: 'Retry after a delay, or reroute.',
  },
  INSUFFICIENT_BALANCE: {
    meaning: 'The partner’s liquidity is short for the amount.',
    action: 'Use another partner, or retry later.',
  },
  HIGH_FX_VOLATILITY: {
    meaning: 'The FX spread or the volatility of the rate is high.',
    action: 'Proceed with caution, or wait.',
  },
  OPERATION_INVALID: {
    meaning: 'The operation or its currency is not valid for the corridor.',
    action: 'Check the operation type and resubmit.',
  },
  HIGH_FAILURE_RATE: {
    meaning: 'Many recent settlements on the corridor failed.',
    action: 'Use an alternate route or time.',
  },
  COP_OVERRIDE_ACTIVE: {
    meaning: 'Confirmation of Payee was bypassed upstream.',
    action: 'Confirm the payee manually before release.',
  },
  CORRIDOR_UNSUPPORTED: {
    meaning: 'There is no data for the corridor.',
    action: 'Decide manually.',
  },
  BELOW_GO_THRESHOLD: {
    meaning: 'No signal is flagged, but together they do not reach the score for GO.',
    action: 'Have a person review it.',
  },
  POLICY_RULE_APPLIED: {
    meaning: 'A rule of a policy fired.',
    action: 'Follow the message of the rule.',
  },
  NO_PARTNER_AVAILABLE: {
    meaning: 'No declared partner takes the amount.',
    action: 'Split the payment, or send it another way.',
  },
  POLICY_CAP_APPLIED: {
    meaning: 'The amount is above a policy cap.',
    action: 'Route to manual approval.',
  },
}

export function reasonSection(tally: Tally): Markup {
  const total = rowsIn(tally.counts)
  const ranked = [...tally.byReason].toSorted(
    (left, right) => right[1] - left[1] || (left[0] < right[0] ? -1 : 1),
  )
  const most = ranked[0]?.[1] ?? 0
  if (most === 0) return section('reasons', 'Top reasons', markup`<p>No row was flagged.</p>`)
  const items = ranked.map(([code, count]) => {
    const { meaning, action } = meanings[code]
    return markup`<li class="reason"><div><p class="ends"><code>${code}</code> <span><b>${counted(count, 'row')}</b> <span class="soft">${share(count, total)}</span></span></p>${lengthBar(count, most)}</div>
<p>${meaning} <span class="action"><span class="soft">Suggested action:</span> ${action}</span></p></li>`
  })
  return section(
    'reasons',
    'Top reasons',
    markup`<p class="note">Rows that carry each reason, and their share of all ${counted(total, 'row')}. A row can carry several reasons, so shares can add up to more than 100%.</p>
<ol class="reasons card">${items}</ol>`,
  )
}

const rowColumns = [
  ['Row', 'number'],
  ['ID', 'text'],
  ['Corridor', 'text'],
  ['Amount', 'number'],
  ['Outcome', 'text'],
  ['Decision', 'text'],
  ['Score', 'number'],
  ['Reasons', 'text'],
] as const

export function worstSection(tally: Tally): Markup {
  const flagged = tally.worst.filter(({ verdict }) => verdict !== 'GO')
  const title = 'Rows to review first'
  if (flagged.length === 0) {
    return section('worst', title, markup`<p>Every row is GO, so there are no rows to list.</p>`)
  }
  const all = tally.counts[1] + tally.counts[2]
  const which =
    all > flagged.length
      ? `The worst ${withThousands(flagged.length)} of ${counted(all, 'row')} with the decision DEGRADED or NO-GO`
      : `${counted(all, 'row')} with the decision DEGRADED or NO-GO`
  const heads = rowColumns.map(
    ([name, kind]) => markup`<th role="columnheader" scope="col" class="${kind}">${name}</th>`,
  )
  return section(
    'worst',
    title,
    markup`<p class="note">${which}: NO-GO first, corridors with data before those without, then by lowest score, then by row number. Row 1 is the first payment in the file.</p>
<table class="rows" role="table"><caption>Rows with the strictest decisions and the lowest scores</caption>
<thead role="rowgroup"><tr role="row">${heads}</tr></thead>
<tbody role="rowgroup">${flagged.map(rowOf)}</tbody></table>`,
  )
}

/** Roles are explicit because narrow pages lay out each row as a card, which removes the table roles. */
function rowOf(row: WorstRow): Markup {
  const reasons = row.flags.map((code) => markup`<li><code>${code}</code></li>`)
  const reasonList =
    reasons.length === 0
      ? markup`<span class="soft">none; the score is below GO</span>`
      : markup`<ul>${reasons}</ul>`
  return markup`<tr role="row">
<td role="cell" class="number" data-name="Row"><span>${withThousands(row.index + 1)}</span></td>
<th role="rowheader" scope="row" data-name="ID"><bdi>${row.transactionId}</bdi></th>
<td role="cell" data-name="Corridor"><bdi>${row.corridor}</bdi></td>
<td role="cell" class="number" data-name="Amount"><span>${row.amount === null ? 'none' : moneyText(row.amount, row.currency)}</span></td>
<td role="cell" data-name="Outcome"><span>${row.actualOutcome ?? 'none'}</span></td>
<td role="cell" data-name="Decision">${verdictMark(row.verdict)}</td>
<td role="cell" class="number" data-name="Score"><span>${decimal(row.scoreHundredths, 2)}</span></td>
<td role="cell" data-name="Reasons">${reasonList}</td>
</tr>`
}
