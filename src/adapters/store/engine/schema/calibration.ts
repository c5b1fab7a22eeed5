/** Migration 15: the counts of calibration, and the position of the follower that keeps them. */

import type { Migration } from './migration.ts'

export const calibration: Migration = {
  number: 15,
  name: 'calibration',
  shared: [
    // Counts by UTC day. An empty corridor stands for all corridors together, so that a year of them is few rows.
    `CREATE TABLE calibration (
      owner_id text NOT NULL,
      corridor text NOT NULL,
      mode text NOT NULL,
      starts_at_ms bigint NOT NULL,
      subject text NOT NULL,
      place integer NOT NULL,
      records bigint NOT NULL,
      failures bigint NOT NULL,
      PRIMARY KEY (owner_id, corridor, mode, starts_at_ms, subject, place)
    ) WITHOUT ROWID`,
    // Apart from `followers`: an older instance beside this one does not know the name. From the first entry on, so that
    // everything recorded before is counted, too.
    'CREATE TABLE calibration_follower (follower integer NOT NULL PRIMARY KEY, position bigint NOT NULL)',
    'INSERT INTO calibration_follower (follower, position) VALUES (1, 0)',
  ],
  sqlite: [],
  // Few rows, updated often: leave room on their pages and vacuum early.
  postgres: ['calibration', 'calibration_follower'].map(
    (table) => `ALTER TABLE ${table} SET
      (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000)`,
  ),
}
