/** The suggestion of calibration: the mildest change of each kind that the outcomes support, or none with the reason. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { amountSteps, type CountedCell, type Subject } from '../../../src/core/calibration/cells.ts'
import type { Scope } from '../../../src/core/calibration/suggestion.ts'
import type { PolicyDocument, RuleDocument } from '../../../src/core/policy/document.ts'
import { check } from '../../helpers/check.ts'
import { suggestFrom } from '../../helpers/suggestions.ts'

const whole: Scope = { mode: null, corridor: null }

const cell = (subject: Subject, place: number, records: number, failures: number): CountedCell => ({
  subject,
  place,
  records,
  failures,
})

/** A step of amounts by its upper end. */
const upTo = (end: number): number => amountSteps.indexOf(end)

/** All but the name. */
function changeOf(cells: readonly CountedCell[], active: PolicyDocument | null = null, scope = whole) {
  const { document } = suggestFrom(cells, scope, active)
  if (document === null) return null
  const { name: _name, ...change } = document
  return change
}

/** 20 in 100 may fail; of 40 payments 13 are the fewest that are more at the lower end of the interval. */
const unsupported = [40, 12] as const
const supported = [40, 13] as const

test('the floor of GO rises as little as the outcomes support', () => {
  check(
    [
      [[cell('GO', 80, ...supported)], { go_floor: 0.81 }],
      [[cell('GO', 80, ...unsupported)], null],
      [[cell('GO', 80, 19, 19)], null],
      [[cell('GO', 80, 20, 20)], { go_floor: 0.81 }],
      [[cell('GO', 84, ...supported)], { go_floor: 0.85 }],
      [[cell('GO', 80, 10, 10), cell('GO', 82, 10, 10), cell('GO', 83, 50, 50)], { go_floor: 0.83 }],
      // The payments below the floor decide together: good ones among them speak for leaving it.
      [[cell('GO', 80, 200, 0), cell('GO', 82, ...supported)], null],
      [[cell('GO', 99, ...supported)], { go_floor: 1 }],
      [[cell('GO', 100, 500, 500)], null],
      [[cell('NO-GO', 20, 500, 500)], null],
    ],
    (cells: CountedCell[]) => changeOf(cells),
  )
})

test('the floor of DEGRADED rises if more than 52 in 100 fail, and never above the floor of GO', () => {
  check(
    [
      [[cell('DEGRADED', 48, 40, 27)], { no_go_below: 0.49 }],
      [[cell('DEGRADED', 48, 40, 26)], null],
      [[cell('DEGRADED', 79, 40, 40)], { no_go_below: 0.8 }],
      // A cap made these DEGRADED, not their score.
      [[cell('DEGRADED', 80, 40, 40), cell('DEGRADED', 95, 40, 40)], null],
    ],
    (cells: CountedCell[]) => changeOf(cells),
  )
})

test('the cap of a currency falls as little as the outcomes support', () => {
  const gbp = (step: number): object => ({ caps: { GBP: { review_above: step, block_above: 500_000 } } })
  check(
    [
      [[cell('amount GBP', upTo(50_000), ...supported)], gbp(20_000)],
      [[cell('amount GBP', upTo(50_000), ...unsupported)], null],
      [[cell('amount GBP', upTo(10), ...supported)], gbp(5)],
      [[cell('amount GBP', upTo(1_000), 10, 10), cell('amount GBP', upTo(500), 10, 10)], gbp(200)],
      [[cell('amount GBP', upTo(50_000), 500, 0), cell('amount GBP', upTo(1_000), ...supported)], null],
      // There is no step below 1.
      [[cell('amount GBP', upTo(1), 500, 500)], null],
      [
        [cell('amount NGN', upTo(5), ...supported), cell('amount GBP', upTo(2), ...supported)],
        {
          caps: {
            GBP: { review_above: 1, block_above: 500_000 },
            NGN: { review_above: 2, block_above: 500_000 },
          },
        },
      ],
    ],
    (cells: CountedCell[]): object | null => changeOf(cells),
  )
})

const degradedIf = (id: string, when: string): Partial<RuleDocument> => ({ id, when, then: 'DEGRADED' })

test('a signal gets a rule if the GO payments that it flags fail too often', () => {
  const rules = changeOf([
    cell('flagged GO', 3, ...supported),
    cell('flagged GO', 1, ...unsupported),
    cell('flagged', 0, 500, 500),
    cell('flagged GO', 6, 30, 30),
  ])?.rules?.map(({ message: _message, ...rule }) => rule)
  assert.deepEqual(rules, [
    degradedIf('calibration-fx_volatility', '"fx_volatility" in flagged'),
    degradedIf('calibration-cop_overridden', '"cop_overridden" in flagged'),
  ])
})

test('floors are judged by the payments that no suggested rule would stop', () => {
  const flagged = [cell('flagged GO', 1, 30, 30), cell('GO', 82, 40, 30)]
  const only = (cells: readonly CountedCell[]) => changeOf(cells)?.go_floor
  assert.equal(only([cell('GO', 82, 40, 30)]), 0.83)
  assert.equal(only(flagged), undefined)
  assert.equal(only([...flagged, cell('clear GO', 82, 10, 0)]), undefined)
  assert.equal(only([...flagged, cell('clear GO', 90, ...supported)]), 0.91)
})

test('a change must go beyond the policy of the installation and the caps of the settings', () => {
  const cells = [
    cell('GO', 80, 300, 300),
    cell('amount GBP', upTo(50_000), 300, 300),
    cell('amount NGN', upTo(1_000), 300, 300),
    cell('flagged GO', 3, 300, 300),
  ]
  const installation: PolicyDocument = {
    name: 'All',
    go_floor: 0.81,
    caps: { NGN: { review_above: 500, block_above: 600 } },
    rules: [{ id: 'fx', when: '"fx_volatility" in flagged', then: 'NO-GO', message: 'No.' }],
  }
  const capOf = () => ({ reviewAbove: 20_000, blockAbove: 30_000 })
  assert.equal(suggestFrom(cells, whole, null, { installation, capOf }).document, null)
})

test('a step of amounts that contains the cap in force supports nothing: its payments may be stopped already', () => {
  const active = { name: 'In force', caps: { GBP: { review_above: 750, block_above: 2_000 } } }
  assert.equal(changeOf([cell('amount GBP', upTo(1_000), 300, 300)], active), null)
})

test('payments that the policy in force already stops support nothing', () => {
  const active: PolicyDocument = {
    name: 'In force',
    go_floor: 0.85,
    no_go_below: 0.6,
    caps: { GBP: { review_above: 1_000, block_above: 2_000 } },
    rules: [
      { id: 'calibration-fx_volatility', when: 'false', then: 'DEGRADED', message: 'It is there.' },
      { id: 'calibration-go_floor-gb-ng-90', when: 'false', then: 'DEGRADED', message: 'It is there.' },
    ],
  }
  // Decided before it was in force.
  const before = [
    cell('GO', 80, 300, 300),
    cell('GO', 84, 300, 300),
    cell('DEGRADED', 59, 300, 300),
    cell('amount GBP', upTo(50_000), 300, 300),
    cell('amount GBP', upTo(2_000), 300, 300),
    cell('flagged GO', 3, 300, 300),
  ]
  assert.equal(changeOf(before, active), null)
  const since = [cell('GO', 85, ...supported), cell('DEGRADED', 60, 40, 40)]
  assert.deepEqual(changeOf([...before, ...since, cell('amount GBP', upTo(1_000), ...supported)], active), {
    go_floor: 0.86,
    no_go_below: 0.61,
    caps: { GBP: { review_above: 500, block_above: 2_000 } },
    rules: active.rules,
  })
  const inCorridor = { mode: null, corridor: 'GB-NG' }
  assert.equal(changeOf([cell('GO', 85, 300, 300), cell('GO', 89, 300, 300)], active, inCorridor), null)
  const [, , next] = changeOf([cell('GO', 90, 300, 300)], active, inCorridor)?.rules ?? []
  assert.equal(next?.id, 'calibration-go_floor-gb-ng-91')
})

test('with a mode or corridor chosen, every change is a rule that acts there alone', () => {
  const cells = [
    cell('clear GO', 80, ...supported),
    cell('DEGRADED', 50, 40, 40),
    cell('amount GBP', upTo(50_000), 300, 300),
    cell('flagged GO', 1, ...supported),
  ]
  const ruled = (scope: Scope) => {
    const { rules = [], ...rest } = changeOf(cells, null, scope) ?? {}
    assert.deepEqual(rest, {})
    return rules.map(({ id, when, then }) => [id, when, then])
  }
  assert.deepEqual(ruled({ mode: 'live', corridor: 'GB-NG' }), [
    [
      'calibration-network_healthy-gb-ng-live',
      'corridor == "GB-NG" && mode == "live" && "network_healthy" in flagged',
      'DEGRADED',
    ],
    [
      'calibration-go_floor-gb-ng-live-81',
      'corridor == "GB-NG" && mode == "live" && score < 0.81',
      'DEGRADED',
    ],
    [
      'calibration-no_go_below-gb-ng-live-51',
      'corridor == "GB-NG" && mode == "live" && score < 0.51',
      'NO-GO',
    ],
  ])
  assert.deepEqual(ruled({ mode: null, corridor: 'GB-NG' })[1], [
    'calibration-go_floor-gb-ng-81',
    'corridor == "GB-NG" && score < 0.81',
    'DEGRADED',
  ])
  // Without a corridor no rule blocks: it would block corridors without data, too.
  assert.deepEqual(ruled({ mode: 'shadow', corridor: null }), [
    ['calibration-network_healthy-shadow', 'mode == "shadow" && "network_healthy" in flagged', 'DEGRADED'],
    ['calibration-go_floor-shadow-81', 'mode == "shadow" && score < 0.81', 'DEGRADED'],
  ])
})

test('the reason says what supports the change, or what is missing', () => {
  const reasonOf = (cells: readonly CountedCell[], active: PolicyDocument | null = null): string =>
    suggestFrom(cells, whole, active).reason
  check(
    [
      [[], '0 GO or DEGRADED payments with a final outcome: at least 20 are needed.'],
      [[cell('GO', 80, 1, 1)], '1 GO or DEGRADED payment with a final outcome: at least 20 are needed.'],
      [
        [cell('GO', 90, 20, 0)],
        'No further change is supported: no floor, cap or rule would stop a group of at least 20 payments that fails more often than its decision allows for (20 in 100 of GO, 52 in 100 of DEGRADED), at the lower end of its interval.',
      ],
      [
        [cell('GO', 80, 40, 14)],
        'DEGRADED below a score of 0.81: 14 of 40 such payments failed, at least 22.1% at the lower end of the interval.',
      ],
      [
        [cell('amount GBP', upTo(5_000), 40, 14), cell('flagged GO', 1, 40, 40)],
        'DEGRADED with a flagged settlement network: 40 of 40 such payments failed, at least 91.2% at the lower end of the interval. DEGRADED above 2,000 GBP: 14 of 40 such payments failed, at least 22.1% at the lower end of the interval.',
      ],
    ],
    (cells: CountedCell[]) => reasonOf(cells),
  )
  const rules = Array.from({ length: 100 }, (_, place) => ({
    id: `rule-${place}`,
    when: 'false',
    then: 'DEGRADED' as const,
    message: 'Never.',
  }))
  const full: PolicyDocument = { name: 'Full', rules }
  assert.equal(
    reasonOf([cell('flagged GO', 1, 40, 40)], full),
    'A rule is supported, but the policy in force has no room for another.',
  )
  assert.equal(suggestFrom([cell('flagged GO', 1, 40, 40)], whole, full).document, null)
  const both = [cell('clear GO', 80, ...supported), cell('flagged GO', 1, 40, 40)]
  assert.deepEqual(changeOf(both, full), { rules, go_floor: 0.81 })
})

test('the name says what the suggestion is of, or which policy it tightens', () => {
  const cells = [cell('GO', 80, ...supported)]
  check(
    [
      [whole, 'Suggested by calibration'],
      [{ mode: 'live', corridor: null }, 'Suggested by calibration of live'],
      [{ mode: 'live', corridor: 'GB-NG' }, 'Suggested by calibration of GB-NG, live'],
    ],
    (scope: Scope) => suggestFrom(cells, scope, null).document?.name ?? '',
  )
  check(
    [
      ['Ours', 'Ours, tightened'],
      ['Ours, tightened', 'Ours, tightened'],
      ['x'.repeat(100), `${'x'.repeat(89)}, tightened`],
      [`${'x'.repeat(88)}😀`, `${'x'.repeat(88)}\ufffd, tightened`],
    ],
    (name: string) => suggestFrom(cells, whole, { name }).document?.name ?? '',
  )
})
