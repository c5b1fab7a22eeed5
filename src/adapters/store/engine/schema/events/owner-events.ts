/** Migration 19: each owner's events in the order of the log, and the positions of the followers that list and publish them. */

import type { Migration } from '../migration.ts'

export const ownerEvents: Migration = {
  number: 19,
  name: 'owner_events',
  shared: [
    // One row for several events: the ids of their entries, in order. It holds no text of theirs, so nothing to erase.
    `CREATE TABLE owner_events (
      owner_id text NOT NULL,
      last_leaf bigint NOT NULL,
      entries text NOT NULL,
      PRIMARY KEY (owner_id, last_leaf)
    )`,
    'CREATE INDEX owner_events_by_leaf ON owner_events (last_leaf)',
    // From the first entry on: what was recorded before is in the stream, too.
    ...['events_follower', 'stream_follower'].flatMap((table) => [
      `CREATE TABLE ${table} (follower integer NOT NULL PRIMARY KEY, position bigint NOT NULL)`,
      `INSERT INTO ${table} (follower, position) VALUES (1, 0)`,
    ]),
  ],
  sqlite: [],
  postgres: ['events_follower', 'stream_follower'].map(
    (table) => `ALTER TABLE ${table} SET
      (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000)`,
  ),
}
