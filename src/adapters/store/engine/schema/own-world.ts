/** Migration 13: partners of payments, and the telemetry and status of live corridors and partners. */

import type { Migration } from './migration.ts'

export const ownWorld: Migration = {
  number: 13,
  name: 'own_world',
  shared: [
    // Null if not reported, and for outcomes from before.
    'ALTER TABLE outcomes ADD COLUMN partner text',
    `CREATE INDEX outcomes_of_partner ON outcomes (owner_id, mode, corridor, partner, ended_at_ms, outcome)
      WHERE is_final = 1 AND partner IS NOT NULL`,
    // Hours, because a large world has thousands of partners. The partner is empty for a corridor without any.
    `CREATE TABLE partner_hours (
      corridor text NOT NULL,
      partner text NOT NULL,
      hour bigint NOT NULL,
      observations bigint NOT NULL,
      unavailable bigint NOT NULL,
      composite_sum bigint NOT NULL,
      PRIMARY KEY (corridor, partner, hour)
    ) WITHOUT ROWID`,
    // By which old hours are deleted.
    'CREATE INDEX partner_hours_by_hour ON partner_hours (hour)',
    // The status that was announced, and how often in a row another one was seen. The partner is empty for the corridor.
    `CREATE TABLE corridor_status (
      corridor text NOT NULL,
      partner text NOT NULL,
      status text NOT NULL,
      since_ms bigint NOT NULL,
      candidate text NOT NULL,
      seen integer NOT NULL,
      PRIMARY KEY (corridor, partner)
    ) WITHOUT ROWID`,
  ],
  sqlite: [],
  postgres: [],
}
