/** Migration 7: the log, a Merkle tree over all recorded entries, with signed checkpoints. */

import type { Migration } from '../migration.ts'

/** Append-only tables. */
const appendOnly = ['log_leaves', 'log_checkpoints'] as const

export const log: Migration = {
  number: 7,
  name: 'log',
  shared: [
    'CREATE TABLE log_keys (public_key text NOT NULL PRIMARY KEY, seed text, created_at_ms bigint NOT NULL)',
    // Nodes of every eighth level only: any other node is computed from at most 255 hashes.
    `CREATE TABLE log_nodes (
      level integer NOT NULL, node_index bigint NOT NULL, node_hash text NOT NULL, PRIMARY KEY (level, node_index)
    ) WITHOUT ROWID`,
    // One row. An append updates it first, which locks out concurrent appends.
    'CREATE TABLE log_head (only_one integer NOT NULL PRIMARY KEY, tree_size bigint NOT NULL, origin text)',
    'INSERT INTO log_head (only_one, tree_size) VALUES (1, 0)',
    // Records from before this migration: sealed in batches, oldest first.
    'CREATE TABLE log_backlog (kind text NOT NULL PRIMARY KEY, after_id text NOT NULL, until_id text NOT NULL)',
    `INSERT INTO log_backlog (kind, after_id, until_id)
      SELECT 'record', '', max(request_id) FROM verifications HAVING max(request_id) IS NOT NULL`,
    `INSERT INTO log_backlog (kind, after_id, until_id)
      SELECT 'override', '', max(override_id) FROM overrides HAVING max(override_id) IS NOT NULL`,
  ],
  sqlite: [
    'CREATE TABLE log_waiting (number integer PRIMARY KEY, entries text NOT NULL)',
    'CREATE TABLE log_leaves (leaf_index integer PRIMARY KEY, subject_id text NOT NULL UNIQUE, leaf_hash text NOT NULL)',
    'CREATE TABLE log_checkpoints (tree_size integer PRIMARY KEY, note text NOT NULL)',
    ...appendOnly.flatMap((table) =>
      (['UPDATE', 'DELETE'] as const).map(
        (change) => `CREATE TRIGGER ${table}_no_${change.toLowerCase()} BEFORE ${change} ON ${table}
        BEGIN SELECT RAISE(ABORT, 'log entries are write-once'); END`,
      ),
    ),
  ],
  postgres: [
    'CREATE TABLE log_waiting (number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, entries text COLLATE "C" NOT NULL)',
    'ALTER TABLE log_waiting SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000)',
    `CREATE TABLE log_leaves (
      leaf_index bigint PRIMARY KEY, subject_id text COLLATE "C" NOT NULL UNIQUE, leaf_hash text COLLATE "C" NOT NULL
    )`,
    'CREATE TABLE log_checkpoints (tree_size bigint PRIMARY KEY, note text COLLATE "C" NOT NULL)',
    `CREATE FUNCTION fairway_refuse_log_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'log entries are write-once' USING ERRCODE = 'restrict_violation'; END $$`,
    ...appendOnly.flatMap((table) => [
      `CREATE TRIGGER ${table}_no_change BEFORE UPDATE OR DELETE ON ${table}
        FOR EACH ROW EXECUTE FUNCTION fairway_refuse_log_change()`,
      `CREATE TRIGGER ${table}_no_truncate BEFORE TRUNCATE ON ${table}
        FOR EACH STATEMENT EXECUTE FUNCTION fairway_refuse_log_change()`,
      `ALTER TABLE ${table} ENABLE ALWAYS TRIGGER ${table}_no_change`,
      `ALTER TABLE ${table} ENABLE ALWAYS TRIGGER ${table}_no_truncate`,
    ]),
  ],
}
