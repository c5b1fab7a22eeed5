/** A real server of several processes, and who of them did what, as their log tells. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { freshDatabase } from '../database/databases.ts'
import { serve, type Served } from './process.ts'

interface LogLine {
  readonly pid?: number
  readonly msg?: string
  readonly route?: string
  readonly status?: number
  readonly key_id?: string
}

export interface ManyServed {
  readonly server: Served
  readonly databaseUrl: string
  /** Workers that said this so far, in order. */
  readonly whoSaid: (message: string) => number[]
  /** Workers that were ready for requests at some time, in order. */
  readonly readyPids: () => number[]
  /** Resolves when every worker that was ever ready has answered such a request. */
  readonly allAnswered: (asked: Pick<LogLine, 'route' | 'status' | 'key_id'>) => Promise<void>
  /** Ends it, however it fares, and takes the database away. */
  end(): Promise<void>
}

/** A server of so many processes on an empty database. */
export async function serveByMany(
  count: number,
  settings: Readonly<Record<string, string>> = {},
): Promise<ManyServed> {
  const database = await freshDatabase('postgres')
  const environment = { DATABASE_URL: database.url, FAIRWAY_WORKERS: String(count), LOG_LEVEL: 'debug' }
  const server = await serve({ ...environment, ...settings })
  const log = (): LogLine[] => linesOf(server.output())
  const readyPids = (): number[] => pidsOf(log(), { msg: 'worker: ready for requests' })
  return {
    server,
    databaseUrl: database.url,
    readyPids,
    whoSaid: (msg) => pidsOf(log(), { msg }),
    async allAnswered(asked) {
      const isSilent = (pid: number): boolean =>
        !pidsOf(log(), { msg: 'http: request completed', ...asked }).includes(pid)
      while (readyPids().some(isSilent)) await once(server.child.stdout ?? assert.fail(), 'data')
    },
    async end() {
      if (server.child.exitCode === null && server.child.signalCode === null) await server.stop('SIGKILL')
      await database.drop()
    },
  }
}

/** Whole lines only. */
function linesOf(output: string): LogLine[] {
  const lines = output.split('\n').slice(0, -1)
  return lines.map((line) => JSON.parse(line) as LogLine)
}

function pidsOf(lines: readonly LogLine[], wanted: LogLine): number[] {
  const members = Object.entries(wanted) as [keyof LogLine, unknown][]
  return lines
    .filter((line) => members.every(([name, value]) => line[name] === value))
    .map(({ pid }) => pid ?? assert.fail('a line of a worker has its pid'))
}

/** Runs work with a server of its own, and always ends it. */
export async function withWorkers(
  count: number,
  work: (many: ManyServed) => Promise<void>,
  settings?: Readonly<Record<string, string>>,
): Promise<void> {
  const many = await serveByMany(count, settings)
  try {
    await work(many)
  } finally {
    await many.end()
  }
}

/** Of one whose parent lives, and so knows of its end: false when it is over. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

export const times = <Result>(count: number, work: (number: number) => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: count }, (_, number) => work(number)))
