/** Generated traffic for the reports of policies: several corridors, currencies and owners, repeats, overrides, outcomes. */

import assert from 'node:assert/strict'
import { systemRandom as random } from '../../src/adapters/system.ts'
import { Backtester, createRunPart, type BacktestRoom } from '../../src/app/policy/backtest.ts'
import { createPolicyLibrary } from '../../src/app/policy/library.ts'
import type { OwnPolicies } from '../../src/app/policy/policies.ts'
import type { Backtest, BacktestRange, PolicyStore } from '../../src/app/ports/policies.ts'
import { prefixedId } from '../../src/app/verify/ids.ts'
import type { PolicyDocument } from '../../src/core/policy/document.ts'
import { reportOf, type PolicyReport } from '../../src/core/policy/report.ts'
import type { ManualClock } from './clock.ts'
import fc from './fast-check.ts'
import type { Harness } from './harness.ts'
import { report } from './outcomes.ts'
import { ruleOf } from './policies.ts'
import { override } from './webhooks.ts'

/** Flips payments of every verdict, by rules, caps and floors, and fails on payments without an amount. */
export const planted: PolicyDocument = {
  name: 'Planted',
  require_amount: true,
  caps: { NGN: { review_above: 5_000, block_above: 40_000 } },
  go_floor: 0.93,
  no_go_below: 0.6,
  rules: [
    ruleOf('large', 'amount > 20000.0', 'DEGRADED'),
    ruleOf('flagged', 'flagged.exists(one, one in ["network_healthy", "cop_overridden"])'),
    ruleOf('outbound', 'origin == "NG" && currency == "GBP"', 'DEGRADED'),
    ruleOf('new', '!(corridor in ["GB-NG", "NG-GB"]) && confidence < 0.5'),
  ],
}

interface Step {
  readonly caller: number
  readonly corridor: string
  readonly currency: string
  readonly amount: number | null
  readonly waitMs: number
  readonly isOverridden: boolean
  readonly outcomes: readonly string[]
  /** Outcomes come so many payments later. */
  readonly lateBy: number
}

const anyStep: fc.Arbitrary<Step> = fc.record({
  caller: fc.nat(),
  corridor: fc.constantFrom('GB-NG', 'GB-NG', 'NG-GB', 'NG-GB', 'US-MX', 'GB-KE'),
  currency: fc.constantFrom('GBP', 'GBP', 'NGN', 'USD'),
  // Decimals choose a test scenario in shadow mode: a failing network, an open fraud flag, a score that blocks.
  amount: fc.constantFrom(
    null,
    10,
    900,
    1000.01,
    1000.02,
    1000.07,
    1000.05,
    1000.08,
    6_000,
    25_000,
    45_000,
    60_000,
    600_000,
  ),
  waitMs: fc.constantFrom(0, 0, 1, 500, 40_000, 95_000),
  isOverridden: fc.boolean(),
  outcomes: fc.constantFrom(
    [],
    [],
    ['COMPLETED'],
    ['PENDING'],
    ['PENDING', 'FAILED'],
    ['PENDING', 'COMPLETED'],
    ['REJECTED'],
    ['DELAYED'],
  ),
  lateBy: fc.nat({ max: 5 }),
})

/** The same steps in every run, and others for another part of it. */
export function stepsOf(count: number, part: number): Step[] {
  return (
    fc.sample(fc.array(anyStep, { minLength: count, maxLength: count, size: 'max' }), {
      numRuns: 1,
      seed: 20_261_116 + part,
    })[0] ?? assert.fail()
  )
}

/** Sends the payments one after the other, by keys in turn, on instances in turn. */
export async function sendTraffic(
  instances: readonly Harness[],
  keys: readonly string[],
  steps: readonly Step[],
): Promise<void> {
  const [first = assert.fail()] = instances
  const pending: { at: number; work: () => Promise<void> }[] = []
  for (const [place, step] of steps.entries()) {
    const harness = instances[place % instances.length] ?? first
    const key = keys[step.caller % keys.length] ?? assert.fail()
    const { corridor, currency, amount } = step
    const { status, body, text } = await harness.verify(key, {
      corridor,
      currency,
      ...(amount === null ? {} : { amount }),
    })
    assert.equal(status, 200, text)
    const id = String(body.request_id)
    if (step.isOverridden && body.decision !== 'GO') await override(harness, key, id)
    for (const [turn, outcome] of step.outcomes.entries())
      pending.push({
        at: place + (turn + 1) * step.lateBy,
        work: async () => assert.equal((await report(harness, key, id, { outcome })).status, 200),
      })
    for (const { at, work } of pending) if (at === place) await work()
    harness.clock.advance(step.waitMs)
  }
  for (const { at, work } of pending) if (at >= steps.length) await work()
}

export interface BacktesterOptions {
  readonly holder?: string
  /** In place of the store's own. */
  readonly store?: Partial<PolicyStore>
  readonly open?: () => BacktestRoom
  readonly warn?: (fields: object, message: string) => void
  readonly clock?: ManualClock
}

/** Runs the backtests of this store when a test asks for it. */
export function backtesterOn({ store, clock }: Harness, options: BacktesterOptions = {}): Backtester {
  const policies = { ...store.policies, ...options.store }
  const run = createRunPart({ store: policies, library: createPolicyLibrary(policies) })
  return new Backtester({
    store: policies,
    clock: options.clock ?? clock,
    holder: options.holder ?? prefixedId('ins', random),
    open: options.open ?? (() => ({ run, close: () => Promise.resolve() })),
    log: { warn: options.warn ?? ((fields, message) => assert.fail(`${message} ${JSON.stringify(fields)}`)) },
  })
}

/** The report of a backtest of these policies, which no service runs by itself. */
export async function backtestOf(
  harness: Harness,
  own: OwnPolicies,
  policyId: string,
  range: BacktestRange,
): Promise<PolicyReport> {
  const started = await own.startBacktest(policyId, range)
  if (started === null || started === 'too_many') return assert.fail(String(started))
  const backtester = backtesterOn(harness)
  backtester.nudge()
  await backtester.settled()
  const { status, sums, error } = await found(own, policyId, started)
  assert.equal(status, 'done', String(error))
  return reportOf(sums ?? assert.fail('no sums'))
}

async function found(own: OwnPolicies, policyId: string, { backtestId }: Backtest): Promise<Backtest> {
  return (await own.findBacktest(policyId, backtestId)) ?? assert.fail('no such backtest')
}
