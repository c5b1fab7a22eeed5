/** Brings up one PostgreSQL for the whole test run; every test takes a database of its own in it. */

import { startPostgres, type RunningPostgres } from './postgres.ts'

let running: RunningPostgres | null = null

export async function globalSetup(): Promise<void> {
  if (process.env['TEST_DATABASE_URL'] !== undefined) return
  running = await startPostgres()
  process.env['TEST_DATABASE_URL'] = running.url
}

export async function globalTeardown(): Promise<void> {
  await running?.stop()
}
