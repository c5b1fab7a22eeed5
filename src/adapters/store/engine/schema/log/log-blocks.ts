/** Migration 8: stores the log's leaves in blocks by time, instead of one row with two index entries each. */

import type { Migration } from '../migration.ts'

/** The most leaves in a migrated block, and the last digits of an id that may differ within a block. */
const leavesPerBlockMax = 64
const suffixDigits = 17

/** Packs runs of adjacent leaves whose ids share a prefix. */
const packRuns = (
  slot: string,
  entriesSql: string,
): string => `INSERT INTO log_blocks (first_leaf, slot, entries)
  SELECT MIN(leaf_index), slot, ${entriesSql}
    FROM (
      SELECT leaf_index, slot, subject_id || ' ' || leaf_hash AS entry,
          leaf_index - ROW_NUMBER() OVER (PARTITION BY slot ORDER BY leaf_index) AS run
        FROM (SELECT leaf_index, subject_id, leaf_hash, ${slot} AS slot FROM log_leaves) AS leaves
    ) AS marked
    GROUP BY slot, run, leaf_index / ${leavesPerBlockMax}`

const guard = "'log entries are write-once'"

export const logBlocks: Migration = {
  number: 8,
  name: 'log_blocks',
  shared: [],
  sqlite: [
    'CREATE TABLE log_blocks (first_leaf integer PRIMARY KEY, slot text NOT NULL, entries text NOT NULL)',
    packRuns(
      `substr(subject_id, 1, max(length(subject_id) - ${suffixDigits}, 0))`,
      'group_concat(entry, char(10) ORDER BY leaf_index)',
    ),
    'CREATE INDEX log_blocks_by_slot ON log_blocks (slot)',
    ...(['UPDATE', 'DELETE'] as const).map(
      (change) => `CREATE TRIGGER log_blocks_no_${change.toLowerCase()} BEFORE ${change} ON log_blocks
        BEGIN SELECT RAISE(ABORT, ${guard}); END`,
    ),
    'DROP TABLE log_leaves',
  ],
  postgres: [
    `CREATE TABLE log_blocks (
      first_leaf bigint PRIMARY KEY, slot text COLLATE "C" NOT NULL, entries text COLLATE "C" NOT NULL
    )`,
    // Keeps a block inline in its page: not compressed, since hashes do not compress, and not in TOAST.
    'ALTER TABLE log_blocks SET (toast_tuple_target = 8160)',
    'ALTER TABLE log_blocks ALTER COLUMN entries SET STORAGE EXTERNAL',
    'ALTER TABLE log_waiting SET (toast_tuple_target = 8160)',
    'ALTER TABLE log_waiting ALTER COLUMN entries SET STORAGE EXTERNAL',
    packRuns(
      `substr(subject_id, 1, greatest(length(subject_id) - ${suffixDigits}, 0))`,
      'string_agg(entry, chr(10) ORDER BY leaf_index)',
    ),
    'CREATE INDEX log_blocks_by_slot ON log_blocks (slot)',
    `CREATE TRIGGER log_blocks_no_change BEFORE UPDATE OR DELETE ON log_blocks
      FOR EACH ROW EXECUTE FUNCTION fairway_refuse_log_change()`,
    `CREATE TRIGGER log_blocks_no_truncate BEFORE TRUNCATE ON log_blocks
      FOR EACH STATEMENT EXECUTE FUNCTION fairway_refuse_log_change()`,
    'ALTER TABLE log_blocks ENABLE ALWAYS TRIGGER log_blocks_no_change',
    'ALTER TABLE log_blocks ENABLE ALWAYS TRIGGER log_blocks_no_truncate',
    'DROP TABLE log_leaves',
  ],
}
