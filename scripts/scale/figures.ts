/** The measured price of a decision, as `docs/scale-figures.json` keeps it and as the bench writes it. */

import { readFileSync } from 'node:fs'

/** Of one decision, unless it says otherwise. */
export interface Cost {
  readonly requestsPerSecond: number
  readonly serviceCpuUs: number
  readonly storeCpuUs: number
  readonly walBytes: number
  /** How often the log was flushed. */
  readonly walFlushes: number
  /** Of one flush. */
  readonly walFlushMs: number
  readonly transactions: number
  /** Tables and their indexes, without those that are pruned. */
  readonly storedBytes: number
  readonly keyIndexBytes: number
  /** Seen of one process of the service, which may open more. */
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
  /** The command that measured them. */
  readonly origin: string
  readonly measuredAt: string
  readonly machine: string
  readonly costs: Readonly<Record<Kind, Cost>>
}

/** The everyday decision, of which the model is made: recorded once, under a key of its own. */
export const everyday: Kind = 'fresh, a new key each'

export function readFigures(path: string): Figures {
  return JSON.parse(readFileSync(path, 'utf8')) as Figures
}

interface Space {
  readonly tableBytes: number
  readonly indexBytes: number
}

/** As `bench/cost.ts` writes it. */
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

/** What the limits keep of a window is gone after it: it does not grow with the decisions. */
const pruned = new Set(['limit_buckets', 'limit_admissions'])

/** Those of a run of the bench's group `cost`. */
export function figuresOf(benchPath: string): Figures {
  const report = JSON.parse(readFileSync(benchPath, 'utf8')) as BenchReport
  const { cores, cpu, node } = report.machine
  const costOf = (kind: Kind): Cost => {
    const detail = report.rows
      .filter(({ group }) => group === 'cost')
      .map((row) => row.detail)
      .find((one) => one?.engine === 'postgres' && one.scenario === kind)
    if (detail === undefined) throw new Error(`${benchPath} has no cost of "${kind}" on PostgreSQL`)
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
  const kept = Object.entries(bytesByTable).filter(([name]) => !pruned.has(name))
  const storedBytes = kept.reduce((sum, [, space]) => sum + space.tableBytes + space.indexBytes, 0)
  const known = (name: Exclude<keyof Cost, 'storedBytes' | 'keyIndexBytes'>): number =>
    rounded(measured[name] ?? 0)
  return {
    requestsPerSecond: known('requestsPerSecond'),
    serviceCpuUs: known('serviceCpuUs'),
    storeCpuUs: known('storeCpuUs'),
    walBytes: known('walBytes'),
    walFlushes: known('walFlushes'),
    walFlushMs: known('walFlushMs'),
    transactions: known('transactions'),
    storedBytes: rounded(storedBytes),
    keyIndexBytes: rounded(bytesByTable['idempotency_keys']?.indexBytes ?? 0),
    connections: known('connections'),
  }
}

/** More digits than these are noise. */
function rounded(value: number): number {
  return Number(value.toPrecision(4))
}
