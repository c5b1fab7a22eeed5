/** Keys, access decisions and transitions are held against the sealed acts that made them. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemRandom as random } from '../../../src/adapters/system.ts'
import { approveAccess } from '../../../src/app/access/access.ts'
import { issueKey, revokeKey, rotateKey } from '../../../src/app/access/keys.ts'
import { recordTransition } from '../../../src/app/cip/status.ts'
import { actsBy } from '../../../src/app/operate/acts.ts'
import { received } from '../../helpers/access.ts'
import { engines } from '../../helpers/database/databases.ts'
import { checkedLog } from '../../helpers/database/log-check.ts'
import { unguarded } from '../../helpers/database/sql.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { simulationScope } from '../../helpers/observations.ts'

interface Made {
  readonly kept: string
  readonly rotated: string
  readonly successor: string
  readonly revoked: string
  /** The live key of the decided request, which replaced the revoked one. */
  readonly live: string
  readonly request: string
  /** Not decided. */
  readonly other: string
}

/** A key in force, one that was rotated, its successor, one that was revoked, a decided request that replaced it, and a transition. */
async function act({ store, clock, ...harness }: Harness): Promise<Made> {
  const describe = actsBy('ops', { clock, random })
  const deps = { keys: store.keys, clock, random, describe }
  const command = {
    prefix: 'pk_test_',
    ownerLabel: 'x',
    scopes: ['audit:read'],
    verifyLimit: null,
  } as const
  const issue = async () => (await issueKey(deps, command)).record.keyId
  // What is older than the first act may be of before acts were recorded.
  await issue()
  clock.advance(1)
  const [kept, rotated, revoked] = [await issue(), await issue(), await issue()]
  const next = await rotateKey(deps, rotated, 0)
  assert.ok(next.kind === 'rotated')
  await revokeKey(deps, revoked)
  const { id: request } = await received({ store, clock, ...harness })
  const approval = await approveAccess(
    { ...deps, access: store.access, describe: () => describe },
    {
      accessRequestId: request,
      decidedBy: 'ops',
      note: null,
      replaces: revoked,
      overlapMs: 0,
      scopes: null,
      verifyLimit: null,
    },
  )
  assert.ok(approval.kind === 'approved')
  await recordTransition(
    { cip: store.cip, clock, describe },
    {
      scope: simulationScope,
      to: 'scoring_passive',
      blendPercent: null,
      reference: 'CHANGE-1',
      madeBy: 'ops',
      reason: null,
    },
  )
  const { id: other } = await received({ store, clock, ...harness })
  const [successor, live] = [next.issued.record.keyId, approval.issued.record.keyId]
  return { kept, rotated, revoked, successor, live, request, other }
}

/** What somebody does in the database, and where it is found. */
const changes: Readonly<Record<string, (made: Made) => readonly [sql: string, place: string]>> = {
  'a revoked key in force again': ({ revoked }) => [
    `UPDATE api_keys SET revoked_at_ms = NULL WHERE key_id = '${revoked}'`,
    `key ${revoked}`,
  ],
  'a rotated key in force for longer': ({ rotated }) => [
    `UPDATE api_keys SET expires_at_ms = NULL, revoked_at_ms = NULL WHERE key_id = '${rotated}'`,
    `key ${rotated}`,
  ],
  'more scopes': ({ kept }) => [`UPDATE api_keys SET scopes = '' WHERE key_id = '${kept}'`, `key ${kept}`],
  'another owner': ({ successor }) => [
    `UPDATE api_keys SET owner_id = 'own_other' WHERE key_id = '${successor}'`,
    `key ${successor}`,
  ],
  'a key removed': ({ kept }) => [`DELETE FROM api_keys WHERE key_id = '${kept}'`, `key ${kept}`],
  'a key that nobody issued': ({ kept }) => [
    `UPDATE api_keys SET key_id = 'key_planted' WHERE key_id = '${kept}'`,
    'key key_planted',
  ],
  'a successor with more scopes': ({ successor }) => [
    `UPDATE api_keys SET scopes = '' WHERE key_id = '${successor}'`,
    `key ${successor}`,
  ],
  'a sandbox key that nobody asked for': ({ kept }) => [
    `UPDATE api_keys SET key_id = 'key_planted', type = 'sandbox' WHERE key_id = '${kept}'`,
    'key key_planted',
  ],
  'a key of the future': ({ kept }) => [
    `UPDATE api_keys SET key_id = 'key_planted', created_at_ms = created_at_ms + 99999999999 WHERE key_id = '${kept}'`,
    'key key_planted',
  ],
  'a live key without an end': () => ["UPDATE api_keys SET expires_at_ms = NULL WHERE type = 'live'", 'key '],
  'a successor that is its own principal': ({ successor }) => [
    `UPDATE api_keys SET principal_id = NULL WHERE key_id = '${successor}'`,
    `key ${successor} has another principal than the key it replaced`,
  ],
  'an approved key that is its own principal': ({ live }) => [
    `UPDATE api_keys SET principal_id = key_id WHERE key_id = '${live}'`,
    `key ${live} has another principal than the key it replaced`,
  ],
  'an issued key with the principal of another': ({ kept, rotated }) => [
    `UPDATE api_keys SET principal_id = '${rotated}' WHERE key_id = '${kept}'`,
    `key ${kept} has another principal than itself`,
  ],
  'a sandbox key with the principal of another': ({ kept }) => [
    `UPDATE api_keys SET principal_id = '${kept}' WHERE type = 'sandbox'`,
    'key ',
  ],
  'a request that nobody decided': ({ other }) => [
    `UPDATE access_requests SET status = 'approved', decided_at_ms = created_at_ms + 1 WHERE access_request_id = '${other}'`,
    `access request ${other}`,
  ],
  'a transition that nobody made': () => [
    `INSERT INTO cip_transitions SELECT 2, stage, blend_percent, reference, made_by, reason, made_at_ms + 1, corpus_days FROM cip_transitions`,
    'transition 2',
  ],
  'a request decided otherwise': ({ request }) => [
    `UPDATE access_requests SET status = 'rejected' WHERE access_request_id = '${request}'`,
    `access request ${request}`,
  ],
  'a transition of another stage': () => [
    "UPDATE cip_transitions SET stage = 'scoring_active', blend_percent = 100",
    'transition 1',
  ],
}

for (const engine of engines) {
  test(`${engine}: rows that do not agree with the acts of operators are found and named`, async () => {
    for (const [what, change] of Object.entries(changes)) {
      await withHarness({ engine }, async (harness) => {
        const made = await act(harness)
        harness.clock.advance(1_000)
        await harness.seal()
        assert.deepEqual((await checkedLog(harness.store)).findings, [], 'as it was made')
        const [sql, place] = change(made)
        await unguarded(harness.databaseUrl, ({ run }) => run(sql))
        const { findings } = await checkedLog(harness.store)
        assert.ok(
          findings.some((finding) => `${finding.place} ${finding.message}`.startsWith(place)),
          `${what}: ${JSON.stringify(findings)}`,
        )
      })
    }
  })
}
