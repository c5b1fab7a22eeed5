/** The order of things, as the system sees it: between a decision's write and its 200 lies a sync of the log that it stands in. */

import { freshDatabase } from '../../test/helpers/database/databases.ts'
import { startPostgres } from '../../test/helpers/database/postgres.ts'
import { issueByCli, serve } from '../../test/helpers/process/process.ts'
import { Book } from '../crash/book.ts'
import { keepCompiled } from '../crash/scene.ts'
import { openTrace, orderOf, type Order, type SyscallTrace } from '../crash/strace.ts'
import type { Experiment } from '../experiment.ts'

const inSqlite = (place: string): boolean => place.endsWith('.db-wal')
const inPostgres = (place: string): boolean => place.includes('/pg_wal/')

export const experiment: Experiment = {
  promise: 'Both stores: between the write of a decision and its 200 lies at least one fsync or fdatasync',
  async run({ isShort, count }) {
    keepCompiled()
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

/** The service alone is watched: it writes the file itself. */
async function onSqlite(decisions: number): Promise<Order> {
  const database = await freshDatabase('sqlite')
  const trace = openTrace()
  try {
    await decide(database.url, trace, decisions)
    return counted(orderOf(trace.calls(), inSqlite), decisions)
  } finally {
    trace.remove()
    await database.drop()
  }
}

/** Two are watched, by one clock: the service for what comes and goes, the database for what is written. */
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
    return counted(orderOf(calls, inPostgres), decisions)
  } finally {
    watch.remove()
    trace.remove()
  }
}

async function decide(databaseUrl: string, trace: SyscallTrace, decisions: number): Promise<void> {
  const { key: apiKey } = await issueByCli(databaseUrl, '--limit-verify', '1000000/60')
  const server = await serve({ DATABASE_URL: databaseUrl }, trace.under)
  try {
    const book = new Book()
    const service = { url: server.url, apiKey }
    for (let decision = 0; decision < decisions; decision += 1) await book.next(service)
  } finally {
    await server.stop()
  }
}

/** An order that was not seen was not checked. */
function counted(order: Order, decisions: number): Order {
  const { answers, violations } = order
  return answers === decisions
    ? order
    : { ...order, violations: [...violations, `${answers} answers were seen of ${decisions}`] }
}
