/** Whatever was counted and whatever is in force, a suggestion is a valid policy that only tightens, as little as it can. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../helpers/fast-check.ts'
import { compilePolicy, type CompiledPolicy } from '../../../src/app/policy/compile.ts'
import { amountSteps, type CountedCell, type Subject } from '../../../src/core/calibration/cells.ts'
import type { Scope } from '../../../src/core/calibration/suggestion.ts'
import { decide, type Decision } from '../../../src/core/decision/decide.ts'
import { standardPolicy } from '../../../src/core/decision/policy.ts'
import { signalNames, type Readings, type SignalName } from '../../../src/core/decision/signals.ts'
import { isStricter } from '../../../src/core/decision/tightening.ts'
import type { PolicyDocument, RuleDocument } from '../../../src/core/policy/document.ts'
import { anyReadings, corridorOf, currencyOf, readingsWith } from '../../helpers/check.ts'
import { wilsonEnds } from '../../helpers/calibration.ts'
import { ruleOf } from '../../helpers/policies.ts'
import { suggestFrom } from '../../helpers/suggestions.ts'

// Cells

const anySubject: fc.Arbitrary<readonly [Subject, number]> = fc.oneof(
  fc.tuple(fc.constantFrom('GO' as const, 'clear GO' as const), fc.integer({ min: 80, max: 100 })),
  fc.tuple(fc.constant('DEGRADED' as const), fc.integer({ min: 48, max: 100 })),
  fc.tuple(fc.constant('NO-GO' as const), fc.integer({ min: 0, max: 100 })),
  fc.tuple(fc.constantFrom('flagged' as const, 'clear' as const, 'flagged GO' as const), fc.nat(6)),
  fc.tuple(fc.constantFrom('amount GBP' as const, 'amount NGN' as const), fc.nat(amountSteps.length - 1)),
)

/** Few payments or many, which fail rarely, often, or about as often as the verdict allows for. */
const anyCounted: fc.Arbitrary<CountedCell> = fc
  .record({
    cell: anySubject,
    records: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 5_000 })),
    share: fc.oneof(fc.constantFrom(0, 0.15, 0.25, 0.45, 0.6, 1), fc.double({ min: 0, max: 1, noNaN: true })),
  })
  .map(({ cell: [subject, place], records, share }) => ({
    subject,
    place,
    records,
    failures: Math.round(records * share),
  }))

const anyCells = fc.uniqueArray(anyCounted, {
  maxLength: 40,
  size: 'max',
  selector: ({ subject, place }) => `${place} ${subject}`,
})

// What is in force

const anyCap = fc
  .tuple(fc.oneof(fc.constantFrom(...amountSteps), fc.nat(50_000)), fc.nat(500_000))
  .map(([review, block]) => ({ review_above: Math.min(review, block), block_above: block }))

const anyRules = fc
  .uniqueArray(
    fc.constantFrom(
      ruleOf('large', 'amount > 1000.0'),
      ruleOf('look', 'score < 0.9', 'DEGRADED'),
      ruleOf('calibration-fx_volatility', '"fx_volatility" in flagged', 'DEGRADED'),
      ruleOf('calibration-go_floor-gb-ng-85', 'corridor == "GB-NG" && score < 0.85', 'DEGRADED'),
    ),
    { selector: ({ id }) => id },
  )
  .map((rules): readonly RuleDocument[] => rules)

const anyDocument: fc.Arbitrary<PolicyDocument> = fc.record(
  {
    name: fc.constantFrom('In force', 'Another'),
    require_amount: fc.boolean(),
    go_floor: fc.integer({ min: 80, max: 100 }).map((floor) => floor / 100),
    no_go_below: fc.integer({ min: 48, max: 80 }).map((floor) => floor / 100),
    caps: fc.dictionary(fc.constantFrom('GBP', 'NGN', 'USD'), anyCap),
    rules: anyRules,
  },
  { requiredKeys: ['name'], noNullPrototype: true },
)

const anyScope: fc.Arbitrary<Scope> = fc.record({
  mode: fc.constantFrom(null, null, 'shadow' as const, 'live' as const),
  corridor: fc.constantFrom(null, null, 'GB-NG', 'NG-GB'),
})

const anySuggested = fc.record({ cells: anyCells, scope: anyScope, active: fc.option(anyDocument) })

const isWhole = ({ mode, corridor }: Scope): boolean => mode === null && corridor === null

function compiled(document: PolicyDocument): CompiledPolicy {
  const result = compilePolicy(document)
  return result.kind === 'compiled' ? result.as('pol_1') : assert.fail(JSON.stringify(result.faults))
}

test('a suggestion is accepted as a policy, contains the one in force, and changes nothing but by tightening', () => {
  let suggested = 0
  fc.assert(
    fc.property(anySuggested, ({ cells, scope, active }) => {
      const { document, reason } = suggestFrom(cells, scope, active)
      assert.notEqual(reason, '')
      if (document === null) return
      suggested += 1
      compiled(document)
      const { go_floor: go = 0.8, no_go_below: noGo = 0.48, caps = {}, rules = [], ...rest } = document
      const before: PolicyDocument = active ?? { name: rest.name }
      assert.equal(rest.name, active === null ? rest.name : `${before.name}, tightened`)
      assert.deepEqual(rest, {
        name: rest.name,
        ...(before.require_amount === undefined ? {} : { require_amount: before.require_amount }),
      })
      assert.ok(go >= (before.go_floor ?? 0.8) && noGo >= (before.no_go_below ?? 0.48))
      for (const [currency, cap] of Object.entries(before.caps ?? {})) {
        const own = caps[currency] ?? assert.fail(currency)
        assert.ok(own.review_above <= cap.review_above && own.block_above === cap.block_above)
      }
      const kept = before.rules ?? []
      assert.deepEqual(rules.slice(0, kept.length), kept)
      for (const { id, then } of rules.slice(kept.length)) {
        assert.match(id, /^calibration-/)
        assert.equal(then, id.startsWith('calibration-no_go_below') ? 'NO-GO' : 'DEGRADED')
      }
      assert.notDeepEqual({ ...document, name: '' }, { ...before, name: '' })
      if (!isWhole(scope))
        assert.deepEqual({ ...document, rules: kept }, { ...before, name: document.name, rules: kept })
    }),
    { numRuns: 2_000 },
  )
  assert.ok(suggested > 500, `only ${suggested} suggestions`)
})

// The mildest change, found the plain way

const isSupported = (within: readonly CountedCell[], allowedShare: number): boolean => {
  const records = within.reduce((sum, cell) => sum + cell.records, 0)
  const failures = within.reduce((sum, cell) => sum + cell.failures, 0)
  return records >= 20 && wilsonEnds(records, failures)[0] > allowedShare
}

/** The first floor above the present one below which too many payments fail. */
function mildestFloor(
  cells: readonly CountedCell[],
  verdict: 'GO' | 'clear GO' | 'DEGRADED',
  presentFloor: number,
): number | null {
  const [share, last] = verdict === 'DEGRADED' ? [0.52, 80] : [0.2, 100]
  const present = Math.round(presentFloor * 100)
  const candidates = Array.from({ length: Math.max(0, last - present) }, (_, step) => present + step + 1)
  const found = candidates.find((floor) =>
    isSupported(
      cells.filter(({ subject, place }) => subject === verdict && present <= place && place < floor),
      share,
    ),
  )
  return found === undefined ? null : found / 100
}

function mildestCap(cells: readonly CountedCell[], currency: string, present: number): number | null {
  const ends = amountSteps.filter((end) => end < present)
  const found = ends.findLast((end) =>
    isSupported(
      cells.filter(({ subject, place }) => {
        const step = amountSteps[place] ?? Number.POSITIVE_INFINITY
        return subject === `amount ${currency}` && step > end && step <= present
      }),
      0.2,
    ),
  )
  return found ?? null
}

test('each change is the mildest of its kind that the outcomes support, and no supported kind is missing', () => {
  fc.assert(
    fc.property(anyCells, fc.option(anyDocument), (cells, active) => {
      const { document } = suggestFrom(cells, { mode: null, corridor: null }, active)
      const found: PolicyDocument = document ?? active ?? { name: '' }
      // The payments that a new rule would stop do not support a floor, too.
      const isRuled = (found.rules?.length ?? 0) > (active?.rules?.length ?? 0)
      for (const [member, verdict, least] of [
        ['go_floor', isRuled ? 'clear GO' : 'GO', 0.8],
        ['no_go_below', 'DEGRADED', 0.48],
      ] as const) {
        const present = active?.[member] ?? least
        assert.equal(found[member] ?? least, mildestFloor(cells, verdict, present) ?? present, member)
      }
      for (const currency of ['GBP', 'NGN']) {
        const present = active?.caps?.[currency]?.review_above ?? 50_000
        const expected = mildestCap(cells, currency, present) ?? present
        assert.equal(found.caps?.[currency]?.review_above ?? 50_000, expected, currency)
      }
      for (const [place, signal] of signalNames.entries()) {
        const id = `calibration-${signal}`
        const flagged = cells.filter((cell) => cell.subject === 'flagged GO' && cell.place === place)
        const wasThere = active?.rules?.some((rule) => rule.id === id) ?? false
        const isThere = found.rules?.some((rule) => rule.id === id) ?? false
        assert.equal(isThere, wasThere || isSupported(flagged, 0.2), id)
      }
    }),
    { numRuns: 2_000 },
  )
})

// In force

interface Payment {
  readonly corridor: string
  readonly mode: 'shadow' | 'live'
  readonly amount: number
  readonly readings: Readings
}

function decided({ corridor, mode, amount, readings }: Payment, policy: CompiledPolicy | null): Decision {
  const circumstances = {
    mode,
    source: mode === 'live' ? ('live' as const) : ('simulation' as const),
    volatility: 0.01,
    partner: null,
    isCalendarOpen: null,
    atMs: Date.UTC(2026, 10, 17, 12),
  }
  return decide({
    corridor: corridorOf(corridor),
    supported: true,
    amount,
    currency: currencyOf('GBP'),
    readings,
    policy: standardPolicy,
    tightening: { policies: { owner: policy, installation: null }, circumstances },
  })
}

const anyPayment: fc.Arbitrary<Payment> = fc.record({
  corridor: fc.constantFrom('GB-NG', 'NG-GB'),
  mode: fc.constantFrom('shadow' as const, 'live' as const),
  amount: fc.oneof(fc.constantFrom(...amountSteps), fc.integer({ min: 1, max: 600_000 })),
  readings: fc.oneof(
    anyReadings,
    fc.integer({ min: 0, max: 1000 }).map((health) => readingsWith({ network_healthy: health })),
  ),
})

test('no payment is decided less strictly under a suggestion, and with a scope only payments in it are touched', () => {
  let touched = 0
  fc.assert(
    fc.property(
      anySuggested,
      fc.array(anyPayment, { minLength: 5, maxLength: 10 }),
      ({ cells, scope, active }, payments) => {
        const { document } = suggestFrom(cells, scope, active)
        if (document === null) return
        const [before, after] = [active === null ? null : compiled(active), compiled(document)]
        for (const payment of payments) {
          const [was, is] = [decided(payment, before).verdict, decided(payment, after).verdict]
          assert.ok(!isStricter(was, is), `${was} became ${is}`)
          if (was === is) continue
          touched += 1
          assert.ok(scope.mode === null || scope.mode === payment.mode)
          assert.ok(scope.corridor === null || scope.corridor === payment.corridor)
        }
      },
    ),
    { numRuns: 1_000 },
  )
  assert.ok(touched > 50, `only ${touched} payments were touched`)
})

/** Health so that the signal is flagged while the score still is that of a GO, where there is such a one. */
const flaggedBy = (signal: SignalName) =>
  readingsWith({ [signal]: signal === 'fraud_flags' ? 600 : 490 }, signal === 'fraud_flags' ? 1 : 0)

test('the rule of a signal fires on payments that the signal flags, and on no others', () => {
  for (const [place, signal] of signalNames.entries()) {
    const cells = [{ subject: 'flagged GO', place, records: 30, failures: 30 } as const]
    for (const scope of [
      { mode: null, corridor: null },
      { mode: 'shadow', corridor: 'GB-NG' },
    ] as const) {
      const policy = compiled(suggestFrom(cells, scope, null).document ?? assert.fail())
      const payment = { corridor: 'GB-NG', mode: 'shadow', amount: 10, readings: flaggedBy(signal) } as const
      const fired = (one: Payment): string[] => decided(one, policy).evidence.fired.map(({ rule }) => rule.id)
      assert.equal(fired(payment).length, 1, signal)
      const verdict = decided(payment, policy).verdict
      assert.notEqual(verdict, 'GO', signal)
      assert.deepEqual(fired({ ...payment, readings: readingsWith({}) }), [], signal)
      for (const other of signalNames.filter((name) => name !== signal))
        assert.deepEqual(fired({ ...payment, readings: flaggedBy(other) }), [], `${signal} and ${other}`)
      const isLimited = scope.corridor !== null
      assert.equal(fired({ ...payment, corridor: 'NG-GB' }).length, isLimited ? 0 : 1)
      assert.equal(fired({ ...payment, mode: 'live' }).length, isLimited ? 0 : 1)
    }
  }
})
