/** Formats benchmark rows as a table and as JSON. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, totalmem, type } from 'node:os'
import { dirname } from 'node:path'

export interface Spread {
  readonly median: number
  readonly min: number
  readonly max: number
}

export interface Target {
  readonly bound: 'at least' | 'at most' | 'under'
  readonly value: number
}

export interface Row {
  readonly group: string
  readonly row: string
  readonly value: number
  readonly unit: string
  readonly ratio: Spread | null
  /** Applies to the ratio if there is one, otherwise to the value. */
  readonly target: Target | null
  /** Measured too briefly for a verdict: the target is shown without one. */
  readonly tooSmall?: boolean
  readonly p50Ms?: number
  readonly p99Ms?: number
  readonly serverCpuUs?: number | null
  /** Included in the JSON only. */
  readonly detail?: Readonly<Record<string, unknown>>
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((left, right) => left - right)
  return { median: medianOf(sorted), min: sorted[0] ?? Number.NaN, max: sorted.at(-1) ?? Number.NaN }
}

export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2
}

const isMet: Readonly<Record<Target['bound'], (value: number, bound: number) => boolean>> = {
  'at least': (value, bound) => value >= bound,
  'at most': (value, bound) => value <= bound,
  under: (value, bound) => value < bound,
}

/** Null without a target, or if too little was measured. */
function verdictOf({ value, ratio, target, tooSmall }: Row): 'ok' | 'MISS' | null {
  if (target === null || tooSmall === true) return null
  return isMet[target.bound](ratio?.median ?? value, target.value) ? 'ok' : 'MISS'
}

const heads = ['row', 'value', 'unit', 'ratio (min-max)', 'target', '', 'p50 ms', 'p99 ms', 'server CPU us']

export function tableOf(rows: readonly Row[]): string {
  const cells = [heads, ...rows.map(cellsOf)]
  const widths = heads.map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0)))
  const isText = (column: number): boolean => [0, 2, 4, 5].includes(column)
  return cells
    .map((line) =>
      line
        .map((cell, column) =>
          isText(column) ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function cellsOf(row: Row): string[] {
  const { ratio } = row
  const optional = (value: number | null | undefined, digits: number): string =>
    value === null || value === undefined ? '' : value.toFixed(digits)
  return [
    row.row,
    valueText(row.value),
    row.unit,
    ratio === null ? '' : `${ratio.median.toFixed(2)} (${ratio.min.toFixed(2)}-${ratio.max.toFixed(2)})`,
    targetText(row.target),
    verdictOf(row) ?? '',
    optional(row.p50Ms, 2),
    optional(row.p99Ms, 2),
    optional(row.serverCpuUs, 0),
  ]
}

/** Small values, such as milliseconds, have two decimals. */
const valueText = (value: number): string =>
  value < 10 ? value.toFixed(2) : Math.round(value).toLocaleString('en-GB')

function targetText(target: Target | null): string {
  if (target === null) return ''
  return `${target.bound} ${target.value.toLocaleString('en-GB')}`
}

function machineInfo() {
  return {
    cores: cpus().length,
    cpu: cpus()[0]?.model ?? 'unknown',
    memoryBytes: totalmem(),
    system: `${type()} ${process.arch}`,
    node: process.version,
  }
}

export function machineText(): string {
  const { cores, cpu, memoryBytes, system, node } = machineInfo()
  return `${cores} cores (${cpu}), ${Math.round(memoryBytes / 2 ** 30)} GiB, ${system}, Node ${node}`
}

export function writeJson(
  path: string,
  report: Readonly<Record<string, unknown>>,
  rows: readonly Row[],
): void {
  mkdirSync(dirname(path), { recursive: true })
  const judged = rows.map((row) => ({ ...row, verdict: verdictOf(row) }))
  writeFileSync(path, `${JSON.stringify({ ...report, machine: machineInfo(), rows: judged }, null, 2)}\n`)
}
