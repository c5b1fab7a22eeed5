/** Queues of the recipe for a Python worker, and its workers as processes. */

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { FairwayClient } from '../../client/src/index.ts'
import { checkedFetch } from './process/checked-fetch.ts'
import { freshDatabase, type FreshDatabase } from './database/databases.ts'
import { withFolder } from './folder.ts'
import { inherited, serveInProcess, type Finished, type ServedInProcess } from './process/in-process.ts'
import { issueByCli } from './process/process.ts'
import { watchRecipe, type RunningRecipe } from './recipes.ts'
import { scratchFolder } from './scratch.ts'

const root = new URL('../../', import.meta.url).pathname
const recipe = join(root, 'examples', 'payout_worker.py')
const [, schema = ''] = /SCHEMA = """([^"]+)"""/.exec(readFileSync(recipe, 'utf8')) ?? []
const python = process.env['PYTHON'] ?? 'python3'

export type Settings = Readonly<Record<string, string>>

interface Row {
  readonly id: string
  readonly state: string
  readonly round: number
  readonly not_before: number
  readonly request_id: string | null
  readonly note: string | null
}

interface Workers {
  readonly start: (settings?: Settings, program?: string, args?: readonly string[]) => RunningRecipe
  /** Works until nothing is due. */
  readonly run: (settings?: Settings, program?: string) => Promise<Finished>
  /** The payouts as the rail of the recipe got them, of all workers so far. */
  readonly sent: () => string[]
}

interface Table {
  readonly db: DatabaseSync
  /** Adds payouts of GB-NG by id and amount. */
  readonly add: (payouts: Readonly<Record<string, string>>) => void
  readonly row: (id: string) => Row
  /** Id and state of each payout. */
  readonly states: () => Record<string, string>
  /** Lets everything be due: claims have run out, and holds are over. */
  readonly pass: () => void
}

interface Queue extends Workers, Table {
  readonly folder: string
  readonly client: FairwayClient
  /** The amounts of all decisions. */
  readonly decided: () => Promise<(number | null)[]>
}

type Decide = () => Promise<Response>
type Answer = (decision: Response) => Promise<void>

/** The service, for any number of queues with a key each. */
export class PayoutQueues {
  readonly #database: FreshDatabase
  readonly #server: ServedInProcess
  /** Of Python, so that it compiles the client once. */
  readonly #cache = scratchFolder('fairway-test-')

  private constructor(database: FreshDatabase, server: ServedInProcess) {
    this.#database = database
    this.#server = server
  }

  static async open(): Promise<PayoutQueues> {
    const database = await freshDatabase('sqlite')
    return new PayoutQueues(
      database,
      await serveInProcess({ DATABASE_URL: database.url, FAIRWAY_COOLDOWN_S: '0' }),
    )
  }

  async close(): Promise<void> {
    await this.#server.stop()
    await this.#database.drop()
    rmSync(this.#cache, { recursive: true, force: true })
  }

  /** A queue in a folder of its own. Its key must be in nothing that its workers say or store. */
  async withQueue(work: (queue: Queue) => Promise<void>): Promise<void> {
    const { key: apiKey } = await issueByCli(this.#database.url)
    const client = new FairwayClient({ baseUrl: this.#server.url, apiKey })
    await withFolder(async (folder) => {
      copyFileSync(recipe, join(folder, 'payout_worker.py'))
      const table = tableIn(join(folder, 'payouts.db'))
      const running: RunningRecipe[] = []
      const environment = {
        ...inherited(),
        PYTHONPATH: join(root, 'clients/python/src'),
        PYTHONPYCACHEPREFIX: this.#cache,
        FAIRWAY_URL: this.#server.url,
        FAIRWAY_API_KEY: apiKey,
      }
      try {
        await work({
          folder,
          client,
          ...table,
          ...workersIn(folder, environment, running),
          async decided() {
            const amounts: (number | null)[] = []
            for await (const { amount } of client.verifications()) amounts.push(amount)
            return amounts.toReversed()
          },
        })
      } finally {
        for (const worker of running) await worker.stop('SIGKILL')
        table.db.close()
      }
      const said = running.map(({ output }) => output()).join('')
      assert.ok(!said.includes(apiKey.slice(8)), 'the key was shown')
      const stored = readFileSync(join(folder, 'payouts.db'))
      assert.ok(!stored.includes(apiKey.slice(8)), 'the key was stored')
    })
  }

  /** A line to the service. Each question is handed to the test, which asks for the decision and answers, or does not. */
  async withLine(
    handle: (decide: Decide, answer: Answer) => Promise<void>,
    work: (url: string) => Promise<void>,
  ): Promise<void> {
    const failures: unknown[] = []
    const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const body = Buffer.concat(await request.toArray())
      const { authorization = '', 'content-type': type = '' } = request.headers
      const headers = { authorization, 'content-type': type }
      await handle(
        () => checkedFetch(`${this.#server.url}${request.url}`, { method: 'POST', headers, body }),
        async (decision) => {
          response.writeHead(decision.status, { 'content-type': 'application/json' })
          response.end(await decision.text())
          await once(response, 'finish')
        },
      )
    }
    const line = createServer((request, response) => {
      pass(request, response).catch((error: unknown) => failures.push(error))
    })
    line.listen(0, '127.0.0.1')
    await once(line, 'listening')
    try {
      await work(`http://127.0.0.1:${(line.address() as AddressInfo).port}`)
    } finally {
      line.closeAllConnections()
      line.close()
    }
    assert.deepEqual(failures, [])
  }
}

function tableIn(file: string): Table {
  const db = new DatabaseSync(file, { timeout: 30_000 })
  db.exec(schema)
  const rows = (): Row[] => db.prepare('SELECT * FROM payouts ORDER BY rowid').all() as unknown as Row[]
  return {
    db,
    add(payouts) {
      const insert = db.prepare(
        "INSERT INTO payouts (id, corridor, amount, currency, payee) VALUES (?, 'GB-NG', ?, 'GBP', 'Ada')",
      )
      for (const [id, amount] of Object.entries(payouts)) insert.run(id, amount)
    },
    row: (id) => rows().find((row) => row.id === id) ?? assert.fail(id),
    states: () => Object.fromEntries(rows().map(({ id, state }) => [id, state])),
    pass: () => db.exec('UPDATE payouts SET not_before = 0'),
  }
}

/** `running` gets every worker that is started. */
function workersIn(folder: string, environment: Settings, running: RunningRecipe[]): Workers {
  const start: Workers['start'] = (
    settings = {},
    program = 'payout_worker.py',
    args = ['payouts.db', '--once'],
  ) => {
    const child = spawn(python, [program, ...args], {
      cwd: folder,
      env: { ...environment, ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const worker = watchRecipe(child)
    running.push(worker)
    return worker
  }
  return {
    start,
    run: (settings, program) => start(settings, program).ended,
    sent: () => running.flatMap(({ output }) => output().match(/(?<=^to the rail: ).*$/gm) ?? []),
  }
}
