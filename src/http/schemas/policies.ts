/** Schemas of policies, their life, reports and backtests. */

import { Type } from 'typebox'
import { documentLimits, stops } from '../../core/policy/document.ts'
import { policyStatuses } from '../../core/policy/life.ts'
import { outcomeColumns } from '../../core/policy/report.ts'
import { listQuery, pageMembers } from '../input/paging.ts'
import { limits } from '../limits.ts'
import { Mode, multilinePattern, named, nullable, Timestamp, Verdict, withWarnings } from './common.ts'

/** For the reference: `core/policy/document.ts` reads documents, so that every fault has its place. */
export const PolicyDocument = named(
  'PolicyDocument',
  Type.Object(
    {
      name: Type.String({ maxLength: documentLimits.nameMax }),
      require_amount: Type.Optional(
        Type.Boolean({ description: 'Without an amount a payment is at most DEGRADED.' }),
      ),
      caps: Type.Optional(
        Type.Record(
          Type.String(),
          Type.Object({
            review_above: Type.Number({ description: 'Above it the decision is at most DEGRADED.' }),
            block_above: Type.Number({ description: 'Above it the decision is NO-GO.' }),
          }),
          { description: 'Caps by currency, at least as strict as the contract: 50,000 and 500,000.' },
        ),
      ),
      go_floor: Type.Optional(Type.Number({ description: 'The lowest score of a GO, from 0.80 on.' })),
      no_go_below: Type.Optional(Type.Number({ description: 'Below this score NO-GO, from 0.48 on.' })),
      rules: Type.Optional(
        Type.Array(
          Type.Object({
            id: Type.String({ description: 'Lower-case letters, digits, hyphens and underscores.' }),
            when: Type.String({
              description: `A CEL expression of at most ${documentLimits.whenBytesMax} bytes. The rule fires if it is true or cannot be evaluated.`,
            }),
            then: Type.Enum([...stops], { description: 'The decision is at least as strict.' }),
            message: Type.String({
              maxLength: documentLimits.messageMax,
              description: 'The message of the reason POLICY_RULE_APPLIED.',
            }),
          }),
          { maxItems: documentLimits.rulesMax },
        ),
      ),
    },
    { description: 'A policy only tightens: it never turns a decision into a laxer one.' },
  ),
)

const Actor = named(
  'Actor',
  Type.Object({
    kind: Type.Enum(['key', 'person', 'operator']),
    id: Type.String({ description: 'The id of the key, or the name of the operator.' }),
    name: Type.String(),
  }),
)

export const PolicyView = named(
  'PaymentPolicy',
  Type.Object(
    {
      policy_id: Type.String(),
      status: Type.Enum([...policyStatuses]),
      created_at: Timestamp,
      created_by: Actor,
      document: PolicyDocument,
      sha256: Type.String({ description: 'Of the canonical JSON (RFC 8785) of the document, in hex.' }),
      changes: Type.Array(
        Type.Object({
          kind: Type.Enum(['candidate', 'promoted', 'rolled_back']),
          at: Timestamp,
          by: Actor,
          reason: nullable(Type.String()),
        }),
        { description: 'Its life, oldest first.' },
      ),
    },
    { description: 'A policy never changes; a change is a new one.' },
  ),
)

export const PolicyChanged = named('PolicyResponse', withWarnings(PolicyView))

export const PolicyList = named(
  'PolicyList',
  Type.Object(
    {
      policies: Type.Array(PolicyView),
      active: nullable(Type.String({ description: 'The id of the policy in force.' })),
      candidate: nullable(Type.String({ description: 'The id of the candidate.' })),
      next_cursor: nullable(Type.String()),
    },
    { description: 'Newest first.' },
  ),
)

export const PolicyQuery = listQuery({
  status: Type.Optional(Type.Enum([...policyStatuses], { description: 'Only policies with this status.' })),
  ...pageMembers('Policies'),
})

const reason = Type.String({
  minLength: 1,
  maxLength: limits.justificationLengthMax,
  pattern: multilinePattern,
  description: 'Why; recorded permanently.',
})
export const ReasonBody = named('PolicyReason', Type.Object({ reason }))

export const RolledBack = named(
  'PolicyRollback',
  Type.Object({
    rolled_back: Type.String({ description: 'The policy that was in force until now.' }),
    active: nullable(Type.String({ description: 'The policy that is in force again; null for none.' })),
  }),
)

const Flips = Type.Record(Type.String(), Type.Integer(), {
  description: 'Records by decision before and after, like `GO>DEGRADED`.',
})

const reportMembers = {
  records: Type.Integer({ description: 'Records that were decided again.' }),
  unchanged: Type.Integer({ description: 'Those with the same decision; cooldown repeats always are.' }),
  undecided: Type.Integer({
    description:
      'Records that cannot be decided again, because another version of the engine decided them. They are in no other figure.',
  }),
  flips: Flips,
  by_rule: Type.Array(
    Type.Object({
      rule_id: Type.String(),
      fired: Type.Integer(),
      decided: Type.Integer({
        description: 'How often the decision is that of this rule, and would be laxer without the rules.',
      }),
    }),
  ),
  by_corridor: Type.Array(Type.Object({ corridor: Type.String(), records: Type.Integer(), flips: Flips })),
  by_currency: Type.Array(
    Type.Object({
      currency: Type.String({ description: 'The currency of the requests.' }),
      records: Type.Integer(),
      flips: Flips,
    }),
  ),
  amounts: Type.Array(
    Type.Object({
      currency: Type.String({ description: 'The currency of the requests.' }),
      newly_stopped: Type.Number({ description: 'In units of the currency.' }),
      payments: Type.Integer(),
    }),
    { description: 'Newly stopped: a payment that was GO and would not be.' },
  ),
  outcomes: Type.Object({
    newly_stopped: Type.Object(
      Object.fromEntries(outcomeColumns.map((outcome) => [outcome, Type.Integer()])),
      { description: 'What became of the newly stopped payments.' },
    ),
  }),
  samples: Type.Array(
    Type.Object({
      request_id: Type.String(),
      from: Verdict,
      to: Verdict,
      rules: Type.Array(Type.String(), { description: 'Rules of the policy that fired.' }),
    }),
    { description: 'The newest 100 of each flip.' },
  ),
}

const Report = named('PolicyReport', Type.Object(reportMembers))

export const CandidateReport = named(
  'PolicyCandidateReport',
  Type.Object(
    {
      since: Timestamp,
      until: nullable(Type.String({ format: 'date-time', description: 'Null while it is the candidate.' })),
      ...reportMembers,
    },
    { description: 'Every decision since the policy became the candidate.' },
  ),
)

export const BacktestBody = named(
  'PolicyBacktestRequest',
  Type.Object({
    from: Type.String({ description: 'Recorded at this time or later; ISO 8601.', maxLength: 40 }),
    to: Type.String({ description: 'Recorded before this time; ISO 8601.', maxLength: 40 }),
    mode: Type.Optional(Mode),
  }),
)

export const BacktestView = named(
  'PolicyBacktest',
  Type.Object({
    backtest_id: Type.String(),
    policy_id: Type.String(),
    status: Type.Enum(['queued', 'running', 'done', 'failed', 'cancelled']),
    from: Timestamp,
    to: Timestamp,
    mode: nullable(Mode),
    created_at: Timestamp,
    ended_at: nullable(Timestamp),
    progress: Type.Object({
      records: Type.Integer({ description: 'Records done.' }),
      total: nullable(Type.Integer({ description: 'Records in the stretch; null until they are counted.' })),
    }),
    report: nullable(Report),
    error: nullable(Type.String({ description: 'A sentence, if it failed.' })),
  }),
)

export const BacktestStarted = named('PolicyBacktestResponse', withWarnings(BacktestView))

export const BacktestList = named(
  'PolicyBacktestList',
  Type.Object({ backtests: Type.Array(BacktestView) }, { description: 'The newest 20, newest first.' }),
)

export const CheckQuery = listQuery({
  request_id: Type.Optional(
    Type.String({ maxLength: 64, description: 'A decision to try the document on.' }),
  ),
})

export const PolicyCheck = named(
  'PolicyCheck',
  Type.Object(
    {
      valid: Type.Boolean(),
      errors: Type.Array(
        Type.Object({
          path: Type.String({ description: 'JSON pointer into the document.' }),
          message: Type.String(),
          position: Type.Optional(Type.Integer({ description: 'In an expression: the character, from 1.' })),
        }),
      ),
      tried: nullable(
        Type.Object({
          request_id: Type.String(),
          from: Verdict,
          to: Verdict,
          fired: Type.Array(Type.String(), { description: 'Rules that fired.' }),
          decided: Type.Array(Type.String(), { description: 'Those that made the decision.' }),
        }),
      ),
    },
    { description: 'Nothing is stored.' },
  ),
)

export const PolicyVariables = named(
  'PolicyVariables',
  Type.Object({
    variables: Type.Array(
      Type.Object({
        name: Type.String({ description: 'As it is written in an expression, like `signals.fraud_flags`.' }),
        type: Type.String({ description: 'Its CEL type.' }),
        description: Type.String(),
      }),
    ),
    functions: Type.Array(Type.String()),
    macros: Type.Array(Type.String()),
  }),
)
