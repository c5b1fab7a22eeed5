/** Each client behaves by the one table, against a server. */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { clientMethods } from '../../helpers/peers/client-methods.ts'
import { pythonDriver } from './drivers/python.ts'
import { typescriptDriver } from './drivers/typescript.ts'
import { startService, type Service } from './peers.ts'
import { runRow } from './run.ts'
import { bounds } from './rows/bounds.ts'
import { errors } from './rows/errors.ts'
import { events } from './rows/events.ts'
import { idempotency } from './rows/idempotency.ts'
import { lists } from './rows/lists.ts'
import { misuse } from './rows/misuse.ts'
import { operations } from './rows/operations.ts'
import { requests } from './rows/requests.ts'
import { retries } from './rows/retries.ts'
import { service as serviceRows } from './rows/service.ts'
import { verify } from './rows/verify.ts'
import { views } from './rows/views.ts'
import { webhooks } from './rows/webhooks.ts'

const table = [
  ...verify,
  ...idempotency,
  ...retries,
  ...bounds,
  ...errors,
  ...requests,
  ...misuse,
  ...operations,
  ...lists,
  ...events,
  ...webhooks,
  ...serviceRows,
  ...views,
]

/** Only a person in a browser has a session. */
const ofSessions =
  /^(?:admin\..*|mySessions|endMySession|owners|session|loginWithPassword|invitation|setPassword|logout)$/

test('the table has every method that needs no browser', () => {
  const called = table.flatMap(({ steps }) => steps.flatMap((step) => ('call' in step ? [step.call] : [])))
  const methods = [...clientMethods()].filter((name) => !ofSessions.test(name))
  assert.deepEqual(new Set(called), new Set(methods))
})

let service: Service
before(async () => {
  service = await startService()
})
after(() => service.close())

for (const client of [typescriptDriver(), pythonDriver('sync'), pythonDriver('async')]) {
  describe(client.name, () => {
    before(() => client.start())
    after(() => client.end())
    for (const row of table) test(row.name, () => runRow(client, row, service))
  })
}
