/** Checks the order of system calls: a decision's write is synced before its 200 is sent. */

import { freshDatabase } from '../../../test/helpers/database/databases.ts'
import { startPostgres } from '../../../test/helpers/database/postgres.ts'
import { issueByCli, serve } from '../../../test/helpers/process/process.ts'
import { Book } from '../../crash/book.ts'
import { shareCompileCache } from '../../crash/scene.ts'
import { openTrace, orderOf, type Order, type SyscallTrace } from '../../crash/strace.ts'
import type { Experiment } from '../../experiment.ts'

const inSqlite = (place: string): boolean => place.endsWith('.db-wal')
const inPostgres = (place: string): boolean => place.includes('/pg_wal/')

export const experiment: Experiment = {
  promise:
    'Both stores: between the write of a decision and its 200 there is at least one fsync or fdatasync',
  async run({ isShort, count }) {
    shareCompileCache()
    const decisions = count ?? (isShort ? 10 : 200)
    const sqlite = await onSqlite(decisions)
    const postgres = await onPostgres(decisions)
    const figures = {
      'SQLite: answers, syncs of its log': `${sqlite.answers}, ${sqlite.syncs}`,
      'PostgreSQL: answers, syncs of its log': `${postgres.answers}, ${postgres.syncs}`,
    }
    return { figures, violations: [...sqlite.violations, ...postgres.violations] }
  },
}

/** Traces only the service, which writes the file itself. */
async function onSqlite(decisions: number): Promise<Order> {
  const database = await freshDatabase('sqlite')
  const trace = openTrace()
  try {
    await decide(database.url, trace, decisions)
    return withCount(orderOf(trace.calls(), inSqlite), decisions)
  } finally {
    trace.remove()
    await database.drop()
  }
}

/** Traces both with one clock: the service for requests and answers, the database for writes. */
async function onPostgres(decisions: number): Promise<Order> {
  const [watch, trace] = [openTrace(), openTrace()]
  try {
    const postgres = await startPostgres({ under: watch.under })
    try {
      await decide(postgres.url, trace, decisions)
    } finally {
      await postgres.stop()
    }
    const calls = [...trace.calls(), ...watch.calls()].toSorted((left, right) => left.atS - right.atS)
    return withCount(orderOf(calls, inPostgres), decisions)
  } finally {
    watch.remove()
    trace.remove()
  }
}

async function decide(databaseUrl: string, trace: SyscallTrace, decisions: number): Promise<void> {
  const { key: apiKey } = await issueByCli(databaseUrl, '--limit-verify', '1000000/60')
  const server = await serve({ DATABASE_URL: databaseUrl }, { under: trace.under })
  try {
    const book = new Book()
    const service = { url: server.url, apiKey }
    for (let decision = 0; decision < decisions; decision += 1) await book.next(service)
  } finally {
    await server.stop()
  }
}

/** Adds a violation if not every answer was traced. */
function withCount(order: Order, decisions: number): Order {
  const { answers, violations } = order
  return answers === decisions
    ? order
    : { ...order, violations: [...violations, `only ${answers} of ${decisions} answers were traced`] }
}
