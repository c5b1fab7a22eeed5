/** POST /api/v1/decision/{id}/outcome: reported once, and shown wherever the decision is. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { integrityOf } from '../../../src/app/audit/bundle.ts'
import { verifyBundle } from '../../../src/app/audit/verify.ts'
import { actualOutcomes } from '../../../src/core/live/outcome.ts'
import { engines } from '../../helpers/database/databases.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { simulatedFeeds } from '../../helpers/live.ts'
import { report } from '../../helpers/outcomes.ts'
import { rowsOf } from '../../helpers/database/sql.ts'
import { forgedIntegrity } from '../../helpers/forger.ts'

async function decided({ verify }: Harness, key: string, amount = 1000): Promise<string> {
  const { body } = await verify(key, { corridor: 'GB-NG', amount })
  return String(body.request_id)
}

for (const engine of engines) {
  test(`what is reported is answered, and audit, history and export show it (${engine})`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { key, record } = await harness.issue()
      const before = await decided(harness, key)
      const id = await decided(harness, key)
      harness.clock.advance(3_600_000)
      const made = await report(harness, key, id, {
        outcome: 'FAILED',
        occurred_at: '2026-03-01T13:30:00+01:00',
      })
      assert.equal(made.status, 200, made.text)
      const told = {
        request_id: id,
        outcome: 'FAILED',
        occurred_at: '2026-03-01T12:30:00.000Z',
        reported_at: '2026-03-01T13:00:00.000Z',
        reported_by: { kind: 'key', id: record.keyId, name: record.ownerLabel },
      }
      assert.deepEqual(made.body, told)
      assert.deepEqual((await harness.get(key, `/api/v1/audit/${id}`)).body.outcome, told)
      assert.equal((await harness.get(key, `/api/v1/audit/${before}`)).body.outcome, null)
      const history = (await harness.get(key, '/api/verifications')).body
      assert.deepEqual(
        history.map((item: { request_id: string; outcome: unknown }) => [item.request_id, item.outcome]),
        [
          [id, told],
          [before, null],
        ],
      )
      const bundle = await harness.get(key, `/api/v1/audit/export/${id}`)
      const { outcome_id: outcomeId, ...exported } = bundle.body.outcome
      assert.deepEqual(exported, {
        ...told,
        key_id: record.keyId,
        person_id: null,
        principal_id: record.keyId,
      })
      assert.match(outcomeId, /^out_[0-9a-z]{26}$/)
      assert.deepEqual(verifyBundle(bundle.text).findings, [])
      const csv = await harness.get(key, `/api/v1/audit/export/${id}?format=csv`)
      assert.deepEqual(verifyBundle(csv.text).findings, [])
    })
  })

  test(`a pending payment takes one more word, and the end is the last (${engine})`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { key } = await harness.issue()
      const id = await decided(harness, key)
      const shown = async (): Promise<unknown[]> => [
        (await harness.get(key, `/api/v1/audit/${id}`)).body.outcome.outcome,
        (await harness.get(key, '/api/verifications')).body[0].outcome.outcome,
      ]
      const send = (outcome: string) => report(harness, key, id, { outcome })
      const say = async (outcome: string): Promise<number> => (await send(outcome)).status
      const pending = await send('PENDING')
      assert.equal(pending.status, 200)
      assert.deepEqual(await shown(), ['PENDING', 'PENDING'])
      harness.clock.advance(1_000)
      const pendingAgain = await send('PENDING')
      assert.deepEqual([pendingAgain.status, pendingAgain.body], [200, pending.body])
      const end = await send('COMPLETED')
      assert.equal(end.status, 200)
      assert.deepEqual(await shown(), ['COMPLETED', 'COMPLETED'])
      for (const outcome of actualOutcomes) {
        assert.equal(await say(outcome), outcome === 'COMPLETED' ? 200 : 409, outcome)
      }
      harness.clock.advance(1_000)
      assert.deepEqual((await send('COMPLETED')).body, end.body, 'the first answer again')
      assert.deepEqual(await shown(), ['COMPLETED', 'COMPLETED'])
      assert.equal((await harness.get(key, '/api/verifications')).body.length, 1, 'two words, one record')
    })
  })

  test(`of many who report at once one is recorded, and all who say otherwise are told so (${engine})`, async () => {
    await withHarness({ engine }, async (harness) => {
      const sibling = await harness.sibling()
      try {
        const { key } = await harness.issue()
        for (let round = 0; round < 5; round += 1) {
          const id = await decided(harness, key)
          const all = await Promise.all(
            ['COMPLETED', 'FAILED', 'DELAYED', 'REJECTED'].flatMap((outcome) =>
              [harness, sibling].map((instance) => report(instance, key, id, { outcome })),
            ),
          )
          const won = all.filter(({ status }) => status === 200)
          // Both who reported the outcome that was recorded, with one answer.
          assert.equal(won.length, 2)
          assert.deepEqual(won[0]?.body, won[1]?.body)
          assert.ok(all.every(({ status }) => status === 200 || status === 409))
          assert.deepEqual((await harness.get(key, `/api/v1/audit/${id}`)).body.outcome, won[0]?.body)
          const { outcome } = won[0]?.body ?? {}
          const kept = await rowsOf(
            harness.databaseUrl,
            `SELECT outcome FROM outcomes WHERE request_id = '${id}'`,
          )
          assert.deepEqual(
            kept.map((row) => row['outcome']),
            [outcome],
          )
        }
      } finally {
        await sibling.close()
      }
    })
  })
}

test('every label of a batch is taken, on any decision, and the decision stays as it was', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    for (const [place, outcome] of actualOutcomes.entries()) {
      const id = await decided(harness, key, [1000, 60_000, 600_000, 1, 2][place])
      const { outcome: none, ...before } = (await harness.get(key, `/api/v1/audit/${id}`)).body
      assert.equal(none, null)
      const made = await report(harness, key, id, { outcome })
      assert.deepEqual([made.status, made.body.outcome, made.body.occurred_at], [200, outcome, null])
      const { outcome: told, ...after } = (await harness.get(key, `/api/v1/audit/${id}`)).body
      assert.equal(told.outcome, outcome)
      assert.deepEqual(after, before)
    }
  })
})

test('an outcome in the export that is not of this decision, or is none, is found even with its hashes mended', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const id = await decided(harness, key)
    await report(harness, key, id, { outcome: 'COMPLETED' })
    const { body } = await harness.get(key, `/api/v1/audit/export/${id}`)
    const { integrity: _old, proof, ...evidence } = body
    const leaf = '/proof/outcome/leaf'
    const rows = [
      [{ outcome: 'LOST' }, ['/outcome/outcome', leaf]],
      [{ outcome: 'FAILED' }, [leaf]],
      [{ request_id: 'SVC-2026-X' }, ['/outcome/request_id', leaf]],
      [{ more: 'x' }, ['/outcome']],
      [{ key_id: null }, ['/outcome', leaf]],
    ] as const
    for (const [forged, paths] of rows) {
      const changed = { ...evidence, outcome: { ...body.outcome, ...forged } }
      const text = JSON.stringify({ ...changed, proof, integrity: forgedIntegrity(changed) })
      assert.deepEqual(
        verifyBundle(text).findings.map(({ path }) => path),
        [...paths, '/integrity/signature'],
      )
    }
  })
})

test('a bundle of the first version, which had no outcome, still verifies', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const { body } = await harness.get(key, `/api/v1/audit/export/${await decided(harness, key)}`)
    const { integrity: _old, outcome: _none, policies: _policies, proof: _later, ...more } = body
    const { form: _form, personal_text: _text, evidence: newer, answer: sent, ...record } = more.record
    const { valid_s: _valid, ...evidence } = newer
    const { valid_until: _until, policy_version: _version, ...answer } = sent
    const rest = { ...more, record: { ...record, answer, evidence: { ...evidence, revision: 2 } } }
    const first = { ...rest, export_version: 1 }
    assert.deepEqual(verifyBundle(JSON.stringify({ ...first, integrity: integrityOf(first) })).findings, [])
    const second = { ...rest, export_version: 2 }
    const findings = verifyBundle(JSON.stringify({ ...second, integrity: integrityOf(second) })).findings
    assert.deepEqual(findings, [{ path: '/outcome', message: 'was removed' }])
  })
})

test('a key that may only read decisions cannot report outcomes, which feed the live failure rate', async () => {
  await withHarness({}, async (harness) => {
    const { key, record } = await harness.issue({})
    const id = await decided(harness, key)
    const { ownerId } = record
    const reader = await harness.issue({ ownerId, scopes: ['decision:read'] })
    const refused = await report(harness, reader.key, id, { outcome: 'COMPLETED' })
    assert.equal(refused.status, 403)
    assert.match(refused.body.message, /outcome:write/)
    const reporter = await harness.issue({ ownerId, scopes: ['outcome:write'] })
    assert.equal((await report(harness, reporter.key, id, { outcome: 'COMPLETED' })).status, 200)
  })
})

test('live decisions take outcomes, and other owners cannot tell that there are any', async () => {
  await withHarness({ feeds: simulatedFeeds }, async (harness) => {
    const { key } = await harness.issue({ prefix: 'pk_live_' })
    const id = await decided(harness, key)
    assert.equal((await report(harness, key, id, { outcome: 'COMPLETED' })).status, 200)
    const stranger = await harness.issue({ prefix: 'pk_live_' })
    const found = await report(harness, stranger.key, id, { outcome: 'COMPLETED' })
    const unknown = await report(harness, stranger.key, 'nothing', { outcome: 'COMPLETED' })
    const { request_id: _one, ...first } = found.body
    const { request_id: _two, ...second } = unknown.body
    assert.deepEqual([found.status, first], [404, second])
  })
})
