/** The Corridor Intelligence Platform: what counts as corpus, the gate, and every step between its stages. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../helpers/fast-check.ts'
import {
  cipStages,
  corpusOf,
  effectiveBlendPercent,
  gateFault,
  initialStanding,
  checkTransition,
  simulationFault,
  stageRules,
  type CipStage,
  type Corpus,
  type CorpusDay,
  type TelemetryScope,
} from '../../../src/core/live/cip.ts'
import { check, corridorOf } from '../../helpers/check.ts'
import { dayMs } from '../../../src/core/time/durations.ts'

const today = 20_000
const nowMs = today * dayMs + 12 * 60 * 60 * 1000

const scope: TelemetryScope = { adapter: 'feeds', corridors: ['GB-NG', 'NG-GB'].map(corridorOf) }

const dayOf = (day: number, corridors: number, observations = corridors, simulated = 0): CorpusDay => ({
  day,
  corridors,
  observations,
  simulated,
})
const both = (day: number): CorpusDay => dayOf(day, 2)

test('a day counts when every corridor of the scope was observed on it', () => {
  check<readonly CorpusDay[], Corpus>(
    [
      [[], { observations: 0, simulated: 0, days: 0, newestDay: null }],
      [[dayOf(5, 1, 1440)], { observations: 1440, simulated: 0, days: 0, newestDay: null }],
      [[both(5)], { observations: 2, simulated: 0, days: 1, newestDay: 5 }],
      [[dayOf(5, 1), dayOf(6, 1)], { observations: 2, simulated: 0, days: 0, newestDay: null }],
      // Days may be in any order, and a newer one that is not whole is not the newest.
      [[both(9), both(3), dayOf(11, 1)], { observations: 5, simulated: 0, days: 2, newestDay: 9 }],
      // What a wrong clock put ahead of us fills no day.
      [[both(9), both(today + 1)], { observations: 4, simulated: 0, days: 1, newestDay: 9 }],
      // Today is not over: it is the newest day, and not yet a complete one.
      [[both(9), both(today)], { observations: 4, simulated: 0, days: 1, newestDay: today }],
      // Simulated observations are counted apart, on any day, and fill a day like others.
      [
        [dayOf(5, 2, 7, 4), dayOf(today + 1, 1, 2, 2)],
        { observations: 9, simulated: 6, days: 1, newestDay: 5 },
      ],
    ],
    (rows) => corpusOf(rows, scope, nowMs),
  )
  // A wider scope asks for more corridors on the same day.
  const wider = { ...scope, corridors: [...scope.corridors, corridorOf('US-MX')] }
  const rows = [both(5), dayOf(6, 3)]
  assert.equal(corpusOf(rows, scope, nowMs).days, 2)
  assert.deepEqual(corpusOf(rows, wider, nowMs), { observations: 5, simulated: 0, days: 1, newestDay: 6 })
})

test('the corpus is that of its rows, whatever their order', () => {
  const anyRow = fc
    .record({
      day: fc.integer({ min: 0, max: 20 }),
      corridors: fc.integer({ min: 1, max: 2 }),
      observations: fc.integer({ min: 1, max: 3 }),
      simulated: fc.integer({ min: 0, max: 3 }),
    })
    .map((row) => ({ ...row, simulated: Math.min(row.simulated, row.observations) }))
  const anyRows = fc.uniqueArray(anyRow, { selector: ({ day }) => day })
  fc.assert(
    fc.property(anyRows, (rows) => {
      const whole = Array.from({ length: 21 }, (_, day) => day).filter((day) =>
        rows.some((row) => row.day === day && row.corridors === 2),
      )
      assert.deepEqual(corpusOf(rows, scope, nowMs), {
        observations: rows.reduce((sum, row) => sum + row.observations, 0),
        simulated: rows.reduce((sum, row) => sum + row.simulated, 0),
        days: whole.length,
        newestDay: whole.at(-1) ?? null,
      })
      assert.deepEqual(corpusOf(rows.toReversed(), scope, nowMs), corpusOf(rows, scope, nowMs))
    }),
  )
})

const corpus = (days: number, newestDay: number | null): Corpus => ({
  observations: 9,
  simulated: 0,
  days,
  newestDay,
})
const ready = corpus(14, today)
const short = corpus(13, today)
const stale = corpus(30, today - 2)
/** Passes the gate, but for one observation. */
const simulated: Corpus = { ...ready, simulated: 1 }

test('the gate asks for 14 whole days and for one of today or yesterday', () => {
  const missing = 'complete days on which every supported corridor must be observed'
  const old = 'the corpus is out of date: its newest complete day is before yesterday'
  check<Corpus, string | null>(
    [
      [corpus(0, null), `the corpus has 0 of the 14 ${missing}`],
      [short, `the corpus has 13 of the 14 ${missing}`],
      [ready, null],
      [corpus(15, today - 1), null],
      [corpus(14, today - 2), old],
      [stale, old],
    ],
    (one) => gateFault(one, nowMs),
  )
  // Yesterday ends with the day after it.
  assert.equal(gateFault(corpus(14, today - 1), (today + 1) * dayMs - 1), null)
  assert.equal(gateFault(corpus(14, today - 1), (today + 1) * dayMs), old)
})

interface Asked {
  readonly from: CipStage
  /** The weight that it stands at: the least of the stage unless given. */
  readonly at?: number
  readonly to: CipStage
  readonly weight?: number
  readonly corpus?: Corpus
  /** How long it has stood there: 14 days unless given. */
  readonly stoodMs?: number
}

/** The weight that the platform then has, or why not. */
const judge = (asked: Asked): number | string => {
  const { from, to, weight = null, corpus: seen = ready, stoodMs = 14 * dayMs } = asked
  const blendPercent = asked.at ?? stageRules[from].blendPercent.least
  const current = { stage: from, blendPercent, sinceMs: nowMs - stoodMs }
  const verdict = checkTransition(current, seen, { to, blendPercent: weight, nowMs })
  return verdict.ok ? verdict.blendPercent : verdict.reason
}

/** Each stage to each other: the weight, or a dash where it is refused. */
const everyPair = (seen: Corpus): (number | string)[][] =>
  cipStages.map((from) =>
    cipStages.map((to) => {
      const judged = judge({ from, to, corpus: seen })
      return typeof judged === 'number' ? judged : '-'
    }),
  )

test('every pair of stages: forward one grade at a time, back always, to itself never', () => {
  assert.deepEqual(everyPair(ready), [
    ['-', 0, 5, '-'],
    [0, '-', 5, '-'],
    [0, 0, '-', 15],
    [0, 0, 5, '-'],
  ])
})

test('while the gate fails there is no way forward, and every way back', () => {
  for (const seen of [short, stale, corpus(0, null)]) {
    assert.deepEqual(everyPair(seen), [
      ['-', 0, '-', '-'],
      [0, '-', '-', '-'],
      [0, 0, '-', '-'],
      [0, 0, 5, '-'],
    ])
  }
})

test('a stage takes the weights of its range and no other', () => {
  const within = 'validated requires a blend weight from 0.15 to 0.50, not'
  check<Asked, number | string>(
    [
      [
        { from: 'scoring_passive', to: 'provisional', weight: 4 },
        'provisional requires a blend weight from 0.05 to 0.10, not 0.04',
      ],
      [{ from: 'scoring_passive', to: 'provisional', weight: 5 }, 5],
      [{ from: 'scoring_passive', to: 'provisional', weight: 10 }, 10],
      [
        { from: 'scoring_passive', to: 'provisional', weight: 11 },
        'provisional requires a blend weight from 0.05 to 0.10, not 0.11',
      ],
      [{ from: 'provisional', to: 'validated', weight: 0 }, `${within} 0.00`],
      [{ from: 'provisional', to: 'validated', weight: 14 }, `${within} 0.14`],
      [{ from: 'provisional', to: 'validated', weight: 15 }, 15],
      [{ from: 'provisional', to: 'validated', weight: 50 }, 50],
      [{ from: 'provisional', to: 'validated', weight: 51 }, `${within} 0.51`],
      [{ from: 'provisional', to: 'telemetry_only', weight: 0 }, 0],
      [
        { from: 'provisional', to: 'telemetry_only', weight: 1 },
        'telemetry_only requires a blend weight of 0, not 0.01',
      ],
      [
        { from: 'provisional', to: 'scoring_passive', weight: 5 },
        'scoring_passive requires a blend weight of 0, not 0.05',
      ],
      [
        { from: 'provisional', to: 'scoring_passive', weight: -1 },
        'scoring_passive requires a blend weight of 0, not -0.01',
      ],
    ],
    judge,
  )
})

test('validated comes after 14 days of provisional, to the millisecond', () => {
  const must = 'the platform must be provisional for 14 days first, and has been for'
  const step: Asked = { from: 'provisional', to: 'validated' }
  check<Asked, number | string>(
    [
      [{ ...step, stoodMs: 0 }, `${must} 0`],
      [{ ...step, stoodMs: 13 * dayMs }, `${must} 13`],
      [{ ...step, stoodMs: 14 * dayMs - 1 }, `${must} 13`],
      [{ ...step, stoodMs: 14 * dayMs }, 15],
      // A clock that was set back since: it has not been provisional at all.
      [{ ...step, stoodMs: -dayMs }, `${must} 0`],
      // The wait is for validated alone.
      [{ from: 'telemetry_only', to: 'provisional', stoodMs: 0 }, 5],
      [{ from: 'validated', to: 'provisional', stoodMs: 0 }, 5],
      [{ from: 'validated', to: 'validated', weight: 20, stoodMs: 0 }, 20],
    ],
    judge,
  )
})

test('a refusal says what stands in the way', () => {
  check<Asked, number | string>(
    [
      [
        { from: 'telemetry_only', to: 'validated' },
        'validated requires provisional first, and the platform is telemetry_only',
      ],
      [
        { from: 'scoring_passive', to: 'validated', weight: 50 },
        'validated requires provisional first, and the platform is scoring_passive',
      ],
      [
        { from: 'scoring_passive', to: 'provisional', corpus: short },
        'provisional with a blend weight of 0.05 requires the quality gate: the corpus has 13 of the 14 complete days on which every supported corridor must be observed',
      ],
      [
        { from: 'provisional', to: 'validated', corpus: stale },
        'validated with a blend weight of 0.15 requires the quality gate: the corpus is out of date: its newest complete day is before yesterday',
      ],
      [
        { from: 'provisional', at: 5, to: 'provisional', weight: 10, corpus: stale },
        'provisional with a blend weight of 0.10 requires the quality gate: the corpus is out of date: its newest complete day is before yesterday',
      ],
      [
        { from: 'provisional', to: 'provisional' },
        'the platform is already provisional with a blend weight of 0.05',
      ],
      [
        { from: 'telemetry_only', to: 'telemetry_only' },
        'the platform is already telemetry_only with a blend weight of 0.00',
      ],
      [
        { from: 'validated', at: 50, to: 'validated', weight: 50 },
        'the platform is already validated with a blend weight of 0.50',
      ],
    ],
    judge,
  )
})

test('within a stage the weight changes either way while the gate is passed', () => {
  check<Asked, number | string>(
    [
      [{ from: 'provisional', at: 5, to: 'provisional', weight: 10 }, 10],
      [{ from: 'provisional', at: 10, to: 'provisional', weight: 5 }, 5],
      [{ from: 'provisional', at: 10, to: 'provisional' }, 5],
      [{ from: 'validated', at: 15, to: 'validated', weight: 50 }, 50],
      [{ from: 'validated', at: 50, to: 'validated', weight: 15 }, 15],
    ],
    judge,
  )
})

test('while the gate fails no weight rises, and a step back takes any weight of its stage', () => {
  const isRefused = (asked: Asked): boolean => typeof judge({ ...asked, corpus: stale }) === 'string'
  check<Asked, boolean>(
    [
      [{ from: 'provisional', at: 5, to: 'provisional', weight: 10 }, true],
      [{ from: 'validated', at: 15, to: 'validated', weight: 50 }, true],
      [{ from: 'validated', at: 15, to: 'provisional', weight: 5 }, false],
      [{ from: 'validated', at: 15, to: 'provisional', weight: 10 }, false],
      [{ from: 'validated', at: 50, to: 'validated', weight: 15 }, false],
      [{ from: 'provisional', at: 10, to: 'provisional', weight: 5 }, false],
      [{ from: 'validated', at: 50, to: 'scoring_passive' }, false],
      [{ from: 'validated', at: 50, to: 'telemetry_only' }, false],
      [{ from: 'provisional', at: 10, to: 'telemetry_only' }, false],
    ],
    isRefused,
  )
})

test('what takes influence away is open whatever the corpus is, and how long it has stood there', () => {
  const anyStanding = fc.constantFrom<[CipStage, number]>(
    ...cipStages.flatMap((stage) => {
      const { least, most } = stageRules[stage].blendPercent
      return Array.from({ length: most - least + 1 }, (_, more): [CipStage, number] => [stage, least + more])
    }),
  )
  fc.assert(
    fc.property(anyStanding, anyStanding, ([from, at], [to, weight]) => {
      const isBack = cipStages.indexOf(to) <= cipStages.indexOf(from)
      fc.pre(isBack && weight <= at && (from !== to || at !== weight))
      for (const seen of [ready, short, stale]) {
        assert.equal(judge({ from, at, to, weight, corpus: seen, stoodMs: 0 }), weight)
      }
      // Only weight 0 is open to a corpus that is partly simulated.
      const judged = judge({ from, at, to, weight, corpus: simulated, stoodMs: 0 })
      assert.equal(judged === weight, weight === 0)
    }),
    { numRuns: 500 },
  )
})

test('a weight above 0 is refused while any observation of the corpus is simulated', () => {
  const fault = (count: number): string =>
    `${count} of the 9 observations of the corpus come from the simulation`
  check<Corpus, string | null>(
    [
      [ready, null],
      [corpus(0, null), null],
      [simulated, fault(1)],
      [{ ...ready, simulated: 9 }, fault(9)],
    ],
    simulationFault,
  )
  check<Asked, number | string>(
    [
      [
        { from: 'scoring_passive', to: 'provisional', corpus: simulated },
        `provisional with a blend weight of 0.05 requires the quality gate: ${fault(1)}`,
      ],
      [
        { from: 'provisional', to: 'validated', weight: 50, corpus: simulated },
        `validated with a blend weight of 0.50 requires the quality gate: ${fault(1)}`,
      ],
      // Said before what is missing: more days of the same would not help.
      [
        { from: 'provisional', at: 5, to: 'provisional', weight: 10, corpus: { ...short, simulated: 9 } },
        `provisional with a blend weight of 0.10 requires the quality gate: ${fault(9)}`,
      ],
      [{ from: 'telemetry_only', to: 'scoring_passive', corpus: simulated }, 0],
    ],
    judge,
  )
})

test('the platform starts without influence, and only weight gives it any', () => {
  assert.deepEqual(initialStanding(7), { stage: 'telemetry_only', blendPercent: 0, sinceMs: 7 })
  assert.equal(effectiveBlendPercent(initialStanding(7), ready), 0)
  assert.deepEqual(
    cipStages.map((stage) => {
      const { least } = stageRules[stage].blendPercent
      return effectiveBlendPercent({ stage, blendPercent: least, sinceMs: 7 }, ready)
    }),
    [0, 0, 5, 15],
  )
})

test('an existing weight counts as 0 while any observation of the corpus is simulated', () => {
  const anyStanding = fc.record({
    stage: fc.constantFrom(...cipStages),
    blendPercent: fc.integer({ min: 0, max: 50 }),
    sinceMs: fc.nat(),
  })
  fc.assert(
    fc.property(anyStanding, fc.nat({ max: 9 }), (standing, count) => {
      const expected = count === 0 ? standing.blendPercent : 0
      // An old or short corpus takes no weight away: the gate is for steps forward.
      for (const seen of [ready, short, stale]) {
        assert.equal(effectiveBlendPercent(standing, { ...seen, simulated: count }), expected)
      }
    }),
  )
})
