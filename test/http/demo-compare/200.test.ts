/** POST /api/v1/demo-compare: one score against the threshold of each profile. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../helpers/fast-check.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { anyPaidAmount } from '../../helpers/payments.ts'
import { post, rowCounts } from '../../helpers/post.ts'

const url = '/api/v1/demo-compare'
const unlimited = { FAIRWAY_LIMIT_DEMO: '1000000/60' }

interface Result {
  readonly decision: string
  readonly score: number
  readonly go_threshold: number
  readonly recheck_required: boolean
  readonly profile_label: string
  readonly recommended_action: string
  readonly cap_not_applied: boolean
  readonly valid_for_seconds?: number
}

interface Comparison {
  readonly corridor: string
  readonly amount: number
  readonly currency: string
  readonly profiles_compared: readonly string[]
  readonly results: Readonly<Record<string, Result>>
  readonly divergence: { readonly profiles_agree: boolean; readonly summary: string }
}

async function compare(harness: Harness, payment: object, profiles?: readonly string[]): Promise<Comparison> {
  const answer = await post(harness, url, { payment, ...(profiles === undefined ? {} : { profiles }) })
  assert.equal(answer.status, 200, answer.text)
  return answer.body as Comparison
}

const decisionsIn = ({ results }: Comparison): Record<string, string> =>
  Object.fromEntries(Object.entries(results).map(([profile, { decision }]) => [profile, decision]))

const allSay = (decision: string): Record<string, string> => ({
  conservative: decision,
  balanced: decision,
  optimise_speed: decision,
})

test('at 85,000 conservative and balanced are DEGRADED and speed is GO; at 15,000 all agree', async () => {
  await withHarness({}, async (harness) => {
    const apart = await compare(harness, { corridor: 'GB-NG', amount: 85_000, currency: 'GBP' })
    assert.deepEqual(decisionsIn(apart), {
      conservative: 'DEGRADED',
      balanced: 'DEGRADED',
      optimise_speed: 'GO',
    })
    assert.equal(apart.divergence.profiles_agree, false)
    assert.match(
      apart.divergence.summary,
      /^The profiles differ at a score of 0\.7\d: conservative and balanced give DEGRADED, optimise speed gives GO\. The review cap is not applied here: verify gives at most DEGRADED for this amount\.$/,
    )
    const agreed = await compare(harness, { corridor: 'GB-NG', amount: 15_000 })
    assert.deepEqual(decisionsIn(agreed), allSay('GO'))
    assert.equal(agreed.divergence.profiles_agree, true)
    assert.match(agreed.divergence.summary, /^All 3 profiles give GO at a score of 0\.\d\d\.$/)
  })
})

test('the whole answer: payment, results by profile, divergence, time, model and environment', async () => {
  await withHarness({}, async (harness) => {
    const { body, headers } = await post(harness, url, { payment: {} })
    assert.deepEqual(Object.keys(body).toSorted(), [
      'amount',
      'corridor',
      'currency',
      'divergence',
      'environment',
      'evaluated_at',
      'model_version',
      'profiles_compared',
      'results',
    ])
    assert.deepEqual([body.corridor, body.amount, body.currency], ['GB-NG', 1000, 'GBP'])
    assert.deepEqual(body.profiles_compared, ['conservative', 'balanced', 'optimise_speed'])
    assert.deepEqual(Object.keys(body.results), body.profiles_compared)
    assert.equal(body.evaluated_at, '2026-03-01T12:00:00.000Z')
    assert.equal(body.model_version, 'v1.3-demo')
    assert.equal(body.environment, 'sandbox')
    assert.match(String(headers['x-request-id']), /^req_/)
  })
})

test('thresholds are 0.85, 0.80 and 0.70, labels are for people, and only speed has 600 seconds', async () => {
  await withHarness({}, async (harness) => {
    const { results } = await compare(harness, {})
    const shown = Object.entries(results).map(([profile, result]) => [
      profile,
      result.go_threshold,
      result.profile_label,
      result.valid_for_seconds,
    ])
    assert.deepEqual(shown, [
      ['conservative', 0.85, 'Conservative', undefined],
      ['balanced', 0.8, 'Balanced', undefined],
      ['optimise_speed', 0.7, 'Optimise speed', 600],
    ])
  })
})

/** The summary, made again from what the profiles said. */
function summaryOf(compared: Comparison): string {
  const isIgnored = Object.values(compared.results).some((result) => result.cap_not_applied)
  const cap = ' The review cap is not applied here: verify gives at most DEGRADED for this amount.'
  return `${sentenceOf(compared)}${isIgnored ? cap : ''}`
}

function sentenceOf({ profiles_compared: profiles, results }: Comparison): string {
  const resultOf = (profile: string): Result => results[profile] ?? assert.fail(profile)
  const score = resultOf(profiles[0] ?? '').score.toFixed(2)
  const decisions = [...new Set(profiles.map((profile) => resultOf(profile).decision))]
  const nameOf = (profile: string): string => profile.replace('_', ' ')
  const [only] = decisions
  if (decisions.length === 1) {
    if (profiles.length === 1)
      return `The ${nameOf(profiles[0] ?? '')} profile gives ${only} at a score of ${score}.`
    return `${profiles.length === 2 ? 'Both' : 'All 3'} profiles give ${only} at a score of ${score}.`
  }
  const parts = decisions.map((decision) => {
    const names = profiles.filter((profile) => resultOf(profile).decision === decision).map(nameOf)
    return `${names.join(' and ')} ${names.length === 1 ? 'gives' : 'give'} ${decision}`
  })
  return `The profiles differ at a score of ${score}: ${parts.join(', ')}.`
}

test('every result follows from the one score, and the sentence from the results', async () => {
  await withHarness({ settings: unlimited }, async (harness) => {
    const anyProfiles = fc.shuffledSubarray(['conservative', 'balanced', 'optimise_speed'], { minLength: 1 })
    const anyPayment = fc.record({
      corridor: fc.constantFrom('GB-NG', 'NG-GB', 'US-MX'),
      amount: fc.oneof(anyPaidAmount, fc.integer({ min: 40_000, max: 120_000 })),
    })
    await fc.assert(
      fc.asyncProperty(anyPayment, anyProfiles, async (payment, profiles) => {
        const compared = await compare(harness, payment, profiles)
        assert.deepEqual(compared.profiles_compared, profiles)
        assert.deepEqual(Object.keys(compared.results).toSorted(), profiles.toSorted())
        const scores = new Set(Object.values(compared.results).map(({ score }) => score))
        assert.equal(scores.size, 1)
        for (const result of Object.values(compared.results)) {
          const { decision, score, go_threshold, recheck_required, cap_not_applied } = result
          const banded = score >= go_threshold ? 'GO' : score >= 0.48 ? 'DEGRADED' : 'NO-GO'
          const ruled = payment.corridor === 'US-MX' ? 'DEGRADED' : banded
          assert.equal(decision, payment.amount > 500_000 ? 'NO-GO' : ruled)
          assert.equal(recheck_required, decision === 'DEGRADED' || (decision === 'GO' && score < 0.8))
          assert.equal(cap_not_applied, decision === 'GO' && payment.amount > 50_000)
        }
        const decisions = new Set(Object.values(decisionsIn(compared)))
        assert.equal(compared.divergence.profiles_agree, decisions.size === 1)
        assert.equal(compared.divergence.summary, summaryOf(compared))
      }),
      { numRuns: 80 },
    )
  })
})

test('the floor above 50,000 does not act, the block above 500,000 does, also that of the operator', async () => {
  await withHarness({ settings: { FAIRWAY_POLICY_CAPS: 'NGN=100/200' } }, async (harness) => {
    const above = await compare(harness, { amount: 50_001 })
    assert.equal(above.results['optimise_speed']?.decision, 'GO')
    assert.equal(above.results['optimise_speed'].recommended_action, 'PROCEED')
    const actions = Object.values(above.results).map((result) => result.recommended_action)
    assert.ok(!actions.includes('MANUAL_APPROVAL'))
    assert.deepEqual(decisionsIn(await compare(harness, { amount: 101, currency: 'NGN' })), allSay('GO'))
    assert.deepEqual(decisionsIn(await compare(harness, { amount: 201, currency: 'NGN' })), allSay('NO-GO'))
    assert.notDeepEqual(decisionsIn(await compare(harness, { amount: 500_000 })), allSay('NO-GO'))
    const blocked = await compare(harness, { amount: 500_001 })
    assert.deepEqual(decisionsIn(blocked), allSay('NO-GO'))
    assert.equal(blocked.divergence.profiles_agree, true)
  })
})

test('an unsupported corridor is DEGRADED in every profile', async () => {
  await withHarness({}, async (harness) => {
    const unknown = await compare(harness, { corridor: 'US-MX', amount: 10 })
    assert.deepEqual(decisionsIn(unknown), allSay('DEGRADED'))
    assert.equal(unknown.results['balanced']?.recommended_action, 'TREAT_AS_NO_DATA')
  })
})

test('the test amounts do not act', async () => {
  await withHarness({}, async (harness) => {
    const calm = await compare(harness, { amount: 1000 })
    for (const ending of ['.01', '.02', '.05', '.08', '.09']) {
      const { results } = await compare(harness, { amount: Number(`1000${ending}`) })
      assert.deepEqual(results, calm.results, ending)
    }
  })
})

test('the two countries stand for the corridor, and agree with it where all are given', async () => {
  await withHarness({}, async (harness) => {
    const corridorFor = async (payment: object): Promise<string> => (await compare(harness, payment)).corridor
    assert.equal(await corridorFor({ sender_country: 'NG', destination_country: 'GB' }), 'NG-GB')
    assert.equal(await corridorFor({ sender_country: 'uk', destination_country: 'ng', amount: 5 }), 'GB-NG')
    const agreeing = { corridor: 'gb-ng', sender_country: 'GB', destination_country: 'NG' }
    assert.equal(await corridorFor(agreeing), 'GB-NG')
  })
})

test('no key is needed, nothing is recorded, and audit does not know the id', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const before = rowCounts(harness)
    const answer = await post(harness, url, { payment: { amount: 600_000 } })
    assert.deepEqual(rowCounts(harness), before)
    assert.equal((await harness.get(null, '/api/health')).body.total_verifications, 0)
    const audit = await harness.get(key, `/api/v1/audit/${String(answer.headers['x-request-id'])}`)
    assert.equal(audit.status, 404)
    const free = await harness.verify(key, { corridor: 'GB-NG', amount: 1000 })
    assert.equal(free.body.decision, 'GO', 'no cooldown was set')
  })
})
