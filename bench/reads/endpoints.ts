/** The read endpoints to measure on the service and on the bare routes. */

import { dayMs } from '../../src/core/time/durations.ts'

export interface ReadEndpoint {
  readonly method: 'GET' | 'POST'
  /** `{id}` is a record of the key, `{webhook_id}` its endpoint, `{corridor}` a supported corridor. */
  readonly path: string
  /** The display name, for paths that change daily. */
  readonly name?: string
  readonly body?: Readonly<Record<string, unknown>>
  /** The content type of an answer that is not JSON. The bare route sends its text unchanged. */
  readonly textType?: string
}

const daysBack = (days: number): string => new Date(Date.now() - days * dayMs).toISOString().slice(0, 10)

const payment = { corridor: 'GB-NG', amount: 60_000, currency: 'GBP' } as const

export const readEndpoints: readonly ReadEndpoint[] = [
  { method: 'GET', path: '/api/v1/audit/{id}' },
  { method: 'GET', path: '/api/verifications?limit=50' },
  { method: 'GET', path: '/api/verifications?limit=50&reason=POLICY_CAP_APPLIED' },
  { method: 'GET', path: '/api/v1/search?q={id}' },
  { method: 'GET', path: '/api/v1/events?limit=100' },
  { method: 'GET', path: '/api/v1/verifications/summary', name: '/api/v1/verifications/summary, 24 hours' },
  {
    method: 'GET',
    path: `/api/v1/verifications/summary?from=${daysBack(30)}`,
    name: '/api/v1/verifications/summary, 30 days',
  },
  { method: 'GET', path: '/api/v1/decision/{id}/file' },
  { method: 'GET', path: '/api/v1/decision/{id}/explanation' },
  { method: 'GET', path: '/api/v1/decision/{id}/impact' },
  { method: 'GET', path: '/api/v1/decision/{id}/timeline' },
  { method: 'GET', path: '/api/v1/signals/{id}' },
  { method: 'GET', path: '/api/v1/audit/{id}/proof' },
  { method: 'GET', path: '/api/v1/audit/checkpoint?from=1000' },
  { method: 'GET', path: '/api/v1/audit/export/{id}' },
  { method: 'GET', path: '/api/v1/audit/export/{id}?format=csv', textType: 'text/csv; charset=utf-8' },
  { method: 'GET', path: '/api/v1/corridors' },
  { method: 'GET', path: '/api/v1/corridors/{corridor}' },
  { method: 'GET', path: '/api/v1/feeds' },
  { method: 'POST', path: '/api/v1/replay', body: { ...payment, actual_outcome: 'FAILED' } },
  {
    method: 'POST',
    path: '/api/v1/decision/compare',
    body: { ...payment, partners: ['Ash', 'Birch', 'Cedar', 'Elm'] },
  },
  { method: 'POST', path: '/api/v1/demo-verify', body: payment },
  { method: 'POST', path: '/api/v1/demo-compare', body: { payment } },
  { method: 'GET', path: '/api/v1/webhooks' },
  { method: 'GET', path: '/api/v1/webhooks/{webhook_id}' },
  { method: 'GET', path: '/api/v1/webhooks/{webhook_id}/deliveries?limit=50' },
  { method: 'GET', path: '/api/v1/organisation/settings' },
  { method: 'GET', path: '/api/health' },
  { method: 'GET', path: '/api/v1/readiness' },
  { method: 'GET', path: '/api/v1/status/signals' },
  { method: 'GET', path: '/api/v1/cip/status' },
  { method: 'GET', path: '/api/v1/methodology' },
  { method: 'GET', path: '/metrics', textType: 'text/plain; version=0.0.4; charset=utf-8' },
  { method: 'GET', path: '/livez' },
  { method: 'GET', path: '/readyz' },
  { method: 'GET', path: '/openapi.json' },
]

/** Routes without a row among the reads, with the reason. */
const otherRoutes: Readonly<Record<string, string>> = {
  'POST /api/v1/verify': 'measured in another group',
  'GET /api/v1/verifications/totals': 'a long read; npm run torture -- hungry-readers has a verify beside it',
  'POST /api/v1/batch-assess': 'measured in another group',
  'POST /api/v1/batch-reports': 'a write, rare for an owner',
  'GET /api/v1/batch-reports': 'rare for an owner, and not on the way of a decision',
  'GET /api/v1/batch-reports/{}': 'rare for an owner, and not on the way of a decision',
  'DELETE /api/v1/batch-reports/{}': 'a write, rare for an owner',
  'POST /api/v1/override': 'a write, once per decision',
  'POST /api/v1/decision/{}/outcome': 'a write, once per decision',
  'POST /api/v1/outcomes': 'a write, once per decision',
  'GET /api/v1/calibration': 'waits for a follower, which is measured apart',
  'GET /api/v1/admin/keys': 'a read of administration, a few times a day',
  'POST /api/v1/admin/keys': 'an act of administration, a few times a day',
  'POST /api/v1/admin/keys/{}/rotate': 'an act of administration, a few times a day',
  'POST /api/v1/admin/keys/{}/revoke': 'an act of administration, a few times a day',
  'GET /api/v1/admin/access-requests': 'a read of administration, a few times a day',
  'POST /api/v1/admin/access-requests/{}/approve': 'an act of administration, a few times a day',
  'POST /api/v1/admin/access-requests/{}/reject': 'an act of administration, a few times a day',
  'GET /api/v1/admin/people': 'a read of administration, a few times a day',
  'POST /api/v1/admin/people': 'an act of administration, a few times a day',
  'POST /api/v1/admin/people/{}/reset': 'an act of administration, a few times a day',
  'POST /api/v1/admin/people/{}/roles': 'an act of administration, a few times a day',
  'POST /api/v1/admin/people/{}/end-sessions': 'an act of administration, a few times a day',
  'POST /api/v1/admin/people/{}/remove': 'an act of administration, a few times a day',
  'POST /api/v1/admin/people/{}/restore': 'an act of administration, a few times a day',
  'GET /api/v1/admin/cip': 'a read of administration, a few times a day',
  'POST /api/v1/admin/cip/transitions': 'an act of administration, a few times a day',
  'POST /api/v1/admin/jobs': 'an act of administration, a few times a day',
  'GET /api/v1/admin/jobs': 'a read of administration, a few times a day',
  'GET /api/v1/admin/jobs/{}': 'a read of administration, a few times a day',
  'POST /api/v1/admin/erasures/preview': 'a read of administration, a few times a day',
  'GET /api/v1/admin/retention': 'a read of administration, a few times a day',
  'GET /api/v1/admin/months': 'a read of administration, a few times a day',
  'POST /api/v1/admin/months/{}/check': 'a read of administration, a few times a day',
  'GET /api/v1/admin/feeds': 'a read of administration, a few times a day',
  'POST /api/v1/admin/feeds/check': 'an act of administration, a few times a day',
  'GET /api/v1/admin/webhooks': 'a read of administration, a few times a day',
  'GET /api/v1/admin/activity': 'a read of administration, a few times a day',
  'GET /api/v1/webhooks/{}/deliveries/{}': 'a read of administration, a few times a day',
  'POST /api/v1/webhooks/{}/deliveries/{}/resend': 'an act of administration, a few times a day',
  'POST /api/v1/webhooks/{}/resend': 'an act of administration, a few times a day',
  'GET /api/v1/reviews': 'waits for a follower, and is not on the way of a decision',
  'GET /api/v1/reviews/summary': 'waits for a follower, and is not on the way of a decision',
  'GET /api/v1/reviews/{}': 'waits for a follower, and is not on the way of a decision',
  'POST /api/v1/reviews/{}/claim': 'a write, a few times per review',
  'POST /api/v1/reviews/{}/release': 'a write, a few times per review',
  'POST /api/v1/reviews/{}/comment': 'a write, a few times per review',
  'POST /api/v1/reviews/{}/propose': 'a write, a few times per review',
  'POST /api/v1/reviews/{}/approve': 'a write, a few times per review',
  'POST /api/v1/reviews/{}/reject': 'a write, a few times per review',
  'GET /api/v1/holds': 'rare for an owner, and not on the way of a decision',
  'POST /api/v1/webhooks': 'a write, rare for an owner',
  'DELETE /api/v1/webhooks/{}': 'a write, rare for an owner',
  'POST /api/v1/webhooks/{}/rotate-secret': 'a write, rare for an owner',
  'POST /api/v1/webhooks/{}/test': 'a write, rare for an owner',
  'POST /api/v1/request-access': 'a write, rare for an owner',
  'GET /api/v1/corridors/{}/calendar': 'needs a live key and a declared world',
  'POST /api/v1/policies': 'a write, rare for an owner',
  'GET /api/v1/policies': 'rare for an owner, and not on the way of a decision',
  'GET /api/v1/policies/{}': 'rare for an owner, and not on the way of a decision',
  'POST /api/v1/policies/check': 'for an editor; the compiler and decide are measured apart',
  'GET /api/v1/policies/variables': 'a constant',
  'GET /api/v1/policies/{}/report': 'waits for a follower, which is measured apart',
  'POST /api/v1/policies/{}/candidate': 'a write, rare for an owner',
  'POST /api/v1/policies/{}/promote': 'a write, rare for an owner',
  'POST /api/v1/policies/rollback': 'a write, rare for an owner',
  'POST /api/v1/policies/{}/backtest': 'a write; the backtest is measured apart',
  'GET /api/v1/policies/{}/backtests': 'rare for an owner, and not on the way of a decision',
  'GET /api/v1/policies/{}/backtests/{}': 'rare for an owner, and not on the way of a decision',
  'DELETE /api/v1/policies/{}/backtests/{}': 'a write, rare for an owner',
  'GET /api/v1/me': 'for the console, once for each page',
  'GET /api/v1/me/sessions': 'for people, not on the way of a decision',
  'DELETE /api/v1/me/sessions/{}': 'for people, not on the way of a decision',
  'GET /api/v1/owners': 'for people, not on the way of a decision',
  'GET /auth/session': 'for people, not on the way of a decision',
  'GET /auth/login': 'for people, not on the way of a decision',
  'GET /auth/callback': 'for people, not on the way of a decision',
  'POST /auth/login': 'for people, not on the way of a decision',
  'POST /auth/logout': 'for people, not on the way of a decision',
  'POST /auth/invitation': 'for people, not on the way of a decision',
  'POST /auth/password': 'for people, not on the way of a decision',
  'POST /mcp': 'a message of the protocol, whose call is a request of its own',
  'GET /': 'a page for humans',
  'GET /favicon.ico': 'a page for humans',
  'GET /docs': 'a page for humans',
  'GET /docs/': 'a page for humans',
  'GET /guide': 'a page for humans',
  'GET /guide/': 'a page for humans',
}

export interface NamedRoute {
  readonly method: string
  /** With parameters as `{name}` or as `:name`. */
  readonly path: string
}

const nameOf = ({ method, path }: NamedRoute): string =>
  `${method.toUpperCase()} ${path.replace(/\?.*/, '').replaceAll(/\{\w+\}|:\w+/g, '{}')}`

/** Served routes that have neither a row nor a reason. */
export function unmeasured(routes: readonly NamedRoute[]): string[] {
  const measured = new Set(readEndpoints.map(nameOf))
  return routes.map(nameOf).filter((name) => !measured.has(name) && !Object.hasOwn(otherRoutes, name))
}

/** Rows and reasons of routes that are no longer served. */
export function outdated(routes: readonly NamedRoute[]): string[] {
  const served = new Set(routes.map(nameOf))
  return [...readEndpoints.map(nameOf), ...Object.keys(otherRoutes)].filter((name) => !served.has(name))
}

/** The path of an endpoint's bare route. Its index distinguishes endpoints that differ only in their query. */
export const barePathOf = (place: number, path: string): string => `/${place}${path}`
