/** How an answer is shown: readable text with colour on a terminal, else one JSON value. */

import { styleText } from 'node:util'
import type { Decision, SignalLabel } from '../../../../client/src/index.ts'
import { plain } from '../../deps.ts'
import { withoutSecrets } from '../../redact.ts'
import type { Terminal } from './deps.ts'
import { fitted, widthOf, wrapped } from '../../width.ts'

export type Format = Parameters<typeof styleText>[0]

/** A text that came from anywhere, and how it is painted. */
export type Cell = string | { readonly text: string; readonly format: Format }

export interface Column {
  readonly title: string
  readonly align?: 'right'
  /** Is of no use when it is cut, as an id is. */
  readonly whole?: true
  /** Is left out where there is no room for all. */
  readonly optional?: true
}

/** As it may stand on a terminal, whoever sent it. */
const clean = (text: string): string => plain(withoutSecrets(text))

const gap = '  '
const columnWidthMin = 6
/** Longer lines are hard to read, however wide the terminal is. */
const proseWidthMax = 100

export class Screen {
  readonly isJson: boolean
  readonly #terminal: Terminal
  readonly #hasColour: boolean

  /** `json`: asked for, or refused; undefined where nothing was said. */
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

  /** One value: on one line for programs, on many for people. */
  json(value: unknown): void {
    const text = this.#terminal.isOutputTerminal ? JSON.stringify(value, null, 2) : JSON.stringify(value)
    // JSON leaves these as they are, and a terminal obeys some of them.
    const harmless = withoutSecrets(text).replaceAll(
      /[\u007f-\u009f]/g,
      (control) => `\\u00${control.charCodeAt(0).toString(16)}`,
    )
    this.#terminal.write(`${harmless}\n`)
  }

  lines(lines: readonly string[]): void {
    this.#terminal.write(`${lines.join('\n')}\n`)
  }

  /** For whoever watches: never on standard output, which is the answer. */
  note(text: string): void {
    if (this.#terminal.isErrorTerminal) this.#terminal.writeError(`${clean(text)}\n`)
  }

  /** Whether programs or people read, for whoever must know. */
  warn(text: string): void {
    this.#terminal.writeError(`fairway: ${clean(text)}\n`)
  }

  cell(cell: Cell, width?: number): string {
    const { text, format } = typeof cell === 'string' ? { text: cell, format: null } : cell
    const shown = width === undefined ? clean(text) : fitted(clean(text), width)
    return format === null ? shown : this.paint(format, shown)
  }

  /** `Request    SVC-2026-…`, a line each; long texts go on below their beginning. */
  facts(facts: readonly (readonly [name: string, cell: Cell])[]): string[] {
    const names = facts.map(([name]) => clean(name))
    const nameWidth = Math.max(...names.map(widthOf))
    const left = Math.min(this.width, proseWidthMax) - nameWidth - gap.length
    return facts.flatMap(([, cell], at) => {
      const { text, format } = typeof cell === 'string' ? { text: cell, format: null } : cell
      return wrapped(clean(text), left).map((line, index) => {
        const title = this.paint('dim', padded(index === 0 ? (names[at] ?? '') : '', nameWidth))
        return `${title}${gap}${format === null ? line : this.paint(format, line)}`.trimEnd()
      })
    })
  }

  prose(text: string): string[] {
    return wrapped(clean(text), Math.min(this.width, proseWidthMax))
  }

  table(columns: readonly Column[], rows: readonly (readonly Cell[])[]): string[] {
    const natural = columns.map(({ title }, at) =>
      Math.max(widthOf(title), ...rows.map((row) => widthOf(clean(textOf(row[at] ?? ''))))),
    )
    const laid = layOut(columns, natural, this.width)
    const line = (cells: readonly Cell[]): string =>
      laid
        .map(({ at, width, align }) => {
          const cell = cells[at] ?? ''
          const text = fitted(clean(textOf(cell)), width)
          const space = ' '.repeat(width - widthOf(text))
          const shown = typeof cell === 'string' ? text : this.paint(cell.format, text)
          return align === 'right' ? space + shown : shown + space
        })
        .join(gap)
        .trimEnd()
    return [line(columns.map(({ title }) => ({ text: title, format: 'bold' }))), ...rows.map(line)]
  }
}

const padded = (text: string, width: number): string => text + ' '.repeat(width - widthOf(text))

const textOf = (cell: Cell): string => (typeof cell === 'string' ? cell : cell.text)

interface LaidOut extends Column {
  /** Its place among the cells of a row. */
  readonly at: number
  readonly width: number
}

/** As wide as they are where that fits; else the widest are cut, and at last what is optional is left out. */
function layOut(columns: readonly Column[], natural: readonly number[], widthMax: number): LaidOut[] {
  let laid = columns.map((column, at) => ({ ...column, at, width: natural[at] ?? 0 }))
  const leastOf = ({ whole, width }: LaidOut): number => (whole ? width : Math.min(width, columnWidthMin))
  const sumOf = (widths: readonly number[]): number =>
    widths.reduce((sum, width) => sum + width, gap.length * (widths.length - 1))
  while (sumOf(laid.map(leastOf)) > widthMax) {
    const last = laid.findLast(({ optional }) => optional)
    if (last === undefined) break
    laid = laid.filter((column) => column !== last)
  }
  while (sumOf(laid.map(({ width }) => width)) > widthMax) {
    const widest = laid
      .filter((column) => column.width > leastOf(column))
      .reduce<LaidOut | null>((most, one) => (most === null || one.width > most.width ? one : most), null)
    if (widest === null) break
    laid = laid.map((column) => (column === widest ? { ...column, width: column.width - 1 } : column))
  }
  return laid
}

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

/** `1,000.5 GBP`; a payment may have no amount. */
export function moneyText(amount: number | null, currency: string): string {
  if (amount === null) return `no stated amount (${currency})`
  return `${amount.toLocaleString('en-GB', { maximumFractionDigits: 20 })} ${currency}`
}

/** `2026-11-15 17:34:25Z`: a time that fits into a column. */
export function timeText(iso: string): string {
  return iso.replace('T', ' ').replace(/\.\d+Z$/, 'Z')
}
