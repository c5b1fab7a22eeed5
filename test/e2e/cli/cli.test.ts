/** The operator's commands, beside a running server. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines, freshDatabase, migratedDatabase } from '../../helpers/database/databases.ts'
import { runInProcess } from '../../helpers/process/in-process.ts'
import { ask, issueByCli, run, serve } from '../../helpers/process/process.ts'

for (const engine of engines) {
  test(`keys issued, rotated and revoked by the CLI act on the running server within a second (${engine})`, async () => {
    const database = await freshDatabase(engine)
    const environment = { DATABASE_URL: database.url }
    const server = await serve(environment)
    try {
      const issued = await issueByCli(database.url, '--limit-verify', '100000/60')
      assert.deepEqual(Object.keys(issued), [
        'key_id',
        'key',
        'type',
        'owner',
        'owner_id',
        'scopes',
        'created_at',
        'expires_at',
      ])
      assert.match(issued.key, /^pk_test_[0-9a-z]{38}$/)
      assert.equal((await ask(server.url, issued.key, { corridor: 'GB-NG' })).status, 200)

      const rotated = await runInProcess(
        ['keys', 'rotate', issued.key_id, '--overlap', '0', '--json'],
        environment,
      )
      const next = JSON.parse(rotated.stdout) as { key: string; key_id: string }
      assert.equal((await ask(server.url, next.key, { corridor: 'GB-NG' })).status, 200)
      await untilRefused(server.url, issued.key)

      assert.equal(
        (await run(['keys', 'revoke', next.key_id], environment)).stdout,
        `Revoked ${next.key_id}.\n`,
      )
      await untilRefused(server.url, next.key)

      const listed = JSON.parse((await runInProcess(['keys', 'list', '--json'], environment)).stdout) as {
        status: string
        owner_id: string
      }[]
      assert.deepEqual(
        listed.map((key) => [key.status, key.owner_id]),
        [
          ['revoked', issued.owner_id],
          ['revoked', issued.owner_id],
        ],
      )
      const text = (await runInProcess(['keys', 'list'], environment)).stdout
      assert.match(text, /KEY ID\s+TYPE\s+OWNER/)
      assert.ok(!text.includes(issued.key) && !text.includes(next.key), 'a key is shown once')
      assert.ok(!server.output().includes(issued.key.slice(8)))
    } finally {
      await server.stop()
      await database.drop()
    }
  })
}

/** Asks without a pause until the answer is 401; a second is all that it may take. */
async function untilRefused(url: string, key: string): Promise<void> {
  const deadline = Date.now() + 1_000
  for (;;) {
    const askedAt = Date.now()
    const { status } = await ask(url, key, { corridor: 'GB-NG' })
    if (status === 401) return
    assert.equal(status, 200)
    assert.ok(askedAt < deadline, 'the key still works after a second')
  }
}

test('--quiet prints the key of keys issue and the link of people invite alone, so that a shell can take them', async () => {
  const database = await freshDatabase('sqlite')
  const check = async (args: readonly string[], printed: RegExp): Promise<void> => {
    const { code, stdout } = await runInProcess([...args, '--quiet'], { DATABASE_URL: database.url })
    assert.equal(code, 0)
    assert.match(stdout, printed)
  }
  await check(['keys', 'issue', '--type', 'test', '--owner', 'A script'], /^pk_test_[0-9a-z]{38}\n$/)
  const invited = ['people', 'invite', 'ada@example.com', '--role', 'admin']
  await check(invited, /^http:\/\/localhost:8080\/invitation#[\w-]+\n$/)
  await database.drop()
})

test('only a hash of a key is stored', async () => {
  const database = await freshDatabase('sqlite')
  const { key } = await issueByCli(database.url)
  const { readFileSync, existsSync } = await import('node:fs')
  const path = database.url.slice('sqlite:'.length)
  for (const file of [path, `${path}-wal`].filter((one) => existsSync(one))) {
    assert.ok(!readFileSync(file).includes(key.slice(8)), file)
  }
  await database.drop()
})

test('a fresh start has no key, and a mistake in a command is one clear line with exit code 1', async () => {
  const database = await migratedDatabase('sqlite')
  const environment = { DATABASE_URL: database.url }
  assert.equal((await runInProcess(['keys', 'list', '--json'], environment)).stdout, '[]\n')
  const cases: readonly (readonly [readonly string[], RegExp])[] = [
    [['keys', 'issue', '--owner', 'x'], /required option '--type/],
    [['keys', 'issue', '--type', 'gold', '--owner', 'x'], /test or live/],
    [['keys', 'issue', '--type', 'test', '--owner', ' '], /1 to 200/],
    [['keys', 'issue', '--type', 'test', '--owner', 'x', '--scopes', 'all'], /Expected scopes from/],
    [['keys', 'issue', '--type', 'test', '--owner', 'x', '--limit-verify', 'many'], /COUNT\/SECONDS/],
    [['keys', 'revoke', 'key_nope'], /unknown key "key_nope"/],
    [['keys', 'rotate', 'key_nope'], /unknown key "key_nope"/],
    [['keys', 'rotate', 'key_nope', '--overlap', '86401'], /up to 86400/],
    [['frobnicate'], /unknown command|too many arguments/],
  ]
  for (const [args, message] of cases) {
    const { code, stdout, stderr } = await runInProcess(args, environment)
    assert.equal(code, 1, args.join(' '))
    assert.equal(stdout, '', args.join(' '))
    assert.match(stderr, message)
    assert.doesNotMatch(stderr, /\n {4}at /, 'no stack')
  }
  await database.drop()
})

test('a live key ends after 90 days, a test key never, and scopes are kept', async () => {
  const database = await freshDatabase('sqlite')
  const environment = { DATABASE_URL: database.url }
  const live = await runInProcess(
    ['keys', 'issue', '--type', 'live', '--owner', 'x', '--json', '--scopes', 'audit:read,decision:read'],
    environment,
  )
  const issued = JSON.parse(live.stdout) as {
    key: string
    created_at: string
    expires_at: string
    scopes: string[]
  }
  assert.match(issued.key, /^pk_live_/)
  assert.equal(Date.parse(issued.expires_at) - Date.parse(issued.created_at), 90 * 86_400_000)
  assert.deepEqual(issued.scopes, ['decision:read', 'audit:read'])
  assert.equal((await issueByCli(database.url))['expires_at'], null)
  await database.drop()
})
