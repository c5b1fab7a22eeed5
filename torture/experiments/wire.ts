/** Whatever is sent to a real process over sockets, HTTP or not: every answer is on schema, and it goes on as before. */

import { readFileSync } from 'node:fs'
import { Pool } from 'undici'
import { checkAnswer, checkError, pathsOf, type Paths } from '../../test/helpers/contract.ts'
import { freshDatabase } from '../../test/helpers/database/databases.ts'
import { jsonOf } from '../../test/helpers/process/checked-fetch.ts'
import { issueByCli, serve, type Served } from '../../test/helpers/process/process.ts'
import type { Experiment, Options, Outcome } from '../experiment.ts'
import { createGenerate, type Generate, type Generated } from '../generate.ts'
import { faultOfLogLine, faultOfStatus, leakIn, tell } from '../judge.ts'
import { interruptions } from '../interrupted.ts'
import { chanceOf, type Chance } from '../random.ts'
import { answersIn, sendRaw, type RawAnswer } from '../raw.ts'
import { maimed } from '../wire-bytes.ts'

const counts = { long: 100_000, short: 600 }
/** So many are under way at once. */
const lanes = 48
/** One in so many is bytes of our own making; the rest is proper HTTP, over connections that stay open. */
const rawEvery = 4
const noMoreAfterMs = 300
const violationsMax = 20
/** Of the process's memory at the end to what it was after a fifth. */
const growthMax = 1.5

class Run {
  readonly statuses = new Map<number, number>()
  readonly violations: string[] = []
  readonly #server: Served
  readonly #paths: Paths
  readonly #pool: Pool
  unanswered = 0

  constructor(server: Served, paths: Paths, pool: Pool) {
    this.#server = server
    this.#paths = paths
    this.#pool = pool
  }

  async ask(asked: Generated): Promise<void> {
    const { method, url: path, headers, body } = asked
    try {
      const answer = await this.#pool.request({ method, path, headers, body })
      const text = await answer.body.text()
      const { statusCode: status, headers: got } = answer
      const seen = jsonOf(String(got['content-type']), text)
      this.#count(status)
      // Node itself ends what has a head of more than 16 KiB, on every path; the document says so once for all.
      if (status === 431) checkError(seen)
      else checkAnswer(this.#paths, { method, path: pathOf(path), status, headers: got, body: seen })
      this.#blame(asked, faultOfStatus(asked, { status, body: seen, isLive: false }) ?? leakIn(status, text))
    } catch (error) {
      this.#blame(asked, messageOf(error))
    }
  }

  async askRaw(asked: Generated, bytes: Buffer): Promise<void> {
    const received = await sendRaw(Number(new URL(this.#server.url).port), bytes, { noMoreAfterMs })
    if (received === null) return this.#blame(asked, 'a connection was neither answered nor ended')
    if (received.length === 0) this.unanswered += 1
    try {
      for (const answer of answersIn(received)) this.#judgeRaw(asked, answer)
    } catch (error) {
      this.#blame(
        asked,
        `${messageOf(error)} for ${JSON.stringify(bytes.subarray(0, 300).toString('latin1'))}`,
      )
    }
  }

  /** Which request a broken one was taken for cannot be known, so the answer is judged by itself. */
  #judgeRaw(asked: Generated, { status, headers, text }: RawAnswer): void {
    this.#count(status)
    const body = jsonOf(headers['content-type'], text)
    if (status >= 400) checkError(body)
    this.#blame(asked, faultOfStatus(asked, { status, body, isLive: false }) ?? leakIn(status, text))
  }

  #count(status: number): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
  }

  #blame(asked: Generated, why: string | null): void {
    if (why !== null && this.violations.length < violationsMax) this.violations.push(`${tell(asked)}: ${why}`)
  }

  readLog(): void {
    const lines = this.#server.output().split(/(?<=\n)/)
    const faults = lines.flatMap((line) => faultOfLogLine(line) ?? [])
    this.violations.push(...faults.slice(0, violationsMax))
  }
}

const pathOf = (url: string): string => url.split('?')[0] ?? '/'

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Resident memory of a process; 0 where the system does not tell. */
function residentBytes(pid: number | undefined): number {
  try {
    const [, kib = '0'] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kib) * 1024
  } catch {
    return 0
  }
}

/** Sends all, and tells of each. */
async function sendAll(
  run: Run,
  generate: Generate,
  chance: Chance,
  total: number,
  at: (done: number) => void,
): Promise<number> {
  const interrupted = interruptions()
  let taken = 0
  const lane = async (): Promise<void> => {
    while (taken < total && !interrupted() && run.violations.length < violationsMax) {
      taken += 1
      at(taken)
      const asked = generate(chance)
      await (taken % rawEvery === 0 ? run.askRaw(asked, maimed(chance, asked)) : run.ask(asked))
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return taken
}

async function torment(server: Served, keys: readonly string[], options: Options): Promise<Outcome> {
  const { seed, count, isShort, say } = options
  const pool = new Pool(server.url, { connections: 16, pipelining: 1 })
  try {
    const published = (await (await fetch(`${server.url}/openapi.json`)).json()) as { paths: unknown }
    const run = new Run(server, pathsOf(published), pool)
    const chance = chanceOf(seed)
    const generate = createGenerate(pathsOf(published), { keys, ids: [], webhookIds: [] })
    const total = count ?? (isShort ? counts.short : counts.long)
    let early = 0
    const sent = await sendAll(run, generate, chance, total, (done) => {
      if (done === Math.floor(total / 5)) early = residentBytes(server.child.pid)
      if (!isShort && done % 10_000 === 0) say(`${done} of ${total}, ${run.violations.length} violations`)
    })
    const late = residentBytes(server.child.pid)
    if (!isShort && late > early * growthMax)
      run.violations.push(`memory grew from ${early} to ${late} bytes`)
    if ((await fetch(`${server.url}/api/health`)).status !== 200) run.violations.push('it is not healthy')
    run.readLog()
    return outcomeOf(run, { total: sent, early, late })
  } finally {
    await pool.close()
  }
}

function outcomeOf(
  run: Run,
  { total, early, late }: { total: number; early: number; late: number },
): Outcome {
  const byStatus = [...run.statuses].toSorted(([one], [other]) => one - other)
  return {
    figures: {
      requests: total,
      'of them raw bytes': Math.floor(total / rawEvery),
      answers: byStatus.map(([status, times]) => `${status}: ${times}`).join(', '),
      'ended without an answer': run.unanswered,
      'memory after a fifth, MB': (early / 1e6).toFixed(0),
      'memory at the end, MB': (late / 1e6).toFixed(0),
    },
    violations: run.violations,
  }
}

export const experiment: Experiment = {
  promise: 'whatever comes over a socket, HTTP or not, is answered on schema: no 500, no crash, memory flat',
  async run(options) {
    const database = await freshDatabase('sqlite')
    try {
      const keys = [(await issueByCli(database.url)).key, (await issueByCli(database.url)).key]
      const many = '1000000/60'
      // Webhooks to private addresses stay refused: nothing that is generated makes the process call anybody.
      const server = await serve({
        DATABASE_URL: database.url,
        FAIRWAY_LIMIT_VERIFY: many,
        FAIRWAY_LIMIT_KEYED: many,
        FAIRWAY_LIMIT_DEMO: many,
        FAIRWAY_LIMIT_ACCESS: many,
      })
      try {
        return await torment(server, keys, options)
      } finally {
        await server.stop()
      }
    } finally {
      await database.drop()
    }
  },
}
