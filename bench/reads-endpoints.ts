/** The endpoints that read, as the service and the bare routes beside it are asked for them. */

export interface ReadEndpoint {
  readonly method: 'GET' | 'POST'
  /** `{id}` stands for a record of the key. */
  readonly path: string
  /** For people, in place of a path that is another every day. */
  readonly name?: string
  readonly body?: Readonly<Record<string, unknown>>
  /** Of an answer that is not JSON: the bare route sends the text as it is. */
  readonly textType?: string
}

const daysBack = (days: number): string =>
  new Date(Date.now() - days * 24 * 60 * 60 * 1000).toISOString().slice(0, 10)

export const readEndpoints: readonly ReadEndpoint[] = [
  { method: 'GET', path: '/api/v1/audit/{id}' },
  { method: 'GET', path: '/api/verifications?limit=50' },
  { method: 'GET', path: '/api/v1/verifications/summary', name: '/api/v1/verifications/summary, 24 hours' },
  {
    method: 'GET',
    path: `/api/v1/verifications/summary?from=${daysBack(30)}`,
    name: '/api/v1/verifications/summary, 30 days',
  },
  { method: 'GET', path: '/api/v1/decision/{id}/explanation' },
  { method: 'GET', path: '/api/v1/decision/{id}/impact' },
  { method: 'GET', path: '/api/v1/decision/{id}/timeline' },
  { method: 'GET', path: '/api/v1/signals/{id}' },
  { method: 'GET', path: '/api/v1/audit/export/{id}' },
  { method: 'GET', path: '/api/v1/audit/export/{id}?format=csv', textType: 'text/csv; charset=utf-8' },
  { method: 'GET', path: '/api/v1/corridors/GB-NG' },
  {
    method: 'POST',
    path: '/api/v1/replay',
    body: { corridor: 'GB-NG', amount: 60_000, actual_outcome: 'FAILED' },
  },
  { method: 'GET', path: '/api/v1/organisation/settings' },
  { method: 'GET', path: '/api/health' },
  { method: 'GET', path: '/api/v1/readiness' },
  { method: 'GET', path: '/api/v1/status/signals' },
  { method: 'GET', path: '/api/v1/cip/status' },
]

/** The bare route of the endpoint at this place; its number sets two endpoints apart that differ in their query alone. */
export const barePathOf = (place: number, path: string): string => `/${place}${path}`
