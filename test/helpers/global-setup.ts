/** What the whole test run shares: one PostgreSQL, in which every test has a database of its own, templates of these, and compiled code. */

import { fileURLToPath } from 'node:url'
import { startPostgres, type RunningPostgres } from './database/postgres.ts'
import type { Templates } from './database/templates.ts'

let running: RunningPostgres | null = null
let templates: Templates | null = null

export async function globalSetup(): Promise<void> {
  // Every test file is a process of its own: what one has compiled, the next need not.
  process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('../../test-output/compiled', import.meta.url))
  if (process.env['TEST_DATABASE_URL'] === undefined) {
    running = await startPostgres()
    process.env['TEST_DATABASE_URL'] = running.url
  }
  const { makeTemplates } = await import('./database/templates.ts')
  templates = await makeTemplates(process.env['TEST_DATABASE_URL'])
}

export async function globalTeardown(): Promise<void> {
  await templates?.remove()
  await running?.stop()
}
