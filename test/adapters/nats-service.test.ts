/** The service with a NATS sink: the same events as over HTTP, decisions whatever NATS does, and a prompt stop. */

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { test } from 'node:test'
import { jetstreamManager } from '@nats-io/jetstream'
import { withFolder } from '../helpers/folder.ts'
import { startNats, storedIn, withNats, type Stored } from '../helpers/peers/nats.ts'
import { freePort } from '../helpers/process/free-port.ts'
import { ask, finished, issueByCli, run, start, type Served } from '../helpers/process/process.ts'
import { natsNeeded } from '../helpers/process/runtimes.ts'
import { eventsOf, published, streamFollower, until, withServer } from '../helpers/process/streaming.ts'
import { openTcpProxy } from '../helpers/process/tcp-proxy.ts'

const { skip } = natsNeeded
const payment = { corridor: 'GB-NG', amount: 1000, currency: 'GBP' }

const settingsOf = (folder: string, natsPort: number) => ({
  DATABASE_URL: `sqlite:${join(folder, 'fairway.db')}`,
  FAIRWAY_NATS_URL: `nats://fairway:hush-hush@127.0.0.1:${natsPort}`,
  FAIRWAY_LIMIT_VERIFY: '1000000/60',
})

async function verified(server: Served, key: string, count: number): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    const answer = await ask(server.url, key, { ...payment, amount: 1000 + number })
    assert.equal(answer.status, 200, await answer.text())
  }
}

test('each owner finds the JSON of GET /api/v1/events under subjects of its own', { skip }, () =>
  withFolder(async (folder) => {
    const nats = await startNats(folder)
    await withNats([nats], async (connection) => {
      const settings = settingsOf(folder, nats.port)
      const owners = [await issueByCli(settings.DATABASE_URL), await issueByCli(settings.DATABASE_URL)]
      await withServer(settings, async (server) => {
        for (const { key } of owners) await verified(server, key, 12)
        await published(server, owners[0]?.key ?? '')
        const stored = await storedIn(connection)
        assert.equal(stored.length, 24)
        for (const { owner_id: ownerId, key } of owners) {
          const events = await eventsOf(server, key, 12)
          const own = stored.filter(({ subject }) => subject.startsWith(`fairway.events.${ownerId}.`))
          const parsed = own.map(({ body }) => JSON.parse(body) as unknown)
          assert.deepEqual(parsed, events)
          assert.deepEqual(
            own.map(({ subject, messageId }) => [subject, messageId]),
            events.map(({ id, type }) => [`fairway.events.${ownerId}.${type}`, id]),
          )
        }
      })
    })
  }),
)

test('without NATS decisions are made, the follower fails visibly, and the password is in no output', () =>
  withFolder(async (folder) => {
    const settings = settingsOf(folder, await freePort())
    const { key } = await issueByCli(settings.DATABASE_URL)
    const { output } = await withServer(settings, async (server) => {
      await verified(server, key, 3)
      await until(async () => (await streamFollower(server, key))?.failing === true)
    })
    assert.match(output(), /followers: stream failed, will retry/)
    assert.doesNotMatch(output(), /hush/)
  }))

test('a silent server delays neither decisions nor a stop, and gets everything later', { skip }, () =>
  withFolder(async (folder) => {
    const nats = await startNats(folder)
    const line = await openTcpProxy({ host: '127.0.0.1', port: nats.port })
    await withNats([nats], async (connection) => {
      const settings = settingsOf(folder, line.port)
      const { key } = await issueByCli(settings.DATABASE_URL)
      const { output } = await withServer(settings, async (server) => {
        await verified(server, key, 1)
        await published(server, key)
        line.cut('swallow')
        await verified(server, key, 50)
      })
      assert.doesNotMatch(output(), /stream failed/, 'a stop is no failure')
      line.heal()
      await withServer(settings, async (server) => {
        await published(server, key)
        const events = await eventsOf(server, key, 51)
        assert.deepEqual(
          (await storedIn(connection)).map(({ messageId }) => messageId),
          events.map(({ id }) => id),
        )
      })
    }).finally(() => line.close())
  }),
)

test('without the packages the server ends with one line that names them', () =>
  withFolder(async (folder) => {
    const refusal = join(folder, 'refuse.mjs')
    writeFileSync(
      refusal,
      `import { registerHooks } from 'node:module'
      registerHooks({ resolve(name, context, next) {
        if (name.startsWith('@nats-io/')) throw Object.assign(new Error('no such package'), { code: 'ERR_MODULE_NOT_FOUND' })
        return next(name, context)
      } })`,
    )
    const child = start(['serve'], {
      PORT: '0',
      ...settingsOf(folder, 4222),
      NODE_OPTIONS: `--import ${pathToFileURL(refusal).href}`,
    })
    const { code, stderr } = await finished(child)
    assert.equal(code, 1)
    assert.equal(
      stderr,
      'fairway: FAIRWAY_NATS_URL needs packages that are not installed: npm install @nats-io/transport-node @nats-io/jetstream\n',
    )
  }))

test('reconcile brings back what was deleted from the stream, and says so', { skip }, () =>
  withFolder(async (folder) => {
    const nats = await startNats(folder)
    await withNats([nats], async (connection) => {
      const settings = settingsOf(folder, nats.port)
      const { key, owner_id: ownerId } = await issueByCli(settings.DATABASE_URL)
      const reconciled = async (...more: string[]): Promise<string> => {
        const { code, stdout, stderr } = await run(['stream', 'reconcile', ...more], settings)
        assert.equal(code, 0, stderr)
        return stdout
      }
      await withServer(settings, async (server) => {
        await verified(server, key, 20)
        await published(server, key)
        const ids = (await eventsOf(server, key, 20)).map(({ id }) => id)
        const manager = await jetstreamManager(connection)
        const deleted = [3, 4, 9]
        for (const place of deleted) await manager.streams.deleteMessage('fairway-events', place)
        const whole = { missing: 0, unpublished: 0, is_complete: true }
        const counts = { owner_id: ownerId, in_database: 20, in_stream_after: 20 }
        assert.deepEqual(JSON.parse(await reconciled('--json')), {
          owners: [{ ...counts, in_stream: 17, republished: 3 }],
          lacked: 3,
          republished: 3,
          ...whole,
        })
        const missing = deleted.map((place) => ids[place - 1] ?? '')
        assert.deepEqual((await storedIn(connection)).map(idIn), [
          ...ids.filter((id) => !missing.includes(id)),
          ...missing,
        ])
        assert.deepEqual(JSON.parse(await reconciled('--owner', ownerId, '--json')), {
          owners: [{ ...counts, in_stream: 20, republished: 0 }],
          lacked: 0,
          republished: 0,
          ...whole,
        })
        assert.match(await reconciled(), /Missing events: 0\. Republished: 0\. Still missing: 0\./)
        const unknown = await run(['stream', 'reconcile', '--owner', 'own_unknown'], settings)
        assert.equal(unknown.code, 1)
        assert.match(unknown.stderr, /has no events/)
      })
      const { FAIRWAY_NATS_URL: _none, ...without } = settings
      await withServer(without, (server) => verified(server, key, 2))
      const behind = await run(['stream', 'reconcile'], settings)
      assert.equal(behind.code, 1)
      assert.match(behind.stdout, /Still missing: 0\.\nNot published by any server yet: 2\./)
      assert.match(behind.stderr, /2 events were published by no server: start one with FAIRWAY_NATS_URL/)
    })
  }),
)

const idIn = ({ body }: Stored): string => (JSON.parse(body) as { id: string }).id
