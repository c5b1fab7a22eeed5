/** Migration 6: which months an operator has taken away, and brought back. */

import type { Migration } from './migration.ts'

export const partitions: Migration = {
  number: 6,
  name: 'partitions',
  shared: [],
  sqlite: [],
  postgres: [
    // A row is written before anything is done, and filled in when it is done: what is interrupted can be seen and ended.
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
    // No month is taken away twice.
    'CREATE UNIQUE INDEX partition_moves_away ON partition_moves (month) WHERE attached_at_ms IS NULL',
  ],
}
