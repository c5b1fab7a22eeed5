/** The choice of a partner: 10,000 generated worlds against an independent computation in plain loops. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { standardPolicy } from '../../../src/core/decision/policy.ts'
import { codesOf } from '../../../src/core/decision/reasons.ts'
import type { Verdict } from '../../../src/core/decision/score.ts'
import { signalNames, type SignalName } from '../../../src/core/decision/signals.ts'
import { undeclaredCorridor, type LivePartner } from '../../../src/core/live/world.ts'
import { readPartners } from '../../../src/app/verify/live-signals.ts'
import { compilePolicy } from '../../../src/app/policy/compile.ts'
import { isStricter } from '../../../src/core/decision/tightening.ts'
import { choiceOf, decideOn } from '../../../src/app/verify/partner-choice.ts'
import { corridorOf, currencyOf, readingsWith, weightsInOrder } from '../../helpers/check.ts'
import fc from '../../helpers/fast-check.ts'

/** A partner of a generated world, in whole units: thousandths of risk, pence, hundredths of a percent. */
interface Given {
  readonly id: string
  readonly risks: readonly number[]
  readonly flags: number
  readonly fee: {
    readonly fixedPence: number
    readonly percentHundredths: number
    readonly isForeign: boolean
  } | null
  readonly amountMax: number | null
  readonly missing: readonly SignalName[]
}

interface GivenWorld {
  readonly partners: readonly Given[]
  readonly toleranceHundredths: number
  /** Whole pounds. */
  readonly amount: number | null
}

// Few values, so that equal scores, equal fees and exact thresholds are frequent.
const anyRisk = fc.constantFrom(0, 240, 250, 499, 500, 700, 900, 950, 960, 1000)
const anyPartner = fc.record({
  risks: fc.tuple(anyRisk, anyRisk, anyRisk, anyRisk, anyRisk, anyRisk, anyRisk),
  isCalm: fc.boolean(),
  flags: fc.constantFrom(0, 0, 0, 0, 1),
  fee: fc.option(
    fc.record({
      fixedPence: fc.constantFrom(0, 30, 150),
      percentHundredths: fc.constantFrom(0, 40, 50),
      isForeign: fc.constantFrom(false, false, false, true),
    }),
  ),
  amountMax: fc.option(fc.constantFrom(100, 1_000, 20_000)),
  missing: fc.oneof(
    { weight: 4, arbitrary: fc.constant<SignalName[]>([]) },
    { weight: 1, arbitrary: fc.subarray([...signalNames]) },
  ),
})
const anyWorld: fc.Arbitrary<GivenWorld> = fc
  .record({
    partners: fc.array(anyPartner, { minLength: 1, maxLength: 6 }),
    toleranceHundredths: fc.constantFrom(0, 0, 1, 2, 10),
    amount: fc.option(fc.constantFrom(50, 100, 1_000, 1_001, 60_000, 600_000)),
  })
  .map(({ partners, ...rest }) => ({
    ...rest,
    partners: partners.map(({ risks, isCalm, ...one }, place) => ({
      ...one,
      id: `p${place}`,
      risks: isCalm ? risks.map((value) => (value < 900 ? 960 : value)) : risks,
    })),
  }))

interface Expected {
  readonly id: string
  readonly verdict: Verdict
  readonly score: number
  /** In ten-thousandths of a pound; null if it is not known. */
  readonly fee: number | null
}

/** The contract's arithmetic, written down again. */
function expectedOf({ id, risks, flags, fee }: Given, isTooLarge: boolean, amount: number | null): Expected {
  let sum = 0
  let flagged = 0
  for (let place = 0; place < 7; place += 1) {
    let value = risks[place] ?? 0
    if (place === 0 && flags > 0) value = Math.min(value, 300)
    if (place === 2 && isTooLarge) value = 0
    sum += (weightsInOrder[place]?.[1] ?? 0) * value
    if (place === 0 ? flags > 0 : value < 500) flagged += 1
  }
  const score = Math.floor((flagged >= 3 ? sum * 75 : sum * 100) / 100_000)
  let verdict: Verdict = score >= 80 ? 'GO' : score >= 48 ? 'DEGRADED' : 'NO-GO'
  if (amount !== null && amount > 500_000) verdict = 'NO-GO'
  else if (verdict === 'GO' && (isTooLarge || (amount !== null && amount > 50_000))) verdict = 'DEGRADED'
  return { id, verdict, score, fee: feePence(fee, amount) }
}

/** Rounded half up to a penny. */
function feePence(fee: Given['fee'], amount: number | null): number | null {
  if (fee === null || fee.isForeign || (amount === null && fee.percentHundredths > 0)) return null
  // Hundredths of a percent of pounds are ten-thousandths of pounds, which are hundredths of pence.
  return Math.floor((fee.fixedPence * 100 + fee.percentHundredths * (amount ?? 0) + 50) / 100)
}

/** Takes the best of the rest again and again, by the words of the specification. */
function expectedOrder(found: readonly Expected[], tolerance: number): string[] {
  const order: string[] = []
  for (const verdict of ['GO', 'DEGRADED', 'NO-GO']) {
    const all = found.filter((one) => one.verdict === verdict)
    let best = 0
    for (const { score } of all) if (score > best) best = score
    const near = all.filter(({ score }) => score >= best - tolerance)
    const rest = all.filter(({ score }) => score < best - tolerance)
    const fee = (one: Expected): number => one.fee ?? Number.POSITIVE_INFINITY
    const before = (keys: (one: Expected) => (number | string)[]) => (left: Expected, right: Expected) => {
      const [mine, theirs] = [keys(left), keys(right)]
      for (const [place, key] of mine.entries()) {
        const other = theirs[place] ?? ''
        if (key !== other) return key < other ? -1 : 1
      }
      return 0
    }
    order.push(...near.toSorted(before((one) => [fee(one), one.id])).map(({ id }) => id))
    order.push(...rest.toSorted(before((one) => [-one.score, fee(one), one.id])).map(({ id }) => id))
  }
  return order
}

const corridor = corridorOf('GB-KE')
const pounds = currencyOf('GBP')

function partnerOf({ id, fee, amountMax }: Given): LivePartner {
  return {
    id,
    name: id,
    amountMax,
    fee:
      fee === null
        ? null
        : {
            fixed: fee.fixedPence / 100,
            percent: fee.percentHundredths / 100,
            currency: fee.isForeign ? currencyOf('KES') : pounds,
          },
  }
}

function reportOf({ partners, toleranceHundredths, amount }: GivenWorld) {
  const routes = partners.map((given) => ({
    partner: partnerOf(given),
    readings: readingsWith(
      Object.fromEntries(signalNames.map((signal, place) => [signal, given.risks[place] ?? 0])),
      given.flags,
    ),
    feeds: given.risks.map((risk, place) => ({ kind: 'http' as const, value: risk, observed_at_ms: place })),
    unavailable: given.missing,
  }))
  const shared = { corridor: undeclaredCorridor(corridor, null), settlementCurrency: null, volatility: 0 }
  return readPartners(routes, { ...shared, toleranceHundredths }, amount)
}

test('in 10,000 worlds the order and the recommendation are those of plain loops', () => {
  const seen = { decided: 0, held: 0, tooLarge: 0, byFee: 0 }
  fc.assert(
    fc.property(anyWorld, (world) => {
      const { partners, amount, toleranceHundredths } = world
      const isSmall = (one: Given): boolean =>
        amount !== null && one.amountMax !== null && amount > one.amountMax
      const isTooLarge = partners.every(isSmall)
      const able = partners.filter((one) => isTooLarge || !isSmall(one))
      const fit = able.filter(({ missing }) => missing.length === 0)
      const report = reportOf(world)
      if (fit.length === 0) {
        seen.held += 1
        const missing = signalNames.filter((signal) => able.some((one) => one.missing.includes(signal)))
        assert.deepEqual(report, { kind: 'unavailable', signals: missing })
        return
      }
      assert.ok(report.kind === 'partners')
      const found = fit.map((one) => expectedOf(one, isTooLarge, amount))
      const order = expectedOrder(found, toleranceHundredths)
      const payment = { corridor, amount, currency: pounds, policy: standardPolicy }
      const { decision, read, partners: evidence } = decideOn(report, payment)
      assert.deepEqual(
        evidence?.ranked.map(({ partner }) => partner),
        order,
      )
      const first = found.find(({ id }) => id === order[0])
      assert.deepEqual([decision.verdict, decision.scoreHundredths], [first?.verdict, first?.score])
      assert.equal(read.recommendedPartner, isTooLarge ? null : order[0])
      // No GO without a way to pay.
      assert.ok(decision.verdict !== 'GO' || read.recommendedPartner !== null)
      assert.equal(codesOf(decision.reasons).includes('NO_PARTNER_AVAILABLE'), isTooLarge)
      for (const { partner, fee } of evidence?.ranked ?? []) {
        const expected = found.find(({ id }) => id === partner)?.fee ?? null
        assert.equal(fee?.amount ?? null, expected === null ? null : expected / 100)
      }
      assert.deepEqual(
        evidence?.left_out.map(({ partner }) => partner),
        partners.filter((one) => !fit.includes(one)).map(({ id }) => id),
      )
      seen.decided += 1
      if (isTooLarge) seen.tooLarge += 1
      if (found.some(({ verdict, score }) => verdict === first?.verdict && score > (first?.score ?? 0)))
        seen.byFee += 1
    }),
    { numRuns: 10_000 },
  )
  // Every kind of world was among them.
  assert.ok(
    Object.values(seen).every((count) => count > 50),
    JSON.stringify(seen),
  )
})

test('a choice of revision 5 that is too large for all decides as it did, by its score alone', () => {
  const seen = { GO: 0, DEGRADED: 0, 'NO-GO': 0 }
  const anyTooLarge = anyWorld.map((world) => ({
    ...world,
    // With a tolerance, partners that were GO and DEGRADED compete by their fees.
    toleranceHundredths: 0,
    amount: 1_000,
    partners: world.partners.map((one) => ({ ...one, amountMax: 100, missing: [] })),
  }))
  fc.assert(
    fc.property(anyTooLarge, (world) => {
      const report = reportOf(world)
      if (report.kind !== 'partners') return assert.fail('held')
      const payment = { corridor, amount: 1_000, currency: pounds, policy: standardPolicy }
      const before = decideOn(report, { ...payment, revision: 5 })
      const { decision } = before
      assert.equal(decision.verdict, decision.evidence.band)
      assert.ok(!codesOf(decision.reasons).includes('NO_PARTNER_AVAILABLE'))
      const now = decideOn(report, payment)
      // The same score, and never looser.
      assert.equal(now.decision.scoreHundredths, decision.scoreHundredths)
      assert.equal(now.decision.verdict, decision.verdict === 'GO' ? 'DEGRADED' : decision.verdict)
      assert.equal(now.isBlocked, before.isBlocked)
      seen[decision.verdict] += 1
    }),
    { numRuns: 1_000 },
  )
  assert.ok(
    Object.values(seen).every((count) => count > 20),
    JSON.stringify(seen),
  )
})

test('the recorded choice makes the same decision again, in whatever order its partners are given', () => {
  const payment = { corridor, currency: pounds, policy: standardPolicy }
  fc.assert(
    fc.property(anyWorld, (world) => {
      const report = reportOf(world)
      if (report.kind !== 'partners') return
      const { amount } = world
      const { decision, read, partners } = decideOn(report, { ...payment, amount })
      if (partners === undefined) return assert.fail('no evidence')
      const first = { readings: read.readings, feeds: read.feeds ?? [] }
      const again = decideOn({ ...report, ...choiceOf(partners, first) }, { ...payment, amount })
      assert.deepEqual(again.decision, decision)
      assert.deepEqual(again.partners, partners)
      const candidates = report.candidates.toReversed()
      assert.deepEqual(decideOn({ ...report, candidates }, { ...payment, amount }).partners, partners)
    }),
    { numRuns: 1_000 },
  )
})

test('a NO-GO that only rules caused blocks nobody else, also where the chosen partner is NO-GO by its score', () => {
  const compiled = compilePolicy({
    name: 'Not through alpha',
    rules: [{ id: 'alpha', when: 'partner == "alpha"', then: 'NO-GO', message: 'Not through alpha.' }],
  })
  const owner = compiled.kind === 'compiled' ? compiled.as('pol_1') : assert.fail(JSON.stringify(compiled))
  const moment = {
    policies: { owner, installation: null },
    mode: 'live',
    isCalendarOpen: null,
    atMs: 0,
  } as const
  const payment = { corridor, currency: pounds, policy: standardPolicy, amount: 100 }
  fc.assert(
    fc.property(anyWorld, (world) => {
      const report = reportOf(world)
      if (report.kind !== 'partners') return
      const candidates = report.candidates.map((one, place) =>
        place === 0 ? { ...one, partner: 'alpha' } : one,
      )
      const named = { ...report, candidates }
      const without = decideOn(named, payment)
      const under = decideOn(named, { ...payment, moment })
      assert.equal(under.isBlocked, without.decision.verdict === 'NO-GO')
      assert.ok(!isStricter(without.decision.verdict, under.decision.verdict))
    }),
    { numRuns: 2_000 },
  )
})
