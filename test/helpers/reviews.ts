/** Reviews as the tests ask for them: over HTTP, by keys and people of one owner; and their follower on a store. */

import assert from 'node:assert/strict'
import { systemRandom } from '../../src/adapters/system.ts'
import { rotateKey, type IssuedKey } from '../../src/app/access/keys.ts'
import { actsBy } from '../../src/app/operate/acts.ts'
import type { Store } from '../../src/app/ports/store.ts'
import type { Clock } from '../../src/app/ports/system.ts'
import { createExpire } from '../../src/app/review/expire.ts'
import { createFollowReviews, type FollowReviews } from '../../src/app/review/follow.ts'
import { createIds } from '../../src/app/verify/ids.ts'
import { readConfig } from '../../src/config.ts'
import type { KeyPrefix, Scope } from '../../src/core/identity/api-key.ts'
import type { Answer, Harness } from './harness.ts'
import { degraded } from './webhooks.ts'

export function followReviewsOn(store: Pick<Store, 'reviews'>, clock: Clock): FollowReviews {
  const ids = createIds({ clock, random: systemRandom })
  return createFollowReviews({ store: store.reviews, ids, terms: readConfig({}).reviews })
}

/** Records what has expired, as the running service does every second. */
export function expireOn({
  store,
  clock,
  log: lines,
}: Pick<Harness, 'store' | 'clock' | 'log'>): Promise<void> {
  const ids = createIds({ clock, random: systemRandom })
  const log = {
    warn: (_fields: object, message: string) => void lines.push(message),
    info: (message: string) => void lines.push(message),
  }
  return createExpire({ store: store.reviews, ids, clock, log })()
}

export const reviewsUrl = '/api/v1/reviews'

/** A decision has one review at most, with the digits of its id. */
export const reviewOf = (requestId: string): string => `rev_${requestId.slice(-26).toLowerCase()}`

export type ActName = 'claim' | 'release' | 'comment' | 'propose' | 'approve' | 'reject'

export const goodProposal = {
  action: 'EXECUTE',
  reason_code: 'PAYEE_CONFIRMED',
  justification: 'The payee answered the telephone.',
} as const

/** The least that each act needs. */
const plainBodies: Readonly<Record<ActName, object | null>> = {
  claim: null,
  release: null,
  comment: { text: 'The payee is new.' },
  propose: goodProposal,
  approve: {},
  reject: { reason: 'The payee is another.' },
}

export interface Headed {
  readonly headers: Readonly<Record<string, string>>
}

/** A key, with the headers of its requests and the form in which answers name it. */
export interface Clerk extends Headed {
  readonly key: string
  readonly keyId: string
  readonly shown: { readonly kind: 'key'; readonly id: string; readonly name: string }
}

export function clerkOf({ key, record }: IssuedKey): Clerk {
  const { keyId, ownerLabel } = record
  const headers = { authorization: `Bearer ${key}` }
  return { key, keyId, headers, shown: { kind: 'key', id: keyId, name: ownerLabel } }
}

/** The key that takes the place of this one, which stays valid for a day, as `fairway keys rotate` makes it. */
export async function successorOf({ store, clock }: Harness, { keyId }: Clerk): Promise<Clerk> {
  const random = systemRandom
  const deps = { keys: store.keys, clock, random, describe: actsBy('ops', { clock, random }) }
  const outcome = await rotateKey(deps, keyId, 86_400_000)
  return outcome.kind === 'rotated' ? clerkOf(outcome.issued) : assert.fail(outcome.kind)
}

/** POST of an act, without a body where none is needed. */
export function act(
  { send }: Pick<Harness, 'send'>,
  { headers }: Headed,
  name: ActName,
  reviewId: string,
  body: object | null = plainBodies[name],
): Promise<Answer> {
  return send({
    method: 'POST',
    url: `${reviewsUrl}/${reviewId}/${name}`,
    headers: { ...headers, ...(body === null ? {} : { 'content-type': 'application/json' }) },
    ...(body === null ? {} : { payload: JSON.stringify(body) }),
  })
}

/** An act that must succeed: the review after it. */
export async function done(...args: Parameters<typeof act>): Promise<Answer['body']> {
  const { status, body, text } = await act(...args)
  assert.equal(status, 200, text)
  return body
}

/** The status and the code of a refusal. */
export const refusalOf = ({ status, body }: Answer): [number, string] => [status, String(body.code)]

export const conflict = [409, 'REVIEW_CONFLICT'] as const
export const fourEyes = [403, 'FOUR_EYES'] as const

/** GET of a review, or of a page of them, which must succeed. */
export async function readReviews(
  { send }: Pick<Harness, 'send'>,
  { headers }: Headed,
  path = '',
): Promise<Answer['body']> {
  const { status, body, text } = await send({
    method: 'GET',
    url: `${reviewsUrl}${path}`,
    headers: { ...headers },
  })
  assert.equal(status, 200, `${path}: ${text}`)
  return body
}

/** The ids on a page. */
export const idsIn = ({ reviews }: Answer['body']): string[] =>
  (reviews as { review_id: string }[]).map(({ review_id: id }) => id)

/** An owner with two keys, and a way to new reviews. */
export interface Desk {
  readonly ownerId: string
  readonly proposer: Clerk
  readonly approver: Clerk
  /** A further key of the owner. */
  readonly hire: (name: string, scopes?: Scope[]) => Promise<Clerk>
  /** The review of a new decision, `DEGRADED` unless the payment says otherwise. */
  readonly open: (payment?: object) => Promise<string>
  /** The same with a proposal. */
  readonly proposed: (payment?: object, proposal?: object) => Promise<string>
  readonly show: (reviewId: string) => Promise<Answer['body']>
}

export async function deskOn(harness: Harness, prefix: KeyPrefix = 'pk_test_'): Promise<Desk> {
  const first = await harness.issue({ prefix, ownerLabel: 'proposer' })
  const { ownerId } = first.record
  const proposer = clerkOf(first)
  const hire = async (name: string, scopes: Scope[] = []): Promise<Clerk> =>
    clerkOf(await harness.issue({ prefix, ownerLabel: name, ownerId, scopes }))
  const open = async (payment: object = {}): Promise<string> =>
    reviewOf(await degraded(harness, proposer.key, payment))
  return {
    ownerId,
    proposer,
    approver: await hire('approver'),
    hire,
    open,
    async proposed(payment = {}, proposal = {}) {
      const reviewId = await open(payment)
      await done(harness, proposer, 'propose', reviewId, { ...goodProposal, ...proposal })
      return reviewId
    },
    show: (reviewId) => readReviews(harness, proposer, `/${reviewId}`),
  }
}

/** The id of the decision of a review. */
export async function requestIdOf(desk: Desk, reviewId: string): Promise<string> {
  return String((await desk.show(reviewId)).request_id)
}

/** Verifies, and gives back the answer, which must have this verdict. */
export async function decided(
  { verify }: Pick<Harness, 'verify'>,
  key: string,
  payment: object,
  verdict: 'GO' | 'DEGRADED' | 'NO-GO',
): Promise<Answer['body']> {
  const { body, text } = await verify(key, payment)
  assert.equal(body.decision, verdict, text)
  return body
}

/** Payments of each kind that needs a person, by test amounts. */
export const payments = {
  degraded: { corridor: 'US-MX', amount: 10 },
  blocked: { corridor: 'GB-NG', amount: 600_000 },
  confirmPayee: { corridor: 'GB-NG', amount: 1000.07 },
  healthy: { corridor: 'GB-NG', amount: 1000 },
} as const
