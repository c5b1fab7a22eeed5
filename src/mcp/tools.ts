/** The table of tools: each is one operation of the API, and the first line of its answer. */

import {
  calibrationLine,
  corridorLine,
  corridorsLine,
  decisionLine,
  explanationLine,
  historyLine,
  policiesLine,
  rankingLine,
  reportLine,
  reviewLine,
  reviewsLine,
  type Headline,
} from './headlines.ts'

export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  /** The `operationId` in the OpenAPI document, which has the arguments. */
  readonly operation: string
  /** Whether a call records something. */
  readonly records?: true
  /** Made of enumerated values and numbers alone, so that nobody's text is outside the marked data. */
  readonly headline: Headline
}

const pages = 'Ask for few with `limit`; for more, pass `next_cursor` of the answer as `cursor`.'

export const tools = [
  {
    name: 'verify',
    title: 'Verify a payment',
    description:
      'Asks Fairway for one decision on one payment before money moves, and records it permanently. GO with the action PROCEED allows the payment until `valid_until`; with another action, do that first. DEGRADED: do not pay, a person must look first. NO-GO: do not pay. HOLD, an error or no answer: there is no decision, so do not pay; ask again with the same `idempotency_key`. Use a new key for each payment: with the same key and arguments Fairway never decides twice, and returns the first answer. Without a key one is made and returned. `amount` is in major units of `currency`: 500.25 is 500 pounds and 25 pence. In the answer `request_currency` is the currency of the amount, and `currency` the one that the corridor settles in. Fairway never moves money, and this tool cannot override a decision.',
    operation: 'verify',
    records: true,
    headline: decisionLine,
  },
  {
    name: 'explain',
    title: 'Explain a decision',
    description:
      'Why a recorded decision was made, in numbers that add up, and what would have changed it. Scores go from 0 (worst) to 1. It allows no payment: call `verify` before paying. `id` is the `request_id` of a decision, SVC-….',
    operation: 'explainDecision',
    headline: explanationLine,
  },
  {
    name: 'compare_partners',
    title: 'Compare partners',
    description:
      'Ranks 2 to 50 partners for one payment. Records nothing and decides nothing: call `verify` before paying. With a live key `partners` are ids of declared partners; see `corridor`.',
    operation: 'comparePartners',
    headline: rankingLine,
  },
  {
    name: 'list_corridors',
    title: 'List corridors',
    description: 'The corridors that the key may use, with their currencies and partners.',
    operation: 'corridors',
    headline: corridorsLine,
  },
  {
    name: 'corridor',
    title: 'Look at a corridor',
    description:
      'How a corridor is doing now, for everyday payments or for one of `amount`; with a live key also its partners, feeds, settlement calendar and last 24 hours. It is no decision.',
    operation: 'corridorHealth',
    headline: corridorLine,
  },
  {
    name: 'history',
    title: 'List past decisions',
    description: `Your recorded decisions, newest first, by time, corridor, decision, amount, correlation id, override or outcome. ${pages}`,
    operation: 'verifications',
    headline: historyLine,
  },
  {
    name: 'list_reviews',
    title: 'List reviews',
    description: `Payments that need a person, oldest due first, with proposals and comments. Reading only: people claim, propose and approve in the console. ${pages}`,
    operation: 'reviews',
    headline: reviewsLine,
  },
  {
    name: 'review',
    title: 'Look at a review',
    description:
      'One review with its proposal, comments and history, by its `review_id`, rev_…. Reading only.',
    operation: 'review',
    headline: reviewLine,
  },
  {
    name: 'list_policies',
    title: 'List policies',
    description: `Your policies, newest first, with the ids of the active one and of the candidate. ${pages}`,
    operation: 'policies',
    headline: policiesLine,
  },
  {
    name: 'policy_report',
    title: 'Report of a candidate policy',
    description:
      'What a candidate policy would have changed since it became one: decisions, rules, corridors, amounts and outcomes. `list_policies` has its id. Promoting a policy is for people.',
    operation: 'policyReport',
    headline: reportLine,
  },
  {
    name: 'calibration',
    title: 'Compare scores with outcomes',
    description:
      'Scores beside how payments ended: Brier score, reliability and failure rates by signal, and the tightening that the outcomes support.',
    operation: 'calibration',
    headline: calibrationLine,
  },
] as const satisfies readonly Tool[]

/** The resource of a decision reads this one. */
export const decisionOperation = 'decisionFile'

/** Every operation that the tools and resources use. */
export const operationNames = [...tools.map(({ operation }) => operation), decisionOperation] as const
