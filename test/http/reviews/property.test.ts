/**
 * Any acts in any order, by keys, their rotations, sessions and roles of two owners: reviews are as a simple model has
 * them, nobody settles a proposal of its own, and nobody settles anything of another owner.
 */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allowsRole, roles, type Role } from '../../../src/core/identity/roles.ts'
import { scopes, type Scope } from '../../../src/core/identity/api-key.ts'
import { engines, type Engine } from '../../helpers/database/databases.ts'
import { checkedLog } from '../../helpers/database/log-check.ts'
import { rowsOf } from '../../helpers/database/sql.ts'
import fc from '../../helpers/fast-check.ts'
import { withHarness, type Answer, type Harness } from '../../helpers/harness.ts'
import { anotherSession, person, setRoles, unlimited } from '../../helpers/people.ts'
import {
  act,
  deskOn,
  goodProposal,
  successorOf,
  type ActName,
  type Clerk,
  type Desk,
  type Headed,
} from '../../helpers/reviews.ts'
import { override } from '../../helpers/webhooks.ts'
import { expire, opened, overrideDirectly, perform, type Modelled, type Principal } from './model.ts'

const expiresMs = 3_600_000
const smallAmount = 50
const settings = {
  ...unlimited,
  FAIRWAY_REVIEW_DUE_S: '600',
  FAIRWAY_REVIEW_EXPIRES_S: String(expiresMs / 1000),
  FAIRWAY_FOUR_EYES_ABOVE: `GBP=${smallAmount}`,
}

interface Caller {
  readonly principal: Principal
  /** Every key or session that acts as this principal. */
  readonly credentials: readonly Headed[]
}

/** A key with its successors. */
class KeyCaller implements Caller {
  readonly credentials: Clerk[]
  readonly principal: Principal

  constructor(clerk: Clerk, ownerId: string, held: readonly Scope[] = scopes) {
    this.credentials = [clerk]
    this.principal = { name: clerk.keyId, ownerId, scopes: held }
  }

  get newest(): Clerk {
    return this.credentials.at(-1) ?? assert.fail('no key')
  }

  /** The old key ends in a day: nobody uses it in a later run. */
  restart(): void {
    this.credentials.splice(0, this.credentials.length - 1)
  }
}

/** A person with its sessions, whose roles may change. */
class PersonCaller implements Caller {
  readonly credentials: Headed[] = []
  readonly personId: string
  readonly #ownerId: string
  #roles: readonly Role[]

  constructor(personId: string, ownerId: string, held: readonly Role[]) {
    this.personId = personId
    this.#ownerId = ownerId
    this.#roles = held
  }

  get principal(): Principal {
    const held = scopes.filter((scope) => allowsRole(this.#roles, scope))
    return { name: this.personId, ownerId: this.#ownerId, scopes: held }
  }

  async change(harness: Harness, held: readonly Role[]): Promise<void> {
    const isSame = this.#roles.toSorted().join() === held.toSorted().join()
    if (!isSame) await setRoles(harness, this.personId, held)
    this.#roles = held
  }
}

interface World {
  readonly harness: Harness
  readonly desks: readonly [Desk, Desk]
  readonly keys: readonly KeyCaller[]
  readonly people: readonly PersonCaller[]
  /** The principal of each id that answers show. */
  readonly principals: Map<string, string>
}

const startRoles: readonly (readonly Role[])[] = [['approver'], ['reviewer'], ['viewer'], ['approver']]

async function worldOn(harness: Harness): Promise<World> {
  const desks = [await deskOn(harness), await deskOn(harness)] as const
  const [own, other] = desks
  const hired = async (held: Scope[]): Promise<KeyCaller> =>
    new KeyCaller(await own.hire(held.join(' '), held), own.ownerId, held)
  // The first key of each desk is not rotated: payments are verified and reviews are read with it.
  const keys = [
    new KeyCaller(own.approver, own.ownerId),
    new KeyCaller(await own.hire('another'), own.ownerId),
    await hired(['review:read', 'review:write', 'override:create']),
    await hired(['review:read', 'review:approve']),
    new KeyCaller(other.approver, other.ownerId),
  ]
  const people: PersonCaller[] = []
  for (const [place, held] of startRoles.entries()) {
    const { ownerId } = place === startRoles.length - 1 ? other : own
    const { personId } = await person(harness, held, ownerId)
    people.push(new PersonCaller(personId, ownerId, held))
  }
  const principals = new Map<string, string>()
  for (const { principal } of [...keys, ...people]) principals.set(principal.name, principal.name)
  return { harness, desks, keys, people, principals }
}

/** A run begins with the roles of the start, two sessions of each person, and one key of each. */
async function restart({ harness, keys, people }: World): Promise<void> {
  for (const key of keys) key.restart()
  for (const [place, someone] of people.entries()) {
    await someone.change(harness, startRoles[place] ?? [])
    someone.credentials.length = 0
    for (let session = 0; session < 2; session += 1)
      someone.credentials.push(await anotherSession(harness, someone.personId))
  }
}

interface Review {
  readonly reviewId: string
  readonly requestId: string
  readonly desk: Desk
  readonly model: Modelled
  /** The ids of its proposals, by their number in the model. */
  readonly proposalIds: Map<number, string>
}

async function openReview({ harness }: World, desk: Desk, amount: number): Promise<Review> {
  const expiresAtMs = harness.clock.nowMs() + expiresMs
  const reviewId = await desk.open({ amount })
  const { request_id: requestId } = await desk.show(reviewId)
  const model = opened({ ownerId: desk.ownerId, isSmall: amount <= smallAmount, expiresAtMs })
  return { reviewId, requestId: String(requestId), desk, model, proposalIds: new Map() }
}

type Step =
  | {
      readonly kind: 'act'
      readonly caller: number
      readonly credential: number
      readonly review: number
      readonly name: ActName
      readonly justification: string
      /** Which proposal is meant: whichever there is, the current one, or the first. */
      readonly meant: 'any' | 'current' | 'first'
    }
  | { readonly kind: 'override'; readonly caller: number; readonly review: number }
  | { readonly kind: 'rotate'; readonly caller: number }
  | { readonly kind: 'roles'; readonly caller: number; readonly roles: readonly Role[] }
  | { readonly kind: 'session'; readonly caller: number }
  | { readonly kind: 'time'; readonly ms: number }

/** Those that lead to an approval come more often. */
const often: readonly ActName[] = [
  ...(['claim', 'release', 'comment', 'reject'] as const),
  ...(['propose', 'propose', 'propose', 'approve', 'approve', 'approve', 'approve'] as const),
]

const place = fc.nat({ max: 99 })
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.record({
      kind: fc.constant('act' as const),
      caller: place,
      credential: place,
      review: place,
      name: fc.constantFrom(...often),
      justification: fc.constantFrom('One.', 'Two.'),
      meant: fc.constantFrom('any', 'current', 'first'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('override' as const), caller: place, review: place }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('rotate' as const), caller: place }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('roles' as const),
      caller: place,
      roles: fc.subarray([...roles], { minLength: 1 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('session' as const), caller: place }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('time' as const), ms: fc.constantFrom(1, 700_000, expiresMs) }),
  },
)

const at = <Item>(items: readonly Item[], index: number): Item =>
  items[index % items.length] ?? assert.fail('no items')

const expectedStatus = { FORBIDDEN: 403, FOUR_EYES: 403, REVIEW_CONFLICT: 409 } as const

async function actOn(world: World, reviews: readonly Review[], step: Extract<Step, { kind: 'act' }>) {
  const { harness, keys, people } = world
  const caller: Caller = at([...keys, ...people], step.caller)
  const { reviewId, model, proposalIds } = at(reviews, step.review)
  const { name, justification, meant } = step
  const settles = name === 'approve' || name === 'reject'
  const number = meant === 'any' || !settles ? null : meant === 'first' ? 1 : model.proposals
  const proposalId = number === null ? undefined : proposalIds.get(number)
  const proposalNumber = proposalId === undefined ? null : number
  const bodies: Readonly<Record<ActName, object | null>> = {
    claim: null,
    release: null,
    comment: { text: 'Seen.' },
    propose: { ...goodProposal, justification },
    approve: { proposal_id: proposalId },
    reject: { reason: 'No.', proposal_id: proposalId },
  }
  const before = model.proposals
  const wanted = perform(
    model,
    caller.principal,
    { name, justification, proposalNumber },
    harness.clock.nowMs(),
  )
  const answer = await act(harness, at(caller.credentials, step.credential), name, reviewId, bodies[name])
  const found = answer.status === 200 || answer.status === 404 ? answer.status : answer.body.code
  assert.equal(found, wanted, `${name} by ${caller.principal.name}: ${answer.text}`)
  if (typeof wanted === 'string') assert.equal(answer.status, expectedStatus[wanted])
  if (wanted !== 200) return
  if (model.proposals > before) proposalIds.set(model.proposals, String(answer.body.proposal.proposal_id))
  compare(world, model, answer.body)
}

/** A review as it is shown, against the model. */
function compare({ principals }: World, model: Modelled, review: Answer['body']): void {
  const nameOf = (by: { id: string } | null | undefined): string | null =>
    by === null || by === undefined ? null : (principals.get(by.id) ?? by.id)
  assert.deepEqual(
    {
      status: review.status,
      claimant: nameOf(review.claimed_by),
      proposer: nameOf(review.proposal?.proposed_by),
      justification: review.proposal?.justification ?? null,
      settler: nameOf(review.resolution?.by),
      comments: review.comments.length,
    },
    {
      status: model.status,
      claimant: model.claimant,
      proposer: model.proposal?.by ?? null,
      justification: model.proposal?.justification ?? null,
      settler: model.settler,
      comments: model.comments,
    },
  )
}

async function take(world: World, reviews: readonly Review[], step: Step): Promise<void> {
  const { harness, keys, people, principals } = world
  switch (step.kind) {
    case 'act':
      return actOn(world, reviews, step)
    case 'override': {
      const { principal, newest } = at(keys, step.caller)
      const { requestId, model } = at(reviews, step.review)
      const { status } = await override(harness, newest.key, requestId)
      if (!principal.scopes.includes('override:create')) return assert.equal(status, 403)
      if (principal.ownerId !== model.ownerId) return assert.equal(status, 404)
      const wasDirect = model.override === 'direct'
      const outcome = overrideDirectly(model, principal)
      // The same override again gets the first answer.
      return assert.equal(status, outcome === 'recorded' || wasDirect ? 200 : 409)
    }
    case 'rotate': {
      const caller = at(keys, step.caller)
      const next = await successorOf(harness, caller.newest)
      caller.credentials.push(next)
      principals.set(next.keyId, caller.principal.name)
      return
    }
    case 'roles':
      return at(people, step.caller).change(harness, step.roles)
    case 'session': {
      const someone = at(people, step.caller)
      someone.credentials.push(await anotherSession(harness, someone.personId))
      return
    }
    case 'time':
      harness.clock.advance(step.ms)
  }
}

async function run(world: World, steps: readonly Step[]): Promise<void> {
  const [own, other] = world.desks
  await restart(world)
  const reviews = [
    await openReview(world, own, 100),
    await openReview(world, own, smallAmount),
    await openReview(world, other, 100),
  ]
  for (const step of steps) await take(world, reviews, step)
  for (const { reviewId, desk, model } of reviews) {
    expire(model, world.harness.clock.nowMs())
    const review = await desk.show(reviewId)
    compare(world, model, review)
    const { body } = await world.harness.get(desk.proposer.key, `/api/v1/audit/${review.request_id}`)
    const { human_override: made } = body
    const kind = made === null ? 'none' : made.approval === null ? 'direct' : 'approved'
    assert.equal(kind, model.override)
  }
}

/** What no order of acts may ever bring about, as the database has it. */
async function checkStored({ harness, keys, people }: World): Promise<void> {
  const approvals = await rowsOf(
    harness.databaseUrl,
    `SELECT a.owner_id, a.principal_id AS approver, p.principal_id AS proposer, r.amount,
        o.principal_id AS made_by, o.approved_principal_id AS approved_by, o.owner_id AS override_owner
      FROM review_changes a JOIN review_changes p ON p.change_id = a.proposal_id
        JOIN reviews r ON r.review_id = a.review_id JOIN overrides o ON o.override_id = a.override_id
      WHERE a.kind = 'approved'`,
  )
  assert.ok(approvals.length > 10, `only ${approvals.length} approvals`)
  const ownerOf = new Map([...keys, ...people].map(({ principal: { name, ownerId } }) => [name, ownerId]))
  for (const { approver, proposer, amount, made_by, approved_by, owner_id, override_owner } of approvals) {
    assert.ok(approver !== proposer || Number(amount) <= smallAmount, `${String(approver)} approved alone`)
    assert.deepEqual([made_by, approved_by, override_owner], [proposer, approver, owner_id])
  }
  const changes = await rowsOf(
    harness.databaseUrl,
    'SELECT owner_id, principal_id FROM review_changes WHERE principal_id IS NOT NULL',
  )
  for (const { owner_id: ownerId, principal_id: principal } of changes)
    assert.equal(ownerOf.get(String(principal)), ownerId, 'nobody acts on reviews of another owner')
  await harness.seal()
  assert.deepEqual((await checkedLog(harness.store)).findings, [])
}

const runs: Readonly<Record<Engine, number>> = { sqlite: 80, postgres: 30 }

for (const engine of engines) {
  test(`${engine}: nobody approves an own proposal, by any combination of keys, rotations, sessions and roles`, async () => {
    await withHarness({ engine, settings }, async (harness) => {
      const world = await worldOn(harness)
      const steps = fc.array(anyStep, { minLength: 20, maxLength: 40 })
      await fc.assert(
        fc.asyncProperty(steps, (taken) => run(world, taken)),
        { numRuns: runs[engine] },
      )
      await checkStored(world)
    })
  })
}
