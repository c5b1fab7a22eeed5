/** The explanation of a decision under policies: the rules that fired, the floors, and the cap apart from the rules. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { explain } from '../../../src/app/inspect/explain.ts'
import type { PolicyDocument } from '../../../src/core/policy/document.ts'
import { decidedUnder, type Asked } from '../../helpers/policy-exports.ts'

const owner: PolicyDocument = {
  name: 'Hard stops',
  require_amount: true,
  caps: { GBP: { review_above: 20_000, block_above: 200_000 } },
  go_floor: 0.9,
  rules: [
    { id: 'network', when: '!signals.network_healthy', then: 'NO-GO', message: 'The network is down.' },
    { id: 'closed', when: '!calendar.open', then: 'DEGRADED', message: 'The corridor is closed.' },
  ],
}
const installation: PolicyDocument = { name: 'House rules', no_go_below: 0.6 }
const gbNg = (amount: number | null): Asked => ({ corridor: 'GB-NG', amount })

const closed = {
  rule_id: 'closed',
  when: '!calendar.open',
  then: 'DEGRADED',
  message: 'The corridor is closed.',
  could_not_be_evaluated: true,
}

test('the answer has the policies, and of each the rules that fired with their expressions', async () => {
  const made = await decidedUnder({ owner, installation }, [gbNg(1000), gbNg(1000.02), gbNg(null)])
  const fired = [
    [closed],
    [
      {
        rule_id: 'network',
        when: '!signals.network_healthy',
        then: 'NO-GO',
        message: 'The network is down.',
        could_not_be_evaluated: false,
      },
      closed,
    ],
    [
      {
        rule_id: 'require_amount',
        when: null,
        then: 'DEGRADED',
        message: 'The policy asks for an amount, and the payment has none.',
        could_not_be_evaluated: false,
      },
      closed,
    ],
  ]
  for (const [place, { file }] of made.entries()) {
    assert.deepEqual(explain(file).policies, {
      owner: { policy_id: 'pol_owner', name: 'Hard stops', rules_fired: fired[place] },
      installation: { policy_id: 'pol_installation', name: 'House rules', rules_fired: [] },
    })
  }
})

test('a policy that is not in force is null, and without policies the member is absent', async () => {
  const [one] = await decidedUnder({ installation }, [gbNg(1000)])
  const [none] = await decidedUnder({}, [gbNg(1000)])
  assert.equal(explain(one?.file ?? assert.fail()).policies?.owner, null)
  assert.ok(!('policies' in explain(none?.file ?? assert.fail())))
})

test('the bands are those of the strictest floors', async () => {
  const [made] = await decidedUnder({ owner, installation }, [gbNg(1000)])
  assert.deepEqual(explain(made?.file ?? assert.fail()).bands, [
    { decision: 'GO', score_from: 0.9, score_below: 1.01 },
    { decision: 'DEGRADED', score_from: 0.6, score_below: 0.9 },
    { decision: 'NO-GO', score_from: 0, score_below: 0.6 },
  ])
})

test('the gate says whether the cap changed the decision, whatever the rules did', async () => {
  const gates = async (document: PolicyDocument, amounts: readonly number[]) => {
    const made = await decidedUnder({ owner: document }, amounts.map(gbNg))
    return made.map(({ file }) => {
      const { decision, policy_gate: gate } = explain(file)
      return [decision, gate.rule, gate.changed_decision, gate.degraded_above]
    })
  }
  assert.deepEqual(await gates(owner, [1000, 30_000, 1000.02]), [
    ['DEGRADED', 'none', false, 20_000],
    ['DEGRADED', 'review_above_cap', true, 20_000],
    ['NO-GO', 'none', false, 20_000],
  ])
  assert.deepEqual(
    await gates({ ...owner, go_floor: 0.99 }, [30_000]),
    [['DEGRADED', 'review_above_cap', false, 20_000]],
    'the floor alone held it',
  )
})

test('under rules the answer has no largest amount, and its basis says why', async () => {
  const [ruled] = await decidedUnder({ owner }, [gbNg(1000)])
  const [capped] = await decidedUnder({ owner: { name: 'Caps', caps: owner.caps ?? {} } }, [gbNg(1000)])
  const { largest_go_amount: none, counterfactual_basis: basis } = explain(ruled?.file ?? assert.fail())
  assert.equal(none, null)
  assert.match(basis, /not searched, because a rule of a policy may depend on the amount\.$/)
  assert.equal(explain(capped?.file ?? assert.fail()).largest_go_amount, 20_000)
})

test('a repeat during a cooldown is explained by the policies of its source', async () => {
  const [blocked, repeat] = await decidedUnder({ owner }, [gbNg(1000.08), gbNg(5)])
  const [first, second] = [explain(blocked?.file ?? assert.fail()), explain(repeat?.file ?? assert.fail())]
  assert.equal(second.cooldown?.source_request_id, first.request_id)
  assert.deepEqual(second.policies, first.policies)
})
