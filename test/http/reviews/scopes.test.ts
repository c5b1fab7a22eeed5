/** Which scope each route of reviews needs, for keys and people; and who never approves. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scopes, type Scope } from '../../../src/core/identity/api-key.ts'
import { roles } from '../../../src/core/identity/roles.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { person, unlimited } from '../../helpers/people.ts'
import {
  act,
  clerkOf,
  deskOn,
  done,
  refusalOf,
  reviewsUrl,
  type ActName,
  type Headed,
} from '../../helpers/reviews.ts'

const needs: Readonly<Record<string, Scope>> = {
  list: 'review:read',
  summary: 'review:read',
  one: 'review:read',
  claim: 'review:write',
  release: 'review:write',
  comment: 'review:write',
  propose: 'review:write',
  approve: 'review:approve',
  reject: 'review:approve',
}

const paths: Readonly<Record<string, (id: string) => string>> = {
  list: () => '',
  summary: () => '/summary',
  one: (id) => `/${id}`,
}

/** The routes that this caller is not refused for want of a scope. */
async function allowed(harness: Harness, caller: Headed, reviewId: string): Promise<string[]> {
  const names: string[] = []
  for (const name of Object.keys(needs)) {
    const path = paths[name]
    const { status, body } =
      path === undefined
        ? await act(harness, caller, name as ActName, reviewId)
        : await harness.send({
            method: 'GET',
            url: `${reviewsUrl}${path(reviewId)}`,
            headers: { ...caller.headers },
          })
    if (status !== 403 || body.code !== 'FORBIDDEN') names.push(name)
  }
  return names
}

const routesOf = (held: readonly Scope[]): string[] =>
  Object.keys(needs).filter((name) => held.includes(needs[name] ?? assert.fail(name)))

test('each route needs its own scope, which no other brings', async () => {
  await withHarness({ settings: unlimited }, async (harness) => {
    const desk = await deskOn(harness)
    const reviewId = await desk.open()
    for (const scope of scopes) {
      const clerk = await desk.hire(scope, [scope])
      assert.deepEqual(await allowed(harness, clerk, reviewId), routesOf([scope]), scope)
    }
    assert.deepEqual(
      await allowed(harness, desk.proposer, reviewId),
      Object.keys(needs),
      'a key without scopes',
    )
  })
})

test('each role may do what its table says: all read, reviewers write, approvers also approve', async () => {
  await withHarness({ settings: unlimited }, async (harness) => {
    const desk = await deskOn(harness)
    const reviewId = await desk.open()
    const writes: readonly Scope[] = ['review:read', 'review:write']
    const expected: Readonly<Record<string, readonly Scope[]>> = {
      viewer: ['review:read'],
      reviewer: writes,
      approver: [...writes, 'review:approve'],
      policy_author: ['review:read'],
      admin: ['review:read'],
    }
    for (const role of roles) {
      const someone = await person(harness, role, desk.ownerId)
      const held = expected[role] ?? assert.fail(role)
      assert.deepEqual(await allowed(harness, someone, reviewId), routesOf(held), role)
    }
  })
})

test('nobody gets in without credentials', async () => {
  await withHarness({}, async (harness) => {
    const reviewId = await (await deskOn(harness)).open()
    for (const headers of [{}, { authorization: 'Bearer pk_test_x' }]) {
      for (const name of Object.keys(needs)) {
        const path = paths[name]
        const { status } =
          path === undefined
            ? await act(harness, { headers }, name as ActName, reviewId)
            : await harness.send({ method: 'GET', url: `${reviewsUrl}${path(reviewId)}`, headers })
        assert.equal(status, 401, name)
      }
    }
  })
})

test('a page of another origin does nothing with the session of a person', async () => {
  await withHarness({}, async (harness) => {
    const desk = await deskOn(harness)
    const reviewId = await desk.proposed()
    const { headers } = await person(harness, 'approver', desk.ownerId)
    const elsewhere = { headers: { ...headers, origin: 'https://evil.example' } }
    for (const name of ['claim', 'comment', 'approve', 'reject'] as const)
      assert.equal((await act(harness, elsewhere, name, reviewId)).status, 403, name)
    assert.equal((await desk.show(reviewId)).status, 'proposed')
  })
})

test('a sandbox never approves: not by a key with the scope, and not by a person with the role', async () => {
  const settings = { ...unlimited, FAIRWAY_FOUR_EYES_ABOVE: 'GBP=999999999999' }
  await withHarness({ settings }, async (harness) => {
    const desk = await deskOn(harness, 'svc-sandbox-')
    const reviewId = await desk.proposed()
    const named = await harness.issue({
      prefix: 'svc-sandbox-',
      ownerId: desk.ownerId,
      scopes: ['review:read', 'review:write', 'review:approve'],
    })
    const approver = await person(harness, ['approver', 'admin'], desk.ownerId)
    for (const caller of [desk.proposer, desk.approver, clerkOf(named), approver]) {
      for (const name of ['approve', 'reject'] as const)
        assert.deepEqual(refusalOf(await act(harness, caller, name, reviewId)), [403, 'FORBIDDEN'])
    }
    assert.equal((await desk.show(reviewId)).status, 'proposed')
    // The rest is there, but an approver's right to release is not.
    const other = await desk.open()
    await done(harness, desk.proposer, 'claim', other)
    assert.equal((await act(harness, approver, 'release', other)).status, 409)
    await done(harness, desk.proposer, 'release', other)
  })
})
