/** Sends generated requests in process: every answer matches the published document, and memory stays flat. */

import type { InjectOptions } from 'fastify'
import { roles } from '../../src/core/identity/roles.ts'
import { pathsOf } from '../../test/helpers/contract.ts'
import { startHarness, type Answer, type Harness } from '../../test/helpers/harness.ts'
import { person } from '../../test/helpers/people.ts'
import type { Experiment, Options, Outcome } from '../experiment.ts'
import { createGenerate, type Generated } from '../generate.ts'
import { faultOfLogLine, faultOfStatus, leakIn, describeRequest } from '../judge.ts'
import { interruptions } from '../interrupted.ts'
import { heapAfterCollection } from '../memory.ts'
import { createRng, type Rng } from '../random.ts'

const counts = { long: 1_000_000, short: 800 }
/** The number of concurrent requests. */
const batchSize = 100
const idsMax = 200
const violationsMax = 20
/** The maximum ratio of the heap at the end to the heap after a fifth. Only caches may grow. */
const growthMax = 1.5
const clients = 1_000

interface Callers {
  readonly keys: readonly string[]
  readonly people: readonly Readonly<Record<string, string>>[]
  readonly live: string
}

/** Keys of every kind, and people of every role. Valid keys are more frequent, because refusals test little. */
async function callersOf(harness: Harness): Promise<Callers> {
  const { issue, store, clock } = harness
  const limit = { count: 100_000, windowMs: 60_000 }
  const [one, two, revoked, scoped, slow, live] = await Promise.all([
    issue({ limit }),
    issue({ limit }),
    issue({ limit }),
    issue({ limit, scopes: ['decision:read'] }),
    issue({ limit: { count: 5, windowMs: 60_000 } }),
    issue({ prefix: 'pk_live_', limit }),
  ])
  await store.keys.revoke(revoked.record.keyId, clock.nowMs())
  const valid = Array.from({ length: 5 }, () => [one.key, two.key]).flat()
  const { ownerId } = one.record
  const signedIn = await Promise.all([
    ...roles.map((role) => person(harness, role, ownerId)),
    person(harness, 'admin', null),
  ])
  const people = signedIn.flatMap(({ headers }) => [headers, { ...headers, 'x-fairway-owner': ownerId }])
  return { keys: [...valid, revoked.key, scoped.key, slow.key, live.key], people, live: live.key }
}

/** Keeps the latest ids, so that later requests can refer to them. */
function remember(ids: string[], id: unknown): void {
  if (typeof id !== 'string') return
  ids.push(id)
  if (ids.length > idsMax) ids.shift()
}

class Run {
  readonly statuses = new Map<number, number>()
  readonly violations: string[] = []
  readonly ids: string[] = []
  readonly webhookIds: string[] = []
  logLines = 0
  readonly #harness: Harness
  readonly #callers: Callers

  constructor(harness: Harness, callers: Callers) {
    this.#harness = harness
    this.#callers = callers
  }

  async send(request: Generated, from: string): Promise<void> {
    const { method, url, headers, body } = request
    const options = { method, url, headers, remoteAddress: from } as InjectOptions
    try {
      const answer = await this.#harness.send(body === null ? options : { ...options, payload: body })
      this.#judge(request, answer)
    } catch (error) {
      this.#violate(request, error instanceof Error ? error.message : String(error))
    }
  }

  #judge(request: Generated, { status, body, text }: Answer): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
    const isLive = request.headers['authorization']?.endsWith(this.#callers.live) === true
    const fault = faultOfStatus(request, { status, body, isLive }) ?? leakIn(status, text)
    if (fault !== null) this.#violate(request, fault)
    const { request_id: requestId, webhook_id: webhookId } = (body ?? {}) as Record<string, unknown>
    if (status === 200) {
      remember(this.ids, requestId)
      remember(this.webhookIds, webhookId)
    }
  }

  #violate(request: Generated, why: string): void {
    if (this.violations.length < violationsMax) this.violations.push(`${describeRequest(request)}: ${why}`)
  }

  /** Checks and discards the log, so that it does not count as memory growth. */
  readLog(): void {
    const { log } = this.#harness
    this.logLines += log.length
    for (const line of log) {
      const fault = faultOfLogLine(line)
      if (fault !== null && this.violations.length < violationsMax) this.violations.push(fault)
    }
    log.length = 0
  }
}

/** A random client address, so that public routes admit some requests and limit others. */
const addressOf = (rng: Rng): string => {
  const client = rng.below(clients)
  return `198.51.${Math.floor(client / 250)}.${client % 250}`
}

async function stress(harness: Harness, { seed, count, isShort, print }: Options): Promise<Outcome> {
  const callers = await callersOf(harness)
  const run = new Run(harness, callers)
  const rng = createRng(seed)
  const generate = createGenerate(pathsOf(harness.app.swagger()), {
    keys: callers.keys,
    people: callers.people,
    ids: run.ids,
    webhookIds: run.webhookIds,
  })
  const total = count ?? (isShort ? counts.short : counts.long)
  const interrupted = interruptions()
  let early = 0
  let done = 0
  while (done < total && !interrupted() && run.violations.length < violationsMax) {
    const size = Math.min(batchSize, total - done)
    await Promise.all(Array.from({ length: size }, () => run.send(generate(rng), addressOf(rng))))
    run.readLog()
    harness.clock.advance(500)
    done += size
    if (early === 0 && done >= total / 5) early = heapAfterCollection()
    if (!isShort && done % 50_000 === 0) print(`${done} of ${total}, ${run.violations.length} violations`)
  }
  const late = heapAfterCollection()
  const growth = late / early
  if (!isShort && early > 0 && growth > growthMax)
    run.violations.push(`heap grew by a factor of ${growth.toFixed(2)}`)
  const byStatus = [...run.statuses].toSorted(([one], [other]) => one - other)
  return {
    figures: {
      requests: done,
      answers: byStatus.map(([status, times]) => `${status}: ${times}`).join(', '),
      'log lines read': run.logLines,
      'heap after a fifth, MB': (early / 1e6).toFixed(1),
      'heap at the end, MB': (late / 1e6).toFixed(1),
    },
    violations: run.violations,
  }
}

export const experiment: Experiment = {
  promise: 'any input gets an answer that the published document describes: no 500, no crash, flat memory',
  async run(options) {
    const harness = await startHarness({
      // No names are resolved and nothing is delivered: no request leaves this machine.
      dnsServers: ['127.0.0.1:9'],
      settings: {
        FAIRWAY_WEBHOOK_ALLOW_PRIVATE: 'true',
        FAIRWAY_LIMIT_KEYED: '100000/60',
        FAIRWAY_LIMIT_PUBLIC: '100000/60',
      },
    })
    try {
      return await stress(harness, options)
    } finally {
      await harness.close()
    }
  },
}
