/** `npm run backup`: a copy of the SQLite file that is whole, whatever the server does meanwhile. */

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { checkedFetch } from '../helpers/checked-fetch.ts'
import { freshDatabase } from '../helpers/databases.ts'
import { withFolder } from '../helpers/folder.ts'
import { ask, issueByCli, serve, type Finished } from '../helpers/process.ts'

const script = new URL('../../scripts/backup-sqlite.ts', import.meta.url).pathname

function backup(
  databaseUrl: string,
  ...args: string[]
): Promise<Pick<Finished, 'code' | 'stdout' | 'stderr'>> {
  const env = { PATH: process.env['PATH'] ?? '', DATABASE_URL: databaseUrl }
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [script, ...args], { env }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    )
  })
}

test('a copy that is made while decisions are recorded is whole, and serves', async () => {
  const database = await freshDatabase('sqlite')
  const { key } = await issueByCli(database.url)
  const server = await serve({ DATABASE_URL: database.url })
  const payment = { corridor: 'GB-NG', amount: 1000 }
  const first = (await (await ask(server.url, key, payment)).json()) as { request_id: string }
  await withFolder(async (folder) => {
    const target = join(folder, 'copy.db')
    const asking = Array.from({ length: 30 }, () => ask(server.url, key, payment))
    const { code, stdout, stderr } = await backup(database.url, target)
    assert.equal(code, 0, stderr)
    assert.match(stdout, /copy\.db is whole: schema \d+, decisions: \d+\n$/)
    assert.deepEqual(
      (await Promise.all(asking)).map(({ status }) => status),
      Array.from({ length: 30 }, () => 200),
    )
    // Neither may be read by anybody else: the secrets of webhooks are in them.
    const own = [database.url.slice('sqlite:'.length), target]
    if (process.platform !== 'win32')
      for (const file of own) assert.equal(statSync(file).mode & 0o077, 0, file)
    assert.deepEqual(readdirSync(folder), ['copy.db'], 'nothing is left beside it')
    const restored = await serve({ DATABASE_URL: `sqlite:${target}` })
    const found = await checkedFetch(`${restored.url}/api/v1/audit/${first.request_id}`, {
      headers: { authorization: `Bearer ${key}` },
    })
    assert.equal(found.status, 200)
    await restored.stop()
  })
  await server.stop()
  await database.drop()
})

test('nothing is overwritten, and what is no SQLite database is not copied', async () => {
  await withFolder(async (folder) => {
    const taken = join(folder, 'taken.db')
    writeFileSync(taken, 'mine')
    const cases: [string, string[], RegExp][] = [
      ['sqlite:anything.db', [taken], /taken\.db is there already/],
      ['sqlite:anything.db', [], /say where to/],
      [`sqlite:${join(folder, 'nowhere.db')}`, [join(folder, 'a.db')], /there is no .*nowhere\.db/],
      [`sqlite:${taken}`, [join(folder, 'no', 'folder', 'a.db')], /no such file or directory/],
      [`sqlite:${taken}`, [join(folder, 'b.db')], /not a database/],
      ['postgres://fairway@127.0.0.1:1/fairway', [join(folder, 'a.db')], /use pg_dump/],
    ]
    for (const [url, args, complaint] of cases) {
      const { code, stdout, stderr } = await backup(url, ...args)
      assert.equal(code, 1)
      assert.equal(stdout, '')
      assert.match(stderr, complaint)
      assert.equal(stderr.split('\n').length, 2, 'one line')
    }
    assert.deepEqual(readdirSync(folder), ['taken.db'], 'no part of a copy is left')
  })
})
