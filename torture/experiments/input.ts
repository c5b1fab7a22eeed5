/** Whatever is sent, in process: every answer is one that the published document describes, nothing breaks, memory stays flat. */

import type { InjectOptions } from 'fastify'
import { pathsOf } from '../../test/helpers/contract.ts'
import { startHarness, type Answer, type Harness } from '../../test/helpers/harness.ts'
import type { Experiment, Options, Outcome } from '../experiment.ts'
import { createGenerate, type Generated } from '../generate.ts'
import { faultOfLogLine, faultOfStatus, leakIn, tell } from '../judge.ts'
import { interruptions } from '../interrupted.ts'
import { heapAfterCollection } from '../memory.ts'
import { chanceOf, type Chance } from '../random.ts'

const counts = { long: 1_000_000, short: 800 }
/** So many are under way at once. */
const batchSize = 100
const idsKept = 200
const violationsMax = 20
/** Of what is in use at the end to what was after a fifth: caches fill up, and nothing else may. */
const growthMax = 1.5
const clients = 1_000

interface Callers {
  readonly keys: readonly string[]
  readonly live: string
}

/** Keys of every kind; those that are good come more often, since little is behind a refusal. */
async function callersOf({ issue, store, clock }: Harness): Promise<Callers> {
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
  const often = Array.from({ length: 5 }, () => [one.key, two.key]).flat()
  return { keys: [...often, revoked.key, scoped.key, slow.key, live.key], live: live.key }
}

/** The latest few, so that later requests are about something. */
function remember(ids: string[], id: unknown): void {
  if (typeof id !== 'string') return
  ids.push(id)
  if (ids.length > idsKept) ids.shift()
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

  async ask(asked: Generated, from: string): Promise<void> {
    const { method, url, headers, body } = asked
    const request = { method, url, headers, remoteAddress: from } as InjectOptions
    try {
      const answer = await this.#harness.send(body === null ? request : { ...request, payload: body })
      this.#judge(asked, answer)
    } catch (error) {
      this.#violate(asked, error instanceof Error ? error.message : String(error))
    }
  }

  #judge(asked: Generated, { status, body, text }: Answer): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
    const isLive = asked.headers['authorization']?.endsWith(this.#callers.live) === true
    const fault = faultOfStatus(asked, { status, body, isLive }) ?? leakIn(status, text)
    if (fault !== null) this.#violate(asked, fault)
    const { request_id: requestId, webhook_id: webhookId } = (body ?? {}) as Record<string, unknown>
    if (status === 200) {
      remember(this.ids, requestId)
      remember(this.webhookIds, webhookId)
    }
  }

  #violate(asked: Generated, why: string): void {
    if (this.violations.length < violationsMax) this.violations.push(`${tell(asked)}: ${why}`)
  }

  /** What was logged is looked at and let go of, so that it is not taken for growth. */
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

/** The address of one of many callers, so that public routes admit some and refuse others. */
const addressOf = (chance: Chance): string => {
  const client = chance.below(clients)
  return `198.51.${Math.floor(client / 250)}.${client % 250}`
}

async function torment(harness: Harness, { seed, count, isShort, say }: Options): Promise<Outcome> {
  const callers = await callersOf(harness)
  const run = new Run(harness, callers)
  const chance = chanceOf(seed)
  const generate = createGenerate(pathsOf(harness.app.swagger()), {
    keys: callers.keys,
    ids: run.ids,
    webhookIds: run.webhookIds,
  })
  const total = count ?? (isShort ? counts.short : counts.long)
  const interrupted = interruptions()
  let early = 0
  let done = 0
  while (done < total && !interrupted() && run.violations.length < violationsMax) {
    const size = Math.min(batchSize, total - done)
    await Promise.all(Array.from({ length: size }, () => run.ask(generate(chance), addressOf(chance))))
    run.readLog()
    harness.clock.advance(500)
    done += size
    if (early === 0 && done >= total / 5) early = heapAfterCollection()
    if (!isShort && done % 50_000 === 0) say(`${done} of ${total}, ${run.violations.length} violations`)
  }
  const late = heapAfterCollection()
  const growth = late / early
  if (!isShort && early > 0 && growth > growthMax)
    run.violations.push(`memory in use grew ${growth.toFixed(2)} times`)
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
  promise: 'any input gets an answer that the published document describes: no 500, no crash, memory flat',
  async run(options) {
    const harness = await startHarness({
      // Names are asked for nowhere, and nothing is delivered: no request leaves this machine.
      dnsServers: ['127.0.0.1:9'],
      settings: { FAIRWAY_WEBHOOK_ALLOW_PRIVATE: 'true', FAIRWAY_LIMIT_KEYED: '100000/60' },
    })
    try {
      return await torment(harness, options)
    } finally {
      await harness.close()
    }
  },
}
