/** Partner ranking: each partner on its own, by the one scorer, best first. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../helpers/fast-check.ts'
import { isSupported, type Corridor } from '../../../src/core/reference/corridor.ts'
import { decide, type Decision } from '../../../src/core/decision/decide.ts'
import { bestPartner, readingsThrough, simulatedPartners } from '../../../src/core/shadow/partners.ts'
import { standardPolicy } from '../../../src/core/decision/policy.ts'
import { rankPartners, type Ranking } from '../../../src/core/decision/ranking.ts'
import { simulate } from '../../../src/core/shadow/simulation.ts'
import {
  anyAmount,
  anySupported,
  anyUnsupported,
  corridorOf,
  currencyOf,
  shadow,
} from '../../helpers/check.ts'

const currency = currencyOf('GBP')
const anyCorridor = fc.oneof({ weight: 3, arbitrary: anySupported }, anyUnsupported)
const anyName = fc.oneof(
  fc.constantFrom(...simulatedPartners),
  fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }),
)
const anyNames = fc.uniqueArray(anyName, { minLength: 2, maxLength: 8 })

function ranked(corridor: Corridor, amount: number | null, partners: readonly string[]): Ranking {
  return rankPartners({ corridor, amount, currency, partners, policy: standardPolicy })
}

/** The one scorer on what this partner sees. */
function decisionThrough(partner: string, corridor: Corridor, amount: number | null): Decision {
  const readings = readingsThrough(partner, corridor, simulate({ corridor, amount, currency }))
  return decide({
    corridor,
    supported: isSupported(corridor),
    amount,
    currency,
    readings,
    policy: standardPolicy,
  })
}

test('each partner has the decision of the one scorer on its own readings', () => {
  fc.assert(
    fc.property(anyCorridor, anyAmount, anyNames, (corridor, amount, partners) => {
      const found = ranked(corridor, amount, partners).ranked
      assert.equal(found.length, partners.length)
      for (const { partner, decision } of found) {
        assert.deepEqual(decision, decisionThrough(partner, corridor, amount))
      }
    }),
  )
})

test('the order is by score, then by name', () => {
  fc.assert(
    fc.property(anyCorridor, anyAmount, anyNames, (corridor, amount, partners) => {
      const found = ranked(corridor, amount, partners).ranked
      for (const [place, { partner, decision }] of found.entries()) {
        const next = found[place + 1]
        if (next === undefined) continue
        const fall = decision.scoreHundredths - next.decision.scoreHundredths
        assert.ok(fall > 0 || (fall === 0 && partner < next.partner), `${partner} before ${next.partner}`)
      }
    }),
    { numRuns: 300 },
  )
})

test('equal scores do occur, so that the order by name has something to decide', () => {
  const partners = Array.from({ length: 50 }, (_, place) => `partner-${50 - place}`)
  const scores = ranked(corridorOf('GB-NG'), 1000, partners).ranked.map(
    ({ decision }) => decision.scoreHundredths,
  )
  assert.ok(new Set(scores).size < scores.length)
  assert.ok(new Set(scores).size > 1, 'and they are not all the same')
})

test('the order in which partners are named, and which others are named, change nothing', () => {
  fc.assert(
    fc.property(anyCorridor, anyAmount, anyNames, fc.nat(6), (corridor, amount, partners, left) => {
      const whole = ranked(corridor, amount, partners)
      assert.deepEqual(ranked(corridor, amount, partners.toReversed()), whole)
      const fewer = partners.filter((_name, place) => place !== left)
      assert.deepEqual(
        ranked(corridor, amount, fewer).ranked,
        whole.ranked.filter(({ partner }) => fewer.includes(partner)),
      )
    }),
  )
})

test('a partner is another one on another corridor', () => {
  const scoreOn = (corridor: string, partner: string): number =>
    decisionThrough(partner, corridorOf(corridor), 1000).evidence.score.composite
  const partners = Array.from({ length: 20 }, (_, place) => `partner-${place}`)
  const calm = (corridor: string): number => shadow(corridorOf(corridor), 1000, null).evidence.score.composite
  const costs = partners.map((partner) =>
    ['GB-NG', 'NG-GB'].map((corridor) => calm(corridor) - scoreOn(corridor, partner)),
  )
  assert.ok(costs.some(([there, back]) => there !== back))
})

test('no partner scores better than the corridor itself', () => {
  fc.assert(
    fc.property(anyCorridor, anyAmount, anyNames, (corridor, amount, partners) => {
      const calm = shadow(corridor, amount, null).scoreHundredths
      for (const { decision } of ranked(corridor, amount, partners).ranked) {
        assert.ok(decision.scoreHundredths <= calm)
      }
    }),
  )
})

test('the best is recommended, unless it is a NO-GO or the corridor is unsupported', () => {
  fc.assert(
    fc.property(anyCorridor, anyAmount, anyNames, (corridor, amount, partners) => {
      const { recommended, ranked: found } = ranked(corridor, amount, partners)
      const best = found[0]
      const isFit = best?.decision.verdict !== 'NO-GO' && best?.decision.evidence.supported === true
      assert.equal(recommended, isFit ? best.partner : null)
      if (amount !== null && amount > 500_000) assert.equal(recommended, null)
    }),
  )
  assert.equal(ranked(corridorOf('US-MX'), 10, ['a', 'b']).recommended, null)
  assert.equal(ranked(corridorOf('GB-NG'), 500_001, ['a', 'b']).recommended, null)
  assert.notEqual(ranked(corridorOf('GB-NG'), 500_000, ['a', 'b']).recommended, null)
})

test('of our own partners the first is the one that a verification recommends', () => {
  fc.assert(
    fc.property(anySupported, anyAmount, (corridor, amount) => {
      const readings = simulate({ corridor, amount, currency })
      const [best] = ranked(corridor, amount, simulatedPartners).ranked
      assert.equal(best?.partner, bestPartner(corridor, readings))
    }),
  )
})
