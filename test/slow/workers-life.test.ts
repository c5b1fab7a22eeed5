/** How several processes on one port start, end, and are replaced. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { checkedFetch } from '../helpers/process/checked-fetch.ts'
import { freshDatabase } from '../helpers/database/databases.ts'
import { withFolder } from '../helpers/folder.ts'
import { freePort } from '../helpers/process/free-port.ts'
import { ask, issueByCli, run } from '../helpers/process/process.ts'
import { rowsOf } from '../helpers/database/sql.ts'
import { isAlive, times, withWorkers, type ManyServed } from '../helpers/process/workers.ts'

interface Decided {
  readonly request_id: string
  readonly idempotency_hit: boolean
}

/** As a client does: without an answer it asks again, with the same key. */
async function decide(url: string, key: string, amount: number): Promise<Decided> {
  for (;;) {
    try {
      const answer = await ask(
        url,
        key,
        { corridor: 'GB-NG', amount },
        { 'idempotency-key': `payment-${amount}` },
      )
      if (answer.status === 200) return (await answer.json()) as Decided
      assert.equal(answer.status, 503, await answer.text())
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error
    }
  }
}

test('workers that are killed under load are replaced, and nothing that was answered is lost or made twice', async () => {
  const work = async ({ server, databaseUrl, readyPids }: ManyServed): Promise<void> => {
    const { key } = await issueByCli(databaseUrl, '--limit-verify', '1000000/60')
    const first = readyPids()
    const answered = new Map<number, string>()
    const caller = async (number: number): Promise<void> => {
      for (let turn = 0; turn < 60; turn += 1) {
        const amount = number * 60 + turn
        const { request_id: id } = await decide(server.url, key, amount)
        answered.set(amount, id)
        // Both, one after the other, each in the middle of the others' requests.
        if (answered.size === 200 || answered.size === 500) {
          process.kill(first[answered.size === 200 ? 0 : 1] ?? assert.fail(), 'SIGKILL')
        }
      }
    }
    await times(16, caller)
    assert.equal(answered.size, 960)
    while (readyPids().length < 4) await once(server.child.stdout ?? assert.fail(), 'data')
    assert.deepEqual(first.map(isAlive), [false, false])
    const rows = await rowsOf(databaseUrl, 'SELECT request_id FROM verifications')
    assert.deepEqual(new Set(rows.map((row) => row['request_id'])), new Set(answered.values()))
    assert.equal(rows.length, 960)
    for (const [amount, id] of [...answered].slice(0, 100)) {
      const again = await decide(server.url, key, amount)
      assert.deepEqual([again.request_id, again.idempotency_hit], [id, true])
    }
    assert.equal(await server.stop(), 0)
  }
  await withWorkers(2, work, { PORT: String(await freePort()) })
})

/** Asks until there is an answer. */
async function untilHealthy(url: string): Promise<void> {
  const isHealthy = async (): Promise<boolean> => (await checkedFetch(`${url}/api/health`)).status === 200
  while (!(await isHealthy().catch(() => false)));
}

test('where all workers are killed at once, others serve at the same address', async () => {
  await withWorkers(2, async ({ server, readyPids }) => {
    const first = readyPids()
    for (const pid of first) process.kill(pid, 'SIGKILL')
    await untilHealthy(server.url)
    const others = readyPids().filter((pid) => !first.includes(pid) && isAlive(pid))
    for (const pid of others) process.kill(pid, 'SIGKILL')
    assert.ok(others.length > 0)
    await untilHealthy(server.url)
    assert.match(server.output(), /starting another/)
  })
})

/** What comes back on a connection of its own, until that is closed. */
async function answerOn(port: number): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let received = ''
  socket.on('data', (chunk: Buffer) => (received += chunk.toString()))
  socket.on('error', () => undefined)
  const closed = new Promise<void>((resolve) => void socket.once('close', () => resolve()))
  socket.write('GET /api/health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  await closed
  return received.slice(0, 'HTTP/1.1 200'.length)
}

test('a connection that was on its way to a worker when that was killed is closed, not left to wait', async () => {
  await withWorkers(2, async ({ server, readyPids }) => {
    const port = Number(new URL(server.url).port)
    const [stuck = assert.fail()] = readyPids()
    // It takes nothing over any more, and nobody knows of it.
    process.kill(stuck, 'SIGSTOP')
    let answered = 0
    const asked = times(6, async () => {
      const answer = await answerOn(port)
      answered += 1
      // The other worker has answered all but the one that was meant for this one.
      if (answered === 5) process.kill(stuck, 'SIGKILL')
      return answer
    })
    assert.deepEqual((await asked).toSorted(), ['', ...Array<string>(5).fill('HTTP/1.1 200')])
    await server.said(/a worker ended by SIGKILL/)
    assert.equal(await server.stop(), 0)
  })
})

test('SIGTERM: what is under way on any worker is answered, no new request is taken, and all end with 0', async () => {
  await withWorkers(3, async ({ server, databaseUrl, readyPids }) => {
    const { key } = await issueByCli(databaseUrl, '--limit-verify', '1000/60')
    const body = JSON.stringify({ corridor: 'GB-NG' })
    const head = `POST /api/v1/verify HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`
    // Their bodies are still on the way when the signal comes; the servers have said that they wait for them.
    const slow = await times(12, async () => {
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
      let received = ''
      socket.on('data', (chunk: Buffer) => (received += chunk.toString()))
      socket.write(head)
      await once(socket, 'data')
      return { socket, closed: once(socket, 'close'), received: () => received }
    })
    const stopped = server.stop('SIGTERM')
    await server.said(/stopping/)
    for (const { socket } of slow) socket.write(body)
    await Promise.all(slow.map(({ closed }) => closed))
    for (const { received } of slow) assert.match(received(), /^HTTP\/1\.1 100 [^]*HTTP\/1\.1 200 /)
    assert.equal(await stopped, 0)
    assert.deepEqual(readyPids().map(isAlive), [false, false, false])
    await assert.rejects(ask(server.url, key, { corridor: 'GB-NG' }))
    assert.equal((await rowsOf(databaseUrl, 'SELECT 1 FROM verifications')).length, 12)
  })
})

test('when the primary is killed, its workers end by themselves', async () => {
  await withWorkers(2, async ({ server, readyPids }) => {
    assert.equal(readyPids().length, 2)
    // The workers hold its output as well: this ends when they do.
    await server.stop('SIGKILL')
    assert.equal(server.child.stdout?.closed, true)
    await assert.rejects(checkedFetch(`${server.url}/api/health`))
  })
})

test('SIGHUP makes every worker read the live feeds again', async () => {
  await withFolder(async (folder) => {
    const file = join(folder, 'feeds.json')
    writeFileSync(file, JSON.stringify({ signals: {} }))
    await withWorkers(
      3,
      async ({ server, readyPids, whoSaid }) => {
        server.child.kill('SIGHUP')
        while (new Set(whoSaid('feeds: reloaded')).size < 3) {
          await once(server.child.stdout ?? assert.fail(), 'data')
        }
        assert.deepEqual(new Set(whoSaid('feeds: reloaded')), new Set(readyPids()))
        assert.equal(await server.stop(), 0)
      },
      { FAIRWAY_LIVE_FEEDS: file },
    )
  })
})

test('a worker that cannot start is told of and tried again until it can; the others serve meanwhile', async () => {
  await withFolder(async (folder) => {
    const file = join(folder, 'feeds.json')
    writeFileSync(file, JSON.stringify({ signals: {} }))
    const work = async ({ server, readyPids }: ManyServed): Promise<void> => {
      const [first = assert.fail()] = readyPids()
      writeFileSync(file, 'no feeds')
      process.kill(first, 'SIGKILL')
      await server.said(/a worker could not start, retrying/)
      assert.equal((await checkedFetch(`${server.url}/api/health`)).status, 200)
      assert.equal(readyPids().length, 2)
      writeFileSync(file, JSON.stringify({ signals: {} }))
      while (readyPids().length < 3) await once(server.child.stdout ?? assert.fail(), 'data')
      assert.equal(await server.stop(), 0)
    }
    await withWorkers(2, work, { FAIRWAY_LIVE_FEEDS: file })
  })
})

test('a second SIGTERM is not waited for: primary and workers end at once, with 1', async () => {
  await withWorkers(2, async ({ server }) => {
    // A body that never comes: without the second signal it would be waited for.
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write(
      'POST /api/v1/demo-verify HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n',
    )
    await once(socket, 'data')
    const stopped = server.stop('SIGTERM')
    await server.said(/stopping/)
    server.child.kill('SIGTERM')
    assert.equal(await stopped, 1)
    // The workers hold its output as well: it is closed when they have ended.
    assert.equal(server.child.stdout?.closed, true)
    socket.destroy()
  })
})

test('several workers that cannot start are one clear line and the exit code of one', async () => {
  const database = await freshDatabase('postgres')
  const closed = await freePort()
  await withWorkers(2, async ({ server }) => {
    const { port } = new URL(server.url)
    const away = `postgres://u:hunter2@127.0.0.1:${closed}/x`
    const cases: readonly (readonly [Record<string, string>, RegExp, number])[] = [
      [{ PORT: port }, new RegExp(`the address 127\\.0\\.0\\.1:${port} is in use`), 1],
      [{ HOST: 'no.such.host.invalid' }, /cannot listen/, 1],
      [{ HOST: '192.0.2.1' }, /cannot listen/, 1],
      [{ DATABASE_URL: away, FAIRWAY_DATABASE_WAIT_S: '0' }, /the database cannot be reached/, 69],
      [{ FAIRWAY_LIVE_FEEDS: '/no/such/file' }, /FAIRWAY_LIVE_FEEDS|no\/such\/file/, 1],
      [{ DATABASE_URL: 'sqlite:never.db' }, /FAIRWAY_WORKERS must be .* 1 on SQLite/, 78],
      [{ FAIRWAY_WORKERS: '65' }, /FAIRWAY_WORKERS must be a number of processes from 1 to 64/, 78],
    ]
    for (const [environment, message, exitCode] of cases) {
      const settings = { DATABASE_URL: database.url, PORT: '0', FAIRWAY_WORKERS: '3', ...environment }
      const { code, stderr } = await run(['serve'], settings)
      assert.equal(code, exitCode, message.source)
      assert.match(stderr, message)
      assert.equal(stderr.trim().split('\n').length, 1, `one line: ${stderr}`)
      assert.doesNotMatch(stderr, /hunter2/)
    }
  })
  await database.drop()
})
