/** Texts of a hostile server in every answer that is laid out: nothing of them leaves its line, paints, rings or turns the text around. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type {
  AuditRecord,
  CorridorHealth,
  DemoCompareResponse,
  Explanation,
  Health,
  Override,
  PartnerRankingResponse,
  Review,
  ReviewDetail,
  Verification,
  VerifyResponse,
} from '../../client/src/index.ts'
import { recordLines } from '../../src/cli/user/audit.ts'
import { profileLines, rankingLines } from '../../src/cli/user/compare.ts'
import { corridorLines, corridorsLines } from '../../src/cli/user/corridors.ts'
import { explanationLines } from '../../src/cli/user/explain.ts'
import { healthLines } from '../../src/cli/user/health.ts'
import { commandText } from '../../src/cli/user/session/hints.ts'
import { historyLines } from '../../src/cli/user/history.ts'
import { loginLines } from '../../src/cli/user/login.ts'
import { overrideLines } from '../../src/cli/user/override.ts'
import { quickstartLines } from '../../src/cli/user/quickstart/summary-lines.ts'
import {
  approvedLines,
  proposalLines,
  queueLines,
  rejectedLines,
  reviewLines,
} from '../../src/cli/user/reviews/review-lines.ts'
import { Screen } from '../../src/cli/user/session/screen.ts'
import { holdLines, verdictLines } from '../../src/cli/user/verify.ts'
import { terminalOf } from '../helpers/process/user.ts'

const secret = 'svc-sandbox-0123456789abcdefghjkmnpqrstvwxyz012345'

/** Escape, bell, a C1 introducer, line ends of every kind, a turn of direction, and a key. */
const evil = `x\u001b[31m\u0007\u009b2J\r\n\u0085\u2028\u2029\u202e\u2066${secret}`

/** Any member is the text; where it is asked for more, it has that, too. */
const answer = {
  request_id: evil,
  decision: evil,
  score: 0.5,
  confidence: 0.5,
  corridor: evil,
  amount: 1,
  currency: evil,
  mode: evil,
  evaluated_at: evil,
  correlation_id: evil,
  summary: evil,
  message: evil,
  status: evil,
  version: evil,
  environment: evil,
  advisory: evil,
  recommended_action: evil,
  recommended_partner: evil,
  validation_note: evil,
  override_id: evil,
  original_decision: evil,
  action: evil,
  reason_code: evil,
  justification: evil,
  created_at: evil,
  reason_codes: [evil],
  total_verifications: 1,
  data_environment: evil,
  live_signals: evil,
  idempotency_hit: true,
  composite: 1,
  telemetry: null,
  penalty: { applied: false },
  rounding: 0,
  largest_go_amount: 1,
} as const

const signals = Object.fromEntries(
  ['fx', 'network', 'settlement', 'liquidity', 'compliance'].map((bucket) => [
    bucket,
    { status: evil, risk_value: 0.5, signals: [evil] },
  ]),
)

/** What stands below the members; the shapes differ where the names are the same. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- each layout names the answer that it takes
const of = <Answer>(more: object): Answer => ({ ...answer, ...more }) as unknown as Answer

const cooldown = { source_request_id: evil, expires_at: evil }
const verdict = of<VerifyResponse>({
  reasons: [{ code: evil, message: evil }],
  probe_details: { [evil]: { signal: evil, risk_value: 0.5 } },
  cooldown,
})
const beside = {
  human_override: { action: evil, reason_code: evil, justification: evil, created_at: evil },
  outcome: { outcome: evil, reported_at: evil },
}
const partner = {
  ...answer,
  partner: evil,
  fee: 1,
  fee_currency: evil,
  available: false,
  unavailable_signals: [evil],
  last_24_hours: [{ observations: 1, availability: 0.5 }],
}
const corridor = of<CorridorHealth>({
  signals,
  calendar: { open: true, opens_at: evil, cut_off_at: evil },
  partners: [partner],
})
const actor = { kind: evil, id: evil, name: evil }
const proposal = { ...answer, proposal_id: evil, proposed_by: actor, proposed_at: evil }
const waitingReview = {
  review_id: evil,
  opened_at: evil,
  due_at: evil,
  expires_at: evil,
  overdue: true,
  claimed_by: actor,
  proposal,
  resolution: { status: evil, action: evil, reason: evil, by: actor, at: evil, override_id: evil },
  comments: [{ by: actor, text: evil, at: evil }],
  repeats: 1,
}
const review = of<Review>(waitingReview)
const reviewDetail = of<ReviewDetail>({
  ...waitingReview,
  history: [{ kind: evil, by: actor, at: evil, action: evil, reason_code: evil, text: evil }],
})
const connection = { url: 'http://127.0.0.1:8080', key: secret, keySource: evil, missingKey: '' }
const server = { pid: 1, logFile: evil }

const laidOut: Readonly<Record<string, (screen: Screen) => string[]>> = {
  record: (screen) =>
    recordLines(
      screen,
      of<AuditRecord>({
        ...beside,
        signal_contributions: [{ signal: evil, status: evil, risk_value: 0.5 }],
      }),
    ),
  ranking: (screen) =>
    rankingLines(
      screen,
      of<PartnerRankingResponse>({ ranked_partners: [{ ...answer, rank: evil, partner: evil }] }),
    ),
  profiles: (screen) =>
    profileLines(
      screen,
      of<DemoCompareResponse>({
        results: { [evil]: { ...answer, profile_label: evil, go_threshold: 0.5 } },
        divergence: { summary: evil },
      }),
    ),
  corridor: (screen) => corridorLines(screen, corridor),
  corridors: (screen) => corridorsLines(screen, [corridor]),
  explanation: (screen) =>
    explanationLines(
      screen,
      of<Explanation>({
        factors: [
          {
            signal: evil,
            status: evil,
            weight: 1,
            risk_value: 1,
            contribution: 1,
            flagged: true,
            reason_code: evil,
          },
        ],
        counterfactuals: [{ decision: evil, score: 0.5, change: evil }],
        policy_gate: { message: evil },
        cooldown,
      }),
    ),
  health: (screen) => healthLines(screen, of<Health>({}), evil, 1),
  history: (screen) => historyLines(screen, { records: [of<Verification>(beside)], hasMore: true }),
  login: (screen) =>
    loginLines(screen, evil, evil, {
      organisation: evil,
      key_id: evil,
      type: evil as 'test',
      environment: evil as 'sandbox',
      expires_at: evil,
      scopes: [evil as 'audit:read'],
      corridors: [evil],
    }),
  override: (screen) => overrideLines(screen, of<Override>({})),
  'queue of reviews': (screen) => queueLines(screen, { reviews: [review], hasMore: true }, 0),
  review: (screen) => reviewLines(screen, reviewDetail, 0),
  'proposal of a review': (screen) => proposalLines(screen, review, review.proposal ?? assert.fail()),
  'approved review': (screen) => approvedLines(screen, review),
  'rejected review': (screen) => rejectedLines(screen, review),
  verdict: (screen) => verdictLines(sessionOf(screen), { corridor: evil, currency: evil }, verdict),
  hold: (screen) =>
    holdLines(screen, evil, {
      held: true,
      message: evil,
      code: null,
      requestId: evil,
      retryAfterSeconds: null,
      unavailableSignals: [evil as 'fraud_flags'],
      signalsWithoutFeed: [evil as 'fraud_flags'],
      idempotencyKey: evil,
    }),
  quickstart: (screen) =>
    quickstartLines(
      sessionOf(screen),
      {
        connection,
        server: { kind: 'started', server: server as never },
        keyFrom: 'stored',
        answer: verdict,
      },
      evil,
    ),
}

function sessionOf(screen: Screen) {
  return { screen, hint: (...words: readonly string[]) => commandText(words, evil) }
}

for (const [name, lines] of Object.entries(laidOut)) {
  test(`${name}: what a server says stays in its line and is only text`, () => {
    for (const columns of [null, 80, 40]) {
      const shown = lines(new Screen(terminalOf({ columns }), {}))
      assert.ok(
        shown.some((line) => line.includes('x [31m')),
        'the text is nowhere to be seen',
      )
      for (const line of shown) {
        assert.doesNotMatch(line, /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u)
        assert.ok(!line.includes(secret), line)
      }
    }
  })
}
