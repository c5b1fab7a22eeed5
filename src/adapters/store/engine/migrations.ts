/** The schema migrations: numbered, forward only, each applied once. A released migration is never edited. */

import { access } from './schema/access.ts'
import { batchReports } from './schema/batch-reports.ts'
import { calibration } from './schema/calibration.ts'
import { erasures } from './schema/erasures.ts'
import { events } from './schema/events/events.ts'
import { fasterLimits } from './schema/faster-limits.ts'
import { foundation } from './schema/foundation.ts'
import { intelligence } from './schema/intelligence.ts'
import { inPostgres, type Migration } from './schema/migration.ts'
import { journal } from './schema/log/journal.ts'
import { log } from './schema/log/log.ts'
import { logBlocks } from './schema/log/log-blocks.ts'
import { maintenanceJobs } from './schema/maintenance-jobs.ts'
import { neverMisleading } from './schema/never-misleading.ts'
import { ownWorld } from './schema/own-world.ts'
import { partitions } from './schema/partitions.ts'
import { ownerEvents } from './schema/events/owner-events.ts'
import { partnerRequired } from './schema/rollups/partner-required.ts'
import { people } from './schema/people.ts'
import { policies } from './schema/policies.ts'
import { reviews } from './schema/reviews.ts'
import { safeEdges } from './schema/safe-edges.ts'
import { summary } from './schema/rollups/summary.ts'
import { waitingHosts } from './schema/events/waiting-hosts.ts'
import { query, type Script } from './script.ts'

export const migrations: readonly Migration[] = [
  foundation,
  events,
  intelligence,
  access,
  summary,
  partitions,
  log,
  logBlocks,
  journal,
  neverMisleading,
  fasterLimits,
  safeEdges,
  ownWorld,
  policies,
  calibration,
  people,
  reviews,
  batchReports,
  ownerEvents,
  erasures,
  maintenanceJobs,
  partnerRequired,
  waitingHosts,
]

/** Called before a migration begins, which takes long on a long history. A new database has schema 0. */
export type OnMigrate = (from: number, to: number) => void

/** Applies the missing migrations up to `upTo`. The caller must hold the schema lock. */
export function* migrate(
  engine: 'sqlite' | 'postgres',
  nowMs: number,
  upTo = migrations.length,
  onMigrate: OnMigrate = () => undefined,
): Script<void> {
  yield* query(
    'CREATE TABLE IF NOT EXISTS schema_migrations (number integer NOT NULL PRIMARY KEY, name text NOT NULL, applied_at_ms bigint NOT NULL)',
  )
  const rows = yield* query('SELECT number FROM schema_migrations')
  const applied = new Set(rows.map((row) => row['number']))
  const newest = Math.max(0, ...rows.map((row) => Number(row['number'])))
  if (newest > migrations.length) {
    throw new Error(
      `the database has schema ${newest}, newer than this program's ${migrations.length}; upgrade Fairway`,
    )
  }
  if (newest < upTo) onMigrate(newest, upTo)
  for (const migration of migrations) {
    if (applied.has(migration.number) || migration.number > upTo) continue
    const shared = engine === 'sqlite' ? migration.shared : migration.shared.map(inPostgres)
    for (const sql of [...shared, ...migration[engine]]) yield* query(sql)
    yield* query('INSERT INTO schema_migrations (number, name, applied_at_ms) VALUES ($1, $2, $3)', [
      migration.number,
      migration.name,
      nowMs,
    ])
  }
}
