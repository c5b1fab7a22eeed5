/** Outcomes and the acts of operators are entries of the log: recorded with their effect, sealed, and checked. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approveAccess, rejectAccess } from '../../../src/app/access/access.ts'
import { issueKey, revokeKey, rotateKey } from '../../../src/app/access/keys.ts'
import { verifyBundle } from '../../../src/app/audit/verify.ts'
import { recordTransition } from '../../../src/app/cip/status.ts'
import { actsBy } from '../../../src/app/operate/acts.ts'
import { systemRandom as random } from '../../../src/adapters/system.ts'
import { received } from '../../helpers/access.ts'
import { engines } from '../../helpers/database/databases.ts'
import { checkedLog } from '../../helpers/database/log-check.ts'
import { rowsOf, withDirectDatabase } from '../../helpers/database/sql.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { simulationScope } from '../../helpers/observations.ts'
import { report } from '../../helpers/outcomes.ts'
import { degraded } from '../../helpers/webhooks.ts'

const actsOf = ({ databaseUrl }: Harness) =>
  rowsOf(databaseUrl, 'SELECT kind, made_by, detail FROM acts ORDER BY act_id')

/** Everything that an operator can do, once each. */
async function actOnce({ store, clock }: Harness): Promise<void> {
  const describe = actsBy('ops', { clock, random })
  const deps = { keys: store.keys, clock, random, describe }
  const command = { prefix: 'pk_test_', ownerLabel: 'a person', scopes: [], verifyLimit: null } as const
  const { record } = await issueKey(deps, command)
  const rotated = await rotateKey(deps, record.keyId, 0)
  assert.ok(rotated.kind === 'rotated')
  assert.ok(await revokeKey(deps, rotated.issued.record.keyId))
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
  await store.acts.record(describe({ kind: 'feeds.reloaded', subject: '', detail: {} }))
}

for (const engine of engines) {
  test(`${engine}: each act of an operator is recorded once, with who did it, and without personal text`, async () => {
    await withHarness({ engine }, async (harness) => {
      await actOnce(harness)
      const acts = await actsOf(harness)
      assert.deepEqual(
        acts.map(({ kind }) => kind),
        ['key.created', 'key.rotated', 'key.revoked', 'cip.transitioned', 'feeds.reloaded'],
      )
      assert.ok(acts.every(({ made_by: by }) => by === 'ops'))
      assert.ok(!JSON.stringify(acts).includes('a person'))
    })
  })

  test(`${engine}: a decision on an access request is an act, and a key that is revoked twice is one`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { store, clock } = harness
      const ofOps = actsBy('ops', { clock, random })
      const describe = (by: string) => (by === 'ops' ? ofOps : assert.fail(by))
      const deps = { access: store.access, keys: store.keys, clock, random, describe }
      await received(harness)
      await received(harness)
      const [first, second] = await store.access.list('received')
      const common = { decidedBy: 'ops', note: null }
      const approval = { ...common, replaces: null, overlapMs: 0, scopes: null, verifyLimit: null }
      await approveAccess(deps, { ...approval, accessRequestId: first?.accessRequestId ?? '' })
      await approveAccess(deps, { ...approval, accessRequestId: first?.accessRequestId ?? '' })
      await rejectAccess(deps, {
        ...common,
        accessRequestId: second?.accessRequestId ?? '',
        revokesSandbox: true,
      })
      const key = await harness.issue()
      const revoking = { keys: store.keys, clock, describe: ofOps }
      assert.ok(await revokeKey(revoking, key.record.keyId))
      assert.ok(await revokeKey(revoking, key.record.keyId))
      const acts = await actsOf(harness)
      assert.deepEqual(
        acts.map(({ kind, detail }) => [kind, (JSON.parse(String(detail)) as { status?: string }).status]),
        [
          ['access.decided', 'approved'],
          ['access.decided', 'rejected'],
          ['key.revoked', undefined],
        ],
      )
    })
  })

  test(`${engine}: every act and outcome is sealed once, and the check of the log finds one that was changed`, async () => {
    await withHarness({ engine }, async (harness) => {
      await actOnce(harness)
      const { key } = await harness.issue()
      const id = await degraded(harness, key)
      await report(harness, key, id, { outcome: 'PENDING' })
      await report(harness, key, id, { outcome: 'COMPLETED' })
      await harness.seal()
      const log = await checkedLog(harness.store)
      assert.deepEqual([log.findings, log.acts, log.outcomes, log.records, log.size], [[], 5, 2, 1, 8])
      await withDirectDatabase(harness.databaseUrl, async ({ run }) => {
        const tables = ['acts', 'outcomes']
        for (const table of tables) {
          if (engine === 'sqlite') await run(`DROP TRIGGER ${table}_no_update`)
          else await run(`ALTER TABLE ${table} DISABLE TRIGGER ALL`)
        }
        await run("UPDATE acts SET made_by = 'nobody' WHERE kind = 'key.revoked'")
        await run("UPDATE outcomes SET outcome = 'FAILED' WHERE is_final = 1")
      })
      const { findings } = await checkedLog(harness.store)
      assert.deepEqual(findings.map(({ message }) => message).toSorted(), [
        'the act was changed after it was sealed',
        'the outcome was changed after it was sealed',
      ])
    })
  })

  test(`${engine}: acts are write-once in the database itself`, async () => {
    await withHarness({ engine }, async (harness) => {
      await actOnce(harness)
      await withDirectDatabase(harness.databaseUrl, async ({ run }) => {
        await assert.rejects(run("UPDATE acts SET made_by = 'nobody'"), /acts are write-once/)
        await assert.rejects(run('DELETE FROM acts'), /acts are write-once/)
      })
      assert.equal((await harness.store.selfCheck(harness.clock.nowMs())).isWriteOnce, true)
    })
  })

  test(`${engine}: an export proves the outcome, and one that was changed in the file is found`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { key } = await harness.issue()
      const id = await degraded(harness, key)
      await report(harness, key, id, { outcome: 'COMPLETED' })
      const { text, body } = await harness.get(key, `/api/v1/audit/export/${id}`)
      assert.equal(body.proof.status, 'sealed')
      assert.deepEqual(verifyBundle(text).findings, [])
      const forged = structuredClone(body)
      forged.proof.outcome.leaf = forged.proof.outcome.leaf.replace('COMPLETED', 'FAILED')
      assert.ok(
        verifyBundle(JSON.stringify(forged)).findings.some(({ path }) => path.startsWith('/proof/outcome')),
      )
    })
  })
}
