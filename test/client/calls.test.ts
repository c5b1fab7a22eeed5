/** What holds for every call, whichever it is: its options are heard, its ids stay one step, its key is in one place. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FairwayClient, type CallOptions } from '../../client/src/index.ts'
import { clientMethods } from '../helpers/peers/client-methods.ts'
import { failureOf, ManualWorld, refused, withScript } from '../helpers/peers/scripted.ts'

type Make = (client: FairwayClient, id: string, options: CallOptions) => Promise<unknown>

const calls: Readonly<Record<string, Make>> = {
  verify: (client, _id, options) => client.verify({ corridor: 'GB-NG' }, options),
  comparePartners: (client, _id, options) =>
    client.comparePartners({ corridor: 'GB-NG', partners: ['a', 'b'] }, options),
  batchAssess: (client, _id, options) => client.batchAssess('corridor\nGB-NG\n', options),
  keepBatchReport: (client, _id, options) => client.keepBatchReport('corridor\nGB-NG\n', options),
  batchReports: (client, _id, options) => client.batchReports(options),
  batchReport: (client, id, options) => client.batchReport(id, options),
  removeBatchReport: (client, id, options) => client.removeBatchReport(id, options),
  demoVerify: (client, _id, options) => client.demoVerify({}, options),
  demoCompare: (client, _id, options) => client.demoCompare({ payment: {} }, options),
  verifications: (client, _id, options) => client.verifications({}, options).page(),
  exportVerifications: (client, _id, options) => client.exportVerifications({}, options).next(),
  verificationsSummary: (client, _id, options) => client.verificationsSummary({}, options),
  verificationsTotals: (client, _id, options) => client.verificationsTotals({}, options),
  search: (client, _id, options) => client.search('order-1', options),
  audit: (client, id, options) => client.audit(id, options),
  exportAudit: (client, id, options) => client.exportAudit(id, options),
  auditProof: (client, id, options) => client.auditProof(id, options),
  auditCheckpoint: (client, _id, options) => client.auditCheckpoint({}, options),
  events: (client, _id, options) => client.events({}, options).page(),
  override: (client, id, options) =>
    client.override({ request_id: id, action: 'HOLD', reason_code: 'ANY', justification: 'Any.' }, options),
  reportOutcome: (client, id, options) => client.reportOutcome(id, { outcome: 'FAILED' }, options),
  reportOutcomes: (client, _id, options) => client.reportOutcomes('request_id,outcome\n', options),
  calibration: (client, _id, options) => client.calibration({}, options),
  decisionFile: (client, id, options) => client.decisionFile(id, options),
  explainDecision: (client, id, options) => client.explainDecision(id, options),
  decisionImpact: (client, id, options) => client.decisionImpact(id, options),
  decisionTimeline: (client, id, options) => client.decisionTimeline(id, options),
  signalProvenance: (client, id, options) => client.signalProvenance(id, options),
  corridorHealth: (client, id, options) => client.corridorHealth(id, {}, options),
  corridors: (client, _id, options) => client.corridors(options),
  corridorCalendar: (client, id, options) => client.corridorCalendar(id, options),
  liveFeeds: (client, _id, options) => client.liveFeeds(options),
  createPolicy: (client, _id, options) => client.createPolicy({ name: 'a' }, options),
  checkPolicy: (client, _id, options) => client.checkPolicy({ name: 'a' }, {}, options),
  policyVariables: (client, _id, options) => client.policyVariables(options),
  policies: (client, _id, options) => client.policies({}, options),
  policy: (client, id, options) => client.policy(id, options),
  policyReport: (client, id, options) => client.policyReport(id, options),
  makePolicyCandidate: (client, id, options) => client.makePolicyCandidate(id, options),
  promotePolicy: (client, id, options) => client.promotePolicy(id, { reason: 'Any.' }, options),
  rollBackPolicy: (client, _id, options) => client.rollBackPolicy({ reason: 'Any.' }, options),
  startBacktest: (client, id, options) =>
    client.startBacktest(id, { from: '2026-01-01', to: '2026-02-01' }, options),
  backtests: (client, id, options) => client.backtests(id, options),
  backtest: (client, id, options) => client.backtest('pol_1', id, options),
  cancelBacktest: (client, id, options) => client.cancelBacktest('pol_1', id, options),
  reviews: (client, _id, options) => client.reviews({}, options).page(),
  review: (client, id, options) => client.review(id, options),
  reviewSummary: (client, _id, options) => client.reviewSummary({}, options),
  claimReview: (client, id, options) => client.claimReview(id, options),
  releaseReview: (client, id, options) => client.releaseReview(id, options),
  commentReview: (client, id, options) => client.commentReview(id, { text: 'Any.' }, options),
  proposeReview: (client, id, options) =>
    client.proposeReview(id, { action: 'HOLD', reason_code: 'ANY', justification: 'Any.' }, options),
  approveReview: (client, id, options) => client.approveReview(id, {}, options),
  rejectReview: (client, id, options) => client.rejectReview(id, { reason: 'Any.' }, options),
  holds: (client, _id, options) => client.holds({}, options),
  me: (client, _id, options) => client.me(options),
  mySessions: (client, _id, options) => client.mySessions(options),
  endMySession: (client, id, options) => client.endMySession(id, options),
  owners: (client, _id, options) => client.owners({}, options),
  session: (client, _id, options) => client.session(options),
  loginWithPassword: (client, _id, options) =>
    client.loginWithPassword({ email: 'a@example.com', password: 'b' }, options),
  invitation: (client, _id, options) => client.invitation({ token: 'a' }, options),
  setPassword: (client, _id, options) =>
    client.setPassword({ token: 'a', name: 'b', password: 'c' }, options),
  logout: (client, _id, options) => client.logout(options),
  replay: (client, _id, options) => client.replay({ corridor: 'GB-NG' }, options),
  registerWebhook: (client, _id, options) =>
    client.registerWebhook({ url: 'https://hooks.example.com/' }, options),
  webhooks: (client, _id, options) => client.webhooks(options),
  webhook: (client, id, options) => client.webhook(id, options),
  removeWebhook: (client, id, options) => client.removeWebhook(id, options),
  rotateWebhookSecret: (client, id, options) => client.rotateWebhookSecret(id, options),
  testWebhook: (client, id, options) => client.testWebhook(id, options),
  webhookDeliveries: async (client, id, options) => client.webhookDeliveries(id, {}, options).page(),
  webhookDelivery: (client, id, options) => client.webhookDelivery('whk_1', id, options),
  resendDelivery: (client, id, options) => client.resendDelivery('whk_1', id, options),
  resendDeliveries: (client, id, options) =>
    client.resendDeliveries(id, { since: '2026-03-01T12:00:00Z' }, options),
  'admin.keys': (client, _id, options) => client.admin.keys({}, options).page(),
  'admin.issueKey': (client, _id, options) => client.admin.issueKey({ type: 'test', owner: 'a' }, options),
  'admin.rotateKey': (client, id, options) => client.admin.rotateKey(id, {}, options),
  'admin.revokeKey': (client, id, options) => client.admin.revokeKey(id, options),
  'admin.accessRequests': (client, _id, options) => client.admin.accessRequests({}, options).page(),
  'admin.approveAccess': (client, id, options) => client.admin.approveAccess(id, {}, options),
  'admin.rejectAccess': (client, id, options) => client.admin.rejectAccess(id, {}, options),
  'admin.cip': (client, _id, options) => client.admin.cip(options),
  'admin.transitionCip': (client, _id, options) =>
    client.admin.transitionCip({ to: 'telemetry_only', reference: 'CHANGE-1' }, options),
  'admin.previewErasure': (client, _id, options) =>
    client.admin.previewErasure({ owner_id: 'own_1', correlation_id: 'order-7' }, options),
  'admin.retention': (client, _id, options) => client.admin.retention(options),
  'admin.months': (client, _id, options) => client.admin.months(options),
  'admin.checkMonth': (client, _id, options) => client.admin.checkMonth('2026-03', options),
  'admin.startJob': (client, _id, options) => client.admin.startJob({ kind: 'clean' }, options),
  'admin.jobs': (client, _id, options) => client.admin.jobs({}, options).page(),
  'admin.job': (client, id, options) => client.admin.job(id, options),
  'admin.people': (client, _id, options) => client.admin.people(options),
  'admin.invitePerson': (client, _id, options) =>
    client.admin.invitePerson({ email: 'a@example.com', roles: ['admin'] }, options),
  'admin.resetPerson': (client, id, options) => client.admin.resetPerson(id, options),
  'admin.setRoles': (client, id, options) => client.admin.setRoles(id, { roles: ['viewer'] }, options),
  'admin.endSessions': (client, id, options) => client.admin.endSessions(id, options),
  'admin.removePerson': (client, id, options) => client.admin.removePerson(id, options),
  'admin.restorePerson': (client, id, options) => client.admin.restorePerson(id, options),
  'admin.feeds': (client, _id, options) => client.admin.feeds(options),
  'admin.checkFeeds': (client, _id, options) => client.admin.checkFeeds({}, options),
  'admin.webhooks': (client, _id, options) => client.admin.webhooks({}, options).page(),
  'admin.activity': (client, _id, options) => client.admin.activity({}, options).page(),
  'admin.exportActivity': (client, _id, options) => client.admin.exportActivity({}, options).next(),
  requestAccess: (client, _id, options) =>
    client.requestAccess({ name: 'a', email: 'a@example.com', reason: 'b', recaptcha_token: 'c' }, options),
  organisationSettings: (client, _id, options) => client.organisationSettings(options),
  health: (client, _id, options) => client.health(options),
  methodology: (client, _id, options) => client.methodology(options),
  readiness: (client, _id, options) => client.readiness(options),
  signalStatus: (client, _id, options) => client.signalStatus(options),
  cipStatus: (client, _id, options) => client.cipStatus(options),
  ready: (client, _id, options) => client.ready(options),
}

/** In a browser alone: the table of behaviours has the others. */
const inPath = Object.entries(calls).filter(
  ([name, make]) => /^(?:admin\.|endMySession)/.test(name) && make.toString().startsWith('(client, id,'),
)

test('the list is whole', () => {
  assert.deepEqual(new Set(Object.keys(calls)), clientMethods())
  assert.ok(inPath.length >= 9)
})

for (const [name, make] of Object.entries(calls)) {
  test(`${name} hears its signal and its limits, and carries its key in one header or in none`, async () => {
    await withScript([refused(429, 'RATE_LIMITED', { 'retry-after': '1' })], async ({ url, asked }) => {
      const client = new ManualWorld().client(url, { apiKey: 'pk_test_topsecret' })
      const reason = new Error('enough')
      assert.equal(await failureOf(make(client, 'x', { signal: AbortSignal.abort(reason) })), reason)
      assert.equal(asked.length, 0)
      await failureOf(make(client, 'x', { maxRetries: 2 }))
      assert.equal(asked.length, 3)
      const { headers, url: path, text } = asked[0] ?? assert.fail()
      const carrying = Object.entries(headers).filter(([, value]) => String(value).includes('topsecret'))
      assert.ok(carrying.every(([header]) => header === 'authorization'))
      assert.ok(!path.includes('topsecret') && !text.includes('topsecret'))
    })
  })
}

for (const [name, make] of inPath) {
  test(`${name} keeps an id one step of its path`, async () => {
    await withScript([{ status: 200, body: [] }], async ({ url, asked }) => {
      const client = new ManualWorld().client(url)
      await make(client, 'a/../b?c', {})
      assert.match(asked[0]?.url ?? '', /\/a%2F\.\.%2Fb%3Fc(?:$|[/?])/)
      for (const bad of ['', '.', '..']) await assert.rejects(async () => make(client, bad, {}), TypeError)
      assert.equal(asked.length, 1)
    })
  })
}
