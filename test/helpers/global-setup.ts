/** What the whole test run shares: one PostgreSQL, in which every test has a database of its own, and compiled code. */

import { fileURLToPath } from 'node:url'
import { startPostgres, type RunningPostgres } from './postgres.ts'

let running: RunningPostgres | null = null

export async function globalSetup(): Promise<void> {
  // Every test file is a process of its own: what one has compiled, the next need not.
  process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('../../test-output/compiled', import.meta.url))
  if (process.env['TEST_DATABASE_URL'] !== undefined) return
  running = await startPostgres()
  process.env['TEST_DATABASE_URL'] = running.url
}

export async function globalTeardown(): Promise<void> {
  await running?.stop()
}
