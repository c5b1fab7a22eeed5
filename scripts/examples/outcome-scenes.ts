/** The example requests of outcomes in bulk and of the calibration that is computed from them. */

import { post } from '../../test/helpers/post.ts'
import { idOf, type Scene } from './scenes.ts'
import type { Stage } from './stage.ts'

async function decide(stage: Stage): Promise<void> {
  const payment = { corridor: 'GB-NG', amount: 1000 }
  stage.ids['ended'] = (await stage.verify(stage.key, payment)).body.request_id
  await stage.verify(stage.key, { ...payment, correlation_id: 'invoice-2041' })
}

/** Enough payments for rates and a suggestion: of 25 without a confirmed payee 12 fail, of 40 others one. */
async function end(stage: Stage): Promise<void> {
  const outcomes: { request_id: string; outcome: string }[] = []
  for (const [amount, count, failures] of [
    [300.07, 25, 12],
    [1000, 40, 1],
  ] as const) {
    for (let paid = 0; paid < count; paid += 1) {
      const { body } = await stage.verify(stage.key, { corridor: 'GB-NG', amount })
      outcomes.push({ request_id: body.request_id, outcome: paid < failures ? 'REJECTED' : 'COMPLETED' })
    }
  }
  await post(stage, '/api/v1/outcomes', { outcomes }, { key: stage.key })
}

/** Only checked, so that both forms of the same rows have one answer. */
const checkOnly = () => ({ dry_run: 'true' })

export const outcomeScenes: readonly Scene[] = [
  {
    operation: 'reportOutcomes',
    before: decide,
    parameters: checkOnly,
    body: (ids) => ({
      outcomes: [
        { request_id: idOf(ids, 'ended'), outcome: 'COMPLETED' },
        { correlation_id: 'invoice-2041', outcome: 'REJECTED' },
      ],
    }),
  },
  {
    operation: 'reportOutcomes',
    type: 'text/csv',
    parameters: checkOnly,
    body: (ids) =>
      `request_id,correlation_id,outcome\n${idOf(ids, 'ended')},,COMPLETED\n,invoice-2041,REJECTED\n`,
  },
  {
    operation: 'calibration',
    before: end,
    parameters: () => ({ from: '2026-03-01T00:00:00Z', to: '2026-03-02T00:00:00Z' }),
  },
]
