/** Clocks that jump by an hour or a day, either way: limits stay exact, nobody is locked out for longer, no id comes twice. */

import pg from 'pg'
import { engines, type Engine } from '../../test/helpers/database/databases.ts'
import { startHarness, type Harness } from '../../test/helpers/harness.ts'
import { startPostgres } from '../../test/helpers/database/postgres.ts'
import { clockSkewMsMax } from '../../src/core/time/cooldown.ts'
import type { Experiment, Options, Outcome } from '../experiment.ts'
import { chanceOf, type Chance } from '../random.ts'
import { hourMs } from '../../src/core/time/durations.ts'

const steps = { long: 2_000, short: 60 }
const jumpsMs = [-24 * hourMs, -hourMs, hourMs, 24 * hourMs]
/** Far longer than a run takes, so that the time that really passes at the database decides nothing. */
const stepMs = 100_000
const limit = { count: 4, windowMs: 10 * stepMs }
const cooldownMs = 3 * stepMs

/** A payment that is refused on every corridor, and one that is not: see docs/test-amounts.md. */
const blocked = { corridor: 'GB-NG', amount: 600_000 }
const calm = { corridor: 'GB-NG', amount: 1_000 }

/** Lets time pass at the database, or sets its clock back: all that it admitted moves the other way. */
type MoveDatabase = (ms: number) => Promise<void>

/** What really happened, by a clock that never jumps. */
class Truth {
  nowMs = 0
  admitted: number[] = []
  /** Whether the database's clock was set back since the last request, and when the last one was that found it so. */
  isSetBack = false
  foundSetBackMs = Number.NEGATIVE_INFINITY
  /** When the payment that set the cooldown was refused. */
  lockedSinceMs: number | null = null
  readonly ids = new Set<string>()
  readonly violations: string[] = []

  admit(status: number): void {
    const inside = this.admitted.filter((atMs) => this.nowMs - atMs < limit.windowMs)
    if (status === 200 && inside.length >= limit.count) this.violate('one more was admitted than the limit')
    // How long ago a database admitted what is ahead of its clock nobody can tell: it counts from when it is seen, for one window.
    if (this.isSetBack) this.foundSetBackMs = this.nowMs
    this.isSetBack = false
    const mayBlock = inside.length >= limit.count || this.nowMs - this.foundSetBackMs < limit.windowMs
    if (status === 429 && !mayBlock) this.violate('one was refused though the window has room')
    if (status === 200) this.admitted = [...inside, this.nowMs]
    if (status !== 200 && status !== 429) this.violate(`answered ${status}`)
  }

  /** A calm payment that is repeated as refused is one that is locked out. */
  look({ request_id: id, cooldown }: { request_id: string; cooldown?: unknown }, isCalm: boolean): void {
    if (this.ids.has(id)) this.violate(`the id ${id} came twice`)
    this.ids.add(id)
    if (cooldown === undefined) this.lockedSinceMs = isCalm ? null : this.nowMs
    else this.lockedSinceMs ??= this.nowMs
    const lockedMs = this.nowMs - (this.lockedSinceMs ?? this.nowMs)
    if (lockedMs > cooldownMs + clockSkewMsMax) this.violate(`locked out for ${lockedMs / 1000} s`)
  }

  violate(what: string): void {
    this.violations.push(`${what}, ${this.nowMs / 1000} s after the start`)
  }
}

async function torment(harness: Harness, chance: Chance, count: number, move: MoveDatabase): Promise<Truth> {
  const truth = new Truth()
  const { key } = await harness.issue({ limit })
  for (let step = 0; step < count; step += 1) {
    const kind = chance.below(6)
    if (kind === 0) {
      harness.clock.setWall(harness.clock.nowMs() + chance.pick(jumpsMs))
    } else if (kind === 1 && chance.below(3) === 0) {
      await move(-chance.pick([hourMs, 24 * hourMs]))
      truth.isSetBack = true
    } else if (kind < 4) {
      const passesMs = stepMs * (1 + chance.below(4))
      harness.clock.advance(passesMs)
      await move(passesMs)
      truth.nowMs += passesMs
    } else {
      const isCalm = chance.below(4) > 0
      const { status, body } = await harness.verify(key, isCalm ? calm : blocked)
      truth.admit(status)
      if (status === 200) truth.look(body as { request_id: string }, isCalm)
    }
  }
  return truth
}

async function onEngine(engine: Engine, chance: Chance, count: number): Promise<Truth> {
  const settings = { FAIRWAY_COOLDOWN_S: String(cooldownMs / 1000) }
  const harness = await startHarness({ engine, settings })
  const client = engine === 'postgres' ? new pg.Client({ connectionString: harness.databaseUrl }) : null
  try {
    await client?.connect()
    return await torment(harness, chance, count, async (ms) => {
      await client?.query('UPDATE limit_admissions SET at_us = at_us - $1::bigint', [ms * 1000])
      await client?.query('UPDATE limit_buckets SET last_at_us = last_at_us - $1::bigint', [ms * 1000])
    })
  } finally {
    await client?.end()
    await harness.close()
  }
}

/** The tests have a server already; a run by hand starts its own. */
async function withPostgres<Result>(work: () => Promise<Result>): Promise<Result> {
  if (process.env['TEST_DATABASE_URL'] !== undefined) return work()
  const server = await startPostgres()
  process.env['TEST_DATABASE_URL'] = server.url
  try {
    return await work()
  } finally {
    delete process.env['TEST_DATABASE_URL']
    await server.stop()
  }
}

async function run({ seed, count, isShort }: Options): Promise<Outcome> {
  const total = count ?? (isShort ? steps.short : steps.long)
  const figures: Record<string, string> = {}
  const violations: string[] = []
  for (const engine of engines) {
    const truth = await onEngine(engine, chanceOf(seed), total)
    figures[engine] =
      `${total} steps, ${truth.ids.size} decisions, ${(truth.nowMs / hourMs).toFixed(0)} hours`
    violations.push(...truth.violations.map((violation) => `${engine}: ${violation}`))
  }
  return { figures, violations }
}

export const experiment: Experiment = {
  promise: 'clocks that jump an hour or a day admit nobody too often and lock nobody out beyond the window',
  run: (options) => withPostgres(() => run(options)),
}
