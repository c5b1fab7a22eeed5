/** Shared by all routes of the administration: they are for people who are admins of the installation. */

import type { FastifyRequest } from 'fastify'
import { actsBy, type DescribeAct } from '../../../app/operate/acts.ts'
import type { Clock, Random } from '../../../app/ports/system.ts'
import type { Store } from '../../../app/ports/store.ts'
import type { Scope } from '../../../core/identity/api-key.ts'
import { scopesOfRoles, type Role } from '../../../core/identity/roles.ts'
import { parseRateLimit, type RateLimit } from '../../../core/time/rolling-window.ts'
import { anyCallerOf } from '../../auth.ts'
import type { FieldError, Problem } from '../../errors.ts'
import { linkToNext } from '../../input/paging.ts'
import { errorResponses, keyed } from '../../schemas/common.ts'

export interface AdminDeps {
  readonly store: Store
  readonly clock: Clock
  readonly random: Random
}

/** Scopes of one side of four eyes. By a key of another principal, one person would be both sides. */
const scopesOfTwo: ReadonlySet<Scope> = new Set<Scope>([
  'policy:write',
  'policy:approve',
  'review:write',
  'review:approve',
])

/** The scopes with which an admin may see a key: nobody may do more by it than in person, or act as two principals. */
export function scopesSeenBy(
  { personId, roles }: { readonly personId: string; readonly roles: readonly Role[] },
  principalId: string | null,
): readonly Scope[] {
  const held = scopesOfRoles(roles)
  return principalId === personId ? held : held.filter((scope) => !scopesOfTwo.has(scope))
}

/** The command is for operators, who may see any key. */
export const beyondAdmin = (excess: readonly Scope[], command: string): Problem => ({
  code: 'FORBIDDEN',
  message: `You may not see a key with ${excess.join(', ')}: your roles lack ${excess.length === 1 ? 'this scope' : 'these scopes'}, or the key acts as somebody else, and you could approve what you propose. An operator can: ${command}`,
})

export const adminPath = '/api/v1/admin'
export const config = { access: { scope: null, limit: 'keyed', callers: 'admins' } } as const
export const common = { tags: ['Administration'], security: keyed }
export const linkHeader = { Link: { type: 'string', description: 'The next page, if any.' } } as const

export const errorsOfList = errorResponses('limited', 400, 401, 403, 429, 500, 503)
export const errorsOfAction = errorResponses('limited', 400, 401, 403, 404, 409, 413, 415, 429, 500, 503)

/** The person who administers. A key that a person issues acts as that person. */
export function adminOf(
  request: FastifyRequest,
  deps: Pick<AdminDeps, 'clock' | 'random'>,
): { readonly personId: string; readonly roles: readonly Role[]; readonly describe: DescribeAct } {
  const { by, roles } = anyCallerOf(request)
  return { personId: by.id, roles, describe: actsBy(by.id, deps) }
}

/** Null if it is absent or invalid. */
export function readLimit(text: string | undefined, errors: FieldError[]): RateLimit | null {
  if (text === undefined) return null
  const limit = parseRateLimit(text)
  if (limit === null) errors.push({ path: '/limit_verify', message: 'must be COUNT/SECONDS, like 100/60' })
  return limit
}

/** A page of one item more than wanted: the items, and the cursor and link of the next page. */
export function paged<Item>(
  found: readonly Item[],
  wanted: {
    readonly limit: number
    readonly idOf: (item: Item) => string
    readonly path: string
    readonly query: object
  },
): { readonly page: Item[]; readonly nextCursor: string | null; readonly link: string | null } {
  const page = found.slice(0, wanted.limit)
  const last = page.at(-1)
  if (found.length <= wanted.limit || last === undefined) return { page, nextCursor: null, link: null }
  const id = wanted.idOf(last)
  const link = linkToNext(wanted.path, wanted.query as Record<string, unknown>, id)
  return { page, nextCursor: Buffer.from(id).toString('base64url'), link }
}
