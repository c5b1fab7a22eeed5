/** Builds the HTML report of a file of payments: one self-contained page to read, print and forward. */

import { alignmentSection } from './alignment.ts'
import { corridorSection, monthSection } from './breakdown.ts'
import { rowsIn } from './formats.ts'
import { headline, pageHeader, type ReportData } from './front.ts'
import { markup, ownMarkup, section, type Markup } from './markup.ts'
import { methodFooter } from './method.ts'
import { reliabilitySection } from './reliability.ts'
import { reasonSection, worstSection } from './rows.ts'
import { scoreSection } from './scores.ts'
import { style } from './style.ts'

/** The page is forwarded to others, so it must not run or load anything. */
const policy = "default-src 'none'; style-src 'unsafe-inline'"

export function reportPage(data: ReportData): string {
  const page = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${ownMarkup(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${data.reportName} · Fairway report</title>
<style>${ownMarkup(style)}</style>
</head>
<body>
<div class="page">
${pageHeader(data)}
<main>
${sections(data)}
</main>
${methodFooter(data.modelVersion)}
</div>
</body>
</html>
`
  return page.html
}

function sections({ tally }: ReportData): readonly Markup[] {
  if (rowsIn(tally.counts) === 0) {
    return [
      section('decisions', 'Decisions', markup`<p>No row could be assessed, so there are no figures.</p>`),
    ]
  }
  return [
    headline(tally),
    scoreSection(tally),
    monthSection(tally),
    corridorSection(tally),
    alignmentSection(tally),
    reliabilitySection(tally),
    reasonSection(tally),
    worstSection(tally),
  ]
}
