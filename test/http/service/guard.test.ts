/** The guard of keyed routes: which keys a scope admits by their type, and the principal that a route gets. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fastify from 'fastify'
import { systemRandom as random } from '../../../src/adapters/system.ts'
import { createAuthenticate, rotateKey } from '../../../src/app/access/keys.ts'
import type { Scope } from '../../../src/core/identity/api-key.ts'
import { createGuard, type Guard } from '../../../src/http/auth.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'

function guardOf({ store, clock }: Harness): Guard {
  const limit = { count: 100, windowMs: 1_000 }
  const limiter = { admit: async () => ({ admitted: true, remaining: 1, resetMs: 1 }) as const }
  return createGuard({
    authenticate: createAuthenticate({ keys: store.keys, clock, recordUse: () => {} }),
    limiter,
    ownLimiter: limiter,
    limits: {
      verify: limit,
      keyed: limit,
      batch: limit,
      events: limit,
      demo: limit,
      access: limit,
      public: limit,
      'sign-in': limit,
    },
    metrics: { limited: () => {} },
    store: { ahead: null, keys: store.keys },
    authenticateSession: () => Promise.resolve(null),
    publicUrl: null,
    clock,
  })
}

/** The status of a route that needs the scope, and its answer: the principal of the caller, or an error. */
async function askGuarded(harness: Harness, key: string, scope: Scope): Promise<[number, string]> {
  const guard = guardOf(harness)
  const app = fastify()
  app.get('/', async (request, reply) => {
    const caller = await guard(request, reply, { scope, limit: 'keyed' })
    return caller === null ? reply : caller.by.principalId
  })
  const { statusCode, body } = await app.inject({ url: '/', headers: { 'x-api-key': key } })
  await app.close()
  return [statusCode, body]
}

test('a sandbox key without explicit scopes is refused policy:approve and has the other policy scopes', async () => {
  await withHarness({}, async (harness) => {
    const { key, record } = await harness.issue({ prefix: 'svc-sandbox-' })
    const [status, text] = await askGuarded(harness, key, 'policy:approve')
    assert.equal(status, 403)
    assert.match(text, /This key lacks the scope policy:approve/)
    for (const scope of ['policy:read', 'policy:write'] as const)
      assert.deepEqual(await askGuarded(harness, key, scope), [200, record.keyId])
  })
})

test('a test or live key without explicit scopes has policy:approve', async () => {
  await withHarness({}, async (harness) => {
    for (const prefix of ['pk_test_', 'pk_live_', 'svc-live-'] as const) {
      const { key, record } = await harness.issue({ prefix })
      assert.deepEqual(await askGuarded(harness, key, 'policy:approve'), [200, record.keyId])
    }
  })
})

test('a route gets one principal from a key and from its successor', async () => {
  await withHarness({}, async (harness) => {
    const { store, clock } = harness
    const { key, record } = await harness.issue()
    const rotated = await rotateKey({ keys: store.keys, clock, random }, record.keyId, 60_000)
    assert.ok(rotated.kind === 'rotated')
    for (const one of [key, rotated.issued.key])
      assert.deepEqual(await askGuarded(harness, one, 'policy:read'), [200, record.keyId])
  })
})
