/** The scope without which a page has nothing to show: navigation leaves the page out, and its address says so once. */

import type { Scope } from './people/roles.ts'

/** By the first part of the address. A page that is not here needs no scope. */
const scopes: Readonly<Record<string, Scope>> = {
  overview: 'decision:read',
  reviews: 'review:read',
  verifications: 'decision:read',
  batch: 'decision:read',
  policies: 'policy:read',
  calibration: 'policy:read',
  corridors: 'decision:read',
  partners: 'decision:read',
  webhooks: 'webhook:manage',
}

export const pageScope = (path: string): Scope | null => scopes[path.split('/')[1] ?? ''] ?? null

/** Undefined scopes are not known yet: the server decides in any case. */
export function mayOpen(path: string, held: readonly Scope[] | undefined): boolean {
  const needed = pageScope(path)
  return needed === null || held === undefined || held.includes(needed)
}
