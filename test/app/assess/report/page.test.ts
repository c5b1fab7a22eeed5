/** The report page: its figures are those of the summary, and what is not there is said. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reportPage } from '../../../../src/app/assess/report/page.ts'
import {
  emptyTally,
  outcomeColumns,
  summaryOf,
  type Tally,
  type VerdictCounts,
} from '../../../../src/core/assess/report.ts'
import { check } from '../../../helpers/check.ts'
import {
  mixedRows,
  numberIn,
  reportOf,
  sectionIn,
  tableIn,
  tallyOf,
  textIn,
  type SampleRow,
} from './samples.ts'

const pageOf = (rows: readonly SampleRow[]): string => reportPage(reportOf(tallyOf(rows)))
const grouped = (count: number): string => count.toLocaleString('en-GB')
const rowsIn = ([go, degraded, noGo]: VerdictCounts): number => go + degraded + noGo

/** The counts of a line of the tables by month and by corridor, and their sum as the line tells it. */
function countsIn(line: readonly string[]): { counts: number[]; rows: number } {
  return { rows: numberIn(line[1]), counts: line.slice(2).map(numberIn) }
}

const mixed = tallyOf(mixedRows(400))
const mixedPage = reportPage(reportOf(mixed))

test('the sample has every verdict, outcome and kind of row, so that the tests below mean something', () => {
  assert.ok(mixed.counts.every((count) => count > 5))
  assert.ok(outcomeColumns.every((outcome) => rowsIn(mixed.byOutcome[outcome]) > 5))
  assert.ok(mixed.byReason.size >= 4)
})

// Figures

test('the period is that of the rows which have a date', () => {
  check<readonly (string | null)[], string>(
    [
      [[null], 'Period no dates'],
      [['2026-03'], 'Period Mar 2026'],
      [['2026-03', null, '2025-11', '2026-01'], 'Period Nov 2025 to Mar 2026'],
    ],
    (months) => {
      const page = pageOf(months.map((month) => ({ month })))
      return (
        /Period (?:no dates|[A-Z][a-z]{2} \d{4}(?: to [A-Z][a-z]{2} \d{4})?)/.exec(textIn(page))?.[0] ?? ''
      )
    },
  )
})

test('the headline figures are those of the summary', () => {
  const sums = summaryOf(mixed)
  const text = textIn(sectionIn(mixedPage, 'decisions'))
  const [go, degraded, noGo] = sums.permille.map((permille) => `${(permille / 10).toFixed(1)}%`)
  const expected = [
    `GO may proceed ${go} ${sums.counts[0]} rows`,
    `DEGRADED hold for review ${degraded} ${sums.counts[1]} rows`,
    `NO-GO block ${noGo} ${sums.counts[2]} rows`,
    `Execution Uncertainty Score ${sums.uncertainty} of 100 ${sums.uncertaintyBand}`,
    `Average score ${(sums.averageScoreTenThousandths / 10_000).toFixed(4)}`,
    `Average confidence ${(sums.averageConfidenceTenThousandths / 10_000).toFixed(4)}`,
    `Alignment ${((sums.alignmentPermille ?? 0) / 10).toFixed(1)}%`,
    `in ${mixed.aligned} of ${sums.withOutcome} rows`,
    `Flagged before failure ${sums.flaggedPreFailure} rows`,
    `Would have been caught ${sums.improvements} rows`,
  ]
  check(
    expected.map((part) => [part, true]),
    (part) => text.includes(part),
  )
})

test('the arithmetic of the uncertainty score is shown, with its cap and the ends of its bands', () => {
  const text = textIn(sectionIn(pageOf([{}, {}, {}, { amount: 60_000 }]), 'decisions'))
  assert.match(text, /here 0\.0 × 3\.5 \+ 25\.0 = 25\.00, rounded to 25\./)
  assert.match(text, /Low 0–20 Moderate 21–35 High 36–60 Critical 61–100/)
  assert.match(
    textIn(sectionIn(pageOf([{ amount: 600_000 }]), 'decisions')),
    /100\.0 × 3\.5 \+ 0\.0 = 350\.00, capped at 100\./,
  )
})

test('the header tells name, source, time in UTC, model and rows, and says that nothing was real', () => {
  const data = reportOf(mixed, { rejectedRows: 1_234, ignoredColumns: ['memo', ''] })
  const header = textIn(reportPage(data).split('</header>')[0] ?? '')
  const parts = [
    'March review Source payments.csv Generated 2026-03-01 09:30:15 UTC Model version v1.3 Report ID rep_1',
    'Assessed 400 rows Rejected 1,234 rows, listed in rejected.csv Ignored columns memo , (no name)',
    'simulated',
    'it recorded no decision and moved no money',
  ]
  check(
    parts.map((part) => [part, true]),
    (part) => header.includes(part),
  )
  assert.doesNotMatch(textIn(mixedPage), /rejected\.csv|Ignored columns|Unknown countries/)
  const unknown = textIn(pageOf([{ corridor: 'ZZ-QQ' }, { corridor: 'US-MX' }]))
  assert.match(unknown, /Unknown countries ZZ , QQ /)
})

test('the numbers of the histogram have every row in its step of 0.05', () => {
  const lines = tableIn(mixedPage, 'scores').slice(1)
  const told = new Map(lines.map(([range = '', count]) => [range, numberIn(count)]))
  const counted = new Map<string, number>()
  for (const [score, count] of mixed.scores.entries()) {
    const from = Math.min(95, score - (score % 5))
    const range = `${(from / 100).toFixed(2)}–${(from === 95 ? 1 : (from + 4) / 100).toFixed(2)}`
    if (count > 0) counted.set(range, (counted.get(range) ?? 0) + count)
  }
  assert.deepEqual(told, counted)
})

test('a score of 1.00 stands in the last step and one of 0.95 with it', () => {
  const tally = tallyOf([{}, {}])
  tally.scores.fill(0)
  tally.scores[100] = 1
  tally.scores[95] = 1
  const lines = tableIn(reportPage(reportOf(tally)), 'scores').slice(1)
  assert.deepEqual(lines, [['0.95–1.00', '2', '100.0%']])
})

test('every month and every corridor has its own counts, and they add up to all rows', () => {
  for (const [id, map, label] of [
    ['months', mixed.byMonth, (key: string) => monthLabels.get(key) ?? key],
    [
      'corridors',
      mixed.byCorridor,
      (key: string) => (/^(?:GB-NG|NG-GB)$/.test(key) ? key : `${key} no data`),
    ],
  ] as const) {
    const lines = tableIn(mixedPage, id).slice(1)
    const told = new Map(lines.map((line) => [line[0] ?? '', countsIn(line)]))
    const expected = new Map([...map].map(([key, counts]) => [label(key), { counts, rows: rowsIn(counts) }]))
    expected.set('Total', { counts: mixed.counts, rows: 400 })
    assert.deepEqual(told, expected)
  }
})

const monthLabels = new Map([
  ['2025-12', 'Dec 2025'],
  ['2026-01', 'Jan 2026'],
  ['2026-02', 'Feb 2026'],
  ['no date', 'No date'],
])

// Months and corridors

test('months are in order, and rows without a date come last', () => {
  const months = ['2026-02', null, '2025-12', '2026-01']
  const lines = tableIn(pageOf(months.map((month) => ({ month }))), 'months')
  assert.deepEqual(
    lines.map(([name]) => name),
    ['Month', 'Dec 2025', 'Jan 2026', 'Feb 2026', 'No date', 'Total'],
  )
})

test('of more than 36 months the last 36 are shown, the earlier ones are summed, and the page says so', () => {
  const rows = Array.from({ length: 50 }, (_, place) => ({
    month: `${2020 + Math.floor(place / 12)}-${String((place % 12) + 1).padStart(2, '0')}`,
    amount: place === 0 ? 60_000 : 100,
  }))
  const page = pageOf([...rows, { month: null }])
  const lines = tableIn(page, 'months').slice(1)
  assert.equal(lines.length, 1 + 36 + 1 + 1)
  assert.deepEqual(lines[0], ['14 earlier months', '14', '13 92.9%', '1 7.1%', '0 0.0%'])
  assert.equal(lines[1]?.[0], 'Mar 2021')
  assert.deepEqual(lines.at(-1)?.slice(0, 2), ['Total', '51'])
  assert.match(textIn(sectionIn(page, 'months')), /50 months\. The last 36 are shown/)
  assert.equal(tableIn(pageOf(rows.slice(14)), 'months').length, 1 + 36 + 1)
})

test('months that found no room of their own are one line near the end', () => {
  const tally = tallyOf([{ month: '2026-01' }, { month: null }])
  tally.byMonth.set('other', [3, 2, 1])
  const lines = tableIn(reportPage(reportOf(tally)), 'months')
  assert.deepEqual(
    lines.slice(1, -1).map((line) => [line[0], countsIn(line).rows]),
    [
      ['Jan 2026', 1],
      ['Other months', 6],
      ['No date', 1],
    ],
  )
})

test('fifteen corridors are shown, those with the most rows first, and the rest is one sum', () => {
  const countries = [
    'AO',
    'BJ',
    'CI',
    'DZ',
    'EG',
    'FR',
    'GH',
    'IN',
    'KE',
    'LR',
    'MA',
    'NE',
    'PK',
    'RW',
    'SN',
    'TZ',
  ]
  const rows = countries.flatMap((country, place) =>
    Array.from({ length: place === 0 ? 1 : 2 }, () => ({ corridor: `GB-${country}` })),
  )
  const rest = [{ corridor: 'GB-ZA', amount: 600_000 }]
  const lines = tableIn(pageOf([...rows, { corridor: 'GB-NG' }, {}, {}, ...rest]), 'corridors').slice(1)
  assert.equal(lines.length, 15 + 1 + 1)
  assert.deepEqual(
    lines.slice(0, 3).map(([name]) => name),
    ['GB-NG', 'GB-BJ no data', 'GB-CI no data'],
  )
  assert.deepEqual(lines[15], ['3 further corridors', '4', '0 0.0%', '3 75.0%', '1 25.0%'])
  assert.deepEqual(lines[16]?.slice(0, 2), ['Total', '35'])
})

test('corridors that found no room of their own are in the sum of the rest', () => {
  const tally = tallyOf([{}])
  tally.byCorridor.set('other', [1, 2, 3])
  const lines = tableIn(reportPage(reportOf(tally)), 'corridors')
  assert.deepEqual(countsIn(lines[2] ?? []), { rows: 6, counts: [1, 2, 3] })
})

// Alignment

test('the matrix has every count with its totals, and its marks agree with the alignment', () => {
  const [head = [], ...lines] = tableIn(mixedPage, 'alignment')
  assert.deepEqual(head, [
    'Decision',
    'COMPLETED',
    'FAILED',
    'DELAYED',
    'REJECTED',
    'PENDING',
    'No outcome',
    'Total',
  ])
  const sums = { matches: 0, 'does not match': 0, 'not counted': 0 }
  for (const [place, line] of lines.slice(0, 3).entries()) {
    const cells = line.slice(1, -1)
    assert.deepEqual(
      cells.map(numberIn),
      outcomeColumns.map((outcome) => mixed.byOutcome[outcome][place]),
    )
    assert.equal(numberIn(line.at(-1)), mixed.counts[place])
    for (const cell of cells) sums[cell.replace(/^\S+ \S+ /, '') as keyof typeof sums] += numberIn(cell)
  }
  const { withOutcome, total } = summaryOf(mixed)
  assert.deepEqual(sums, {
    matches: mixed.aligned,
    'does not match': withOutcome - mixed.aligned,
    'not counted': total - withOutcome,
  })
  assert.deepEqual(lines[3]?.slice(1).map(numberIn), [
    ...outcomeColumns.map((outcome) => rowsIn(mixed.byOutcome[outcome])),
    total,
  ])
})

test('GO matches COMPLETED, the other verdicts match what went wrong, and the open is not counted', () => {
  const lines = tableIn(mixedPage, 'alignment').slice(1, 4)
  const wrong = ['✕ does not match', '✕ does not match', '✕ does not match']
  const right = ['✓ matches', '✓ matches', '✓ matches']
  const open = ['– not counted', '– not counted']
  check(
    [
      [0, ['✓ matches', ...wrong, ...open]],
      [1, ['✕ does not match', ...right, ...open]],
      [2, ['✕ does not match', ...right, ...open]],
    ],
    (place) => (lines[place] ?? []).slice(1, -1).map((cell) => cell.replace(/^\S+ /, '')),
  )
})

// Reasons and rows

test('each reason has its count, its share, its meaning and what to do', () => {
  const text = textIn(sectionIn(mixedPage, 'reasons'))
  const ranked = [...mixed.byReason].map(([code, count]) => {
    const permille = Math.floor((2_000 * count + 400) / 800)
    return `${code} ${count} rows ${(permille / 10).toFixed(1)}%`
  })
  check(
    ranked.map((part) => [part, true]),
    (part) => text.includes(part),
  )
  assert.match(text, /The amount is above a policy cap\. Suggested action: Route to manual approval\./)
  const counts = [...text.matchAll(/[A-Z_]{9,} (\d+) rows/g)].map(([, count]) => Number(count))
  assert.deepEqual(
    counts,
    counts.toSorted((left, right) => right - left),
  )
})

test('the worst rows are told as they came, worst first, and never one that is GO', () => {
  const page = pageOf([
    {},
    { id: 'held', amount: 61_234.5, month: '2026-01' },
    { id: 'blocked', amount: 1_234_567, currency: 'GBP', actualOutcome: 'FAILED' },
    { id: 'unknown', corridor: 'GB-GH', amount: null },
  ])
  const lines = tableIn(page, 'worst')
    .slice(1)
    .map(([row, id, corridor, amount, outcome, verdict, , reasons]) =>
      [row, id, corridor, amount, outcome, verdict, reasons].join(' | '),
    )
  assert.deepEqual(lines, [
    '3 | blocked | GB-NG | 1,234,567 GBP | FAILED | NO-GO | INSUFFICIENT_BALANCE POLICY_CAP_APPLIED',
    '2 | held | GB-NG | 61,234.50 GBP | none | DEGRADED | POLICY_CAP_APPLIED',
    '4 | unknown | GB-GH | none | none | DEGRADED | CORRIDOR_UNSUPPORTED',
  ])
  assert.match(textIn(sectionIn(page, 'worst')), /3 rows with the decision DEGRADED or NO-GO/)
})

test('of many rows that are not GO, the page says how many it does not list', () => {
  const page = pageOf(Array.from({ length: 31 }, () => ({ amount: 60_000 })))
  assert.match(textIn(sectionIn(page, 'worst')), /The worst 20 of 31 rows/)
  assert.equal(tableIn(page, 'worst').length, 1 + 20)
})

// What is not there

const absent = 'no outcomes'

test('what was not given is said in words, not in zeros', () => {
  const calm = { amount: 100, corridor: 'GB-NG' }
  const table: [SampleRow[], string, RegExp][] = [
    [[calm], 'decisions', /The only row assessed is GO: may proceed\./],
    [[calm, calm], 'decisions', /All 2 rows assessed are GO/],
    [[calm], 'decisions', new RegExp(`Alignment ${absent} .* failure ${absent} .* caught ${absent}`)],
    [[{ actualOutcome: 'PENDING' }], 'decisions', /Alignment no final outcomes yet/],
    [[{ actualOutcome: 'PENDING' }], 'alignment', /No row has a final outcome yet/],
    [[{ actualOutcome: 'COMPLETED' }], 'decisions', /Flagged before failure 0 rows No row FAILED/],
    [[calm], 'alignment', /The file has no outcomes/],
    [[calm], 'months', /No row has a date/],
    [[{ month: '2026-01' }], 'months', /Jan 2026 1 1 100\.0%/],
    [[calm], 'reasons', /No row was flagged\./],
    [[calm], 'worst', /Every row is GO/],
  ]
  check(
    table.map(([rows, id, pattern]) => [{ rows, id, pattern }, true]),
    ({ rows, id, pattern }) => pattern.test(textIn(sectionIn(pageOf(rows), id))),
  )
})

test('without any row there are no figures', () => {
  const page = reportPage(reportOf(emptyTally(), { rejectedRows: 3 }))
  const text = textIn(page)
  assert.match(text, /No row could be assessed/)
  assert.match(text, /Assessed 0 rows Rejected 3 rows, listed in rejected\.csv/)
  assert.doesNotMatch(text, /Average score|NaN|Infinity|undefined/)
})

test('no page has a number that is none', () => {
  const few: Tally[] = [tallyOf([{}]), tallyOf([{ amount: 600_000 }]), mixed]
  for (const tally of few) assert.doesNotMatch(reportPage(reportOf(tally)), /NaN|Infinity|undefined|null\b/)
})

test('large numbers have separators everywhere, and a few of a million are not nothing', () => {
  const tally = tallyOf([{ actualOutcome: 'COMPLETED', month: '2026-01' }, { amount: 600_000 }])
  const more = 1_234_567
  tally.counts[0] += more
  tally.scores[96] = more + 1
  tally.byOutcome.COMPLETED[0] += more
  for (const counts of [tally.byCorridor.get('GB-NG'), tally.byMonth.get('2026-01')]) {
    if (counts !== undefined) counts[0] += more
  }
  const page = reportPage(reportOf(tally, { rejectedRows: 1_000_000 }))
  assert.match(textIn(sectionIn(page, 'decisions')), /NO-GO block <0\.1% 1 row /)
  const told = textIn(page).match(/1,234,568|1,234,569/g) ?? []
  assert.ok(told.length > 8, 'the numbers were not found')
  assert.match(textIn(page), /1,000,000 rows, listed/)
  assert.doesNotMatch(textIn(page), /\d{5}/)
  assert.ok(textIn(page).includes(grouped(more + 2)))
})
