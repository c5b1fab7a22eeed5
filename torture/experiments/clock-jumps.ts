/** Clocks that jump an hour or a day, either way: limits stay exact, cooldowns are not prolonged, ids stay unique. */

import pg from 'pg'
import { engines, type Engine } from '../../test/helpers/database/databases.ts'
import { startHarness, type Harness } from '../../test/helpers/harness.ts'
import { withPostgres } from '../../test/helpers/database/postgres.ts'
import { clockSkewMsMax } from '../../src/core/time/cooldown.ts'
import type { Experiment, Options, Outcome } from '../experiment.ts'
import { createRng, type Rng } from '../random.ts'
import { hourMs } from '../../src/core/time/durations.ts'

const steps = { long: 2_000, short: 60 }
const jumpsMs = [-24 * hourMs, -hourMs, hourMs, 24 * hourMs]
/** Far longer than a run, so that the real time that passes at the database does not matter. */
const stepMs = 100_000
const limit = { count: 4, windowMs: 10 * stepMs }
const cooldownMs = 3 * stepMs

/** A payment that is blocked on every corridor, and one that is not: see docs/test-amounts.md. */
const blocked = { corridor: 'GB-NG', amount: 600_000 }
const calm = { corridor: 'GB-NG', amount: 1_000 }

/** Moves the database's clock, by shifting the times of its admissions the other way. */
type MoveDatabase = (ms: number) => Promise<void>

/** The expected state, by a clock that never jumps. */
class Truth {
  nowMs = 0
  admitted: number[] = []
  /** Whether the database's clock was set back since the last request. */
  isSetBack = false
  /** When a request last met a clock that was set back. */
  lastSetBackMs = Number.NEGATIVE_INFINITY
  /** When the payment that started the cooldown was blocked. */
  lockedSinceMs: number | null = null
  readonly ids = new Set<string>()
  readonly violations: string[] = []

  admit(status: number): void {
    const inside = this.admitted.filter((atMs) => this.nowMs - atMs < limit.windowMs)
    if (status === 200 && inside.length >= limit.count)
      this.violate('more requests were admitted than the limit allows')
    // The age of an admission ahead of the database's clock is unknown: it counts for one window after it is read.
    if (this.isSetBack) this.lastSetBackMs = this.nowMs
    this.isSetBack = false
    const mayBlock = inside.length >= limit.count || this.nowMs - this.lastSetBackMs < limit.windowMs
    if (status === 429 && !mayBlock) this.violate('a request was refused although the window is not full')
    if (status === 200) this.admitted = [...inside, this.nowMs]
    if (status !== 200 && status !== 429) this.violate(`answered ${status}`)
  }

  /** A calm payment that repeats a block is locked out by the cooldown. */
  checkDecision(
    { request_id: id, cooldown }: { request_id: string; cooldown?: unknown },
    isCalm: boolean,
  ): void {
    if (this.ids.has(id)) this.violate(`the id ${id} occurs twice`)
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

async function stress(harness: Harness, rng: Rng, count: number, move: MoveDatabase): Promise<Truth> {
  const truth = new Truth()
  const { key } = await harness.issue({ limit })
  for (let step = 0; step < count; step += 1) {
    const kind = rng.below(6)
    if (kind === 0) {
      harness.clock.setWall(harness.clock.nowMs() + rng.pick(jumpsMs))
    } else if (kind === 1 && rng.below(3) === 0) {
      await move(-rng.pick([hourMs, 24 * hourMs]))
      truth.isSetBack = true
    } else if (kind < 4) {
      const passesMs = stepMs * (1 + rng.below(4))
      harness.clock.advance(passesMs)
      await move(passesMs)
      truth.nowMs += passesMs
    } else {
      const isCalm = rng.below(4) > 0
      const { status, body } = await harness.verify(key, isCalm ? calm : blocked)
      truth.admit(status)
      if (status === 200) truth.checkDecision(body as { request_id: string }, isCalm)
    }
  }
  return truth
}

async function onEngine(engine: Engine, rng: Rng, count: number): Promise<Truth> {
  const settings = { FAIRWAY_COOLDOWN_S: String(cooldownMs / 1000) }
  const harness = await startHarness({ engine, settings })
  const client = engine === 'postgres' ? new pg.Client({ connectionString: harness.databaseUrl }) : null
  try {
    await client?.connect()
    return await stress(harness, rng, count, async (ms) => {
      await client?.query('UPDATE limit_admissions SET at_us = at_us - $1::bigint', [ms * 1000])
      await client?.query('UPDATE limit_buckets SET last_at_us = last_at_us - $1::bigint', [ms * 1000])
    })
  } finally {
    await client?.end()
    await harness.close()
  }
}

async function run({ seed, count, isShort }: Options): Promise<Outcome> {
  const total = count ?? (isShort ? steps.short : steps.long)
  const figures: Record<string, string> = {}
  const violations: string[] = []
  for (const engine of engines) {
    const truth = await onEngine(engine, createRng(seed), total)
    figures[engine] =
      `${total} steps, ${truth.ids.size} decisions, ${(truth.nowMs / hourMs).toFixed(0)} hours`
    violations.push(...truth.violations.map((violation) => `${engine}: ${violation}`))
  }
  return { figures, violations }
}

export const experiment: Experiment = {
  promise:
    'clocks that jump by an hour or a day neither exceed a limit nor prolong a cooldown beyond its window',
  run: (options) => withPostgres(() => run(options)),
}
