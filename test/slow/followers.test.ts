/** Followers that are killed and paused: what was appended takes effect once, whoever follows it. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { experiment as followSqlite } from '../../torture/experiments/follow-sqlite.ts'
import { experiment as followPostgres } from '../../torture/experiments/follow-postgres.ts'
import { Book } from '../../torture/crash/book.ts'
import { compareStore } from '../../torture/crash/compare-store.ts'
import { openScene, runCallers } from '../../torture/crash/scene.ts'
import { freshDatabase } from '../helpers/database/databases.ts'
import { serve, type Served } from '../helpers/process/process.ts'
import { rowsOf } from '../helpers/database/sql.ts'
import { testShortForm } from '../helpers/short-form.ts'

testShortForm('follow-sqlite', followSqlite)
testShortForm('follow-postgres', followPostgres)

/** Longer than two beats, shorter than a lease. */
const silenceMs = 1_400
const rounds = 2
const payments = 120
const pollEveryMs = 50

interface Lease {
  readonly holder: string
  readonly beat: number
}

async function leaseOf(databaseUrl: string): Promise<Lease> {
  const [row] = await rowsOf(databaseUrl, 'SELECT holder, beat FROM journal_lease')
  return { holder: String(row?.['holder']), beat: Number(row?.['beat']) }
}

/** Stops the process that holds the lease: the one without which the lease has no beat. */
async function stopHolder(databaseUrl: string, servers: readonly Served[]): Promise<Served> {
  for (;;) {
    for (const server of servers) {
      server.child.kill('SIGSTOP')
      const before = await leaseOf(databaseUrl)
      await pause(silenceMs)
      const after = await leaseOf(databaseUrl)
      if (before.holder !== '' && after.holder === before.holder && after.beat === before.beat) return server
      server.child.kill('SIGCONT')
    }
  }
}

async function untilTakenOver(databaseUrl: string, holder: string): Promise<void> {
  while ((await leaseOf(databaseUrl)).holder === holder) await pause(pollEveryMs)
}

test('a holder that is paused beyond its lease and wakes up does nothing twice', async () => {
  const database = await freshDatabase('postgres')
  const scene = await openScene(database.url)
  const servers = await Promise.all([serve(scene.environment), serve(scene.environment)])
  const book = new Book()
  const send = (server: Served): Promise<void> => {
    let left = payments
    return runCallers(
      book,
      { url: server.url, apiKey: scene.apiKey },
      { callers: 4, before: () => (left -= 1), continues: () => left > 0 },
    )
  }
  try {
    await scene.subscribe(servers[0].url)
    for (let round = 0; round < rounds; round += 1) {
      const traffic = Promise.all(servers.map(send))
      const holder = await stopHolder(database.url, servers)
      const { holder: name } = await leaseOf(database.url)
      const other = servers.find((server) => server !== holder) ?? assert.fail('there is one server')
      await send(other)
      await untilTakenOver(database.url, name)
      await send(other)
      holder.child.kill('SIGCONT')
      await Promise.all([traffic, send(holder), send(other)])
    }
    await book.retryAll({ url: servers[0].url, apiKey: scene.apiKey }, [...book.unsure])
    const { eventIds, records, violations } = await compareStore(database.url, book)
    assert.deepEqual([...book.violations, ...violations], [])
    assert.ok(records >= rounds * payments, `${records} records`)
    assert.deepEqual(await scene.missing(eventIds, 60_000), [])
    assert.deepEqual(new Set(scene.arrivals.keys()), eventIds)
  } finally {
    for (const server of servers) {
      server.child.kill('SIGCONT')
      await server.stop()
    }
    await scene.close()
    await database.drop()
  }
})
