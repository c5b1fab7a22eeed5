/** A real server of several processes, and who of them did what, as their log tells. */

import assert from 'node:assert/strict'
import { freshDatabase } from './databases.ts'
import { serve, type Served } from './process.ts'

interface LogLine {
  readonly pid?: number
  readonly msg?: string
  readonly route?: string
  readonly status?: number
  readonly worker_pid?: number
}

export interface ManyServed {
  readonly server: Served
  readonly databaseUrl: string
  /** Whole lines that were logged so far. */
  readonly log: () => LogLine[]
  /** Workers that were ready at some time, in order. */
  readonly readyPids: () => number[]
  /** Workers that answered this route with this status. */
  readonly answeredBy: (route: string, status: number) => Set<number>
}

/** Runs work with a server of so many processes on an empty database, and always ends it. */
export async function withWorkers(
  count: number,
  work: (many: ManyServed) => Promise<void>,
  settings: Readonly<Record<string, string>> = {},
): Promise<void> {
  const database = await freshDatabase('postgres')
  try {
    const server = await serve({
      DATABASE_URL: database.url,
      FAIRWAY_WORKERS: String(count),
      LOG_LEVEL: 'debug',
      ...settings,
    })
    try {
      await work(look(server, database.url))
    } finally {
      if (server.child.exitCode === null && server.child.signalCode === null) await server.stop('SIGKILL')
    }
  } finally {
    await database.drop()
  }
}

function look(server: Served, databaseUrl: string): ManyServed {
  const log = (): LogLine[] =>
    server
      .output()
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as LogLine)
  const pidsOf = (lines: readonly LogLine[]): number[] =>
    lines.map(({ pid }) => pid ?? assert.fail('a line of a worker has its pid'))
  return {
    server,
    databaseUrl,
    log,
    readyPids: () => pidsOf(log().filter(({ msg }) => msg === 'ready for requests')),
    answeredBy: (route, status) =>
      new Set(
        pidsOf(
          log().filter((line) => line.msg === 'answered' && line.route === route && line.status === status),
        ),
      ),
  }
}

/** False when there is no such process any more. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
