/** The example requests of policies: the life of one, from its draft to its rollback, by two keys of one owner. */

import { idOf, type Scene } from './scenes.ts'
import type { Stage } from './stage.ts'

const document = {
  name: 'Hard stops',
  require_amount: true,
  caps: { NGN: { review_above: 20_000, block_above: 200_000 } },
  rules: [
    {
      id: 'payee',
      when: 'signals.cop_overridden',
      then: 'NO-GO',
      message: 'The payee was not confirmed.',
    },
    { id: 'large', when: 'amount > 10000.0', then: 'DEGRADED', message: 'Large payments are reviewed.' },
  ],
}

/** Two decisions that the policy changes, and one that it does not. */
async function decide(stage: Stage): Promise<void> {
  for (const amount of [1_000, 12_000, 25_000]) {
    const { body } = await stage.verify(stage.key, { corridor: 'GB-NG', amount, currency: 'GBP' })
    stage.ids[`paid ${amount}`] = body.request_id
  }
}

/** A policy is promoted by another key than the one that wrote it. */
async function issueApprover({ ids, issue, store }: Stage): Promise<void> {
  const [author] = await store.keys.list()
  const { key } = await issue({ ownerLabel: 'Risk lead', ...(author && { ownerId: author.ownerId }) })
  ids['approver'] = key
}

/** Held by an instance that has stopped, so that it has not ended when it is cancelled. */
async function startUnfinished({ store, clock, ids }: Stage): Promise<void> {
  const done = await store.policies.findBacktest(idOf(ids, 'backtest'))
  if (done === null) return
  const backtestId = `${done.backtestId.slice(0, -1)}z`
  const nowMs = clock.nowMs()
  await store.policies.insertBacktest(
    {
      ...done,
      backtestId,
      createdAtMs: nowMs,
      endedAtMs: null,
      status: 'queued',
      progress: { done: 0, total: null, upTo: null },
      sums: null,
    },
    1,
  )
  await store.policies.claimBacktest({ holder: 'ins_stopped', nowMs, lostBeforeMs: 0 })
  ids['unfinished'] = backtestId
}

const onePolicy = (ids: Stage['ids']) => ({ policy_id: idOf(ids, 'policy') })

export const policyScenes: readonly Scene[] = [
  { operation: 'policyVariables' },
  {
    operation: 'checkPolicy',
    before: decide,
    parameters: (ids) => ({ request_id: idOf(ids, 'paid 25000') }),
    body: () => document,
  },
  {
    operation: 'createPolicy',
    body: () => document,
    after: ({ body }, { ids }) => void (ids['policy'] = body.policy_id),
  },
  {
    operation: 'startBacktest',
    parameters: onePolicy,
    body: () => ({ from: '2026-03-01T00:00:00Z', to: '2026-03-02T00:00:00Z', mode: 'shadow' }),
    after: ({ body }, { ids }) => void (ids['backtest'] = body.backtest_id),
  },
  {
    operation: 'backtest',
    before: ({ backtested }) => backtested(),
    parameters: (ids) => ({ ...onePolicy(ids), backtest_id: idOf(ids, 'backtest') }),
  },
  { operation: 'backtests', parameters: onePolicy },
  {
    operation: 'cancelBacktest',
    before: startUnfinished,
    parameters: (ids) => ({ ...onePolicy(ids), backtest_id: idOf(ids, 'unfinished') }),
  },
  { operation: 'makePolicyCandidate', parameters: onePolicy },
  { operation: 'policyReport', before: decide, parameters: onePolicy },
  {
    operation: 'promotePolicy',
    before: issueApprover,
    key: (ids) => idOf(ids, 'approver'),
    parameters: onePolicy,
    body: () => ({ reason: 'The report of the candidate was reviewed: 37,000 GBP would have waited.' }),
  },
  { operation: 'policy', parameters: onePolicy },
  { operation: 'policies', parameters: () => ({ limit: 2, status: 'active' }) },
  {
    operation: 'rollBackPolicy',
    body: () => ({ reason: 'Too many payments to Lagos wait for a person.' }),
  },
]
