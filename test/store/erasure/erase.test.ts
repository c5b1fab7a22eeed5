/** An erasure removes every personal text of a payment from every table, and nothing that proves the payment. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyBundle } from '../../../src/app/audit/verify.ts'
import { planErasure } from '../../../src/app/erasure/erase-payment.ts'
import { systemRandom as random } from '../../../src/adapters/system.ts'
import { engines } from '../../helpers/database/databases.ts'
import { checkedLog } from '../../helpers/database/log-check.ts'
import { withPast } from '../../helpers/database/months.ts'
import { rowsOf, unguarded, withDirectDatabase } from '../../helpers/database/sql.ts'
import { erase, everyTable, reference } from '../../helpers/erasure.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { withReceiver } from '../../helpers/peers/receiver.ts'
import { unlimited } from '../../helpers/people.ts'
import { post } from '../../helpers/post.ts'
import { deskOn, done, goodProposal, requestIdOf, type Desk } from '../../helpers/reviews.ts'
import { register, trial } from '../../helpers/webhooks.ts'

const settings = { ...unlimited, ...trial }
const correlation = 'order-of-jane-doe'
const texts = { proposal: 'Jane Doe was called.', comment: 'Jane sounds upset.', approval: 'Jane is known.' }
const every = [correlation, ...Object.values(texts), 'jane', 'Jane']

/** A payment with a text of every kind. */
async function discussed(harness: Harness, desk: Desk): Promise<{ reviewId: string; requestId: string }> {
  const proposal = { ...goodProposal, justification: texts.proposal }
  const reviewId = await desk.proposed({ correlation_id: correlation }, proposal)
  await done(harness, desk.approver, 'comment', reviewId, { text: texts.comment })
  await done(harness, desk.approver, 'approve', reviewId, { reason: texts.approval })
  return { reviewId, requestId: await requestIdOf(desk, reviewId) }
}

const eventIds = ({ events }: { events: readonly { id: string }[] }): string[] => events.map(({ id }) => id)

const messagesOf = async ({ store }: Harness): Promise<string[]> =>
  (await checkedLog(store)).findings.map(({ message }) => message)

for (const engine of engines) {
  test(`${engine}: no event of the stream holds an erased text, and every cursor stays`, async () => {
    await withHarness({ engine, settings }, async (harness) => {
      const desk = await deskOn(harness)
      await discussed(harness, desk)
      const read = () => harness.get(desk.proposer.key, '/api/v1/events')
      const before = await read()
      assert.ok(before.text.includes(correlation) && before.text.includes(texts.proposal))
      await erase(harness, desk.ownerId, correlation)
      const after = await read()
      for (const text of every) assert.ok(!after.text.includes(text), text)
      assert.deepEqual(eventIds(after.body), eventIds(before.body))
    })
  })

  test(`${engine}: no table holds an erased text, all proofs verify, and the log names the act`, async () => {
    await withHarness({ engine, settings }, async (harness) => {
      const desk = await deskOn(harness)
      const { reviewId, requestId } = await discussed(harness, desk)
      const { key } = desk.proposer
      const other = await harness.verify(key, { corridor: 'GB-NG', amount: 5, correlation_id: 'another' })
      await harness.seal()
      // The correlation id, the proposal, the comment, the reason, and the override that repeats the proposal.
      assert.equal(await erase(harness, desk.ownerId, correlation), 5)
      await harness.seal()

      const left = await everyTable(harness)
      for (const text of every) assert.ok(!left.includes(text), text)
      assert.ok(left.includes('another'), 'the texts of other payments stay')
      const checked = await checkedLog(harness.store)
      assert.deepEqual([checked.findings, checked.erased], [[], 5])
      const [act] = await rowsOf(harness.databaseUrl, "SELECT * FROM acts WHERE kind = 'text.erased'")
      const detail = JSON.parse(String(act?.['detail'])) as Record<string, unknown>
      assert.deepEqual(
        [act?.['subject'], detail['reference'], detail['owner_id'], detail['count']],
        [desk.ownerId, reference, desk.ownerId, 5],
      )

      const { text, body } = await harness.get(key, `/api/v1/audit/export/${requestId}`)
      assert.deepEqual(verifyBundle(text).findings, [])
      assert.deepEqual([body.record.correlation_id, body.record.personal_text.salt], [null, null])
      assert.equal(body.human_override.justification, '(erased)')
      const audit = await harness.get(key, `/api/v1/audit/${requestId}`)
      assert.equal(audit.body.correlation_id, '(erased)')
      const { comments } = await desk.show(reviewId)
      assert.equal(comments[0].text, '(erased)')
      const csv = await harness.get(key, '/api/verifications?format=csv')
      assert.ok(csv.text.includes('(erased)') && csv.text.includes('another'))
      assert.equal(other.body.correlation_id, 'another')
    })
  })

  test(`${engine}: an erasure that runs again erases nothing and records nothing`, async () => {
    await withHarness({ engine, settings }, async (harness) => {
      const desk = await deskOn(harness)
      await discussed(harness, desk)
      await erase(harness, desk.ownerId, correlation)
      assert.equal(await erase(harness, desk.ownerId, correlation), 0)
      assert.equal(
        (await rowsOf(harness.databaseUrl, "SELECT * FROM acts WHERE kind = 'text.erased'")).length,
        1,
      )
      assert.equal((await rowsOf(harness.databaseUrl, 'SELECT * FROM erasures')).length, 5)
    })
  })

  test(`${engine}: the same correlation id of another owner stays`, async () => {
    await withHarness({ engine, settings }, async (harness) => {
      const { key } = await harness.issue()
      const { record } = await harness.issue()
      await harness.verify(key, { corridor: 'GB-NG', amount: 5, correlation_id: correlation })
      assert.equal(await erase(harness, record.ownerId, correlation), 0)
      assert.ok((await everyTable(harness)).includes(correlation))
    })
  })

  test(`${engine}: a request under the key of an erased payment is refused, and does not bring the text back`, async () => {
    await withHarness({ engine, settings }, async (harness) => {
      const { key, record } = await harness.issue()
      const body = { corridor: 'GB-NG', amount: 5, correlation_id: correlation }
      const under = (name: string) => harness.verify(key, body, { headers: { 'idempotency-key': name } })
      await under('k-1')
      await under(`k-${correlation}`)
      const [before] = await rowsOf(harness.databaseUrl, 'SELECT fingerprint FROM idempotency_keys')
      await erase(harness, record.ownerId, correlation)
      const left = await everyTable(harness)
      assert.ok(!left.includes(correlation), 'a key that contains the text is gone')
      assert.ok(!left.includes(String(before?.['fingerprint'])), 'no guess at the text can be confirmed')
      const again = await under('k-1')
      assert.deepEqual([again.status, again.text.includes(correlation)], [409, false])
    })
  })

  test(`${engine}: an event that waits while its text is erased goes out without it, and answers are not kept`, async () => {
    await withHarness({ engine, settings }, async (harness) => {
      let status = 500
      await withReceiver(
        async (receiver) => {
          const { key, record } = await harness.issue()
          await register(harness, key, receiver.url)
          await harness.verify(key, { corridor: 'GB-NG', amount: 5, correlation_id: correlation })
          await harness.deliver()
          assert.ok((await everyTable(harness)).includes(`sorry, ${correlation}`), 'the answer was kept')
          await erase(harness, record.ownerId, correlation)
          assert.ok(!(await everyTable(harness)).includes(correlation))
          status = 200
          harness.clock.advance(60 * 60 * 1000)
          await harness.deliver()
          assert.deepEqual(
            receiver.requests.map(({ json }) => json.data.correlation_id as string),
            [correlation, '(erased)'],
          )
        },
        () => ({ status, body: status === 500 ? `sorry, ${correlation}` : 'fine' }),
      )
    })
  })

  test(`${engine}: an attempt under way while its text is erased leaves no answer behind`, async () => {
    await withHarness({ engine, settings }, async (harness) => {
      const { key, record } = await harness.issue()
      await withReceiver(
        async (receiver) => {
          await register(harness, key, receiver.url)
          await harness.verify(key, { corridor: 'GB-NG', amount: 5, correlation_id: correlation })
          await harness.deliver()
          assert.equal(receiver.requests.length, 1)
          const [row] = await rowsOf(harness.databaseUrl, 'SELECT state, attempts FROM webhook_deliveries')
          assert.equal(row?.['state'], 'delivered')
          assert.ok(!(await everyTable(harness)).includes(correlation))
        },
        async () => {
          await erase(harness, record.ownerId, correlation)
          return { status: 200, body: `thank you, ${correlation}` }
        },
      )
    })
  })

  test(`${engine}: a kept batch report that names the correlation id is deleted`, async () => {
    await withHarness({ engine, settings }, async (harness) => {
      const { key, record } = await harness.issue()
      const keep = (id: string) =>
        post(
          harness,
          '/api/v1/batch-reports',
          { transactions: [{ id, corridor: 'GB-NG', amount: 5 }] },
          { key },
        )
      const left = async (): Promise<number> =>
        (await rowsOf(harness.databaseUrl, 'SELECT * FROM batch_reports')).length
      for (const id of [`${correlation}, again`, `${correlation}2`, 'another'])
        assert.equal((await keep(id)).status, 200)
      for (const inEveryReport of ['GO', '5', 'GB-NG', 'an', ''])
        assert.equal(await erase(harness, record.ownerId, inEveryReport), 0)
      assert.equal(await left(), 3, 'a report is not of all whose id is somewhere in it')
      await erase(harness, record.ownerId, correlation)
      assert.ok(!(await everyTable(harness)).includes(`${correlation},`))
      assert.equal(await left(), 2, 'nor of a customer whose id begins alike')
      assert.deepEqual(await messagesOf(harness), [])
    })
  })

  test(`${engine}: a text of the old form is named before anything is done, and stays`, async () => {
    await withHarness({ engine, settings }, async (harness) => {
      const { key, record } = await harness.issue()
      const { body } = await harness.verify(key, { corridor: 'GB-NG', amount: 5 })
      await unguarded(harness.databaseUrl, ({ run }) =>
        run('UPDATE verifications SET form = NULL, correlation_id = $1', [correlation]),
      )
      const { store, clock } = harness
      const target = { ownerId: record.ownerId, correlationId: correlation }
      const plan = await planErasure({ store, clock, random }, target)
      assert.deepEqual([plan.sealed, plan.counts.correlation_id], [[body.request_id], 0])
    })
  })

  test(`${engine}: the check of the log finds a text that is missing without an erasure, and an erasure without its act`, async () => {
    await withHarness({ engine, settings }, async (harness) => {
      const { key, record } = await harness.issue()
      const verify = async (id: string): Promise<string> =>
        String(
          (await harness.verify(key, { corridor: 'NG-GB', amount: 5, correlation_id: id })).body.request_id,
        )
      const lost = await verify('lost')
      const forged = await verify('forged')
      const joined = await verify('joined')
      await verify(correlation)
      await erase(harness, record.ownerId, correlation)
      await harness.seal()
      assert.deepEqual(await messagesOf(harness), [])
      const [act] = await rowsOf(harness.databaseUrl, "SELECT act_id FROM acts WHERE kind = 'text.erased'")
      await withDirectDatabase(harness.databaseUrl, async ({ run }) => {
        await run('DELETE FROM personal_texts WHERE subject_id IN ($1, $2, $3)', [lost, forged, joined])
        await run('INSERT INTO erasures (subject_id, act_id) VALUES ($1, $2)', [forged, 'act_of_nobody'])
        await run('INSERT INTO erasures (subject_id, act_id) VALUES ($1, $2)', [
          joined,
          String(act?.['act_id']),
        ])
      })
      assert.deepEqual((await messagesOf(harness)).toSorted(), [
        'erased other subjects than those that are listed',
        'the personal text of the record is missing',
        'was erased by no act',
      ])
    })
  })

  test(`${engine}: an erasure that is taken away or turned back is found by the check of the log`, async () => {
    await withHarness({ engine, settings }, async (harness) => {
      const { key, record } = await harness.issue()
      const { body } = await harness.verify(key, {
        corridor: 'NG-GB',
        amount: 5,
        correlation_id: correlation,
      })
      const [text] = await rowsOf(harness.databaseUrl, 'SELECT * FROM personal_texts')
      await erase(harness, record.ownerId, correlation)
      await harness.seal()
      const names = Object.keys(text ?? {})
      await withDirectDatabase(harness.databaseUrl, ({ run }) =>
        run(
          `INSERT INTO personal_texts (${names.join(', ')}) VALUES (${names.map((_, place) => `$${place + 1}`).join(', ')})`,
          Object.values(text ?? {}) as string[],
        ),
      )
      assert.deepEqual(await messagesOf(harness), ['is listed as erased, but has a personal text'])
      await unguarded(harness.databaseUrl, async ({ run }) => {
        await run('DELETE FROM personal_texts')
        await run('DELETE FROM erasures WHERE subject_id = $1', [String(body.request_id)])
      })
      assert.deepEqual((await messagesOf(harness)).toSorted(), [
        'erased other subjects than those that are listed',
        'the personal text of the record is missing',
      ])
    })
  })

  test(`${engine}: the list of erasures is write-once`, async () => {
    await withHarness({ engine, settings }, async (harness) => {
      const { key, record } = await harness.issue()
      await harness.verify(key, { corridor: 'NG-GB', amount: 5, correlation_id: correlation })
      await erase(harness, record.ownerId, correlation)
      for (const sql of ['DELETE FROM erasures', "UPDATE erasures SET act_id = 'x'"])
        await assert.rejects(
          withDirectDatabase(harness.databaseUrl, ({ run }) => run(sql)),
          /erasures are write-once/,
        )
    })
  })
}

test('postgres: texts of a detached month are erased, and the plan names the month', async () => {
  await withPast(async (past) => {
    const { store, clock } = past
    past.clock.setWall(Date.parse('2020-03-15T12:00:00.000Z'))
    const { record } = await past.issue()
    const { key } = await past.issue({ ownerId: record.ownerId })
    await past.verify(key, { corridor: 'NG-GB', amount: 5, correlation_id: correlation })
    await past.record('2020-05', 1)
    assert.equal((await past.detach('2020-03')).kind, 'detached')
    const plan = await planErasure(
      { store, clock, random },
      { ownerId: record.ownerId, correlationId: correlation },
    )
    assert.deepEqual(plan.detachedMonths, ['2020-03'])
    assert.equal(await erase(past, record.ownerId, correlation), 1)
    assert.ok(!(await everyTable(past)).includes(correlation))
    await past.attach('2020-03')
    await past.seal()
    assert.deepEqual(await messagesOf(past), [])
  })
})
