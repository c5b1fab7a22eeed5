/** One server owns a SQLite file: a second one waits for it to go, and is refused if it stays. Real processes. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshDatabase } from '../helpers/database/databases.ts'
import { checkedFetch } from '../helpers/process/checked-fetch.ts'
import { run, serve } from '../helpers/process/process.ts'

test('a second server on the file of one that stays is refused with one line, and the first serves on', async () => {
  const database = await freshDatabase('sqlite')
  const environment = { DATABASE_URL: database.url, PORT: '0' }
  const owner = await serve(environment)
  const { code, stderr } = await run(['serve'], environment)
  assert.equal(code, 1)
  assert.match(
    stderr,
    /^fairway: another server is using .*: stop it, or give this server another DATABASE_URL\n$/,
  )
  assert.equal((await checkedFetch(`${owner.url}/readyz`)).status, 200)
  assert.equal(await owner.stop(), 0)
  await database.drop()
})

test('a server that starts beside one that is killed takes its file over', async () => {
  const database = await freshDatabase('sqlite')
  const environment = { DATABASE_URL: database.url, PORT: '0' }
  const owner = await serve(environment)
  const next = serve(environment)
  owner.child.kill('SIGKILL')
  const heir = await next
  assert.equal((await checkedFetch(`${heir.url}/readyz`)).status, 200)
  assert.equal(await heir.stop(), 0)
  await database.drop()
})
