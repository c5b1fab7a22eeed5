/** Reads the measured cost of a decision from `docs/scale-figures.json` and from reports of the bench. */

import { readFileSync } from 'node:fs'

/** Per decision, unless stated otherwise. */
export interface Cost {
  readonly requestsPerSecond: number
  readonly serviceCpuUs: number
  readonly storeCpuUs: number
  readonly walBytes: number
  /** Flushes of the write-ahead log. */
  readonly walFlushes: number
  /** Duration of one flush. */
  readonly walFlushMs: number
  readonly transactions: number
  /** Tables and indexes, except pruned tables. */
  readonly storedBytes: number
  readonly keyIndexBytes: number
  /** Observed for one service process, which may open more. */
  readonly connections: number
}

export const kinds = [
  'fresh',
  'fresh, a new key each',
  'fresh, a new key each, one webhook',
  'idempotent replay',
  'cooldown hit',
] as const
export type Kind = (typeof kinds)[number]

export interface Figures {
  /** The command of the measurement. */
  readonly origin: string
  readonly measuredAt: string
  readonly machine: string
  readonly costs: Readonly<Record<Kind, Cost>>
}

/** The typical decision, the basis of the model: recorded once, under its own idempotency key. */
export const everyday: Kind = 'fresh, a new key each'

export function readFigures(path: string): Figures {
  return JSON.parse(readFileSync(path, 'utf8')) as Figures
}

interface Space {
  readonly tableBytes: number
  readonly indexBytes: number
}

/** The format of `bench/cost/cost.ts`. */
interface MeasuredCost extends Record<Exclude<keyof Cost, 'storedBytes' | 'keyIndexBytes'>, number | null> {
  readonly bytesByTable: Readonly<Record<string, Space>>
}

interface BenchReport {
  readonly startedAt: string
  readonly quick: boolean
  readonly machine: { readonly cores: number; readonly cpu: string; readonly node: string }
  readonly rows: readonly {
    readonly group: string
    readonly detail?: { readonly engine: string; readonly scenario: string; readonly cost: MeasuredCost }
  }[]
}

/** Rate-limit tables hold only the current window, so they do not grow with the number of decisions. */
const pruned = new Set(['limit_buckets', 'limit_admissions'])

/** The figures from a report of the bench's group `cost`. */
export function figuresOf(benchPath: string): Figures {
  const report = JSON.parse(readFileSync(benchPath, 'utf8')) as BenchReport
  const { cores, cpu, node } = report.machine
  const costOf = (kind: Kind): Cost => {
    const detail = report.rows
      .filter(({ group }) => group === 'cost')
      .map((row) => row.detail)
      .find((one) => one?.engine === 'postgres' && one.scenario === kind)
    if (detail === undefined)
      throw new Error(
        `${benchPath} has no cost of "${kind}" on PostgreSQL: run npm run bench -- --only cost --json FILE`,
      )
    return condensed(detail.cost)
  }
  return {
    origin: `npm run bench -- ${report.quick ? '--quick ' : ''}--only cost`,
    measuredAt: report.startedAt,
    machine: `${cores} cores (${cpu}), Node ${node}`,
    costs: Object.fromEntries(kinds.map((kind) => [kind, costOf(kind)])) as Record<Kind, Cost>,
  }
}

function condensed({ bytesByTable, ...measured }: MeasuredCost): Cost {
  const stored = Object.entries(bytesByTable).filter(([name]) => !pruned.has(name))
  const storedBytes = stored.reduce((sum, [, space]) => sum + space.tableBytes + space.indexBytes, 0)
  const figure = (name: Exclude<keyof Cost, 'storedBytes' | 'keyIndexBytes'>): number =>
    rounded(measured[name] ?? 0)
  return {
    requestsPerSecond: figure('requestsPerSecond'),
    serviceCpuUs: figure('serviceCpuUs'),
    storeCpuUs: figure('storeCpuUs'),
    walBytes: figure('walBytes'),
    walFlushes: figure('walFlushes'),
    walFlushMs: figure('walFlushMs'),
    transactions: figure('transactions'),
    storedBytes: rounded(storedBytes),
    keyIndexBytes: rounded(bytesByTable['idempotency_keys']?.indexBytes ?? 0),
    connections: figure('connections'),
  }
}

/** Four significant digits; more would be noise. */
function rounded(value: number): number {
  return Number(value.toPrecision(4))
}
