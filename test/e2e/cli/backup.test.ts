/** `fairway backup` and `fairway restore` as an operator runs them, beside a server that goes on. */

import assert from 'node:assert/strict'
import { copyFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { checkedFetch } from '../../helpers/process/checked-fetch.ts'
import { engines, freshDatabase } from '../../helpers/database/databases.ts'
import { withFolder } from '../../helpers/folder.ts'
import { runInProcess, serveInProcess } from '../../helpers/process/in-process.ts'
import { ask, issueByCli, run } from '../../helpers/process/process.ts'

const FAIRWAY_SEAL_KEY = Buffer.alloc(32, 7).toString('base64')

const payment = { corridor: 'GB-NG', amount: 1000 }

for (const engine of engines) {
  test(`a backup that is made while decisions are recorded is whole, and what is restored serves (${engine})`, async () => {
    const database = await freshDatabase(engine)
    const { key } = await issueByCli(database.url)
    const server = await serveInProcess({ DATABASE_URL: database.url, FAIRWAY_SEAL_KEY })
    const first = (await (await ask(server.url, key, payment)).json()) as { request_id: string }
    await withFolder(async (folder) => {
      const file = join(folder, 'copy.gz')
      const asking = Array.from({ length: 30 }, () => ask(server.url, key, payment))
      // A process of its own, beside the one that records.
      const made = await run(['backup', file], { DATABASE_URL: database.url })
      assert.equal(made.code, 0, made.stderr)
      assert.match(
        made.stdout,
        /^Backed up to .*copy\.gz: schema \d+, decisions: \d+, rows: \d+, log intact\n$/,
      )
      assert.deepEqual(
        (await Promise.all(asking)).map(({ status }) => status),
        Array.from({ length: 30 }, () => 200),
      )
      if (process.platform !== 'win32') assert.equal(statSync(file).mode & 0o077, 0)
      assert.deepEqual(readdirSync(folder), ['copy.gz'], 'nothing is left beside it')
      const target = await freshDatabase(engine)
      const brought = await run(['restore', file, '--json'], { DATABASE_URL: target.url })
      assert.equal(brought.code, 0, brought.stderr)
      assert.equal((JSON.parse(brought.stdout) as { log_intact: boolean }).log_intact, true)
      const restored = await serveInProcess({ DATABASE_URL: target.url, FAIRWAY_SEAL_KEY })
      const found = await checkedFetch(`${restored.url}/api/v1/audit/${first.request_id}`, {
        headers: { authorization: `Bearer ${key}` },
      })
      assert.equal(found.status, 200)
      assert.equal(await restored.stop(), 0)
      await target.drop()
    })
    assert.equal(await server.stop(), 0)
    await database.drop()
  })
}

test('a restore without the key keeps everything else, and says which endpoints need a new secret', async () => {
  const database = await freshDatabase('sqlite')
  const { key } = await issueByCli(database.url)
  const settings = { DATABASE_URL: database.url, FAIRWAY_WEBHOOK_ALLOW_PRIVATE: 'true' }
  const server = await serveInProcess(settings)
  await ask(server.url, key, payment)
  const registered = await checkedFetch(`${server.url}/api/v1/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url: 'http://127.0.0.1:9/hook' }),
  })
  const { webhook_id: id } = (await registered.json()) as { webhook_id: string }
  assert.equal(await server.stop(), 0)
  await withFolder(async (folder) => {
    const file = join(folder, 'copy.gz')
    assert.equal((await runInProcess(['backup', file], settings)).code, 0)
    const restore = async (name: string) => {
      const url = `sqlite:${join(folder, name)}`
      const { code, stdout, stderr } = await runInProcess(['restore', file, '--json'], { DATABASE_URL: url })
      assert.equal(code, 0, stderr)
      return { told: JSON.parse(stdout) as { endpoints_without_secret: string[] }, stderr, url }
    }
    const without = await restore('without.db')
    assert.deepEqual(without.told.endpoints_without_secret, [id])
    assert.match(without.stderr, new RegExp(`no key here opens the secrets .*${id}`))
    assert.match(
      without.stderr,
      /no server starts yet: the key of this database is missing: .*every instance/,
    )
    const accepted = await runInProcess(['audit', 'new-key', '--reference', 'CHANGE-7'], {
      DATABASE_URL: without.url,
    })
    assert.equal(accepted.code, 0, accepted.stderr)
    assert.match(accepted.stdout, /No key here opens the secrets of 1 webhook endpoint:/)
    const restored = await serveInProcess({ DATABASE_URL: without.url })
    assert.match(restored.output(), /no key opens the secrets of some endpoints/)
    const history = await checkedFetch(`${restored.url}/api/verifications`, {
      headers: { authorization: `Bearer ${key}` },
    })
    assert.equal(((await history.json()) as unknown[]).length, 1, 'everything else is there')
    assert.equal(await restored.stop(), 0)
    copyFileSync(`${database.url.slice('sqlite:'.length)}.key`, join(folder, 'with.db.key'))
    const withKey = await restore('with.db')
    assert.deepEqual([withKey.told.endpoints_without_secret, withKey.stderr], [[], ''])
  })
  await database.drop()
})

test('nothing is overwritten, and what cannot be copied is one clear line that leaves nothing', async () => {
  await withFolder(async (folder) => {
    const taken = join(folder, 'taken.db')
    writeFileSync(taken, 'mine')
    const cases: [string, string[], RegExp][] = [
      ['sqlite:anything.db', ['backup', taken], /taken\.db already exists/],
      [`sqlite:${join(folder, 'nowhere.db')}`, ['backup', join(folder, 'a.gz')], /there is no .*nowhere\.db/],
      [`sqlite:${taken}`, ['backup', join(folder, 'b.gz')], /not a database/],
      [
        'postgres://fairway@127.0.0.1:1/fairway',
        ['backup', join(folder, 'c.gz')],
        /the database cannot be reached/,
      ],
      [`sqlite:${taken}`, ['restore', taken], /taken\.db already exists/],
      [`sqlite:${join(folder, 'new.db')}`, ['restore', taken], /taken\.db is not a complete backup/],
      [`sqlite:${join(folder, 'new.db')}`, ['restore', join(folder, 'none.gz')], /cannot read .*none\.gz/],
    ]
    for (const [url, args, complaint] of cases) {
      const { code, stdout, stderr } = await runInProcess(args, { DATABASE_URL: url })
      assert.equal(code, 1, args.join(' '))
      assert.equal(stdout, '')
      assert.match(stderr, complaint)
      assert.equal(stderr.split('\n').length, 2, `one line: ${stderr}`)
    }
    assert.deepEqual(readdirSync(folder), ['taken.db'], 'no part of a copy is left')
  })
})
