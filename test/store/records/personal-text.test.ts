/** Personal text is kept apart from records and overrides: it can be erased, and every proof still verifies. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyBundle } from '../../../src/app/audit/verify.ts'
import { engines } from '../../helpers/database/databases.ts'
import { checkedLog } from '../../helpers/database/log-check.ts'
import { rowsOf, withDirectDatabase } from '../../helpers/database/sql.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { degraded, override } from '../../helpers/webhooks.ts'

const correlation = 'order-of-a-person-7'

/** A decision with a correlation id, overridden with a justification. */
async function personalDecision(harness: Harness): Promise<{ key: string; id: string }> {
  const { key } = await harness.issue()
  const id = await degraded(harness, key, { correlation_id: correlation })
  await override(harness, key, id)
  return { key, id }
}

/** Every table but the one for personal text, as one text. */
async function otherTables({ databaseUrl }: Harness): Promise<string> {
  const tables = [
    'verifications',
    'overrides',
    'idempotency_keys',
    'journal_queue',
    'log_blocks',
    'webhook_deliveries',
  ]
  const rows = await Promise.all(tables.map((table) => rowsOf(databaseUrl, `SELECT * FROM ${table}`)))
  return JSON.stringify(rows)
}

for (const engine of engines) {
  test(`${engine}: no table but that of personal texts holds one`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { key, id } = await personalDecision(harness)
      await harness.seal()
      const { body } = await harness.get(key, `/api/v1/audit/${id}`)
      assert.equal(body.correlation_id, correlation)
      const { justification } = body.human_override
      const elsewhere = await otherTables(harness)
      assert.ok(!elsewhere.includes(correlation) && !elsewhere.includes(justification))
    })
  })

  test(`${engine}: an erased text is gone from answers, while its leaf and proofs still verify`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { key, id } = await personalDecision(harness)
      await harness.seal()
      await withDirectDatabase(harness.databaseUrl, ({ run }) => run('DELETE FROM personal_texts'))
      // No act erased it: to the check of the log a text that is gone is a finding, and nothing else is.
      const messages = (await checkedLog(harness.store)).findings.map(({ message }) => message)
      assert.deepEqual(messages, [
        'the personal text of the record is missing',
        'the personal text of the override is missing',
      ])
      const { text, body } = await harness.get(key, `/api/v1/audit/export/${id}`)
      assert.deepEqual([body.record.correlation_id, body.record.personal_text.salt], [null, null])
      assert.equal(body.human_override.justification, '(erased)')
      const verified = verifyBundle(text)
      assert.deepEqual(verified.findings, [])
      assert.notEqual(verified.seal, null)
    })
  })

  test(`${engine}: a personal text that was changed is found by the check of the log and in an export`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { key, id } = await personalDecision(harness)
      await harness.seal()
      await withDirectDatabase(harness.databaseUrl, ({ run }) =>
        run("UPDATE personal_texts SET personal_text = 'another' WHERE subject_id = $1", [id]),
      )
      const { findings } = await checkedLog(harness.store)
      assert.deepEqual(
        findings.map(({ message }) => message),
        ['the personal text of the record was changed after it was sealed'],
      )
      const { text } = await harness.get(key, `/api/v1/audit/export/${id}`)
      assert.ok(verifyBundle(text).findings.some(({ path }) => path === '/proof/record/leaf'))
    })
  })

  test(`${engine}: a correlation id that is given to a record later is found by the check of the log`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { key, record } = await harness.issue()
      const { body } = await harness.verify(key, { corridor: 'GB-NG', amount: 5 })
      await harness.seal()
      await withDirectDatabase(harness.databaseUrl, ({ run }) =>
        run(
          `INSERT INTO personal_texts (subject_id, owner_id, salt, personal_text, decision, corridor)
            VALUES ($1, $2, 'salt', 'forged', 'GO', 'GB-NG')`,
          [body.request_id, record.ownerId],
        ),
      )
      const { findings } = await checkedLog(harness.store)
      assert.deepEqual(
        findings.map(({ message }) => message),
        ['the personal text of the record was added after it was sealed'],
      )
    })
  })

  test(`${engine}: a replay and a repeat by a cooldown have the caller's own correlation id`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { key } = await harness.issue()
      const body = { corridor: 'GB-NG', amount: 600_000, correlation_id: 'a "quoted" $& id' }
      const headers = { 'idempotency-key': 'same' }
      const first = await harness.verify(key, body, { headers })
      assert.equal(first.body.decision, 'NO-GO')
      assert.equal(first.body.correlation_id, body.correlation_id)
      const again = await harness.verify(key, body, { headers })
      const comparable = (text: string): string => text.replace(/,"idempotency_hit".*/, '')
      assert.equal(comparable(again.text), comparable(first.text))
      const repeated = await harness.verify(key, { ...body, correlation_id: 'another' })
      assert.equal(repeated.body.cooldown.source_request_id, first.body.request_id)
      assert.equal(repeated.body.correlation_id, 'another')
      const plain = await harness.verify(key, { corridor: 'GB-NG', amount: 600_000 })
      assert.equal(plain.body.correlation_id, undefined)
    })
  })

  test(`${engine}: history finds decisions by correlation id, with its other filters`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { key } = await harness.issue()
      const { key: stranger } = await harness.issue()
      const ids: string[] = []
      for (const amount of [10, 600_000, 20]) {
        const { body } = await harness.verify(key, { corridor: 'GB-NG', amount, correlation_id: 'one' })
        ids.unshift(body.request_id)
        await harness.verify(key, { corridor: 'GB-NG', amount, correlation_id: 'other' })
        await harness.verify(stranger, { corridor: 'GB-NG', amount, correlation_id: 'one' })
      }
      const found = async (more = ''): Promise<string[]> => {
        const { body } = await harness.get(key, `/api/verifications?correlation_id=one${more}`)
        return body.map((one: { request_id: string }) => one.request_id)
      }
      assert.deepEqual(await found(), ids)
      assert.deepEqual(await found('&corridor=GB-NG'), ids)
      assert.deepEqual(await found('&corridor=NG-GB'), [])
      assert.deepEqual(
        [...(await found('&decision=GO')), ...(await found('&decision=NO-GO'))].toSorted(),
        ids.toSorted(),
      )
    })
  })
}
