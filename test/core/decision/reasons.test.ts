/** Reason codes and actions: their order, their sentences, and which outweighs which. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../helpers/fast-check.ts'
import { decide, type Decision } from '../../../src/core/decision/decide.ts'
import { standardPolicy } from '../../../src/core/decision/policy.ts'
import {
  actionOf,
  reasonCodes,
  recommendedActions,
  signalReasonCode,
  type ReasonCode,
} from '../../../src/core/decision/reasons.ts'
import { isSupported } from '../../../src/core/reference/corridor.ts'
import { withThousands } from '../../../src/core/explain/wording.ts'
import type { Verdict } from '../../../src/core/decision/score.ts'
import { signalNames, type SignalName } from '../../../src/core/decision/signals.ts'
import {
  anyAmount,
  anyReadings,
  check,
  codesOf,
  corridorOf,
  currencyOf,
  readingsWith,
} from '../../helpers/check.ts'

type Risks = Readonly<Partial<Record<SignalName, number>>>

function decided(
  risks: Risks,
  fraudFlagCount = 0,
  amount: number | null = null,
  corridor = 'GB-NG',
): Decision {
  return decide({
    corridor: corridorOf(corridor),
    supported: isSupported(corridorOf(corridor)),
    amount,
    currency: currencyOf('GBP'),
    readings: readingsWith(risks, fraudFlagCount),
    policy: standardPolicy,
  })
}

const messageOf = (decision: Decision, code: ReasonCode): string | undefined =>
  decision.reasons.find((reason) => reason.code === code)?.message

test('the catalogue is the one of the contract', () => {
  assert.deepEqual(
    new Set(reasonCodes),
    new Set([
      'HEALTHY_PARTNER',
      'HIGH_FRAUD_SIGNAL',
      'NETWORK_DEGRADED',
      'INSUFFICIENT_BALANCE',
      'HIGH_FX_VOLATILITY',
      'OPERATION_INVALID',
      'HIGH_FAILURE_RATE',
      'COP_OVERRIDE_ACTIVE',
      'CORRIDOR_UNSUPPORTED',
      'POLICY_RULE_APPLIED',
      'POLICY_CAP_APPLIED',
      'BELOW_GO_THRESHOLD',
      'NO_PARTNER_AVAILABLE',
    ]),
  )
  assert.equal(reasonCodes.length, 13)
})

test('each signal has its own code when it alone is flagged', () => {
  for (const signal of signalNames) {
    const decision = decided({ [signal]: 100 }, signal === 'fraud_flags' ? 1 : 0)
    assert.deepEqual(codesOf(decision), [signalReasonCode[signal]])
  }
})

test('flagged signals come in weight order, then policy, then corridor, and none twice', () => {
  const order: readonly string[] = [
    ...Object.values(signalReasonCode),
    'POLICY_CAP_APPLIED',
    'CORRIDOR_UNSUPPORTED',
  ]
  fc.assert(
    fc.property(anyReadings, anyAmount, fc.constantFrom('GB-NG', 'US-MX'), (readings, amount, corridor) => {
      const decision = decide({
        corridor: corridorOf(corridor),
        supported: isSupported(corridorOf(corridor)),
        amount,
        currency: currencyOf('GBP'),
        readings,
        policy: standardPolicy,
      })
      const codes = codesOf(decision)
      const expected = order.filter((code) => codes.includes(code))
      const byScore = decision.verdict === 'GO' ? 'HEALTHY_PARTNER' : 'BELOW_GO_THRESHOLD'
      assert.deepEqual(codes, expected.length === 0 ? [byScore] : expected)
    }),
  )
})

test('a low score without flags is below the threshold, and was called healthy in revision 1', () => {
  const low = {
    corridor: corridorOf('GB-NG'),
    supported: true,
    amount: null,
    currency: currencyOf('GBP'),
    readings: readingsWith({ fraud_flags: 0 }),
    policy: standardPolicy,
  }
  const decisions = [decide(low), decide({ ...low, revision: 2 }), decide({ ...low, revision: 1 })]
  assert.deepEqual(decisions.map(codesOf), [
    ['BELOW_GO_THRESHOLD'],
    ['BELOW_GO_THRESHOLD'],
    ['HEALTHY_PARTNER'],
  ])
  // Only the code differs.
  for (const { verdict, recommendedAction, reasons } of decisions) {
    assert.deepEqual([verdict, recommendedAction], ['DEGRADED', 'REVIEW'])
    assert.match(reasons[0]?.message ?? '', /GB-NG.* do not reach the score for GO\.$/)
  }
  const clear = { ...low, readings: readingsWith({}) }
  assert.deepEqual(decide({ ...clear, revision: 1 }), decide(clear))
})

test('the action of each single reason is the one the contract suggests', () => {
  const single = (code: ReasonCode, verdict: Verdict): string => actionOf(verdict, [{ code, message: '' }])
  check(
    [
      ['HEALTHY_PARTNER', ['PROCEED', 'REVIEW']],
      ['HIGH_FRAUD_SIGNAL', ['BLOCK', 'BLOCK']],
      ['NETWORK_DEGRADED', ['REROUTE', 'REROUTE']],
      ['INSUFFICIENT_BALANCE', ['RETRY_LATER', 'RETRY_LATER']],
      ['HIGH_FX_VOLATILITY', ['REVIEW', 'REVIEW']],
      ['OPERATION_INVALID', ['REVIEW', 'REVIEW']],
      ['HIGH_FAILURE_RATE', ['REROUTE', 'REROUTE']],
      ['COP_OVERRIDE_ACTIVE', ['CONFIRM_PAYEE', 'CONFIRM_PAYEE']],
      ['CORRIDOR_UNSUPPORTED', ['TREAT_AS_NO_DATA', 'TREAT_AS_NO_DATA']],
      ['POLICY_CAP_APPLIED', ['MANUAL_APPROVAL', 'MANUAL_APPROVAL']],
      ['BELOW_GO_THRESHOLD', ['REVIEW', 'REVIEW']],
      ['NO_PARTNER_AVAILABLE', ['REROUTE', 'REROUTE']],
    ],
    (code: ReasonCode) => [single(code, 'GO'), single(code, 'DEGRADED')],
  )
})

test('a NO-GO is always BLOCK; then fraud, a missing partner, missing data and the cap outweigh the signals', () => {
  const action = (verdict: Verdict, codes: readonly ReasonCode[]): string =>
    actionOf(
      verdict,
      codes.map((code) => ({ code, message: '' })),
    )
  for (const code of reasonCodes) assert.equal(action('NO-GO', [code]), 'BLOCK')
  check<readonly ReasonCode[], string>(
    [
      [['HIGH_FRAUD_SIGNAL', 'NETWORK_DEGRADED', 'POLICY_CAP_APPLIED'], 'BLOCK'],
      [['HIGH_FRAUD_SIGNAL', 'INSUFFICIENT_BALANCE', 'NO_PARTNER_AVAILABLE'], 'BLOCK'],
      // No approval brings a partner.
      [
        ['INSUFFICIENT_BALANCE', 'NO_PARTNER_AVAILABLE', 'POLICY_CAP_APPLIED', 'POLICY_RULE_APPLIED'],
        'REROUTE',
      ],
      [['POLICY_CAP_APPLIED', 'CORRIDOR_UNSUPPORTED'], 'TREAT_AS_NO_DATA'],
      [['NETWORK_DEGRADED', 'POLICY_CAP_APPLIED'], 'MANUAL_APPROVAL'],
      [['NETWORK_DEGRADED', 'INSUFFICIENT_BALANCE'], 'REROUTE'],
      [['INSUFFICIENT_BALANCE', 'COP_OVERRIDE_ACTIVE'], 'RETRY_LATER'],
      [['HIGH_FX_VOLATILITY', 'COP_OVERRIDE_ACTIVE'], 'REVIEW'],
    ],
    (codes) => action('DEGRADED', codes),
  )
})

test('every decision has an action of the catalogue, and PROCEED is for GO alone', () => {
  fc.assert(
    fc.property(anyReadings, anyAmount, (readings, amount) => {
      const corridor = corridorOf('NG-GB')
      const currency = currencyOf('GBP')
      const decision = decide({
        corridor,
        supported: true,
        amount,
        currency,
        readings,
        policy: standardPolicy,
      })
      assert.ok(recommendedActions.includes(decision.recommendedAction))
      if (decision.recommendedAction === 'PROCEED') assert.equal(decision.verdict, 'GO')
      if (decision.verdict === 'NO-GO') assert.equal(decision.recommendedAction, 'BLOCK')
    }),
  )
})

test('messages are sentences that name the corridor, the count, the rate or the cap in question', () => {
  const everything = decided(Object.fromEntries(signalNames.map((signal) => [signal, 100])), 2, 60_000)
  const unsupported = decided({}, 0, 600_000, 'US-MX')
  const rows: readonly (readonly [string | undefined, RegExp])[] = [
    [messageOf(decided({}), 'HEALTHY_PARTNER'), /^All seven signals of GB-NG are healthy\.$/],
    [
      messageOf(decided({ fraud_flags: 0 }), 'BELOW_GO_THRESHOLD'),
      /GB-NG.* do not reach the score for GO\.$/,
    ],
    [messageOf(decided({}, 1), 'HIGH_FRAUD_SIGNAL'), /^1 open fraud or AML flag:/],
    [messageOf(everything, 'HIGH_FRAUD_SIGNAL'), /^2 open fraud or AML flags:/],
    [messageOf(everything, 'NETWORK_DEGRADED'), /GB-NG.*CRITICAL/],
    [messageOf(everything, 'OPERATION_INVALID'), /GBP.*GB-NG/],
    [messageOf(everything, 'HIGH_FAILURE_RATE'), /^18\.0% of recent settlements failed/],
    [messageOf(everything, 'POLICY_CAP_APPLIED'), /review cap of 50,000 GBP/],
    [messageOf(unsupported, 'POLICY_CAP_APPLIED'), /block cap of 500,000 GBP/],
    [messageOf(unsupported, 'CORRIDOR_UNSUPPORTED'), /no data for US-MX/],
  ]
  for (const [message, pattern] of rows) assert.match(message ?? 'no such reason', pattern)
  for (const { message } of [...everything.reasons, ...unsupported.reasons])
    assert.match(message, /^[A-Z0-9].*\.$/)
})

test('an amount is written in thousands, with whole cents or with all that it has', () => {
  check<number, string>(
    [
      [0, '0'],
      [999, '999'],
      [1000, '1,000'],
      [1_234_567, '1,234,567'],
      [1e15, '1,000,000,000,000,000'],
      [0.5, '0.50'],
      [999.99, '999.99'],
      [50_000.5, '50,000.50'],
      [1_234_567.89, '1,234,567.89'],
      // More than cents: nothing is rounded away, and what stands after the point is not parted.
      [0.005, '0.005'],
      [50_000.505, '50,000.505'],
      [1234.567_89, '1,234.56789'],
      [1e-7, '0.0000001'],
      [3.5e-9, '0.0000000035'],
    ],
    withThousands,
  )
})
