/** Migration 3: usage by key, and the Corridor Intelligence Platform. */

import type { Migration } from './migration.ts'

/** Counts the existing records by key. */
const backfillUsage = `INSERT INTO key_usage (key_id, shard, verifications)
  SELECT key_id, 0, count(*) FROM verifications GROUP BY key_id`

export const intelligence: Migration = {
  number: 3,
  name: 'intelligence',
  shared: [
    // Sharded like `verification_counts`, so that concurrent instances do not wait for each other on a busy key.
    `CREATE TABLE key_usage (
      key_id text NOT NULL,
      shard integer NOT NULL,
      verifications bigint NOT NULL,
      PRIMARY KEY (key_id, shard)
    ) WITHOUT ROWID`,
    `CREATE TABLE cip_observations (
      corridor text NOT NULL,
      observed_at_ms bigint NOT NULL,
      adapter text NOT NULL,
      risk_thousandths text NOT NULL,
      composite integer NOT NULL,
      duration_us bigint NOT NULL,
      PRIMARY KEY (corridor, observed_at_ms)
    ) WITHOUT ROWID`,
    // Observations per day, counted on insert: the total is the sum of few rows.
    `CREATE TABLE cip_days (
      corridor text NOT NULL,
      day integer NOT NULL,
      observations bigint NOT NULL,
      PRIMARY KEY (corridor, day)
    ) WITHOUT ROWID`,
    // One row: the lease of the current probe, and when the next one is due.
    'CREATE TABLE cip_probe (probe integer NOT NULL PRIMARY KEY, due_at_ms bigint NOT NULL, lease text)',
    'INSERT INTO cip_probe (probe, due_at_ms, lease) VALUES (1, 0, NULL)',
    `CREATE TABLE cip_transitions (
      number integer NOT NULL PRIMARY KEY,
      stage text NOT NULL,
      blend_percent integer NOT NULL,
      reference text NOT NULL,
      made_by text NOT NULL,
      reason text,
      made_at_ms bigint NOT NULL,
      corpus_days integer NOT NULL
    )`,
  ],
  sqlite: [
    ...(['UPDATE', 'DELETE'] as const).map(
      (
        change,
      ) => `CREATE TRIGGER cip_transitions_no_${change.toLowerCase()} BEFORE ${change} ON cip_transitions
        BEGIN SELECT RAISE(ABORT, 'cip transitions are write-once'); END`,
    ),
    `CREATE TRIGGER cip_transitions_no_replace BEFORE INSERT ON cip_transitions
      WHEN EXISTS (SELECT 1 FROM cip_transitions WHERE number = NEW.number)
      BEGIN SELECT RAISE(ABORT, 'cip transitions are write-once'); END`,
    backfillUsage,
  ],
  postgres: [
    `CREATE FUNCTION fairway_refuse_transition_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'cip transitions are write-once' USING ERRCODE = 'restrict_violation'; END $$`,
    `CREATE TRIGGER cip_transitions_no_change BEFORE UPDATE OR DELETE ON cip_transitions
      FOR EACH ROW EXECUTE FUNCTION fairway_refuse_transition_change()`,
    `CREATE TRIGGER cip_transitions_no_truncate BEFORE TRUNCATE ON cip_transitions
      FOR EACH STATEMENT EXECUTE FUNCTION fairway_refuse_transition_change()`,
    'ALTER TABLE cip_transitions ENABLE ALWAYS TRIGGER cip_transitions_no_change',
    'ALTER TABLE cip_transitions ENABLE ALWAYS TRIGGER cip_transitions_no_truncate',
    backfillUsage,
  ],
}
