/** Policies and their changes are written once, and each is an entry of the sealed log with who did it and why. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../../helpers/database/databases.ts'
import { checkedLog } from '../../helpers/database/log-check.ts'
import { rowsOf, withDirectDatabase } from '../../helpers/database/sql.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { idle, installInForce, policiesUrl, stopAll, teamOn } from '../../helpers/policies.ts'
import { post } from '../../helpers/post.ts'

interface Act {
  readonly kind: string
  readonly subject: string
  readonly by: string
  readonly detail: Readonly<Record<string, unknown>>
}

/** In the order of the log. */
async function actsOf(harness: Harness): Promise<Act[]> {
  await harness.seal()
  const sql = 'SELECT act_id, kind, subject, made_by, detail FROM acts'
  const rows = new Map((await rowsOf(harness.databaseUrl, sql)).map((row) => [String(row['act_id']), row]))
  const leaves = await harness.store.log.leaves(0, 1_000)
  return leaves.flatMap(({ subjectId }) => {
    const row = rows.get(subjectId)
    if (row === undefined) return []
    const detail = JSON.parse(String(row['detail'])) as Act['detail']
    return [
      { kind: String(row['kind']), subject: String(row['subject']), by: String(row['made_by']), detail },
    ]
  })
}

for (const engine of engines) {
  test(`${engine}: every change is one act in the log, with its principal, its reason and its policy`, async () => {
    await withHarness({ engine }, async (harness) => {
      const team = await teamOn(harness)
      const { author, approver, ownerId } = team
      const first = await team.create(stopAll)
      await team.makeCandidate(first)
      await team.promote(first, 'Agreed.')
      await team.rollBack('It stops too much.')
      // What is refused changes nothing, and leaves no act.
      await team.rollBack('Again.')
      await post(harness, `${policiesUrl}/${first}/promote`, { reason: 'Mine.' }, { key: author.key })
      await post(harness, policiesUrl, { name: '' }, { key: author.key })
      const { sha256 } = (await team.show(first)).body
      const changed = (principal: string, reason: string | null, fourEyes = 0) => ({
        owner_id: ownerId,
        principal_id: principal,
        reason,
        four_eyes: fourEyes,
      })
      const [writes, approves] = [author.record.keyId, approver.record.keyId]
      assert.deepEqual(await actsOf(harness), [
        {
          kind: 'policy.created',
          subject: first,
          by: writes,
          detail: { owner_id: ownerId, principal_id: writes, sha256, reference: null },
        },
        { kind: 'policy.candidate', subject: first, by: writes, detail: changed(writes, null) },
        { kind: 'policy.promoted', subject: first, by: approves, detail: changed(approves, 'Agreed.', 1) },
        {
          kind: 'policy.rolled_back',
          subject: first,
          by: approves,
          detail: changed(approves, 'It stops too much.'),
        },
      ])
      assert.deepEqual((await checkedLog(harness.store)).findings, [])
    })
  })

  test(`${engine}: a promotion at the command line is recorded as one without four eyes`, async () => {
    await withHarness({ engine }, async (harness) => {
      const id = await installInForce(harness, idle)
      const acts = await actsOf(harness)
      assert.deepEqual(
        acts.map(({ kind, subject, by, detail }) => [kind, subject, by, detail['owner_id']]),
        [
          ['policy.created', id, 'ops', null],
          ['policy.promoted', id, 'ops', null],
        ],
      )
      assert.deepEqual([acts[0]?.detail['reference'], acts[1]?.detail['four_eyes']], ['CHANGE-1', 0])
      assert.deepEqual((await checkedLog(harness.store)).findings, [])
    })
  })

  test(`${engine}: no statement changes, deletes or replaces a policy or a change`, async () => {
    await withHarness({ engine }, async (harness) => {
      const team = await teamOn(harness)
      const id = await team.putInForce(stopAll)
      const before = (await team.show(id)).text
      await withDirectDatabase(harness.databaseUrl, async ({ run }) => {
        for (const sql of statementsOn(engine, id))
          await assert.rejects(run(sql), /write-once|duplicate key/, sql)
        if (engine === 'sqlite') return
        // Also for a session that replays changes of another server.
        await run('SET session_replication_role = replica')
        for (const sql of statementsOn(engine, id))
          await assert.rejects(run(sql), /write-once|duplicate key/, sql)
      })
      assert.equal((await team.show(id)).text, before)
    })
  })
}

function statementsOn(engine: (typeof engines)[number], id: string): readonly string[] {
  const shared = [
    `UPDATE policies SET document = '{}'`,
    `UPDATE policies SET owner_id = 'own_other' WHERE policy_id = '${id}'`,
    `UPDATE policies SET principal_id = 'key_other'`,
    'DELETE FROM policies',
    `UPDATE policy_changes SET reason = 'Another.'`,
    `UPDATE policy_changes SET kind = 'rolled_back'`,
    'DELETE FROM policy_changes',
    'INSERT INTO policies SELECT * FROM policies',
    'INSERT INTO policy_changes SELECT * FROM policy_changes',
    `INSERT INTO policies SELECT * FROM policies WHERE true ON CONFLICT (policy_id) DO UPDATE SET document = '{}'`,
  ]
  return engine === 'sqlite'
    ? [
        ...shared,
        'REPLACE INTO policies SELECT * FROM policies',
        'INSERT OR REPLACE INTO policy_changes SELECT * FROM policy_changes',
        `UPDATE OR REPLACE policies SET document = '{}'`,
      ]
    : [...shared, 'TRUNCATE policies', 'TRUNCATE policy_changes']
}
