/** Formal changes of the platform are write-once in the database itself, whoever connects to it. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CipTransition } from '../../../src/app/ports/cip.ts'
import { engines } from '../../helpers/database/databases.ts'
import { withHarness } from '../../helpers/harness.ts'
import { simulationScope } from '../../helpers/observations.ts'
import { withDirectDatabase } from '../../helpers/database/sql.ts'

const first: CipTransition = {
  number: 1,
  stage: 'scoring_passive',
  blendPercent: 0,
  reference: 'CHANGE-1',
  madeBy: 'ops',
  reason: null,
  madeAtMs: 1_700_000_000_000,
  corpusDays: 3,
}

const columns = 'stage, blend_percent, reference, made_by, reason, made_at_ms, corpus_days'
const forged = "'validated', 50, 'FORGED', 'nobody', NULL, 0, 99"

const forgeries = {
  sqlite: [
    "UPDATE cip_transitions SET stage = 'validated', blend_percent = 50",
    'UPDATE OR REPLACE cip_transitions SET number = 1 WHERE number = 2',
    'UPDATE cip_transitions SET rowid = rowid + 100',
    'DELETE FROM cip_transitions',
    'DELETE FROM cip_transitions WHERE number = 2',
    `INSERT OR REPLACE INTO cip_transitions (number, ${columns}) VALUES (1, ${forged})`,
    `REPLACE INTO cip_transitions (rowid, ${columns}) VALUES (2, ${forged})`,
    `INSERT INTO cip_transitions (number, ${columns}) VALUES (2, ${forged}) ON CONFLICT (number) DO UPDATE SET blend_percent = 50`,
    `INSERT INTO cip_transitions (number, ${columns}) VALUES (1, ${forged})`,
  ],
  postgres: [
    "UPDATE cip_transitions SET stage = 'validated', blend_percent = 50",
    'UPDATE cip_transitions SET number = number + 100',
    'DELETE FROM cip_transitions',
    'DELETE FROM cip_transitions WHERE number = 2',
    'TRUNCATE cip_transitions',
    'TRUNCATE cip_transitions CASCADE',
    `INSERT INTO cip_transitions (number, ${columns}) VALUES (2, ${forged}) ON CONFLICT (number) DO UPDATE SET blend_percent = 50`,
    'MERGE INTO cip_transitions t USING (SELECT 1) s ON t.number = 1 WHEN MATCHED THEN DELETE',
    "MERGE INTO cip_transitions t USING (SELECT 1) s ON t.number = 1 WHEN MATCHED THEN UPDATE SET stage = 'validated'",
  ],
}
/** What a stranger may set before trying. */
const guises = {
  sqlite: ['PRAGMA recursive_triggers = off', 'PRAGMA recursive_triggers = on'],
  postgres: ['SET session_replication_role = origin', 'SET session_replication_role = replica'],
}

for (const engine of engines) {
  test(`${engine}: no statement changes, deletes or replaces a formal change, whoever connects`, async () => {
    await withHarness({ engine }, async ({ store, databaseUrl }) => {
      const kept = [first, { ...first, number: 2, stage: 'telemetry_only' as const, reason: 'back' }]
      for (const one of kept) assert.equal(await store.cip.transition(one), true)
      await withDirectDatabase(databaseUrl, async ({ run }) => {
        for (const guise of guises[engine]) {
          await run(guise)
          for (const sql of forgeries[engine])
            await assert.rejects(run(sql), /write-once/, `${guise}: ${sql}`)
          const again = `INSERT INTO cip_transitions (number, ${columns}) VALUES (2, ${forged})`
          await assert.rejects(run(again), /write-once|duplicate key/, guise)
        }
      })
      assert.deepEqual((await store.cip.state(simulationScope)).transitions, kept)
    })
  })
}
