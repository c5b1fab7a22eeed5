/** Decisions as verify makes and keeps them: what their explanation, counterfactuals and impact are asked of. */

import fc from './fast-check.ts'
import { isSupported, type Corridor } from '../../src/core/reference/corridor.ts'
import { decide } from '../../src/core/decision/decide.ts'
import { currentRevision, engineVersion } from '../../src/core/decision/engine.ts'
import type { RecordedDecision } from '../../src/core/explain/recorded-decision.ts'
import { standardCap, type Cap, type Policy } from '../../src/core/decision/policy.ts'
import type { Telemetry } from '../../src/core/decision/score.ts'
import {
  contractFloors,
  type PaymentPolicy,
  type Policies,
  type Rule,
  type Tightening,
} from '../../src/core/decision/tightening.ts'
import { weightPercent, type Readings } from '../../src/core/decision/signals.ts'
import { simulate } from '../../src/core/shadow/simulation.ts'
import { scenarioOf } from '../../src/core/shadow/test-amounts.ts'
import { currencyOf } from './check.ts'

export interface World {
  readonly currency?: string
  readonly cap?: Cap
  readonly telemetry?: Telemetry | null
  /** In place of those of the simulation. */
  readonly readings?: Readings
  /** A live feed's where readings are given, unless this says otherwise. */
  readonly source?: 'simulation' | 'live'
  /** In force beside the caps. */
  readonly policies?: Partial<Policies>
}

export const policyOf = (cap: Cap): Policy => ({ standard: cap, stricter: new Map() })

/** A policy with these parts and nothing else. */
export const policyWith = (
  name: string,
  parts: Partial<Omit<PaymentPolicy, 'name'>> = {},
): PaymentPolicy => ({
  policyId: `pol_${name.toLowerCase().replaceAll(' ', '_')}`,
  name,
  caps: new Map(),
  ...contractFloors,
  rules: [],
  ...parts,
})

export const rule = (id: string, then: Rule['then'], when: Rule['when'], message = `${id}.`): Rule => ({
  id,
  when,
  then,
  message,
})

function tighteningIn({ policies }: World, source: RecordedDecision['source']): Tightening | null {
  if (policies === undefined) return null
  const { owner = null, installation = null } = policies
  return {
    policies: { owner, installation },
    circumstances: {
      mode: source === 'live' ? 'live' : 'shadow',
      source,
      volatility: 0.01,
      partner: null,
      isCalendarOpen: null,
      atMs: Date.UTC(2026, 10, 17, 12),
    },
  }
}

/** As shadow verify decides, test amounts and all, unless the world is another. */
export function recordedDecision(
  corridor: Corridor,
  amount: number | null,
  world: World = {},
): RecordedDecision {
  const { cap = standardCap, telemetry = null } = world
  const currency = currencyOf(world.currency ?? 'GBP')
  const readings = world.readings ?? simulate({ corridor, amount, currency }, scenarioOf(amount))
  const source = world.source ?? (world.readings === undefined ? 'simulation' : 'live')
  const tightening = tighteningIn(world, source)
  return {
    engine: engineVersion,
    revision: currentRevision,
    hasTestAmounts: true,
    source,
    corridor,
    amount,
    currency,
    readings,
    weightPercent,
    telemetry,
    partners: null,
    tightening,
    decision: decide({
      corridor,
      supported: isSupported(corridor),
      amount,
      currency,
      readings,
      policy: policyOf(cap),
      tightening,
      telemetry,
    }),
  }
}

/** Telemetry that has a say, or none. */
export const anyTelemetry: fc.Arbitrary<Telemetry | null> = fc.option(
  fc.record({
    scoreThousandths: fc.integer({ min: 0, max: 1000 }),
    weightPercent: fc.integer({ min: 1, max: 50 }),
  }),
)
