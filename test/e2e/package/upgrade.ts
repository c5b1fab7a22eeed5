/** The package on a database of version 0.1, unpacked. */

import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ask, serve } from '../../helpers/process/process.ts'
import { differences, get, recorded, unpackDatabase } from '../../helpers/version-0-1.ts'
import { execute, folder, tarball } from './built.ts'

test('the package goes on with a database of 0.1', async () => {
  const project = join(folder, 'upgraded')
  mkdirSync(join(project, 'data'), { recursive: true })
  await execute('tar', ['--extract', '--gzip', '--file', tarball()], { cwd: project })
  const databaseUrl = unpackDatabase(join(project, 'data'))
  const entry = join(project, 'package/bin/fairway.js')
  const server = await serve({ DATABASE_URL: databaseUrl }, { entry })
  const [payment = assert.fail('nothing was recorded')] = recorded.payments
  const { request_id: id } = payment.answer
  const audit = await get(server.url, `/api/v1/audit/${id}`)
  assert.deepEqual(differences(recorded.decisions[id]?.audit, audit), [])
  assert.equal((await ask(server.url, recorded.key, { corridor: 'NG-GB', amount: 5 })).status, 200)
  assert.equal(await server.stop(), 0)
  const environment = { ...process.env, DATABASE_URL: databaseUrl }
  const args = [entry, 'audit', 'verify-log', '--json']
  const { stdout } = await execute(process.execPath, args, { env: environment })
  assert.match(stdout, /"findings":\[\]/)
})
