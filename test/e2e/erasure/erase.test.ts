/** `fairway erase` as an operator runs it, beside a server that goes on verifying. */

import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { engines, freshDatabase, type Engine, type FreshDatabase } from '../../helpers/database/databases.ts'
import { rowsOf, withDirectDatabase } from '../../helpers/database/sql.ts'
import { everyTable } from '../../helpers/erasure.ts'
import { withFolder } from '../../helpers/folder.ts'
import { checkedFetch } from '../../helpers/process/checked-fetch.ts'
import { runInProcess } from '../../helpers/process/in-process.ts'
import { ask, issueByCli, run, serve, type IssuedJson } from '../../helpers/process/process.ts'

const correlation = 'order-of-jane-doe'
const justification = 'Jane Doe was called.'
const limits = { FAIRWAY_LIMIT_VERIFY: '1000000/60', FAIRWAY_LIMIT_KEYED: '1000000/60' }

interface Scene {
  readonly database: FreshDatabase
  readonly settings: Record<string, string>
  readonly url: string
  readonly issued: IssuedJson
  readonly eraseArgs: readonly string[]
}

async function withServer(engine: Engine, work: (scene: Scene) => Promise<void>): Promise<void> {
  const database = await freshDatabase(engine)
  const settings = { DATABASE_URL: database.url, ...limits }
  const server = await serve(settings)
  try {
    const issued = await issueByCli(database.url)
    const target = ['--owner', issued.owner_id, '--correlation-id', correlation]
    const eraseArgs = ['erase', ...target, '--reference', 'TICKET-7']
    await work({ database, settings, url: server.url, issued, eraseArgs })
  } finally {
    assert.equal(await server.stop(), 0)
    await database.drop()
  }
}

const get = async ({ url, issued }: Scene, path: string): Promise<string> => {
  const answer = await checkedFetch(`${url}${path}`, { headers: { authorization: `Bearer ${issued.key}` } })
  return answer.text()
}

/** A payment that was stopped, with its correlation id and an override; its corridor cools down. */
async function stoppedPayment({ url, issued }: Scene): Promise<string> {
  const payment = { corridor: 'GB-NG', amount: 600_000, correlation_id: correlation }
  const { request_id: id } = (await (await ask(url, issued.key, payment)).json()) as { request_id: string }
  const overridden = await checkedFetch(`${url}/api/v1/override`, {
    method: 'POST',
    headers: { authorization: `Bearer ${issued.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      request_id: id,
      action: 'HOLD',
      reason_code: 'COMPLIANCE_APPROVED',
      justification,
    }),
  })
  assert.equal(overridden.status, 200, await overridden.text())
  return id
}

/** Verifies without a pause until it is stopped; returns the number of decisions. */
function traffic({ url, issued }: Scene): () => Promise<number> {
  const stopping = new AbortController()
  const verifyAll = async (): Promise<number> => {
    let decided = 0
    while (!stopping.signal.aborted) {
      const payment = { corridor: 'GB-NG', amount: 600_000, correlation_id: `traffic-${decided}` }
      const answer = await ask(url, issued.key, payment)
      const text = await answer.text()
      assert.equal(answer.status, 200, text)
      assert.ok(!text.includes(correlation))
      decided += 1
    }
    return decided
  }
  const running = verifyAll()
  return () => {
    stopping.abort()
    return running
  }
}

test('on SQLite no byte of the file, its write-ahead log or a new backup holds an erased text, beside a busy server', async () => {
  await withServer('sqlite', async (scene) => {
    const { database, settings, eraseArgs } = scene
    const path = database.url.slice('sqlite:'.length)
    const files = [path, `${path}-wal`].filter((file) => existsSync(file))
    const id = await stoppedPayment(scene)
    const held = files.map((file) => readFileSync(file).toString('latin1')).join('')
    assert.ok(held.includes(correlation) && held.includes(justification), 'it was there before')
    const stop = traffic(scene)
    const erased = await run([...eraseArgs, '--yes'], settings)
    assert.ok((await stop()) > 0)
    assert.equal(erased.code, 0, erased.stderr)
    assert.match(erased.stdout, /Erased 2 texts of 1 payment/)
    await withFolder(async (folder) => {
      const backup = join(folder, 'backup.gz')
      assert.equal((await run(['backup', backup], settings)).code, 0)
      const bundle = join(folder, 'bundle.json')
      writeFileSync(bundle, await get(scene, `/api/v1/audit/export/${id}`))
      const proved = await run(['audit', 'verify', bundle], settings)
      assert.equal(proved.code, 0, proved.stdout)
      assert.match(
        proved.stdout,
        /INTACT[^]*correlation id was erased[^]*justification was erased[^]*Sealed as leaf/,
      )
      const bytes = [...files.map((file) => readFileSync(file)), gunzipSync(readFileSync(backup))]
      for (const text of [correlation, justification])
        for (const [place, one] of bytes.entries()) assert.ok(!one.includes(text), `${text} in ${place}`)
    })
    for (const view of [`/api/v1/audit/${id}`, `/api/v1/decision/${id}`, '/api/verifications']) {
      const text = await get(scene, view)
      assert.ok(!text.includes(correlation) && !text.includes(justification), view)
    }
    assert.match(await get(scene, `/api/v1/audit/${id}`), /"correlation_id":"\(erased\)"/)
    const checked = await run(['audit', 'verify-log'], settings)
    assert.equal(checked.code, 0, checked.stdout)
    assert.match(checked.stdout, /2 personal texts were erased/)
  })
})

test('cleaning that fails is said with an exit code of its own, and the same command does it later (postgres)', async () => {
  await withServer('postgres', async (scene) => {
    const { database, settings, eraseArgs } = scene
    await stoppedPayment(scene)
    // ANALYZE computes the expression of this index, and fails from its second version on.
    const body = (text: string) =>
      `CREATE OR REPLACE FUNCTION fault(one text) RETURNS integer IMMUTABLE LANGUAGE plpgsql AS $$ BEGIN ${text} END $$`
    await withDirectDatabase(database.url, async ({ run: query }) => {
      await query(
        "INSERT INTO personal_texts SELECT 'ovr_of_nobody', owner_id, personal_text, salt, decision FROM personal_texts LIMIT 1",
      )
      await query(body('RETURN 1;'))
      await query('CREATE INDEX faulty ON personal_texts (fault(subject_id))')
      await query(body("RAISE 'it is broken';"))
    })
    for (const code of ['first', 'again']) {
      const failed = await runInProcess([...eraseArgs, '--yes', '--json'], settings)
      assert.equal(failed.code, 4, failed.stderr)
      assert.match(failed.stderr, /may still hold them: it is broken\. Run the same command again/)
      const { erased, cleaned } = JSON.parse(failed.stdout) as Record<string, unknown>
      assert.deepEqual([erased, cleaned], [code === 'first' ? 2 : 0, false])
    }
    const kept = await runInProcess(['retention', 'apply'], { ...settings, FAIRWAY_RETENTION_DAYS: '365' })
    assert.equal(kept.code, 4, kept.stderr)
    await withDirectDatabase(database.url, ({ run: query }) => query('DROP INDEX faulty'))
    const done = await runInProcess([...eraseArgs, '--yes', '--json'], settings)
    assert.equal(done.code, 66, done.stderr)
    assert.equal((JSON.parse(done.stdout) as Record<string, unknown>)['cleaned'], true)
  })
})

for (const engine of engines) {
  test(`cleaning that was left for later, or interrupted, is done by the next run (${engine})`, async () => {
    await withServer(engine, async (scene) => {
      const { database, settings, eraseArgs } = scene
      await stoppedPayment(scene)
      const cleaned = async (): Promise<boolean> =>
        (await rowsOf(database.url, 'SELECT act_id FROM uncleaned_erasures')).length === 0
      const left = await runInProcess([...eraseArgs, '--yes', '--clean-later'], settings)
      assert.equal(left.code, 0)
      assert.match(left.stdout, /files of the database may still hold them: run the same command again/)
      assert.equal(await cleaned(), false)
      const again = await runInProcess([...eraseArgs, '--yes'], settings)
      assert.deepEqual([again.code, await cleaned()], [66, true])
      assert.match(again.stderr, /was cleaned of what an earlier erasure left/)
    })
  })

  test(`a server that decided the payment repeats no erased text, under an idempotency key or in an event (${engine})`, async () => {
    await withServer(engine, async (scene) => {
      const { settings, eraseArgs, url, issued } = scene
      const send = async (key: string) => {
        const answer = await checkedFetch(`${url}/api/v1/verify`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${issued.key}`,
            'content-type': 'application/json',
            'idempotency-key': key,
          },
          body: JSON.stringify({ corridor: 'GB-NG', amount: 5, correlation_id: correlation }),
        })
        return { status: answer.status, text: await answer.text() }
      }
      assert.equal((await send('retry')).status, 200)
      assert.ok((await get(scene, '/api/v1/events')).includes(correlation))
      assert.equal((await runInProcess([...eraseArgs, '--yes'], settings)).code, 0)
      const { status, text } = await send('retry')
      assert.deepEqual([status, text.includes(correlation)], [409, false])
      assert.ok(!(await get(scene, '/api/v1/events')).includes(correlation))
    })
  })

  test(`erase shows what it would do, asks first, and says when there is nothing to do (${engine})`, async () => {
    await withServer(engine, async (scene) => {
      const { database, settings, eraseArgs } = scene
      const empty = await runInProcess([...eraseArgs, '--correlation-id', '', '--yes'], settings)
      assert.notEqual(empty.code, 0)
      assert.match(empty.stderr, /--correlation-id.*not empty/)
      const nothing = await runInProcess([...eraseArgs, '--yes'], settings)
      assert.deepEqual([nothing.code, nothing.stdout], [66, ''])
      assert.match(nothing.stderr, /no personal text was found/)

      const id = await stoppedPayment(scene)
      const planned = await runInProcess([...eraseArgs, '--dry-run'], settings)
      assert.equal(planned.code, 0, planned.stderr)
      assert.match(planned.stdout, /1 correlation id\n.*1 justification of overrides\n/)
      assert.ok(planned.stdout.includes(id) && planned.stdout.includes('nothing was erased'))
      const refused = await runInProcess(eraseArgs, settings)
      assert.equal(refused.code, 1)
      assert.match(refused.stderr, /use --yes\. Nothing was erased/)
      const held = { databaseUrl: database.url }
      assert.ok((await everyTable(held)).includes(correlation), 'neither has erased anything')

      const erased = await runInProcess([...eraseArgs, '--yes', '--json'], settings)
      assert.equal(erased.code, 0, erased.stderr)
      assert.match(erased.stderr, /^To be erased:\n {2}1 correlation id\n/, 'said beside JSON, too')
      const { erased: texts, request_ids: ids } = JSON.parse(erased.stdout) as Record<string, unknown>
      assert.deepEqual([texts, ids], [2, [id]])
      assert.ok(!(await everyTable(held)).includes(correlation))
      const again = await runInProcess([...eraseArgs, '--yes'], settings)
      assert.equal(again.code, 66)
      const checked = await runInProcess(['audit', 'verify-log'], settings)
      assert.equal(checked.code, 0, checked.stdout)
    })
  })
}
