/** People are held against the sealed acts that gave them their owner and roles. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../../helpers/database/databases.ts'
import { checkedLog } from '../../helpers/database/log-check.ts'
import { rowsOf, unguarded } from '../../helpers/database/sql.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { invite, overrideInReview, peopleOn, person, write } from '../../helpers/people.ts'
import { degraded } from '../../helpers/webhooks.ts'

const anotherEnd = 'has another end than the override of its decision'

interface Made {
  readonly kept: string
  readonly changed: string
  readonly removed: string
  readonly admin: string
  readonly otherOwner: string
  /** Of the one whose roles were changed. */
  readonly session: string
}

/** An admin of the installation, a person as invited, one whose roles were changed, and one who was removed. */
async function makePeople(harness: Harness): Promise<Made> {
  const { ownerId } = (await harness.issue()).record
  const otherOwner = (await harness.issue()).record.ownerId
  const people = peopleOn(harness)
  // The first act of the installation.
  const { person: admin } = await invite(harness, { ownerId: null, roles: ['admin'] })
  harness.clock.advance(1)
  const changed = await person(harness, 'viewer', ownerId)
  const removed = await person(harness, 'viewer', ownerId)
  const { person: kept } = await invite(harness, { ownerId, roles: ['viewer', 'approver'] })
  harness.clock.advance(1_000)
  const known = (await harness.store.people.find(changed.personId)) ?? assert.fail()
  assert.equal(await people.setRoles(known, ['reviewer']), 'changed')
  assert.equal(await people.remove(removed.personId), true)
  await people.reset(changed.personId)
  await people.endSessions(changed.personId)
  return {
    kept: kept.personId,
    changed: changed.personId,
    removed: removed.personId,
    admin: admin.personId,
    otherOwner,
    session: changed.sessionId,
  }
}

const copied =
  'owner_id, email, email_key, name, roles, issuer, subject, password_hash, created_at_ms, changed_at_ms'

/** What somebody does in the database, and where it is found. */
const changes: Readonly<Record<string, (made: Made) => readonly [sql: string, place: string]>> = {
  'a further role': ({ kept }) => [
    `UPDATE people SET roles = 'viewer approver admin' WHERE person_id = '${kept}'`,
    kept,
  ],
  'the roles of before a change': ({ changed }) => [
    `UPDATE people SET roles = 'viewer' WHERE person_id = '${changed}'`,
    changed,
  ],
  'a further role, with the time of the change set back': ({ kept }) => [
    `UPDATE people SET roles = 'admin', changed_at_ms = 1 WHERE person_id = '${kept}'`,
    kept,
  ],
  'another owner': ({ kept, otherOwner }) => [
    `UPDATE people SET owner_id = '${otherOwner}' WHERE person_id = '${kept}'`,
    kept,
  ],
  'no owner, which serves the whole installation': ({ kept }) => [
    `UPDATE people SET owner_id = NULL WHERE person_id = '${kept}'`,
    kept,
  ],
  'more roles for the person of the first act': ({ admin }) => [
    `UPDATE people SET roles = 'approver policy_author admin' WHERE person_id = '${admin}'`,
    admin,
  ],
  'an owner for an admin of the installation': ({ admin, otherOwner }) => [
    `UPDATE people SET owner_id = '${otherOwner}' WHERE person_id = '${admin}'`,
    admin,
  ],
  'a removed person back again': ({ removed }) => [
    `UPDATE people SET removed_at_ms = NULL WHERE person_id = '${removed}'`,
    removed,
  ],
  'a person whom nobody invited': ({ kept }) => [
    `INSERT INTO people (person_id, ${copied}, removed_at_ms)
      SELECT 'prs_planted', ${copied.replace('email_key', "'planted'")}, NULL FROM people WHERE person_id = '${kept}'`,
    'prs_planted',
  ],
  'a person whom nobody invited, as of long ago': ({ kept }) => [
    `INSERT INTO people (person_id, ${copied}, removed_at_ms)
      SELECT 'prs_planted', ${copied
        .replace('email_key', "'planted'")
        .replace('created_at_ms, changed_at_ms', '1, 1')}, NULL FROM people WHERE person_id = '${kept}'`,
    'prs_planted',
  ],
  'a session moved to another person': ({ kept, changed, session }) => [
    `UPDATE sessions SET person_id = '${kept}' WHERE person_id = '${changed}'`,
    `session ${session}`,
  ],
  'a session that nobody started': ({ kept }) => [
    `INSERT INTO sessions SELECT 'ses_planted', 'hash', '${kept}', method, NULL, '', '', 1, 9999999999999, NULL
      FROM sessions LIMIT 1`,
    'session ses_planted',
  ],
  'a session that is gone': ({ changed, session }) => [
    `DELETE FROM sessions WHERE person_id = '${changed}'`,
    `session ${session}`,
  ],
  'a person who is gone': ({ kept }) => [`DELETE FROM people WHERE person_id = '${kept}'`, kept],
}

for (const engine of engines) {
  test(`${engine}: an installation whose people nobody touched has no findings, before and after it is sealed`, async () => {
    await withHarness({ engine }, async (harness) => {
      await makePeople(harness)
      assert.deepEqual((await checkedLog(harness.store)).findings, [], 'not sealed yet')
      harness.clock.advance(1_000)
      await harness.seal()
      const { findings, acts } = await checkedLog(harness.store)
      assert.deepEqual([findings, acts], [[], 9])
    })
  })

  for (const [what, change] of Object.entries(changes)) {
    test(`${engine}: ${what}: found by the check of the log, and named`, async () => {
      await withHarness({ engine }, async (harness) => {
        const made = await makePeople(harness)
        harness.clock.advance(1_200_000)
        await harness.seal()
        const [sql, place] = change(made)
        await unguarded(harness.databaseUrl, ({ run }) => run(sql))
        const { findings } = await checkedLog(harness.store)
        assert.deepEqual(
          findings.map((finding) => finding.place),
          [place.startsWith('prs_') ? `person ${place}` : place],
        )
      })
    })
  }

  test(`${engine}: acts about people name ids alone: no email address, no name, no secret`, async () => {
    await withHarness({ engine }, async (harness) => {
      await makePeople(harness)
      const people = await rowsOf(harness.databaseUrl, 'SELECT email, name FROM people')
      const acts = JSON.stringify(await rowsOf(harness.databaseUrl, 'SELECT * FROM acts'))
      assert.ok(acts.includes('person.invited') && acts.includes('session.started'))
      for (const { email, name } of people)
        for (const text of [email, name]) assert.ok(!acts.includes(String(text)), String(text))
      assert.ok(!acts.includes('@'))
    })
  })

  test(`${engine}: a person who is restored by an act is no finding, before and after it is sealed`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { removed } = await makePeople(harness)
      await harness.seal()
      harness.clock.advance(1_000)
      assert.equal(await peopleOn(harness).restore(removed), true)
      assert.deepEqual((await checkedLog(harness.store)).findings, [], 'not sealed yet')
      await harness.seal()
      assert.deepEqual((await checkedLog(harness.store)).findings, [])
    })
  })

  test(`${engine}: a person who is invited while the log is checked is no finding`, async () => {
    await withHarness({ engine }, async (harness) => {
      await makePeople(harness)
      harness.clock.advance(1_200_000)
      await harness.seal()
      const { store } = harness
      const list = async (nowMs: number) => {
        await invite(harness, { ownerId: null, roles: ['admin'] })
        return store.people.list(nowMs)
      }
      const { findings } = await checkedLog({ ...store, people: { ...store.people, list } })
      assert.deepEqual(findings, [])
    })
  })

  for (const table of ['overrides', 'outcomes'] as const) {
    test(`${engine}: another person, session or principal in the row of ${table} is found by its leaf`, async () => {
      for (const column of ['person_id', 'principal_id', 'key_id']) {
        await withHarness({ engine }, async (harness) => {
          const { key, record } = await harness.issue()
          const approver = await person(harness, 'approver', record.ownerId)
          const requestId = await degraded(harness, key)
          await overrideInReview(harness, approver, { requestId, ownerId: record.ownerId })
          await write(harness, approver, `/api/v1/decision/${requestId}/outcome`, { outcome: 'FAILED' })
          await harness.seal()
          assert.deepEqual((await checkedLog(harness.store)).findings, [])
          await unguarded(harness.databaseUrl, async ({ run }) => {
            if (engine === 'postgres') await run(`ALTER TABLE ${table} DISABLE TRIGGER ALL`)
            await run(`UPDATE ${table} SET ${column} = 'prs_0000000000000000'`)
          })
          const { findings } = await checkedLog(harness.store)
          // The review that approved an override names its principal, too.
          const more = table === 'overrides' && column === 'principal_id' ? [anotherEnd] : []
          assert.deepEqual(
            findings.map(({ message }) => message),
            [`the ${table.slice(0, -1)} was changed after it was sealed`, ...more],
            column,
          )
        })
      }
    })
  }
}
