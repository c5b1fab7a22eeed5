/** The example requests of reviews: two of them, from the queue to an approval and a rejection, and a hold. */

import { post } from '../../test/helpers/post.ts'
import { idOf, type Scene } from './scenes.ts'
import type { Stage } from './stage.ts'

/** Two payments that need a person. */
async function decide(stage: Stage): Promise<void> {
  for (const amount of [62_000, 85_000]) {
    const { body } = await stage.verify(stage.key, { corridor: 'GB-NG', amount, currency: 'GBP' })
    stage.ids[`decided ${amount}`] = `rev_${String(body.request_id).slice(-26).toLowerCase()}`
  }
}

/** A proposal is approved by another key than the one that made it. */
async function issueApprover({ ids, issue, store }: Stage): Promise<void> {
  const [reviewer] = await store.keys.list()
  const { key } = await issue({ ownerLabel: 'Desk lead', ...(reviewer && { ownerId: reviewer.ownerId }) })
  ids['approver'] = key
}

/** A live payment without feeds: it is held, and no decision is stored. */
async function hold({ ids, issue, verify }: Stage): Promise<void> {
  const { key } = await issue({ ownerLabel: 'Live payments', prefix: 'pk_live_' })
  ids['live'] = key
  await verify(key, { corridor: 'GB-NG', amount: 1000, currency: 'GBP' })
}

const first = (ids: Stage['ids']) => ({ review_id: idOf(ids, 'decided 62000') })
const second = (ids: Stage['ids']) => ({ review_id: idOf(ids, 'decided 85000') })
const approver = (ids: Stage['ids']) => idOf(ids, 'approver')

const proposal = {
  action: 'EXECUTE',
  reason_code: 'PAYER_CONFIRMED',
  justification: 'The payer confirmed the invoice by telephone.',
}

async function proposeSecond(stage: Stage): Promise<void> {
  const body = { ...proposal, action: 'REJECT', reason_code: 'DUPLICATE_INVOICE' }
  await post(stage, `/api/v1/reviews/${second(stage.ids).review_id}/propose`, body, { key: stage.key })
}

export const reviewScenes: readonly Scene[] = [
  { operation: 'reviews', before: decide, parameters: () => ({ status: 'open' }) },
  { operation: 'reviewSummary', parameters: () => ({ mode: 'shadow' }) },
  { operation: 'claimReview', parameters: first },
  { operation: 'releaseReview', parameters: first },
  {
    operation: 'commentReview',
    parameters: first,
    body: () => ({ text: 'Waiting for the payer to call back.' }),
  },
  { operation: 'proposeReview', parameters: first, body: () => proposal },
  {
    operation: 'approveReview',
    before: issueApprover,
    key: approver,
    parameters: first,
    body: () => ({ reason: 'Checked against the invoice.' }),
  },
  {
    operation: 'rejectReview',
    before: proposeSecond,
    key: approver,
    parameters: second,
    body: () => ({ reason: 'Which invoice is it a duplicate of?' }),
  },
  { operation: 'review', parameters: first },
  {
    operation: 'holds',
    before: hold,
    key: (ids) => idOf(ids, 'live'),
    parameters: () => ({ mode: 'live', hours: 24 }),
  },
]
