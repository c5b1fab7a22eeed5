/** The event stream under SIGKILL of servers and of the consumer: each event is seen, in the order of the log, none skipped. */

import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { engines, freshDatabase } from '../helpers/database/databases.ts'
import { rowsOf } from '../helpers/database/sql.ts'
import { withFolder } from '../helpers/folder.ts'
import { freePort } from '../helpers/process/free-port.ts'
import { ask, issueByCli, serve, type Served } from '../helpers/process/process.ts'

const entry = new URL('../helpers/process/consumer-process.ts', import.meta.url).pathname
const rounds = 8
const paymentsARound = 60
const pollEveryMs = 50
const settledMsMax = 60_000

/** A server that is killed and comes back at the same address. */
class Reborn {
  readonly #environment: Readonly<Record<string, string>>
  #served: Served | null = null

  constructor(environment: Readonly<Record<string, string>>) {
    this.#environment = environment
  }

  get url(): string {
    return `http://127.0.0.1:${this.#environment['PORT']}`
  }

  async start(): Promise<void> {
    this.#served = await serve(this.#environment)
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    await this.#served?.stop(signal)
  }
}

/** Sends payments, each until it is answered: the idempotency key makes one decision of all tries. */
async function pay(server: Reborn, key: string, name: string): Promise<void> {
  for (let number = 0; number < paymentsARound; number += 1) {
    const payment = { corridor: 'GB-NG', amount: 10 + number, idempotency_key: `${name} ${number}` }
    while (
      (await ask(server.url, key, payment).then(
        ({ status }) => status,
        () => 0,
      )) !== 200
    )
      await pause(pollEveryMs)
  }
}

/** Ids of the decisions in the order of the log. */
async function inOrder(databaseUrl: string): Promise<string[]> {
  const blocks = await rowsOf(databaseUrl, 'SELECT entries FROM log_blocks ORDER BY first_leaf')
  return blocks
    .flatMap((row) => String(row['entries']).split('\n'))
    .map((line) => line.slice(0, line.indexOf(' ')))
    .filter((id) => id.startsWith('SVC-'))
}

const consumed = (file: string): string[] =>
  existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : []

class Consumer {
  readonly #arguments: readonly string[]
  #child: ChildProcess | null = null

  constructor(...args: readonly string[]) {
    this.#arguments = args
  }

  start(): void {
    this.#child = spawn(process.execPath, [entry, ...this.#arguments], {
      stdio: ['ignore', 'inherit', 'inherit'],
    })
  }

  async kill(): Promise<void> {
    if (this.#child === null) return
    const ended = once(this.#child, 'exit')
    this.#child.kill('SIGKILL')
    await ended
  }
}

for (const engine of engines) {
  const writers = engine === 'sqlite' ? 1 : 2
  test(`${engine}: ${rounds} kills of servers and of a consumer, ${writers} writing, skip no event and keep the order`, async () => {
    const database = await freshDatabase(engine)
    await withFolder(async (folder) => {
      const servers: Reborn[] = []
      for (let number = 0; number < writers; number += 1) {
        const PORT = String(await freePort())
        servers.push(new Reborn({ DATABASE_URL: database.url, PORT, FAIRWAY_LIMIT_EVENTS: '1000000/60' }))
      }
      await Promise.all(servers.map((server) => server.start()))
      const { key } = await issueByCli(database.url, '--limit-verify', '1000000/60')
      const file = join(folder, 'events')
      const consumer = new Consumer(servers[0]?.url ?? '', key, file)
      consumer.start()
      try {
        for (let round = 0; round < rounds; round += 1) {
          const paying = servers.map((server, place) => pay(server, key, `${round} ${place}`))
          const before = consumed(file).length
          // In the middle of the round, which the consumer has begun to see.
          while (consumed(file).length < before + 10) await pause(pollEveryMs)
          await consumer.kill()
          const victim = servers[round % writers]
          await victim?.kill()
          await victim?.start()
          consumer.start()
          await Promise.all(paying)
        }
        const untilMs = performance.now() + settledMsMax
        const count = rounds * writers * paymentsARound
        while (consumed(file).length < count && performance.now() < untilMs) await pause(pollEveryMs)
        const seen = consumed(file).map((line) => line.split(' ')[1])
        assert.deepEqual(seen, await inOrder(database.url))
        assert.equal(seen.length, count)
      } finally {
        await consumer.kill()
        for (const server of servers) await server.kill('SIGTERM')
      }
    })
    await database.drop()
  })
}
