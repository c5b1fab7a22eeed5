/** Counts beside pages of the administration: access requests that wait, and webhooks that fail. */

import { useIsAdmin } from './caller.ts'
import { useOwnQuery } from './query.ts'

export interface Badge {
  readonly count: string
  /** For screen readers, after the count. */
  readonly meaning: string
}

/** Rare, because they are beside every page. */
const accessEveryMs = 60_000
const webhooksEveryMs = 300_000
const countMax = 50

/** Nothing for zero, and for a count that is not known. */
function badgeOf(
  count: number | undefined,
  hasMore: boolean,
  [one, many]: readonly [string, string],
): Badge | undefined {
  if (count === undefined || count === 0) return undefined
  return { count: hasMore ? `${count}+` : String(count), meaning: count === 1 ? one : many }
}

export function useBadges(): Readonly<Record<string, Badge | undefined>> {
  const isAdmin = useIsAdmin()
  const access = useOwnQuery(
    isAdmin ? ['access requests', 'badge'] : null,
    (client) => client.admin.accessRequests({ status: 'received', limit: countMax }).page(),
    { refreshMs: accessEveryMs },
  ).data
  const failing = useOwnQuery(
    isAdmin ? ['admin webhooks', 'badge'] : null,
    (client) => client.admin.webhooks({ state: 'failing', limit: countMax }).page(),
    { refreshMs: webhooksEveryMs },
  ).data
  const hasMore = (page: typeof access | typeof failing): boolean => (page?.nextCursor ?? null) !== null
  return {
    '/admin/access': badgeOf(access?.items.length, hasMore(access), ['is waiting', 'are waiting']),
    '/admin/webhooks': badgeOf(failing?.items.length, hasMore(failing), ['is failing', 'are failing']),
  }
}
