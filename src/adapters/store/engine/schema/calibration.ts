/** Migration 15: the counts of calibration, and the position of the follower that keeps them. */

import type { Migration } from './migration.ts'

export const calibration: Migration = {
  number: 15,
  name: 'calibration',
  shared: [
    // One row for each UTC day. An empty corridor stands for all corridors together.
    `CREATE TABLE calibration (
      owner_id text NOT NULL,
      corridor text NOT NULL,
      mode text NOT NULL,
      starts_at_ms bigint NOT NULL,
      cells text NOT NULL,
      PRIMARY KEY (owner_id, corridor, mode, starts_at_ms)
    ) WITHOUT ROWID`,
    // Apart from `followers`: an older instance beside this one does not know the name. From the first entry on, so that
    // everything recorded before is counted, too.
    'CREATE TABLE calibration_follower (follower integer NOT NULL PRIMARY KEY, position bigint NOT NULL)',
    'INSERT INTO calibration_follower (follower, position) VALUES (1, 0)',
    // Months that were detached when the follower passed their entries. They are counted when they are attached.
    'CREATE TABLE calibration_away (month text NOT NULL PRIMARY KEY)',
    // The columns of the decision that its outcome is counted by, as JSON. Null in outcomes of before.
    'ALTER TABLE outcomes ADD COLUMN predicted text',
  ],
  sqlite: [],
  // Few rows, updated often: leave room on their pages and vacuum early.
  postgres: ['calibration', 'calibration_follower'].map(
    (table) => `ALTER TABLE ${table} SET
      (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000)`,
  ),
}
