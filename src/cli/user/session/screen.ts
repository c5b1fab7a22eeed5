/** Prints results: text with colour on a terminal, else one JSON value. */

import { styleText } from 'node:util'
import type { Decision, SignalLabel } from '../../../../client/src/index.ts'
import { moneyText } from '../../../core/explain/wording.ts'
import { clean, withoutSecrets } from '../../redact.ts'
import { gap, table, textOf, type Cell, type Column, type Format } from '../../table.ts'
import type { Terminal } from './deps.ts'
import { widthOf, wrapped } from '../../width.ts'

/** Longer lines are hard to read, even on a wide terminal. */
const proseWidthMax = 100

export class Screen {
  readonly isJson: boolean
  readonly #terminal: Terminal
  readonly #hasColour: boolean

  /** `json` is true for --json, false for --no-json, undefined without either. */
  constructor(
    terminal: Terminal,
    { json, color }: { readonly json?: boolean | undefined; readonly color?: boolean | undefined },
  ) {
    this.#terminal = terminal
    this.isJson = json ?? !terminal.isOutputTerminal
    this.#hasColour = terminal.hasColour && color !== false
  }

  get width(): number {
    return this.#terminal.columns ?? Number.POSITIVE_INFINITY
  }

  paint(format: Format, text: string): string {
    return this.#hasColour ? styleText(format, text, { validateStream: false }) : text
  }

  /** Prints one value: indented on a terminal, else on one line. */
  json(value: unknown): void {
    const text = this.#terminal.isOutputTerminal ? JSON.stringify(value, null, 2) : JSON.stringify(value)
    this.#terminal.write(`${sanitized(text)}\n`)
  }

  /** Prints each value on a line of its own, for a command that goes on printing. */
  jsonLines(values: readonly unknown[]): void {
    this.#terminal.write(values.map((value) => `${sanitized(JSON.stringify(value))}\n`).join(''))
  }

  lines(lines: readonly string[]): void {
    this.#terminal.write(`${lines.join('\n')}\n`)
  }

  /** Progress for a person at the terminal; standard output is reserved for the result. */
  note(text: string): void {
    if (this.#terminal.isErrorTerminal) this.#terminal.writeError(`${clean(text)}\n`)
  }

  /** Written to standard error whether or not it is a terminal. */
  warn(text: string): void {
    this.#terminal.writeError(`fairway: ${clean(text)}\n`)
  }

  /** Paints the text of a cell, which may be truncated. */
  cell(cell: Cell, text = textOf(cell)): string {
    return typeof cell === 'string' ? text : this.paint(cell.format, text)
  }

  /** `Request    SVC-2026-…`, one line each; long text wraps and stays indented. */
  facts(facts: readonly (readonly [name: string, cell: Cell])[]): string[] {
    const names = facts.map(([name]) => clean(name))
    const nameWidth = Math.max(...names.map(widthOf))
    const left = Math.min(this.width, proseWidthMax) - nameWidth - gap.length
    return facts.flatMap(([, cell], at) =>
      wrapped(textOf(cell), left).map((line, index) => {
        const title = this.paint('dim', padded(index === 0 ? (names[at] ?? '') : '', nameWidth))
        return `${title}${gap}${this.cell(cell, line)}`.trimEnd()
      }),
    )
  }

  prose(text: string): string[] {
    return wrapped(clean(text), Math.min(this.width, proseWidthMax))
  }

  table(columns: readonly Column[], rows: readonly (readonly Cell[])[]): string[] {
    return table(columns, rows, { widthMax: this.width, paint: (cell, text) => this.cell(cell, text) })
  }
}

/** JSON.stringify does not escape these, and some control the terminal. */
function sanitized(json: string): string {
  return withoutSecrets(json).replaceAll(
    /[\u007f-\u009f]/g,
    (control) => `\\u00${control.charCodeAt(0).toString(16)}`,
  )
}

const padded = (text: string, width: number): string => text + ' '.repeat(width - widthOf(text))

const decisionFormats = { GO: 'green', DEGRADED: 'yellow', 'NO-GO': 'red', HOLD: 'magenta' } as const

export function decisionCell(decision: Decision | 'HOLD'): Cell {
  return { text: decision, format: ['bold', decisionFormats[decision] ?? 'magenta'] }
}

const labelFormats: Readonly<Record<SignalLabel | 'NO_DATA', Format>> = {
  CLEAR: 'green',
  LOW: 'green',
  MODERATE: 'yellow',
  ELEVATED: 'red',
  CRITICAL: ['bold', 'red'],
  NO_DATA: 'dim',
}

export function labelCell(label: SignalLabel | 'NO_DATA'): Cell {
  return { text: label, format: labelFormats[label] ?? 'reset' }
}

/** A dash if there is no data. */
export function riskText(risk: number | null): string {
  return risk === null ? '-' : risk.toFixed(3)
}

/** A payment may have no amount. */
export function amountText(amount: number | null, currency: string): string {
  return amount === null ? `no stated amount (${currency})` : moneyText(amount, currency)
}

/** `2026-11-15 17:34:25Z`: short enough for a column. */
export function timeText(iso: string): string {
  return iso.replace('T', ' ').replace(/\.\d+Z$/, 'Z')
}

/** A fee in another currency than the payment's is not known. */
export function feeText(fee: number | null | undefined, currency: string | null | undefined): string {
  if (currency === null || currency === undefined) return '-'
  return fee === null || fee === undefined ? 'unknown' : amountText(fee, currency)
}

/** When the money can move, by the corridor's calendar. */
export function settlementText({ open, opens_at: opensAt, cut_off_at: cutOff }: SettlementWindow): string {
  if (opensAt === null || cutOff === null) return 'closed; no later window is known'
  return open ? `open until ${timeText(cutOff)}` : `closed until ${timeText(opensAt)}`
}

interface SettlementWindow {
  readonly open: boolean
  readonly opens_at: string | null
  readonly cut_off_at: string | null
}
