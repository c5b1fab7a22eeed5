/** What the version with schema 8 wrote, its backlog included, stays valid: nothing is lost, counted or announced twice. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { SQLInputValue } from 'node:sqlite'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openBackups } from '../../../src/adapters/backup/open.ts'
import { bundleJson } from '../../../src/app/audit/bundle.ts'
import { verifyBundle } from '../../../src/app/audit/verify.ts'
import { openDecisionFile } from '../../../src/app/inspect/decision-file.ts'
import { openInstallationKey } from '../../../src/app/log/installation-key.ts'
import { keepApart } from '../../../src/app/log/personal-text.ts'
import { proveSealed } from '../../../src/app/log/proof.ts'
import { createPolicyLibrary } from '../../../src/app/policy/library.ts'
import { systemRandom } from '../../../src/adapters/system.ts'
import { assertFigures, expectedFigures, type EndedPayment } from '../../helpers/calibration.ts'
import { calibrationOf } from '../../helpers/calibration-books.ts'
import { ManualClock } from '../../helpers/clock.ts'
import { engines, freshDatabase, type Engine } from '../../helpers/database/databases.ts'
import { checkedLog } from '../../helpers/database/log-check.ts'
import { rowsOf, withDirectDatabase } from '../../helpers/database/sql.ts'
import { assemble, type Harness } from '../../helpers/harness.ts'
import { report } from '../../helpers/outcomes.ts'
import { trial } from '../../helpers/webhooks.ts'
import { testKey } from '../../helpers/installation-key.ts'

const fixture = (name: string): string =>
  fileURLToPath(new URL(`../../fixtures/schema-8/${name}`, import.meta.url))
const written = { decisions: 79, overrides: 1, sealed: 65, events: 80 }

/** A service on the restored database, one day later. */
async function withUpgraded(
  engine: Engine,
  work: (harness: Harness) => Promise<void>,
  beforeUpgrade: (databaseUrl: string) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const clock = new ManualClock('2026-11-18T12:00:00.000Z')
  const database = await freshDatabase(engine)
  const options = {
    check: async () => 0,
    isIntact: () => true,
    onProgress: () => undefined,
  }
  const { tables } = await openBackups(database.url, { clock }).restore(fixture('fairway.backup'), options)
  assert.ok(tables.length > 0)
  await beforeUpgrade(database.url)
  const harness = await assemble(database.url, clock, { engine, settings: trial })
  try {
    await work(harness)
  } finally {
    await harness.close()
    await database.drop()
  }
}

/** The one owner of the fixture. */
async function ownerOf({ databaseUrl }: Harness): Promise<string> {
  const [row] = await rowsOf(databaseUrl, 'SELECT owner_id FROM verifications LIMIT 1')
  return String(row?.['owner_id'])
}

for (const engine of engines) {
  test(`${engine}: totals, usage and summaries are what they were, and new decisions are added to them`, async () => {
    await withUpgraded(engine, async (harness) => {
      const { store } = harness
      const ownerId = await ownerOf(harness)
      const summed = async (): Promise<number> => {
        const range = { fromMs: Date.UTC(2026, 10, 1), toMs: Date.UTC(2026, 11, 1) }
        const query = { range, step: 'day', corridor: null, mode: null, corridorsMax: 10 } as const
        return (await store.forOwner(ownerId).summarise(query)).totals.total
      }
      const [{ key_id: keyId } = {}] = await rowsOf(
        harness.databaseUrl,
        'SELECT key_id FROM verifications LIMIT 1',
      )
      const figures = async (): Promise<number[]> => [
        await store.countVerifications(),
        await store.keys.usage(String(keyId)),
        await summed(),
      ]
      assert.deepEqual(await figures(), [written.decisions, written.decisions, written.decisions])
      await harness.seal()
      assert.deepEqual(await figures(), [written.decisions, written.decisions, written.decisions])
      const { key } = await harness.issue()
      await harness.verify(key, { corridor: 'GB-NG', amount: 5 })
      assert.equal(await store.countVerifications(), written.decisions + 1)
      assert.equal(await summed(), written.decisions, 'another owner')
    })
  })

  test(`${engine}: what waited is sealed once, and the whole log still verifies`, async () => {
    await withUpgraded(engine, async (harness) => {
      assert.equal((await harness.store.log.head()).size, written.sealed)
      assert.equal(await harness.seal(), written.decisions + written.overrides - written.sealed)
      assert.equal(await harness.seal(), 0)
      const log = await checkedLog(harness.store)
      assert.deepEqual(
        [log.findings, log.records, log.overrides, log.outcomes, log.waiting],
        [[], written.decisions, written.overrides, 0, 0],
      )
    })
  })

  test(`${engine}: nothing old is announced again, and events that waited still wait`, async () => {
    await withUpgraded(engine, async (harness) => {
      await harness.deliver()
      const rows = await rowsOf(harness.databaseUrl, 'SELECT event_id FROM webhook_deliveries')
      assert.equal(rows.length, written.events)
    })
  })

  test(`${engine}: a record of before is found by its correlation id and exported with a proof that verifies`, async () => {
    await withUpgraded(engine, async (harness) => {
      const ownerId = await ownerOf(harness)
      const records = harness.store.forOwner(ownerId)
      const query = { limit: 5, before: null, verdict: null, corridor: null, fromMs: null, toMs: null }
      const [found, ...more] = await records.list({ ...query, correlationId: 'order-3' })
      assert.deepEqual([more.length, found?.form, found?.correlationId], [0, 1, 'order-3'])
      await harness.seal()
      const library = createPolicyLibrary(harness.store.policies)
      const opened = await openDecisionFile(records, library, found?.requestId ?? '')
      const file = opened ?? assert.fail('no record')
      const proof = await proveSealed({ store: harness.store, sealNow: () => assert.fail() }, file)
      const { store, clock } = harness
      const { signing } = await openInstallationKey({
        store,
        clock,
        random: systemRandom,
        ...testKey,
        keys: [],
      })
      const verified = verifyBundle(bundleJson(file, { atMs: harness.clock.nowMs(), proof, signing }))
      assert.deepEqual(verified.findings, [])
      assert.notEqual(verified.seal, null)
    })
  })
}

test('exports of version 3, in JSON and in CSV, verify as they did', () => {
  for (const name of ['overridden.json', 'overridden.csv', 'plain.json']) {
    const { findings, seal, notRecomputed } = verifyBundle(readFileSync(fixture(name), 'utf8'))
    assert.deepEqual([name, findings, notRecomputed], [name, [], null])
    assert.notEqual(seal, null)
  }
})

test('an export of version 3 whose correlation id was changed is found, whatever form newer ones have', () => {
  const bundle = JSON.parse(readFileSync(fixture('plain.json'), 'utf8')) as {
    record: Record<string, unknown>
  }
  bundle.record['correlation_id'] = 'changed'
  bundle.record['form'] = 2
  bundle.record['personal_text'] = keepApart('changed', systemRandom)
  const { findings } = verifyBundle(JSON.stringify(bundle))
  assert.ok(findings.some(({ path }) => path === '/proof/record/leaf'))
})

/** Outcomes as that version wrote them: without an id, so they have no entry of their own. */
async function reportEarly(databaseUrl: string): Promise<void> {
  await withDirectDatabase(databaseUrl, async ({ run }) => {
    const records = await run(
      `SELECT request_id, owner_id, key_id, mode, corridor, recorded_at_ms FROM verifications
        WHERE request_id NOT IN (SELECT request_id FROM outcomes) ORDER BY request_id`,
    )
    for (const [place, record] of records.entries()) {
      const outcome = earlyOutcomes[place % earlyOutcomes.length] ?? null
      if (outcome === null) continue
      const values = [...Object.values(record), outcome, outcome === 'PENDING' ? 0 : 1] as SQLInputValue[]
      await run(
        `INSERT INTO outcomes (request_id, owner_id, key_id, mode, corridor, reported_at_ms, outcome, is_final, ended_at_ms)
          VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 0)`,
        values,
      )
    }
  })
}

const earlyOutcomes = ['COMPLETED', null, 'FAILED', 'PENDING', 'COMPLETED'] as const

for (const engine of engines) {
  test(`${engine}: calibration counts the decisions and outcomes of before, those without an id too, each once`, async () => {
    const check = async (harness: Harness): Promise<void> => {
      const ownerId = await ownerOf(harness)
      const { key } = await harness.issue({ ownerId })
      const compare = async (): Promise<number> => {
        const payments = await recordedPayments(harness)
        const { series: _series, from: _from, to: _to, ...found } = await calibrationOf(harness, key)
        const { suggestion: _document, suggestion_reason: _reason, ...figures } = found
        assertFigures(figures, expectedFigures(payments))
        return figures.with_outcome
      }
      const early = await compare()
      assert.ok(early > written.decisions / 2, String(early))
      const pending = await rowsOf(
        harness.databaseUrl,
        `SELECT request_id FROM outcomes GROUP BY request_id HAVING MAX(is_final) = 0`,
      )
      assert.ok(pending.length > 10)
      for (const { request_id: id } of pending)
        assert.equal((await report(harness, key, String(id), { outcome: 'REJECTED' })).status, 200)
      assert.equal(await compare(), early + pending.length)
    }
    await withUpgraded(engine, check, reportEarly)
  })
}

/** The records as they are stored, with their last outcome. */
async function recordedPayments({ databaseUrl }: Harness): Promise<EndedPayment[]> {
  const rows = await rowsOf(
    databaseUrl,
    `SELECT v.mode, v.corridor, v.decision, v.score_hundredths, v.answer, r.outcome FROM verifications v
      LEFT JOIN outcomes r ON r.request_id = v.request_id AND r.is_final = 1`,
  )
  return rows.map((row) => ({
    mode: String(row['mode']),
    corridor: String(row['corridor']),
    verdict: String(row['decision']),
    scoreHundredths: Number(row['score_hundredths']),
    reasonCodes: (JSON.parse(String(row['answer'])) as { reason_codes: string[] }).reason_codes,
    outcome: row['outcome'] as EndedPayment['outcome'],
  }))
}
