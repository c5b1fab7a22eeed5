/** Every operation that both clients have: its request, its key, and whether it is safe to send it again. */

import { decided, refused, type Scripted } from '../../../helpers/peers/scripted.ts'
import type { Call, Row, Step } from '../row.ts'

/** `repeatable` calls are sent again after any fault, the others only if they were refused. */
type Effect = 'repeatable' | 'once'

interface Operation extends Call {
  readonly request: string
  readonly effect: Effect
  readonly json?: unknown
  readonly text?: string
  readonly isPublic?: true
  readonly accept?: string
  readonly answer?: Scripted
}

const get = (call: string, path: string, more: Partial<Operation> = {}): Operation => ({
  call,
  request: `GET ${path}`,
  effect: 'repeatable',
  ...more,
})
const open = (call: string, path: string): Operation => get(call, path, { isPublic: true })
const query = {}

/** A body is the last argument. */
function post(
  call: string,
  path: string,
  args: readonly unknown[],
  more: Partial<Operation> = {},
): Operation {
  const body = args.at(-1)
  const json = typeof body === 'object' ? { json: body } : {}
  return { call, args, request: `POST ${path}`, effect: 'once', ...json, ...more }
}
const ask = (call: string, path: string, args: readonly unknown[], more: Partial<Operation> = {}) =>
  post(call, path, args, { effect: 'repeatable', ...more })
const remove = (call: string, path: string, args: readonly string[]): Operation => ({
  call,
  args,
  request: `DELETE ${path}`,
  effect: 'once',
})

const csv = 'corridor\nGB-NG\n'
const csvAnswer = { status: 200, text: 'a\n1\n', headers: { 'content-type': 'text/csv' } }
const asCsv = { options: { format: 'csv' }, accept: 'text/csv', answer: csvAnswer }
const list = { query, read: 'page', answer: { status: 200, body: [] } } as const
const reason = { reason: 'Any.' }
const change = { action: 'HOLD', reason_code: 'ANY', justification: 'Any.' }
/** Each stays one part of the path. */
const one = 'a/b?c'
const other = 'd e'
const id = [one]

const decisions: readonly Operation[] = [
  ask('verify', '/api/v1/verify', [{ corridor: 'GB-NG' }], { answer: decided() }),
  ask('comparePartners', '/api/v1/decision/compare', [{ corridor: 'GB-NG', partners: ['a', 'b'] }]),
  ask('batchAssess', '/api/v1/batch-assess?format=json', [{ transactions: [] }]),
  ask('batchAssess', '/api/v1/batch-assess?format=csv', [csv], { text: csv, ...asCsv }),
  ask('replay', '/api/v1/replay', [{ corridor: 'GB-NG' }]),
  ask('demoVerify', '/api/v1/demo-verify', [{ amount: 1 }], { isPublic: true }),
  ask('demoCompare', '/api/v1/demo-compare', [{ payment: {} }], { isPublic: true }),
  post('keepBatchReport', '/api/v1/batch-reports', [csv], { text: csv }),
  post('keepBatchReport', '/api/v1/batch-reports?report_name=May', [{ transactions: [] }], {
    options: { reportName: 'May' },
  }),
  get('batchReports', '/api/v1/batch-reports'),
  get('batchReport', '/api/v1/batch-reports/a%2Fb%3Fc?format=json', { args: id }),
  get('batchReport', '/api/v1/batch-reports/a%2Fb%3Fc?format=html', {
    args: id,
    options: { format: 'html' },
    accept: 'text/html',
    answer: { status: 200, text: '<!doctype html>', headers: { 'content-type': 'text/html' } },
  }),
  remove('removeBatchReport', '/api/v1/batch-reports/a%2Fb%3Fc', id),
]

const records: readonly Operation[] = [
  get('verifications', '/api/verifications', list),
  get('verificationsSummary', '/api/v1/verifications/summary', { query }),
  get('verificationsTotals', '/api/v1/verifications/totals?amount_min=1', { query: { amount_min: 1 } }),
  get('search', '/api/v1/search?q=order-1', { args: ['order-1'] }),
  get('audit', '/api/v1/audit/a%2Fb%3Fc', { args: id }),
  get('exportAudit', '/api/v1/audit/export/a%2Fb%3Fc?format=json', { args: id }),
  get('exportAudit', '/api/v1/audit/export/a%2Fb%3Fc?format=csv', { args: id, ...asCsv }),
  get('auditProof', '/api/v1/audit/a%2Fb%3Fc/proof', { args: id }),
  get('auditCheckpoint', '/api/v1/audit/checkpoint', { query, isPublic: true }),
  get('events', '/api/v1/events', {
    query,
    read: 'page',
    answer: { status: 200, body: { events: [], next: 'e' } },
  }),
  post('override', '/api/v1/override', [{ request_id: 'x', ...change }]),
  post('reportOutcome', '/api/v1/decision/a%2Fb%3Fc/outcome', [one, { outcome: 'FAILED' }]),
  ask('reportOutcomes', '/api/v1/outcomes', [[{ request_id: 'x', outcome: 'FAILED' }]], {
    json: { outcomes: [{ request_id: 'x', outcome: 'FAILED' }] },
  }),
  ask('reportOutcomes', '/api/v1/outcomes?dry_run=true', ['request_id,outcome\n'], {
    text: 'request_id,outcome\n',
    options: { dryRun: true },
  }),
  get('calibration', '/api/v1/calibration', { query }),
  get('decisionFile', '/api/v1/decision/a%2Fb%3Fc/file', { args: id }),
  get('explainDecision', '/api/v1/decision/a%2Fb%3Fc/explanation', { args: id }),
  get('decisionImpact', '/api/v1/decision/a%2Fb%3Fc/impact', { args: id }),
  get('decisionTimeline', '/api/v1/decision/a%2Fb%3Fc/timeline', { args: id }),
  get('signalProvenance', '/api/v1/signals/a%2Fb%3Fc', { args: id }),
  get('corridorHealth', '/api/v1/corridors/a%2Fb%3Fc?amount=5', { args: id, query: { amount: 5 } }),
  get('corridors', '/api/v1/corridors'),
  get('corridorCalendar', '/api/v1/corridors/a%2Fb%3Fc/calendar', { args: id }),
  get('liveFeeds', '/api/v1/feeds'),
]

const policies: readonly Operation[] = [
  post('createPolicy', '/api/v1/policies', [{ name: 'a' }]),
  ask('checkPolicy', '/api/v1/policies/check?request_id=y', [{ name: 'a' }], { query: { request_id: 'y' } }),
  get('policyVariables', '/api/v1/policies/variables'),
  get('policies', '/api/v1/policies', { query }),
  get('policy', '/api/v1/policies/a%2Fb%3Fc', { args: id }),
  get('policyReport', '/api/v1/policies/a%2Fb%3Fc/report', { args: id }),
  post('makePolicyCandidate', '/api/v1/policies/a%2Fb%3Fc/candidate', id, { text: '' }),
  post('promotePolicy', '/api/v1/policies/a%2Fb%3Fc/promote', [one, reason]),
  post('rollBackPolicy', '/api/v1/policies/rollback', [reason]),
  post('startBacktest', '/api/v1/policies/a%2Fb%3Fc/backtest', [
    one,
    { from: '2026-01-01', to: '2026-02-01' },
  ]),
  get('backtests', '/api/v1/policies/a%2Fb%3Fc/backtests', { args: id }),
  get('backtest', '/api/v1/policies/a%2Fb%3Fc/backtests/d%20e', { args: [one, other] }),
  remove('cancelBacktest', '/api/v1/policies/a%2Fb%3Fc/backtests/d%20e', [one, other]),
]

const reviews: readonly Operation[] = [
  get('reviews', '/api/v1/reviews', { ...list, answer: { status: 200, body: { reviews: [] } } }),
  get('review', '/api/v1/reviews/a%2Fb%3Fc', { args: id }),
  get('reviewSummary', '/api/v1/reviews/summary', { query }),
  post('claimReview', '/api/v1/reviews/a%2Fb%3Fc/claim', id, { text: '' }),
  post('releaseReview', '/api/v1/reviews/a%2Fb%3Fc/release', id, { text: '' }),
  post('commentReview', '/api/v1/reviews/a%2Fb%3Fc/comment', [one, { text: 'Any.' }]),
  post('proposeReview', '/api/v1/reviews/a%2Fb%3Fc/propose', [one, change]),
  post('approveReview', '/api/v1/reviews/a%2Fb%3Fc/approve', [one, reason]),
  post('rejectReview', '/api/v1/reviews/a%2Fb%3Fc/reject', [one, reason]),
  get('holds', '/api/v1/holds?hours=1', { query: { hours: 1 } }),
]

const hook = { url: 'https://hooks.example.com/' }
const access = { name: 'a', email: 'a@example.com', reason: 'b', recaptcha_token: 'c' }

const others: readonly Operation[] = [
  post('registerWebhook', '/api/v1/webhooks', [hook]),
  get('webhooks', '/api/v1/webhooks', { answer: { status: 200, body: [] } }),
  get('webhook', '/api/v1/webhooks/a%2Fb%3Fc', { args: id }),
  remove('removeWebhook', '/api/v1/webhooks/a%2Fb%3Fc', id),
  post('rotateWebhookSecret', '/api/v1/webhooks/a%2Fb%3Fc/rotate-secret', id, { text: '' }),
  post('testWebhook', '/api/v1/webhooks/a%2Fb%3Fc/test', id, { text: '' }),
  get('webhookDeliveries', '/api/v1/webhooks/a%2Fb%3Fc/deliveries', { args: id, ...list }),
  get('webhookDelivery', '/api/v1/webhooks/a%2Fb%3Fc/deliveries/d%20e', { args: [one, other] }),
  post('resendDelivery', '/api/v1/webhooks/a%2Fb%3Fc/deliveries/d%20e/resend', [one, other], { text: '' }),
  post('resendDeliveries', '/api/v1/webhooks/a%2Fb%3Fc/resend', [one, { since: '2026-03-01T12:00:00Z' }]),
  post('requestAccess', '/api/v1/request-access', [access], { isPublic: true }),
  get('me', '/api/v1/me'),
  get('organisationSettings', '/api/v1/organisation/settings'),
  open('health', '/api/health'),
  open('methodology', '/api/v1/methodology'),
  open('readiness', '/api/v1/readiness'),
  open('signalStatus', '/api/v1/status/signals'),
  open('cipStatus', '/api/v1/cip/status'),
  open('ready', '/readyz'),
]

/** The call with an id that would be another path. */
function misplaced(call: Call): Step[] {
  const { args = [] } = call
  if (!args.includes(one)) return []
  return ['', '.', '..'].map((bad) => ({
    ...call,
    args: args.map((arg) => (arg === one ? bad : arg)),
    expect: { misuse: /id/, sent: 0 },
  }))
}

function rowOf({ request, effect, json, text, isPublic, accept, answer, ...call }: Operation): Row {
  const [method = '', url = ''] = request.split(' ')
  const typed = text === undefined ? 'application/json' : text === '' ? undefined : 'text/csv'
  const sent = {
    method,
    url,
    headers: {
      authorization: isPublic === true ? undefined : 'Bearer pk_test_topsecret',
      accept: accept ?? 'application/json',
      'content-type': method === 'POST' ? typed : undefined,
    },
    ...(json === undefined ? { text: text ?? (method === 'POST' ? undefined : '') } : { json }),
  }
  const again = effect === 'repeatable'
  const done = answer ?? { status: 200 }
  return {
    name: `${call.call}, ${request}, is sent again after a 429, and ${again ? '' : 'not '}after other faults`,
    script: [
      refused(429, 'RATE_LIMITED', { 'retry-after': '1' }),
      done,
      ...['drop' as const, refused(503, 'STORE_UNAVAILABLE'), refused(500, 'INTERNAL_ERROR')].flatMap(
        (fault) => (again ? [fault, done] : [fault]),
      ),
    ],
    steps: [
      { ...call, expect: { error: undefined, waits: [1], requests: [sent, sent] } },
      ...misplaced(call),
      ...['ConnectionError', 'UnavailableError', 'ServerError'].map((name) => ({
        ...call,
        expect: again
          ? { error: undefined, hold: undefined, waits: [1], requests: [sent, sent] }
          : {
              error: { classes: (classes: readonly string[]) => classes[0] === name },
              waits: [],
              requests: [sent],
            },
      })),
    ],
  }
}

export const operations: readonly Row[] = [...decisions, ...records, ...policies, ...reviews, ...others].map(
  rowOf,
)
