/** Shows calibration as tables: predicted and observed failures, failures by signal, and the suggestion. */

import type { Calibration, FailureRate, ReliabilityBin } from '../../../client/src/index.ts'
import { recordsMin } from '../../core/calibration/rate.ts'
import { counted, withThousands } from '../../core/explain/wording.ts'
import type { Cell } from '../table.ts'
import type { Screen } from './session/screen.ts'

interface Shown {
  readonly mode: string | undefined
  readonly corridor: string | undefined
  /** The command that saves the suggestion. */
  readonly save: string
}

export function calibrationLines(screen: Screen, calibration: Calibration, shown: Shown): string[] {
  const { records, with_outcome: ended, failures, brier } = calibration
  const { mode, corridor } = shown
  const scope = [corridor ?? 'all corridors', mode === undefined ? 'both modes' : `${mode} mode`].join(', ')
  return [
    `Calibration from ${dayText(calibration.from)} to ${dayText(calibration.to)} (UTC, end excluded), ${screen.cell(scope)}`,
    '',
    ...screen.facts([
      ['Decisions', withThousands(records)],
      ['With outcome', withThousands(ended)],
      [
        'Failures',
        withThousands(failures) + (ended < recordsMin ? '' : ` (${percentText(failures / ended)})`),
      ],
      [
        'Brier score',
        brier === null ? 'none without outcomes' : `${brier.toFixed(4)} (0 is perfect, a coin toss 0.25)`,
      ],
    ]),
    ...(ended === 0 ? [] : [...reliabilityTable(screen, calibration), ...signalTable(screen, calibration)]),
    ...leftOutLines(screen, calibration),
    '',
    ...suggestionLines(screen, calibration, shown.save),
  ]
}

const dayText = (iso: string): string => iso.slice(0, 10)

const percentText = (share: number): string => `${(100 * share).toFixed(1)}%`

const tooFew = `fewer than ${recordsMin}`

function rateText({ rate }: FailureRate): string {
  return rate === null ? tooFew : percentText(rate)
}

function intervalText({ low, high }: FailureRate): string {
  return low === null || high === null ? '-' : `${percentText(low)} to ${percentText(high)}`
}

function reliabilityTable(screen: Screen, { reliability }: Calibration): string[] {
  const marks = reliability.map(markOf)
  return [
    '',
    ...screen.table(
      [
        { title: 'PREDICTED', align: 'right', fixed: true },
        { title: 'PAYMENTS', align: 'right', fixed: true, optional: true },
        { title: 'FAILED', align: 'right', fixed: true, optional: true },
        { title: 'RATE', align: 'right', fixed: true },
        { title: '95% INTERVAL', align: 'right', fixed: true, optional: true },
        { title: 'PREDICTION', fixed: true },
      ],
      reliability.map((bin, place) => [
        `${(100 * bin.from).toFixed(0)} to ${(100 * bin.to).toFixed(0)}%`,
        withThousands(bin.records),
        withThousands(bin.failures),
        rateText(bin),
        intervalText(bin),
        markCells[marks[place] ?? 'unknown'],
      ]),
    ),
    ...(marks.includes('low') ? screen.prose('Too low: more payments fail than the scores predict.') : []),
    ...(marks.includes('high') ? screen.prose('Too high: fewer payments fail than the scores predict.') : []),
  ]
}

type Mark = 'unknown' | 'within' | 'low' | 'high'

const markCells: Readonly<Record<Mark, Cell>> = {
  unknown: '-',
  within: { text: 'within', format: 'green' },
  low: { text: 'too low', format: 'red' },
  high: { text: 'too high', format: 'yellow' },
}

/** The predicted range against the interval. */
function markOf({ from, to, low, high }: ReliabilityBin): Mark {
  if (low === null || high === null) return 'unknown'
  if (low > to) return 'low'
  return high < from ? 'high' : 'within'
}

function signalTable(screen: Screen, { signals }: Calibration): string[] {
  return [
    '',
    ...screen.table(
      [
        { title: 'SIGNAL' },
        { title: 'FLAGGED', align: 'right', fixed: true, optional: true },
        { title: 'FAILED', align: 'right', fixed: true },
        { title: 'CLEAR', align: 'right', fixed: true, optional: true },
        { title: 'FAILED', align: 'right', fixed: true },
        { title: 'LIFT', align: 'right', fixed: true },
      ],
      signals.map(({ signal, flagged, clear }) => [
        signal,
        withThousands(flagged.records),
        rateText(flagged),
        withThousands(clear.records),
        rateText(clear),
        liftText(flagged, clear),
      ]),
    ),
  ]
}

/** How many times as often flagged payments fail as clear ones. */
function liftText({ rate: flagged }: FailureRate, { rate: clear }: FailureRate): string {
  return flagged === null || clear === null || clear === 0 ? '-' : (flagged / clear).toFixed(2)
}

function leftOutLines(screen: Screen, { censored, no_data: noData }: Calibration): string[] {
  const stopped = `Censored: ${counted(censored, 'NO-GO decision')} without a final outcome. How these payments would have ended is unknown, so the rates are those of payments that were made.`
  const unknown = `Left out: ${counted(noData, 'live decision')} on corridors without data, which predict nothing.`
  return ['', ...screen.prose(stopped), ...(noData === 0 ? [] : screen.prose(unknown))]
}

function suggestionLines(
  screen: Screen,
  { suggestion, suggestion_reason: reason }: Calibration,
  save: string,
): string[] {
  if (suggestion === null) return screen.prose(`No suggestion. ${reason}`)
  return [...screen.prose(`Suggestion: ${reason}`), `Save it: ${screen.cell(save)}`]
}
