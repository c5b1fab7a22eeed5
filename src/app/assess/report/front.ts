/** The top of the report: its header, a summary sentence and the headline figures. */

import { noMonthKey, otherKey, summaryOf, type Summary, type Tally } from '../../../core/assess/report.ts'
import type { Verdict } from '../../../core/decision/score.ts'
import { shareBar, uncertaintyScale } from './charts.ts'
import { counted, withThousands } from '../../../core/explain/wording.ts'
import { byVerdict, decimal, monthName, percent, rowsIn, share, shareText, toneOf, utc } from './formats.ts'
import { unassignedIn } from '../batch-warnings.ts'
import { markup, nothing, section, verdictMark, type Markup } from './markup.ts'

/** The sums of a file of payments and their origin. */
export interface ReportData {
  readonly reportId: string
  readonly reportName: string
  /** The file's name as provided, or `standard input`. */
  readonly source: string
  readonly generatedAtMs: number
  readonly modelVersion: string
  readonly tally: Tally
  /** Rows that could not be read; they are listed in `rejected.csv`. */
  readonly rejectedRows: number
  readonly ignoredColumns: readonly string[]
}

/** The Fairway logo, as on the front page: a buoy. */
const logo = markup`<svg class="logo" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true"><rect width="32" height="32" rx="7" fill="#0b5cad"/><path d="M16 5l5 14h-10z" fill="#fff"/><path d="M6 23q5-4 10 0t10 0" fill="none" stroke="#fff" stroke-width="2.5" stroke-linecap="round"/></svg>`

export function pageHeader(data: ReportData): Markup {
  const { total } = summaryOf(data.tally)
  const rejected =
    data.rejectedRows === 0
      ? markup`none`
      : markup`${counted(data.rejectedRows, 'row')}, listed in <code>rejected.csv</code>`
  return markup`<header>
<p class="brand">${logo}<span>Fairway <span class="soft">payment assessment report</span></span></p>
<h1><bdi>${data.reportName}</bdi></h1>
<dl class="facts">
${fact('Source', markup`<bdi>${data.source}</bdi>`)}
${fact('Generated', markup`<time datetime="${new Date(data.generatedAtMs).toISOString()}">${utc(data.generatedAtMs)}</time>`)}
${fact('Model version', markup`${data.modelVersion}`)}
${fact('Report ID', markup`<bdi>${data.reportId}</bdi>`)}
${fact('Period', markup`${periodOf(data.tally)}`)}
${fact('Assessed', markup`${counted(total, 'row')}`)}
${fact('Rejected', rejected)}
${namesFact('Ignored columns', data.ignoredColumns)}
${namesFact('Unknown countries', unassignedIn(data.tally))}
</dl>
<p class="notice"><strong>Shadow mode.</strong> The signals behind these decisions are simulated; no payment rail was queried. The assessment covers past payments: it recorded no decision and moved no money.</p>
</header>`
}

/** The first and last month of the dated rows. */
function periodOf({ byMonth }: Tally): string {
  const months = [...byMonth.keys()].filter((key) => key !== noMonthKey && key !== otherKey).toSorted()
  const [first, last] = [months[0], months.at(-1)]
  if (first === undefined || last === undefined) return 'no dates'
  return first === last ? monthName(first) : `${monthName(first)} to ${monthName(last)}`
}

function fact(name: string, value: Markup): Markup {
  return markup`<div><dt>${name}</dt><dd>${value}</dd></div>`
}

/** Maximum number of names shown; a file can have thousands. */
const namesMax = 12

function namesFact(title: string, names: readonly string[]): Markup {
  if (names.length === 0) return nothing
  const shown = names.slice(0, namesMax).map((name, place) => {
    const comma = place === 0 ? '' : ', '
    return markup`${comma}<bdi>${name === '' ? '(no name)' : name.slice(0, 60)}</bdi>`
  })
  const more = names.length - shown.length
  return fact(title, markup`${shown}${more > 0 ? ` and ${withThousands(more)} more` : ''}`)
}

const meaningOf: Readonly<Record<Verdict, string>> = {
  GO: 'may proceed',
  DEGRADED: 'hold for review',
  'NO-GO': 'block',
}

export function headline(tally: Tally): Markup {
  const summary = summaryOf(tally)
  const cards = byVerdict(summary.counts).map(({ verdict, count }, place) =>
    shareCard(verdict, count, summary.permille[place] ?? 0),
  )
  return section(
    'decisions',
    'Decisions',
    markup`<p class="lead">${leadSentence(summary)}</p>
<div class="cards three">${cards}</div>
<div class="wide-bar">${shareBar(summary.counts)}</div>
${uncertaintyCard(summary)}
${measures(tally, summary)}`,
  )
}

function leadSentence({ total, counts, permille }: Summary): string {
  const only = byVerdict(counts).find(({ count }) => count === total)
  if (only !== undefined) {
    return total === 1
      ? `The only row assessed is ${only.verdict}: ${meaningOf[only.verdict]}.`
      : `All ${withThousands(total)} rows assessed are ${only.verdict}: ${meaningOf[only.verdict]}.`
  }
  const [go, degraded, noGo] = byVerdict(counts).map(({ count }, place) =>
    shareText(count, permille[place] ?? 0),
  )
  return `Of ${withThousands(total)} payments, ${go} would have gone ahead (GO), ${degraded} would have been held for review (DEGRADED) and ${noGo} would have been blocked (NO-GO).`
}

function shareCard(verdict: Verdict, count: number, permille: number): Markup {
  return markup`<div class="card share ${toneOf[verdict]}-edge" id="share-${toneOf[verdict]}">
<h3>${verdictMark(verdict)} <span class="soft">${meaningOf[verdict]}</span></h3>
<p class="figure">${shareText(count, permille)}</p>
<p class="soft">${counted(count, 'row')}</p>
</div>`
}

function uncertaintyCard({ uncertainty, uncertaintyBand, permille }: Summary): Markup {
  const [, degraded, noGo] = permille
  // In hundredths of a percent; the inputs are tenths.
  const raw = 35 * noGo + 10 * degraded
  const outcome = raw > 10_000 ? `capped at ${uncertainty}` : `rounded to ${uncertainty}`
  return markup`<div class="card uncertainty" id="uncertainty">
<div><h3>Execution Uncertainty Score</h3>
<p class="figure">${uncertainty}<span class="unit"> of 100</span></p>
<p><span class="verdict ${uncertaintyBand.toLowerCase()}-mark">${uncertaintyBand}</span></p></div>
<div><figure class="scale">${uncertaintyScale(uncertainty, uncertaintyBand)}</figure>
<p class="note">A summary statistic of this file, not a prediction. EUS = min(100, NO-GO % × 3.5 + DEGRADED %); here ${decimal(noGo, 1)} × 3.5 + ${decimal(degraded, 1)} = ${decimal(raw, 2)}, ${outcome}.</p></div>
</div>`
}

function measures(tally: Tally, summary: Summary): Markup {
  return markup`<dl class="card measures">
${measure('Average score', decimal(summary.averageScoreTenThousandths, 4), 'From 0 (worst) to 1 (clear), over all rows.')}
${measure('Average confidence', decimal(summary.averageConfidenceTenThousandths, 4), 'From 0 to 1: how far the signals can be trusted. Independent of the score.')}
${outcomeMeasures(tally, summary)}
</dl>`
}

function outcomeMeasures(tally: Tally, summary: Summary): Markup[] {
  const { alignmentPermille, withOutcome, flaggedPreFailure, improvements } = summary
  if (alignmentPermille === null) {
    const none = rowsIn(tally.byOutcome.PENDING) === 0 ? 'no outcomes' : 'no final outcomes yet'
    return [
      measure('Alignment', none, 'Needs rows with a final outcome to compare with the decisions.'),
      measure('Flagged before failure', none, 'Needs rows that FAILED or were REJECTED.'),
      measure('Would have been caught', none, 'Needs rows that FAILED, were REJECTED or were DELAYED.'),
    ]
  }
  const failed = rowsIn(tally.byOutcome.FAILED) + rowsIn(tally.byOutcome.REJECTED)
  const failedOrDelayed = failed + rowsIn(tally.byOutcome.DELAYED)
  return [
    measure(
      'Alignment',
      percent(alignmentPermille),
      `The decision matches the final outcome in ${withThousands(tally.aligned)} of ${counted(withOutcome, 'row')} that have one.`,
    ),
    measure(
      'Flagged before failure',
      counted(flaggedPreFailure, 'row'),
      failed === 0
        ? 'No row FAILED or was REJECTED.'
        : `Of ${counted(failed, 'row')} that FAILED or were REJECTED, ${share(flaggedPreFailure, failed)} are DEGRADED or NO-GO.`,
    ),
    measure(
      'Would have been caught',
      counted(improvements, 'row'),
      failedOrDelayed === 0
        ? 'No row FAILED, was REJECTED or was DELAYED.'
        : `Of ${counted(failedOrDelayed, 'row')} that FAILED, were REJECTED or were DELAYED, ${share(improvements, failedOrDelayed)} would have been held or blocked.`,
    ),
  ]
}

function measure(name: string, figure: string, meaning: string): Markup {
  const size = /^\d/.test(figure) ? 'figure' : 'figure words'
  return markup`<div><dt>${name}</dt><dd class="${size}">${figure}</dd><dd class="note">${meaning}</dd></div>`
}
