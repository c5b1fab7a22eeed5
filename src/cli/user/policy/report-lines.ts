/** Shows the report of a policy as tables: flips, rules, corridors, money, and what became of the payments. */

import type { PolicyReport } from '../../../../client/src/index.ts'
import { counted, moneyText, withThousands } from '../../../core/explain/wording.ts'
import type { Cell } from '../../table.ts'
import { decisionCell, type Screen } from '../session/screen.ts'

type Flips = PolicyReport['flips']

/** Those with the most flips: the JSON has all. */
const corridorsMax = 20
const samplesMax = 5

export function reportLines(screen: Screen, report: PolicyReport): string[] {
  if (report.records === 0) return figureLines(report)
  return [
    ...figureLines(report),
    ...flipTable(screen, report),
    ...ruleTable(screen, report),
    ...corridorTable(screen, report),
    ...moneyTable(screen, report),
    ...outcomeLines(screen, report),
    ...sampleTable(screen, report),
  ]
}

/** The figures to look at before a promotion. */
export function mainLines(screen: Screen, report: PolicyReport): string[] {
  return report.records === 0
    ? figureLines(report)
    : [...figureLines(report), ...moneyTable(screen, report), ...outcomeLines(screen, report)]
}

const flipsIn = (flips: Flips): number => Object.values(flips).reduce((sum, count) => sum + count, 0)

const shareText = (part: number, all: number): string => `${((100 * part) / all).toFixed(1)}%`

const flipText = (flip: string): string => flip.replace('>', ' > ')

function figureLines({ records, unchanged, undecided, flips }: PolicyReport): string[] {
  const left =
    undecided === 0
      ? []
      : [`${counted(undecided, 'record')} could not be decided again: another version of the engine decided.`]
  if (records === 0) return ['No records were decided again, so nothing can be said.', ...left]
  const flipped = flipsIn(flips)
  const figures = `${counted(records, 'record')} decided again: ${withThousands(unchanged)} unchanged, ${withThousands(flipped)} flipped (${shareText(flipped, records)})`
  return [figures, ...left]
}

function flipTable(screen: Screen, { flips, records }: PolicyReport): string[] {
  const rows = Object.entries(flips).map(([flip, count]) => [
    flipText(flip),
    withThousands(count),
    shareText(count, records),
  ])
  if (rows.length === 0) return []
  return [
    '',
    ...screen.table(
      [{ title: 'FLIP' }, { title: 'RECORDS', align: 'right' }, { title: 'SHARE', align: 'right' }],
      rows,
    ),
  ]
}

function ruleTable(screen: Screen, { by_rule: rules }: PolicyReport): string[] {
  if (rules.length === 0) return []
  return [
    '',
    ...screen.table(
      [{ title: 'RULE' }, { title: 'FIRED', align: 'right' }, { title: 'DECIDED', align: 'right' }],
      rules.map(({ rule_id: id, fired, decided }) => [id, withThousands(fired), withThousands(decided)]),
    ),
  ]
}

function corridorTable(screen: Screen, { by_corridor: corridors }: PolicyReport): string[] {
  const flipped = corridors
    .map((one) => ({ ...one, count: flipsIn(one.flips) }))
    .filter(({ count }) => count > 0)
    .toSorted((left, right) => right.count - left.count)
  if (flipped.length === 0) return []
  const hidden = flipped.length - corridorsMax
  return [
    '',
    ...screen.table(
      [
        { title: 'CORRIDOR', fixed: true },
        { title: 'RECORDS', align: 'right', fixed: true },
        { title: 'FLIPPED', align: 'right', fixed: true },
        { title: 'FLIPS' },
      ],
      flipped
        .slice(0, corridorsMax)
        .map(({ corridor, records, count, flips }) => [
          corridor,
          withThousands(records),
          withThousands(count),
          flipsText(flips),
        ]),
    ),
    ...(hidden > 0 ? [`… and ${counted(hidden, 'corridor')} with fewer flips: see the JSON`] : []),
  ]
}

const flipsText = (flips: Flips): string =>
  Object.entries(flips)
    .map(([flip, count]) => `${flipText(flip)} ${withThousands(count)}`)
    .join(', ')

function moneyTable(screen: Screen, { amounts }: PolicyReport): string[] {
  if (amounts.length === 0) return []
  return [
    '',
    ...screen.table(
      [
        { title: 'CURRENCY' },
        { title: 'PAYMENTS NEWLY STOPPED', align: 'right' },
        { title: 'AMOUNT', align: 'right', fixed: true },
      ],
      amounts.map(({ currency, newly_stopped: amount, payments }) => [
        currency,
        withThousands(payments),
        moneyText(amount, currency),
      ]),
    ),
  ]
}

/** A payment that was stopped in time is a failure avoided; one that completed would have been stopped for nothing. */
function outcomeLines(screen: Screen, { amounts, outcomes }: PolicyReport): string[] {
  const stopped = amounts.reduce((sum, { payments }) => sum + payments, 0)
  if (stopped === 0) return []
  const { COMPLETED, FAILED, REJECTED, DELAYED, PENDING, unreported } = outcomes.newly_stopped
  const open = [
    ['delayed', DELAYED],
    ['pending', PENDING],
    ['without a report', unreported],
  ] as const
  const left = open.flatMap(([name, count]) => (count > 0 ? [`${withThousands(count)} ${name}`] : []))
  return [
    '',
    ...screen.prose(
      `Failures avoided: ${withThousands(FAILED + REJECTED)}; completed payments that would have been stopped: ${withThousands(COMPLETED)}`,
    ),
    ...(left.length === 0 ? [] : screen.prose(`Outcome not final: ${left.join(', ')}`)),
  ]
}

function sampleTable(screen: Screen, { samples }: PolicyReport): string[] {
  if (samples.length === 0) return []
  return [
    '',
    ...screen.table(
      [{ title: 'NEWEST FLIPS', fixed: true }, { title: 'FROM' }, { title: 'TO' }, { title: 'RULES' }],
      samples
        .slice(0, samplesMax)
        .map(({ request_id: id, from, to, rules }): Cell[] => [
          id,
          decisionCell(from),
          decisionCell(to),
          rules.join(', ') || '-',
        ]),
    ),
  ]
}
