/** Decisions under policies: explained with the rules that fired, and held against what would have been without them. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../helpers/fast-check.ts'
import { decide, type Decision } from '../../../src/core/decision/decide.ts'
import { viewIn } from '../../../src/core/decision/profiles.ts'
import { actionOf } from '../../../src/core/decision/reasons.ts'
import { bandTable } from '../../../src/core/decision/score.ts'
import { signalNames, withHealthy } from '../../../src/core/decision/signals.ts'
import type { PaymentPolicy, Policies } from '../../../src/core/decision/tightening.ts'
import { counterfactualsOf, type Counterfactuals } from '../../../src/core/explain/counterfactuals.ts'
import { summaryOf } from '../../../src/core/explain/explanation.ts'
import { impactOf } from '../../../src/core/explain/impact.ts'
import type { RecordedDecision } from '../../../src/core/explain/recorded-decision.ts'
import { simulate } from '../../../src/core/shadow/simulation.ts'
import {
  anyAmount,
  anyReadings,
  anySupported,
  anyUnsupported,
  check,
  corridorOf,
  currencyOf,
  readingsWith,
} from '../../helpers/check.ts'
import { policyOf, policyWith, recordedDecision, rule } from '../../helpers/recorded-decisions.ts'

const gbNg = corridorOf('GB-NG')
const gbp = currencyOf('GBP')
const found = (kept: RecordedDecision): Counterfactuals =>
  counterfactualsOf(kept) ?? assert.fail('there are none')
const told = (kept: RecordedDecision): string => summaryOf(kept, counterfactualsOf(kept))
const kindsOf = (kept: RecordedDecision): string[] => found(kept).items.map(({ kind }) => kind)
const changesOf = (kept: RecordedDecision, kind: string): string[][] =>
  found(kept).items.flatMap((item) => (item.kind === kind ? [[item.change, item.verdict]] : []))

const fails = (): never => {
  throw new Error('no such fact')
}
const payee = rule('payee', 'NO-GO', ({ signals }) => signals.cop_overridden, 'The payee was not confirmed.')
const thin = rule('thin-data', 'DEGRADED', ({ confidence }) => confidence < 1, 'Too little data')
const closed = rule('closed', 'NO-GO', fails, 'The corridor is closed.')
const network = rule(
  'network',
  'NO-GO',
  ({ flagged }) => flagged?.includes('network_healthy'),
  'Network down.',
)

const hardStops = policyWith('Hard stops', { rules: [payee, thin] })
const house = policyWith('House rules', { rules: [closed] })
const unconfirmed = readingsWith({ cop_overridden: 0 })

const under = (policies: Partial<Policies>, amount: number | null = 1000, readings = readingsWith({})) =>
  recordedDecision(gbNg, amount, { readings, policies })

test('the summary names each rule that fired, its policy, its verdict and its message', () => {
  check<RecordedDecision, string>(
    [
      [
        under({ owner: policyWith('Hard stops', { rules: [payee] }) }, 1000, unconfirmed),
        "NO-GO: a payment of 1,000 GBP on GB-NG, with a score of 0.95. GO starts at 0.80. No policy cap applies. Rule payee of the owner's policy “Hard stops” fired (NO-GO): The payee was not confirmed. Without rules of policies it is GO; this rule makes it NO-GO. Flagged: payee confirmation (health 0). With a confirmed payee it would have been GO.",
      ],
      [
        under({ owner: hardStops, installation: house }, 1000, unconfirmed),
        "NO-GO: a payment of 1,000 GBP on GB-NG, with a score of 0.95. GO starts at 0.80. No policy cap applies. Rule payee of the owner's policy “Hard stops” fired (NO-GO): The payee was not confirmed. Rule thin-data of the owner's policy “Hard stops” fired (DEGRADED): Too little data. Rule closed of the installation's policy “House rules” could not be evaluated for this payment, and so counts as fired (NO-GO): The corridor is closed. Without rules of policies it is GO; these rules make it NO-GO. Flagged: payee confirmation (health 0). No single signal, had it been healthy, would have changed the decision.",
      ],
      // A rule that changes nothing says so.
      [
        under({ installation: hardStops }, 1000, readingsWith({ network_healthy: 0, fraud_flags: 900 })),
        "DEGRADED: a payment of 1,000 GBP on GB-NG, with a score of 0.72. A score from 0.48 to 0.79 is DEGRADED. No policy cap applies. Rule thin-data of the installation's policy “Hard stops” fired (DEGRADED): Too little data. Without rules of policies it is DEGRADED, too. Flagged: settlement network (health 0). No single signal, had it been healthy, would have changed the decision.",
      ],
      // Above the review cap, but blocked: no approval is asked for.
      [
        under({ installation: house }, 60_000),
        "NO-GO: a payment of 60,000 GBP on GB-NG, with a score of 1.00. By its score it is GO, but no payment above 50,000 GBP is GO. Rule closed of the installation's policy “House rules” could not be evaluated for this payment, and so counts as fired (NO-GO): The corridor is closed. Without rules of policies it is DEGRADED; this rule makes it NO-GO. No signal is flagged; every signal adds its full weight. No single signal, had it been healthy, would have changed the decision.",
      ],
    ],
    told,
  )
})

test('the bands are those of the floors that it was decided by', () => {
  const strict = policyWith('Strict', { goFloor: 90, degradedFloor: 70 })
  const stricter = policyWith('Stricter', { goFloor: 95 })
  const at = (health: number): RecordedDecision =>
    under({ owner: strict, installation: stricter }, 1000, readingsWith({ network_healthy: health }))
  check<RecordedDecision, readonly [string, string]>(
    [
      [at(1000), ['GO', 'GO starts at 0.95.']],
      [at(700), ['DEGRADED', 'A score from 0.70 to 0.94 is DEGRADED.']],
      [
        under({ owner: strict }, 1000, readingsWith({ fraud_flags: 0 })),
        ['DEGRADED', 'A score from 0.70 to 0.89 is DEGRADED.'],
      ],
      [
        under({ owner: strict }, 1000, readingsWith({ fraud_flags: 0, network_healthy: 900 })),
        ['NO-GO', 'A score below 0.70 is NO-GO.'],
      ],
    ],
    (kept) => [kept.decision.verdict, told(kept).split(/(?<=\.) /)[1] ?? ''],
  )
  assert.deepEqual(bandTable(at(1000).decision.evidence.floors), [
    { decision: 'GO', score_from: 0.95, score_below: 1.01 },
    { decision: 'DEGRADED', score_from: 0.7, score_below: 0.95 },
    { decision: 'NO-GO', score_from: 0, score_below: 0.7 },
  ])
})

/** Any of the rules above in any policy, or no policy at all. */
const anyPolicy = (name: string): fc.Arbitrary<PaymentPolicy | null> =>
  fc.option(
    fc
      .record({
        rules: fc.subarray([payee, thin, closed, network]),
        goFloor: fc.constantFrom(80, 80, 90),
        degradedFloor: fc.constantFrom(48, 48, 75),
        cap: fc.option(fc.integer({ min: 0, max: 50_000 })),
      })
      .map(({ cap, ...parts }) => {
        const caps = new Map(cap === null ? [] : [[gbp, { reviewAbove: cap, blockAbove: cap * 4 }] as const])
        return policyWith(name, { ...parts, caps })
      }),
  )
const anyPolicies = fc.record({ owner: anyPolicy('Mine'), installation: anyPolicy('Ours') })
const anyKept = fc
  .tuple(fc.oneof(anySupported, anyUnsupported), anyAmount, fc.option(anyReadings), anyPolicies)
  .map(([corridor, amount, readings, policies]) =>
    recordedDecision(corridor, amount, { policies, ...(readings === null ? {} : { readings }) }),
  )

test('a policy that does nothing changes no word of the summary', () => {
  const anyIdle = fc.record({
    owner: fc.option(fc.constant(policyWith('Mine'))),
    installation: fc.option(fc.constant(policyWith('Ours'))),
  })
  fc.assert(
    fc.property(fc.oneof(anySupported, anyUnsupported), anyAmount, anyIdle, (corridor, amount, policies) => {
      const [idle, none] = [
        recordedDecision(corridor, amount, { policies }),
        recordedDecision(corridor, amount),
      ]
      assert.equal(told(idle), told(none))
      const items = found(idle).items.filter(({ kind }) => kind !== 'policy')
      assert.deepEqual(items, found(none).items)
    }),
  )
})

test('every sentence is whole, and each rule that fired is named once', () => {
  fc.assert(
    fc.property(anyKept, (kept) => {
      const text = told(kept)
      assert.doesNotMatch(text, /undefined|NaN|null|Infinity|\[object| {2}|\.\.|,,|^\s|\s$|\($/)
      assert.match(text, /^[A-Z0-9].*\.$/)
      const { fired } = kept.decision.evidence
      assert.equal(text.match(/ Rule \S+ of the /g)?.length ?? 0, fired.length, text)
      const failed = fired.filter((one) => one.failed).length
      assert.equal(text.match(/ could not be evaluated /g)?.length ?? 0, failed, text)
      assert.equal(text.includes(' Without rules of policies it is '), fired.length > 0, text)
    }),
    { numRuns: 500 },
  )
})

/** The decision with one thing changed, asked of the scorer. */
function decidedWith(kept: RecordedDecision, change: object): Decision {
  const { corridor, amount, currency, readings, telemetry, tightening, decision } = kept
  const { baseCap, supported } = decision.evidence
  const payment = { corridor, supported, amount, currency, readings, telemetry, tightening }
  return decide({ ...payment, policy: policyOf(baseCap), ...change })
}

test('without each policy it is what the scorer says without it', () => {
  fc.assert(
    fc.property(anyKept, (kept) => {
      const { tightening } = kept
      const { policies, circumstances } = tightening ?? assert.fail('no policies')
      const expected = (['owner', 'installation'] as const).flatMap((side) => {
        const name = policies[side]?.name
        if (name === undefined) return []
        const other = decidedWith(kept, {
          tightening: { circumstances, policies: { ...policies, [side]: null } },
        })
        return [[`Without the ${side}'s policy “${name}”.`, other.verdict]]
      })
      assert.deepEqual(changesOf(kept, 'policy'), expected)
    }),
    { numRuns: 500 },
  )
})

test('under rules, too, each listed signal changes the decision, and no other single signal would', () => {
  fc.assert(
    fc.property(anyKept, (kept) => {
      const { verdict } = kept.decision
      if (verdict === 'GO') return assert.deepEqual(found(kept).decisive, [])
      const expected = signalNames.flatMap((signal) => {
        const other = decidedWith(kept, { readings: withHealthy(kept.readings, [signal]) })
        return other.verdict === verdict ? [] : [{ signal, verdict: other.verdict }]
      })
      const { fired, supported } = kept.decision.evidence
      // Without data and without rules no signal is asked for.
      assert.deepEqual(found(kept).decisive, fired.length === 0 && !supported ? [] : expected)
    }),
    { numRuns: 500 },
  )
})

test('of a corridor without data no signal is called healthy, whatever fired', () => {
  const low = policyWith('Low', { rules: [rule('low', 'NO-GO', ({ score }) => score < 0.65)] })
  const kept = recordedDecision(corridorOf('US-MX'), 1000, { policies: { owner: low } })
  assert.equal(kept.decision.verdict, 'NO-GO')
  assert.ok(changesOf(kept, 'signal').length > 0, 'simulated signals can be asked for')
  assert.deepEqual(changesOf({ ...kept, source: 'none' }, 'signal'), [])
})

test('with a rule in force no largest amount is searched, and none is claimed', () => {
  fc.assert(
    fc.property(anyKept, (kept) => {
      const { owner = null, installation = null } = kept.tightening?.policies ?? {}
      const hasRules = [owner, installation].some((policy) => (policy?.rules.length ?? 0) > 0)
      const { largestGoAmount, amountBasis } = found(kept)
      assert.equal(amountBasis === 'not_searched', hasRules)
      if (!hasRules) return
      assert.equal(largestGoAmount, null)
      assert.ok(!kindsOf(kept).includes('amount'))
      assert.doesNotMatch(told(kept), /amount (?:that )?would have been GO/)
    }),
  )
})

test('with caps and floors alone the largest GO amount is GO, and one more is not', () => {
  const isGoAt = (kept: RecordedDecision, amount: number): boolean => {
    const { corridor, currency } = kept
    return decidedWith(kept, { amount, readings: simulate({ corridor, amount, currency }) }).verdict === 'GO'
  }
  fc.assert(
    fc.property(
      anySupported,
      fc.integer({ min: 0, max: 50_000 }),
      fc.integer({ min: 0, max: 50_000 }),
      fc.integer({ min: 80, max: 97 }),
      (corridor, mine, ours, goFloor) => {
        const capped = (name: string, reviewAbove: number) =>
          policyWith(name, { caps: new Map([[gbp, { reviewAbove, blockAbove: 100_000 }]]), goFloor })
        const policies = { owner: capped('Mine', mine), installation: capped('Ours', ours) }
        const kept = recordedDecision(corridor, 1000, { policies })
        const { largestGoAmount, amountBasis } = found(kept)
        assert.equal(amountBasis, 'simulated')
        if (largestGoAmount === null) return assert.equal(isGoAt(kept, 0), false)
        assert.ok(largestGoAmount <= Math.min(mine, ours))
        assert.equal(isGoAt(kept, largestGoAmount), true)
        assert.equal(isGoAt(kept, largestGoAmount + 1), false)
      },
    ),
  )
  const caps = new Map([[gbp, { reviewAbove: 20_000, blockAbove: 200_000 }]])
  assert.equal(found(under({ owner: policyWith('Caps', { caps }) })).largestGoAmount, 20_000)
})

const fee = { fee: null, feeCurrency: null }
const partners = {
  ranked: [
    { partner: 'alpha', verdict: 'GO', scoreHundredths: 96, amountMax: 500, ...fee },
    { partner: 'beta', verdict: 'DEGRADED', scoreHundredths: 85, amountMax: null, ...fee },
  ],
  leftOut: [],
  isTooLarge: false,
} as const

test('a partner below the floor of a policy does not count for the largest GO amount', () => {
  const strict = { ...under({ owner: policyWith('Strict', { goFloor: 90 }) }, 100), partners }
  assert.equal(found(strict).largestGoAmount, 500)
  assert.equal(found({ ...under({}, 100), partners }).largestGoAmount, 50_000)
})

test('among partners it is said through which one it would go without the policy', () => {
  const kept = under({ owner: hardStops }, 100)
  const [only] = partners.ranked
  assert.deepEqual(changesOf({ ...kept, partners }, 'policy'), [
    ["Without the owner's policy “Hard stops”, through alpha.", 'GO'],
  ])
  assert.deepEqual(changesOf({ ...kept, partners: { ...partners, ranked: [only] } }, 'policy'), [
    ["Without the owner's policy “Hard stops”.", 'GO'],
  ])
})

test('a profile compares thresholds alone, and says which parts of policies it leaves out', () => {
  const speed = 'In the optimise speed profile, by its threshold alone: GO from 0.70.'
  const floors = policyWith('Strict', { goFloor: 99 })
  check<Partial<Policies>, string | undefined>(
    [
      [{ owner: policyWith('Idle') }, speed],
      [{ owner: policyWith('Idle', { rules: [payee] }) }, speed],
      [{ owner: hardStops }, `${speed} Rules of policies were not applied here.`],
      [{ owner: floors }, `${speed} Floors of policies were not applied here.`],
      [
        { owner: floors, installation: house },
        `${speed} Floors and rules of policies were not applied here.`,
      ],
    ],
    (policies) => changesOf(under(policies), 'profile')[1]?.[0],
  )
  fc.assert(
    fc.property(anyKept, ({ decision }) => {
      const { verdict, recommendedAction } = viewIn('balanced', decision)
      const { gate } = decision.evidence
      const acting = decision.reasons.filter(
        ({ code }) => code !== 'POLICY_RULE_APPLIED' && (code !== 'POLICY_CAP_APPLIED' || gate === 'block'),
      )
      assert.equal(recommendedAction, actionOf(verdict, acting))
      if (verdict === 'GO') assert.notEqual(recommendedAction, 'MANUAL_APPROVAL')
    }),
  )
})

test('a rule decides the intervention, and the score what that avoids', () => {
  const poor = readingsWith({ network_healthy: 600 })
  check<readonly [Partial<Policies>, typeof poor], readonly [string, number]>(
    [
      [
        [{}, poor],
        ['PASS_THROUGH', 0],
      ],
      [
        [{ owner: house }, poor],
        ['BLOCK', 10],
      ],
      [
        [{ owner: policyWith('Thin', { rules: [thin] }) }, poor],
        ['CONDITIONAL_HOLD', 10],
      ],
      [
        [{ owner: policyWith('Thin', { rules: [thin] }) }, readingsWith({})],
        ['CONDITIONAL_HOLD', 0],
      ],
    ],
    ([policies, readings]) => {
      const { intervention, riskReductionHundredths } = impactOf(under(policies, 1000, readings), null)
      return [intervention, riskReductionHundredths]
    },
  )
})
