/** Erasure as the tests do it: by the use cases, without a terminal. */

import { erasePayments, planErasure } from '../../src/app/erasure/erase-payment.ts'
import { systemRandom as random } from '../../src/adapters/system.ts'
import { rowsOf } from './database/sql.ts'
import type { Harness } from './harness.ts'

export const reference = 'TICKET-7'

/** Returns the number of texts that were erased. */
export async function erase(
  { store, clock }: Harness,
  ownerId: string,
  correlationId: string,
): Promise<number> {
  const deps = { store, clock, random }
  const plan = await planErasure(deps, { ownerId, correlationId })
  return erasePayments(deps, plan, { reference, by: 'operator' }, () => undefined)
}

/** Every table of the database, as one text. */
export async function everyTable({ databaseUrl }: Pick<Harness, 'databaseUrl'>): Promise<string> {
  const sql = databaseUrl.startsWith('sqlite:')
    ? "SELECT name FROM sqlite_schema WHERE type = 'table'"
    : "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'"
  const rows: unknown[] = []
  for (const { name } of await rowsOf(databaseUrl, sql))
    rows.push(await rowsOf(databaseUrl, `SELECT * FROM ${String(name)}`))
  return JSON.stringify(rows, (_, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
  )
}
