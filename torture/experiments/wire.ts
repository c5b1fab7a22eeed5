/** Sends valid and invalid HTTP to a real process over sockets: answers match the schema, and the process survives. */

import { readFileSync } from 'node:fs'
import { Pool } from 'undici'
import { checkAnswer, checkError, pathsOf, type Paths } from '../../test/helpers/contract.ts'
import { freshDatabase } from '../../test/helpers/database/databases.ts'
import { jsonOf } from '../../test/helpers/process/checked-fetch.ts'
import { issueByCli, serve, type Served } from '../../test/helpers/process/process.ts'
import type { Experiment, Options, Outcome } from '../experiment.ts'
import { createGenerate, type Generate, type Generated } from '../generate.ts'
import { faultOfLogLine, faultOfStatus, leakIn, describeRequest } from '../judge.ts'
import { interruptions } from '../interrupted.ts'
import { createRng, type Rng } from '../random.ts'
import { answersIn, sendRaw, type RawAnswer } from '../raw.ts'
import { mutated } from '../wire-bytes.ts'

const counts = { long: 100_000, short: 600 }
/** The number of concurrent requests. */
const lanes = 48
/** One request in this many is mutated bytes; the rest is valid HTTP over keep-alive connections. */
const rawEvery = 4
const noMoreAfterMs = 300
const violationsMax = 20
/** The maximum ratio of the memory at the end to the memory after a fifth. */
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

  async send(request: Generated): Promise<void> {
    const { method, url: path, headers, body } = request
    try {
      const answer = await this.#pool.request({ method, path, headers, body })
      const text = await answer.body.text()
      const { statusCode: status, headers: got } = answer
      const parsed = jsonOf(String(got['content-type']), text)
      this.#count(status)
      // Node itself refuses headers above 16 KiB on every path; the document describes this once for all paths.
      if (status === 431) checkError(parsed)
      else checkAnswer(this.#paths, { method, path: pathOf(path), status, headers: got, body: parsed })
      this.#blame(
        request,
        faultOfStatus(request, { status, body: parsed, isLive: false }) ?? leakIn(status, text),
      )
    } catch (error) {
      this.#blame(request, messageOf(error))
    }
  }

  async sendBytes(request: Generated, bytes: Buffer): Promise<void> {
    const received = await sendRaw(Number(new URL(this.#server.url).port), bytes, { noMoreAfterMs })
    if (received === null) return this.#blame(request, 'a connection was neither answered nor closed')
    if (received.length === 0) this.unanswered += 1
    try {
      for (const answer of answersIn(received)) this.#judgeRaw(request, answer)
    } catch (error) {
      this.#blame(
        request,
        `${messageOf(error)} for ${JSON.stringify(bytes.subarray(0, 300).toString('latin1'))}`,
      )
    }
  }

  /** The server may parse mutated bytes as any request, so the answer is checked without it. */
  #judgeRaw(request: Generated, { status, headers, text }: RawAnswer): void {
    this.#count(status)
    const body = jsonOf(headers['content-type'], text)
    if (status >= 400) checkError(body)
    this.#blame(request, faultOfStatus(request, { status, body, isLive: false }) ?? leakIn(status, text))
  }

  #count(status: number): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
  }

  #blame(request: Generated, why: string | null): void {
    if (why !== null && this.violations.length < violationsMax)
      this.violations.push(`${describeRequest(request)}: ${why}`)
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

/** Resident memory of a process; 0 if the system does not report it. */
function residentBytes(pid: number | undefined): number {
  try {
    const [, kib = '0'] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kib) * 1024
  } catch {
    return 0
  }
}

/** Sends all requests and reports progress. */
async function sendAll(
  run: Run,
  generate: Generate,
  rng: Rng,
  total: number,
  at: (done: number) => void,
): Promise<number> {
  const interrupted = interruptions()
  let sent = 0
  const lane = async (): Promise<void> => {
    while (sent < total && !interrupted() && run.violations.length < violationsMax) {
      sent += 1
      at(sent)
      const request = generate(rng)
      await (sent % rawEvery === 0 ? run.sendBytes(request, mutated(rng, request)) : run.send(request))
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return sent
}

async function stress(server: Served, keys: readonly string[], options: Options): Promise<Outcome> {
  const { seed, count, isShort, print } = options
  const pool = new Pool(server.url, { connections: 16, pipelining: 1 })
  try {
    const published = (await (await fetch(`${server.url}/openapi.json`)).json()) as { paths: unknown }
    const run = new Run(server, pathsOf(published), pool)
    const rng = createRng(seed)
    const generate = createGenerate(pathsOf(published), { keys, people: [], ids: [], webhookIds: [] })
    const total = count ?? (isShort ? counts.short : counts.long)
    let early = 0
    const sent = await sendAll(run, generate, rng, total, (done) => {
      if (done === Math.floor(total / 5)) early = residentBytes(server.child.pid)
      if (!isShort && done % 10_000 === 0) print(`${done} of ${total}, ${run.violations.length} violations`)
    })
    const late = residentBytes(server.child.pid)
    if (!isShort && late > early * growthMax)
      run.violations.push(`memory grew from ${early} to ${late} bytes`)
    if ((await fetch(`${server.url}/api/health`)).status !== 200)
      run.violations.push('the process is not healthy at the end')
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
      'of which raw bytes': Math.floor(total / rawEvery),
      answers: byStatus.map(([status, times]) => `${status}: ${times}`).join(', '),
      'closed without an answer': run.unanswered,
      'memory after a fifth, MB': (early / 1e6).toFixed(0),
      'memory at the end, MB': (late / 1e6).toFixed(0),
    },
    violations: run.violations,
  }
}

export const experiment: Experiment = {
  promise: 'any bytes over a socket get an answer that matches the schema: no 500, no crash, flat memory',
  async run(options) {
    const database = await freshDatabase('sqlite')
    try {
      const keys = [(await issueByCli(database.url)).key, (await issueByCli(database.url)).key]
      const unlimited = '1000000/60'
      // Webhooks to private addresses stay refused, so no generated request makes the process open connections.
      const server = await serve({
        DATABASE_URL: database.url,
        FAIRWAY_LIMIT_VERIFY: unlimited,
        FAIRWAY_LIMIT_KEYED: unlimited,
        FAIRWAY_LIMIT_DEMO: unlimited,
        FAIRWAY_LIMIT_PUBLIC: unlimited,
        FAIRWAY_LIMIT_ACCESS: unlimited,
      })
      try {
        return await stress(server, keys, options)
      } finally {
        await server.stop()
      }
    } finally {
      await database.drop()
    }
  },
}
