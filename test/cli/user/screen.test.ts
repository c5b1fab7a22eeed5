/** How answers are laid out: aligned, cut to the terminal, and never out of their line. */

import assert from 'node:assert/strict'
import { stripVTControlCharacters } from 'node:util'
import { test } from 'node:test'
import { historyLines } from '../../../src/cli/user/history.ts'
import { decisionCell, labelCell, amountText, Screen } from '../../../src/cli/user/session/screen.ts'
import type { Column } from '../../../src/cli/table.ts'
import { sumText } from '../../../src/cli/user/explain.ts'
import { corridorLines, corridorsLines } from '../../../src/cli/user/corridors.ts'
import type { CorridorHealth, Explanation, Verification } from '../../../client/src/index.ts'
import { widthOf } from '../../../src/cli/width.ts'
import { check } from '../../helpers/check.ts'
import { terminalOf } from '../../helpers/process/user.ts'

const columns: readonly Column[] = [
  { title: 'PARTNER' },
  { title: 'SCORE', align: 'right' },
  { title: 'NOTE' },
]

test('columns stand below each other, whatever is in them', () => {
  const screen = new Screen(terminalOf(), {})
  const lines = screen.table(columns, [
    ['東京銀行', '0.9', 'x'],
    ['acacia', '0.96', 'y'],
    ['🙂', '1', 'z'],
  ])
  assert.deepEqual(lines, [
    'PARTNER   SCORE  NOTE',
    '東京銀行    0.9  x',
    'acacia     0.96  y',
    '🙂            1  z',
  ])
})

test('a table is cut to the terminal, from its widest column on', () => {
  const screen = new Screen(terminalOf({ columns: 24 }), {})
  const lines = screen.table(columns, [['a partner with a long name', '0.96', 'a note']])
  assert.deepEqual(lines, ['PARTNER    SCORE  NOTE', 'a partne…   0.96  a note'])
  assert.ok(lines.every((line) => widthOf(line) <= 24))
})

test('what came from outside stays in its line and paints nothing', () => {
  const screen = new Screen(terminalOf(), {})
  const evil = 'a\u001b[31m\nb\r\u202ec'
  const shown = [
    ...screen.table(columns, [[evil, evil, evil]]),
    ...screen.facts([['Name', evil]]),
    screen.cell(evil),
  ]
  for (const line of shown) assert.doesNotMatch(line, /[\p{Cc}\u202e]/u)
  assert.equal(shown.length, 4)
})

test('colour goes around the text and changes no column', () => {
  const cells = [decisionCell('NO-GO'), labelCell('CLEAR'), 'x']
  const plain = new Screen(terminalOf(), {}).table(columns, [cells])
  const painted = new Screen(terminalOf({ hasColour: true }), {}).table(columns, [cells])
  assert.notDeepEqual(painted, plain)
  assert.ok(painted.join('').includes('\u001b[31mNO-GO'))
  assert.deepEqual(
    painted.map((line) => stripVTControlCharacters(line)),
    plain,
  )
  const refused = new Screen(terminalOf({ hasColour: true }), { color: false }).table(columns, [cells])
  assert.deepEqual(refused, plain)
})

test('people get text, programs get JSON, and either can be asked for', () => {
  check<[boolean, boolean | undefined], boolean>(
    [
      [[true, undefined], false],
      [[false, undefined], true],
      [[true, true], true],
      [[false, false], false],
    ],
    ([isOutputTerminal, json]) => new Screen(terminalOf({ isOutputTerminal }), { json }).isJson,
  )
})

const record: Verification = {
  request_id: 'SVC-2026-01M7G517W5CWXH6E1091BYK5CR',
  corridor: 'GB-NG',
  decision: 'DEGRADED',
  score: 0.76,
  confidence: 0.9,
  amount: 1000.5,
  currency: 'GBP',
  request_currency: 'GBP',
  settlement_currency: 'NGN',
  mode: 'shadow',
  evaluated_at: '2026-11-15T17:34:25.896Z',
  correlation_id: null,
  reason_codes: ['HIGH_FX_VOLATILITY'],
  recommended_action: 'REVIEW',
  human_override: null,
  outcome: null,
  cooldown_source_request_id: null,
  recorded_at: '2026-11-15T17:34:25.896Z',
}

const bucket = { status: 'MODERATE', risk_value: 0.5, signals: [] }
/** As of a server that does not know cooldowns yet. */
const health = {
  corridor: 'GB-NG',
  status: 'OPERATIONAL',
  advisory: '',
  amount: null,
  currency: 'GBP',
  evaluated_at: '2026-11-15T17:34:25.896Z',
  calendar: null,
  partners: [],
  signals: { fx: bucket, network: bucket, settlement: bucket, liquidity: bucket, compliance: bucket },
} as unknown as CorridorHealth

test('history keeps its ids whole, and leaves columns out where there is no room', () => {
  const at = (width: number): string[] =>
    historyLines(new Screen(terminalOf({ columns: width }), {}), { records: [record], hasMore: false })
  for (const width of [80, 100, 140]) {
    const lines = at(width)
    assert.ok(
      lines.every((line) => widthOf(line) <= width && !line.includes('…')),
      lines.join('\n'),
    )
    assert.ok(lines[1]?.startsWith(record.request_id))
  }
  assert.doesNotMatch(at(80)[0] ?? '', /EVALUATED/)
  assert.match(at(100)[0] ?? '', /EVALUATED$/)
  assert.match(at(140)[0] ?? '', /OUTCOME$/)
})

test('a repeat during a cooldown is marked in the history, and only there is a column for it', () => {
  const screen = new Screen(terminalOf({ columns: 160 }), {})
  const repeat = { ...record, cooldown_source_request_id: 'SVC-2026-01M7G517W5CWXH6E1091BYK5CQ' }
  const [heading, first, second] = historyLines(screen, { records: [record, repeat], hasMore: false })
  assert.match(heading ?? '', /COOLDOWN$/)
  assert.match(first ?? '', /-$/)
  assert.match(second ?? '', /repeat$/)
})

test('an open cooldown of a corridor is shown with its end and its source', () => {
  const screen = new Screen(terminalOf({ columns: 200 }), {})
  const cooldown = { source_request_id: record.request_id, expires_at: '2026-11-15T17:35:55.896Z' }
  const shown = /2026-11-15 17:35:55Z, repeats SVC-2026-01M7G517W5CWXH6E1091BYK5CR/
  assert.match(corridorsLines(screen, [{ ...health, cooldown }, health]).join('\n'), shown)
  assert.match(corridorLines(screen, { ...health, cooldown }).join('\n'), shown)
  for (const lines of [corridorsLines(screen, [health]), corridorLines(screen, health)]) {
    assert.doesNotMatch(lines.join('\n'), /cooldown/i)
  }
})

test('where there is little room, columns are left out and an amount is never cut', () => {
  const large = { ...record, amount: 123_456_789_012.5 }
  for (const width of [45, 58, 64, 74, 80]) {
    const [title = '', line = ''] = historyLines(new Screen(terminalOf({ columns: width }), {}), {
      records: [large],
      hasMore: false,
    })
    assert.ok(widthOf(title) <= width && widthOf(line) <= width, `${width}: ${line}`)
    assert.match(line, /^SVC-2026-01M7G517W5CWXH6E1091BYK5CR {2}DEGRADED/)
    assert.equal(line.includes('123,456,789,012.50 GBP'), title.includes('AMOUNT'))
    assert.ok(!line.includes('…'), line)
  }
  const lines = corridorsLines(new Screen(terminalOf({ columns: 40 }), {}), [health])
  assert.deepEqual(lines.slice(0, 2), ['CORRIDOR  STATUS       FX', 'GB-NG     OPERATIONAL  MODERATE'])
})

test('money is written as the service writes it', () => {
  check<[number | null, string], string>(
    [
      [[1000, 'GBP'], '1,000 GBP'],
      [[1000.05, 'NGN'], '1,000.05 NGN'],
      [[0.1, 'GBP'], '0.10 GBP'],
      [[null, 'GBP'], 'no stated amount (GBP)'],
    ],
    ([amount, currency]) => amountText(amount, currency),
  )
})

test('the score is shown as the sum that it is', () => {
  const sum = {
    composite: 0.34225,
    telemetry: null,
    penalty: { applied: true, multiplier: 0.75, flagged_count: 4, amount: -0.0855625 },
    rounding: -0.0066875,
    score: 0.25,
  } as Explanation
  assert.equal(
    sumText(sum),
    '0.34225 composite − 0.0855625 penalty for 4 flagged signals − 0.0066875 rounding = 0.25',
  )
})
