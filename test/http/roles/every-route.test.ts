/** Every route there is, with every role and every kind of key, against one table written by hand. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyPrefixes, scopes, type Scope } from '../../../src/core/identity/api-key.ts'
import { roles, type Role } from '../../../src/core/identity/roles.ts'
import { consolePages } from '../../../src/http/routes/console.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { origin, person, unlimited } from '../../helpers/people.ts'

/** `public`: no credentials. `any`: every caller. `keys`, `people`, `admins`: these alone. Else the scope. */
type Need = 'public' | 'any' | 'keys' | 'people' | 'admins' | Scope

const needs: Readonly<Record<string, Need>> = {
  'GET /openapi.json': 'public',
  'GET /docs': 'public',
  'GET /docs/': 'public',
  'GET /guide': 'public',
  'GET /guide/': 'public',
  'GET /favicon.ico': 'public',
  'GET /livez': 'public',
  'GET /readyz': 'public',
  'GET /metrics': 'public',
  'GET /api/health': 'public',
  'GET /api/v1/methodology': 'public',
  'GET /api/v1/readiness': 'public',
  'GET /api/v1/status/signals': 'public',
  'GET /api/v1/cip/status': 'public',
  'GET /api/v1/audit/checkpoint': 'public',
  'POST /api/v1/demo-verify': 'public',
  'POST /api/v1/demo-compare': 'public',
  'POST /api/v1/request-access': 'public',
  'GET /auth/session': 'public',
  'GET /auth/login': 'public',
  'GET /auth/callback': 'public',
  'POST /auth/login': 'public',
  'POST /auth/invitation': 'public',
  'POST /auth/password': 'public',
  'POST /auth/logout': 'public',
  'GET /api/v1/me': 'any',
  'GET /api/v1/organisation/settings': 'keys',
  'POST /mcp': 'keys',
  'GET /api/v1/me/sessions': 'people',
  'DELETE /api/v1/me/sessions/:session_id': 'people',
  'GET /api/v1/owners': 'admins',
  'GET /api/v1/admin/keys': 'admins',
  'POST /api/v1/admin/keys': 'admins',
  'POST /api/v1/admin/keys/:key_id/rotate': 'admins',
  'POST /api/v1/admin/keys/:key_id/revoke': 'admins',
  'GET /api/v1/admin/access-requests': 'admins',
  'POST /api/v1/admin/access-requests/:access_request_id/approve': 'admins',
  'POST /api/v1/admin/access-requests/:access_request_id/reject': 'admins',
  'GET /api/v1/admin/people': 'admins',
  'POST /api/v1/admin/people': 'admins',
  'POST /api/v1/admin/people/:person_id/reset': 'admins',
  'POST /api/v1/admin/people/:person_id/roles': 'admins',
  'POST /api/v1/admin/people/:person_id/end-sessions': 'admins',
  'POST /api/v1/admin/people/:person_id/remove': 'admins',
  'POST /api/v1/admin/people/:person_id/restore': 'admins',
  'GET /api/v1/admin/feeds': 'admins',
  'POST /api/v1/admin/feeds/check': 'admins',
  'GET /api/v1/admin/webhooks': 'admins',
  'GET /api/v1/admin/activity': 'admins',
  'GET /api/v1/admin/cip': 'admins',
  'POST /api/v1/admin/cip/transitions': 'admins',
  'GET /api/v1/admin/jobs': 'admins',
  'POST /api/v1/admin/jobs': 'admins',
  'GET /api/v1/admin/jobs/:job_id': 'admins',
  'POST /api/v1/admin/erasures/preview': 'admins',
  'GET /api/v1/admin/retention': 'admins',
  'GET /api/v1/admin/months': 'admins',
  'POST /api/v1/admin/months/:month/check': 'admins',
  'POST /api/v1/verify': 'decision:read',
  'POST /api/v1/batch-assess': 'decision:read',
  'POST /api/v1/batch-reports': 'decision:read',
  'GET /api/v1/batch-reports': 'decision:read',
  'GET /api/v1/batch-reports/:report_id': 'decision:read',
  'DELETE /api/v1/batch-reports/:report_id': 'decision:read',
  'POST /api/v1/replay': 'decision:read',
  'POST /api/v1/decision/compare': 'decision:read',
  'GET /api/verifications': 'decision:read',
  'GET /api/v1/verifications/summary': 'decision:read',
  'GET /api/v1/decision/:id/file': 'decision:read',
  'GET /api/v1/verifications/totals': 'decision:read',
  'GET /api/v1/search': 'decision:read',
  'GET /api/v1/events': 'audit:read',
  'GET /api/v1/decision/:id/explanation': 'decision:read',
  'GET /api/v1/decision/:id/impact': 'decision:read',
  'GET /api/v1/decision/:id/timeline': 'decision:read',
  'GET /api/v1/signals/:decision_id': 'decision:read',
  'GET /api/v1/corridors': 'decision:read',
  'GET /api/v1/corridors/:corridor': 'decision:read',
  'GET /api/v1/corridors/:corridor/calendar': 'decision:read',
  'GET /api/v1/feeds': 'decision:read',
  'GET /api/v1/holds': 'decision:read',
  'GET /api/v1/audit/:request_id': 'audit:read',
  'GET /api/v1/audit/:id/proof': 'audit:read',
  'GET /api/v1/audit/export/:id': 'audit:read',
  'POST /api/v1/override': 'override:create',
  'POST /api/v1/decision/:id/outcome': 'outcome:write',
  'POST /api/v1/outcomes': 'outcome:write',
  'POST /api/v1/webhooks': 'webhook:manage',
  'GET /api/v1/webhooks': 'webhook:manage',
  'GET /api/v1/webhooks/:webhook_id': 'webhook:manage',
  'DELETE /api/v1/webhooks/:webhook_id': 'webhook:manage',
  'POST /api/v1/webhooks/:webhook_id/rotate-secret': 'webhook:manage',
  'POST /api/v1/webhooks/:webhook_id/test': 'webhook:manage',
  'POST /api/v1/webhooks/:webhook_id/resend': 'webhook:manage',
  'GET /api/v1/webhooks/:webhook_id/deliveries': 'webhook:manage',
  'GET /api/v1/webhooks/:webhook_id/deliveries/:event_id': 'webhook:manage',
  'POST /api/v1/webhooks/:webhook_id/deliveries/:event_id/resend': 'webhook:manage',
  'GET /api/v1/policies': 'policy:read',
  'GET /api/v1/policies/variables': 'policy:read',
  'GET /api/v1/policies/:policy_id': 'policy:read',
  'GET /api/v1/policies/:policy_id/report': 'policy:read',
  'GET /api/v1/policies/:policy_id/backtests': 'policy:read',
  'GET /api/v1/policies/:policy_id/backtests/:backtest_id': 'policy:read',
  'GET /api/v1/calibration': 'policy:read',
  'POST /api/v1/policies/check': 'policy:read',
  'POST /api/v1/policies': 'policy:write',
  'POST /api/v1/policies/:policy_id/candidate': 'policy:write',
  'POST /api/v1/policies/:policy_id/backtest': 'policy:write',
  'DELETE /api/v1/policies/:policy_id/backtests/:backtest_id': 'policy:write',
  'POST /api/v1/policies/:policy_id/promote': 'policy:approve',
  'POST /api/v1/policies/rollback': 'policy:approve',
  'GET /api/v1/reviews': 'review:read',
  'GET /api/v1/reviews/summary': 'review:read',
  'GET /api/v1/reviews/:review_id': 'review:read',
  'POST /api/v1/reviews/:review_id/claim': 'review:write',
  'POST /api/v1/reviews/:review_id/release': 'review:write',
  'POST /api/v1/reviews/:review_id/comment': 'review:write',
  'POST /api/v1/reviews/:review_id/propose': 'review:write',
  'POST /api/v1/reviews/:review_id/approve': 'review:approve',
  'POST /api/v1/reviews/:review_id/reject': 'review:approve',
  ...Object.fromEntries(consolePages.map((page) => [`GET ${page}`, 'public' as const])),
}

const reads = ['decision:read', 'audit:read', 'policy:read', 'review:read'] as const

const scopesOfRole: Readonly<Record<Role, readonly Scope[]>> = {
  viewer: reads,
  reviewer: [...reads, 'outcome:write', 'review:write'],
  approver: [...reads, 'outcome:write', 'review:write', 'review:approve', 'policy:approve'],
  policy_author: [...reads, 'policy:write'],
  admin: [...reads, 'webhook:manage'],
}

const everyScope: readonly Scope[] = [
  'decision:read',
  'audit:read',
  'override:create',
  'webhook:manage',
  'outcome:write',
  'policy:read',
  'policy:write',
  'policy:approve',
  'review:read',
  'review:write',
  'review:approve',
]

interface Caller {
  readonly name: string
  readonly headers: Readonly<Record<string, string>>
  readonly kind: 'stranger' | 'key' | 'person'
  readonly isInstallationAdmin?: true
  /** Names an owner that there is not. */
  readonly isLost?: true
  readonly scopes: readonly Scope[]
}

const keyCaller = (name: string, key: string, held: readonly Scope[]): Caller => ({
  name,
  headers: { origin, authorization: `Bearer ${key}` },
  kind: 'key',
  scopes: held,
})

/** Every role alone, the admin of the installation with and without an owner, and every kind of key. */
async function callersOn(harness: Harness): Promise<Caller[]> {
  const { ownerId } = (await harness.issue()).record
  const callers: Caller[] = [{ name: 'nobody', headers: { origin }, kind: 'stranger', scopes: [] }]
  const addPerson = async (name: string, role: Role, more: Partial<Caller>, of: string | null = ownerId) => {
    const { headers } = await person(harness, role, of)
    callers.push({
      name,
      kind: 'person',
      scopes: scopesOfRole[role],
      ...more,
      headers: { ...headers, ...more.headers },
    })
  }
  for (const role of roles) await addPerson(role, role, {})
  // Anybody can ask for a sandbox, so nobody approves there.
  const sandbox = (await harness.issue({ prefix: 'svc-sandbox-' })).record.ownerId
  const less = scopesOfRole.approver.filter((scope) => !scope.endsWith(':approve'))
  await addPerson('approver of a sandbox', 'approver', { scopes: less }, sandbox)
  const whole = { isInstallationAdmin: true, scopes: [] } as const
  await addPerson('admin of the installation', 'admin', whole, null)
  const unknown = { 'x-fairway-owner': 'own_0000000000000000' }
  await addPerson(
    'the same for an unknown owner',
    'admin',
    { ...whole, isLost: true, headers: unknown },
    null,
  )
  const chosen = { isInstallationAdmin: true, headers: { 'x-fairway-owner': ownerId } } as const
  await addPerson('the same for an owner', 'admin', chosen, null)
  for (const prefix of keyPrefixes) {
    const { key } = await harness.issue({ prefix })
    const held = everyScope.filter((scope) => prefix !== 'svc-sandbox-' || !scope.endsWith(':approve'))
    callers.push(keyCaller(`key ${prefix}`, key, held))
  }
  for (const scope of everyScope)
    callers.push(keyCaller(`key with ${scope}`, (await harness.issue({ scopes: [scope] })).key, [scope]))
  return callers
}

function expectedOf(caller: Caller, need: Need): 401 | 403 | 'allowed' {
  const { kind, isInstallationAdmin, isLost, scopes: held } = caller
  if (need === 'public') return 'allowed'
  if (kind === 'stranger') return 401
  if (isLost === true) return 403
  const isAllowed =
    need === 'any' ||
    (need === 'keys' && kind === 'key') ||
    (need === 'people' && kind === 'person') ||
    (need === 'admins' && isInstallationAdmin === true) ||
    held.some((scope) => scope === need)
  return isAllowed ? 'allowed' : 403
}

interface Route {
  readonly method: string
  readonly url: string
}

/** A request that changes nothing, answered by a status. Its ids are unknown, and its body lacks what is needed. */
async function ask(
  { send }: Harness,
  { method, url }: Route,
  { headers }: Caller,
): Promise<401 | 403 | 'allowed'> {
  const hasBody = method === 'POST'
  const { status, body, text } = await send({
    method,
    url: url.replaceAll(/:[a-z_]+/g, 'GB-NG'),
    headers: { ...headers, ...(hasBody ? { 'content-type': 'application/json' } : {}) },
    ...(hasBody ? { payload: '{}' } : {}),
  })
  assert.ok(status < 500, `${method} ${url}: ${text}`)
  if (status !== 401 && status !== 403) return 'allowed'
  // People are sent to the review.
  const isSentToReview = url === '/api/v1/override' && body.code === 'REVIEW_REQUIRED'
  if (method !== 'HEAD' && !isSentToReview)
    assert.equal(body.code, status === 401 ? 'UNAUTHORIZED' : 'FORBIDDEN')
  return status
}

/** HEAD comes with every GET, and needs what that needs. */
const nameOf = ({ method, url }: Route): string => `${method === 'HEAD' ? 'GET' : method} ${url}`

/** A logout ends the caller's session, so it comes last. */
const inOrder = (routes: readonly Route[]): Route[] =>
  routes.toSorted((one, other) => Number(one.url === '/auth/logout') - Number(other.url === '/auth/logout'))

test('the tables have every role, every scope and every route that there is, and no other', async () => {
  assert.deepEqual([...roles].toSorted(), Object.keys(scopesOfRole).toSorted())
  assert.deepEqual([...scopes].toSorted(), [...everyScope].toSorted())
  await withHarness({}, async ({ app }) => {
    const served = new Set(app.servedRoutes.map(nameOf))
    assert.deepEqual([...served].toSorted(), Object.keys(needs).toSorted())
  })
})

test('each route lets in exactly the callers that the tables name: roles, owners and kinds of keys', async () => {
  await withHarness({ settings: unlimited }, async (harness) => {
    const wrong: string[] = []
    let asked = 0
    for (const caller of await callersOn(harness)) {
      for (const route of inOrder(harness.app.servedRoutes)) {
        const need = needs[nameOf(route)] ?? assert.fail(nameOf(route))
        const expected = expectedOf(caller, need)
        const found = await ask(harness, route, caller)
        if (found !== expected)
          wrong.push(`${route.method} ${route.url}, ${caller.name}: ${found}, not ${expected}`)
        asked += 1
      }
    }
    assert.deepEqual(wrong, [])
    assert.ok(asked > 2_000, `only ${asked} requests`)
  })
})

test('a person with several roles may do what each of them may', async () => {
  await withHarness({ settings: unlimited }, async (harness) => {
    const { ownerId } = (await harness.issue()).record
    const both: readonly Role[] = ['reviewer', 'policy_author']
    const { headers } = await person(harness, both, ownerId)
    const held = both.flatMap((role) => scopesOfRole[role])
    const caller: Caller = { name: 'both', headers, kind: 'person', scopes: held }
    for (const route of inOrder(harness.app.servedRoutes)) {
      const need = needs[nameOf(route)] ?? assert.fail(nameOf(route))
      assert.equal(await ask(harness, route, caller), expectedOf(caller, need), nameOf(route))
    }
  })
})

test('a refusal names the role and the scope that it lacks, and what to do', async () => {
  await withHarness({}, async (harness) => {
    const { ownerId } = (await harness.issue()).record
    const { headers } = await person(harness, ['viewer', 'reviewer'], ownerId)
    const refusal = async (url: string, more: object = {}): Promise<string> => {
      const { status, body } = await harness.send({ method: 'GET', url, headers: { ...headers, ...more } })
      assert.equal(status, 403)
      return String(body.message)
    }
    assert.equal(
      await refusal('/api/v1/webhooks'),
      'Your role (viewer, reviewer) lacks the scope webhook:manage. Ask an admin for a role that has it.',
    )
    assert.match(await refusal('/api/v1/owners'), /people with the role admin and no owner/)
    assert.match(await refusal('/api/v1/organisation/settings'), /GET \/api\/v1\/me/)
    const { key } = await harness.issue()
    assert.match(await refusal('/api/v1/owners', { authorization: `Bearer ${key}` }), /This is for people/)
  })
})
