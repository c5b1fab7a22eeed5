/** Migration 6: the months that an operator has detached and attached. */

import type { Migration } from './migration.ts'

export const partitions: Migration = {
  number: 6,
  name: 'partitions',
  shared: [],
  sqlite: [],
  postgres: [
    // The row is inserted before a move and completed after it, so that an interrupted move is visible and can resume.
    `CREATE TABLE partition_moves (
      number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      month text COLLATE "C" NOT NULL,
      asked_at_ms bigint NOT NULL,
      detached_by text COLLATE "C" NOT NULL,
      detached_at_ms bigint,
      records bigint,
      fingerprint text COLLATE "C",
      attached_at_ms bigint,
      attached_by text COLLATE "C"
    )`,
    // A detached month cannot be detached again.
    'CREATE UNIQUE INDEX partition_moves_away ON partition_moves (month) WHERE attached_at_ms IS NULL',
  ],
}
