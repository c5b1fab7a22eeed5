/** Which routes the bench measures: every one that reads, held against the routes that there are. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outdated, unmeasured, type NamedRoute } from '../../../bench/reads/endpoints.ts'
import { consolePages } from '../../../src/http/routes/console.ts'
import { withHarness } from '../../helpers/harness.ts'

/** The console's first page stands for all of them, and HEAD comes with every GET. */
const otherPages: ReadonlySet<string> = new Set(consolePages.filter((page) => page !== '/'))

test('every route that reads has a row in the bench, and no row is of a route that is gone', async () => {
  await withHarness({}, async ({ app }) => {
    const routes = app.servedRoutes
      .filter(({ method, url }) => method !== 'HEAD' && !otherPages.has(url))
      .map(({ method, url }): NamedRoute => ({ method, path: url }))
    assert.deepEqual(unmeasured(routes), [])
    assert.deepEqual(outdated(routes), [])
  })
})

test('a route that nobody measures is named', () => {
  const added = { method: 'get', path: '/api/v1/weather/{city}' }
  const known = { method: 'get', path: '/api/v1/audit/{request_id}' }
  assert.deepEqual(unmeasured([added, known]), ['GET /api/v1/weather/{}'])
})
