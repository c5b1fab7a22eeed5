/**
 * Shared by all of `npm test`, and by all of `npm run test:e2e`: one PostgreSQL with a database for each test, templates of
 * these, and compiled code.
 */

import { fileURLToPath } from 'node:url'
import { startPostgres, type RunningPostgres } from './database/postgres.ts'
import type { Templates } from './database/templates.ts'
import { useMemoryFolder } from './scratch.ts'

let running: RunningPostgres | null = null
let templates: Templates | null = null

export async function globalSetup(): Promise<void> {
  useMemoryFolder()
  await setUp()
}

export async function globalTeardown(): Promise<void> {
  await templates?.remove()
  await running?.stop()
}

export async function setUp(): Promise<void> {
  // Test files run in processes of their own: what one has compiled, the next need not.
  process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('../../test-output/compiled', import.meta.url))
  if (process.env['TEST_DATABASE_URL'] === undefined) {
    running = await startPostgres()
    process.env['TEST_DATABASE_URL'] = running.url
  }
  const { makeTemplates } = await import('./database/templates.ts')
  templates = await makeTemplates(process.env['TEST_DATABASE_URL'])
}
