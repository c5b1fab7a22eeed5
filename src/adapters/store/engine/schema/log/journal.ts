/**
 * Migration 9: append, then follow. A decision's transaction no longer counts, announces or numbers anything; the
 * sequencer numbers what was appended, and followers keep a position over those numbers.
 */

import type { Migration } from '../migration.ts'
import { rollupSums } from '../rollups/summary.ts'

const rollupKeys = ['owner_id', 'span', 'starts_at_ms', 'mode', 'corridor']

/** Followers other than sealing, whose position is the size of the log. */
const followers = ['totals', 'webhooks']

/** Entries that still wait were counted and announced when they were recorded: followers start after them. */
const startFollowers = (newline: string): string[] => [
  ...followers.map(
    (name) => `INSERT INTO followers (name, position) SELECT '${name}', tree_size + (
      SELECT COALESCE(SUM(length(entries) - length(replace(entries, ${newline}, '')) + 1), 0) FROM journal_queue)
      FROM log_head`,
  ),
  'UPDATE webhooks SET from_leaf = (SELECT MAX(position) FROM followers)',
]

/** A table without shards in place of one with them. */
const merged = (table: string, keys: readonly string[], sums: readonly string[]): string[] => [
  `INSERT INTO ${table}_merged (${[...keys, ...sums].join(', ')})
    SELECT ${keys.join(', ')}, ${sums.map((name) => `SUM(${name})`).join(', ')} FROM ${table} GROUP BY ${keys.join(', ')}`,
  `DROP TABLE ${table}`,
  `ALTER TABLE ${table}_merged RENAME TO ${table}`,
]

/**
 * `journal_queue` was `log_waiting`. Its `records` are the decisions in a row; those of before are in the total already.
 */
export const journal: Migration = {
  number: 9,
  name: 'journal',
  shared: [
    // `sequenced`: entries that have a number. `records`: the decisions among them.
    'ALTER TABLE log_head ADD COLUMN sequenced bigint NOT NULL DEFAULT 0',
    'ALTER TABLE log_head ADD COLUMN records bigint NOT NULL DEFAULT 0',
    `UPDATE log_head SET sequenced = tree_size,
      records = (SELECT COALESCE(SUM(total), 0) FROM verification_counts)`,
    'DROP TABLE verification_counts',
    'CREATE TABLE followers (name text NOT NULL PRIMARY KEY, position bigint NOT NULL) WITHOUT ROWID',
    // One row: the instance that follows, and a number that it raises while it lives.
    'CREATE TABLE journal_lease (only_one integer NOT NULL PRIMARY KEY, holder text NOT NULL, beat bigint NOT NULL)',
    "INSERT INTO journal_lease (only_one, holder, beat) VALUES (1, '', 0)",
    // The number of the first entry that the endpoint receives.
    'ALTER TABLE webhooks ADD COLUMN from_leaf bigint NOT NULL DEFAULT 0',
    // Counted by a follower. Null in records of before, which counted themselves.
    'ALTER TABLE verifications ADD COLUMN reason_codes text',
    'ALTER TABLE verifications ADD COLUMN latency_us bigint',
    // The input of live volatility, read from the records themselves. The last two columns make it covering on SQLite.
    `CREATE INDEX verifications_live_scores
      ON verifications (owner_id, corridor, request_id, score_hundredths, mode, cooldown_source_id)
      WHERE mode = 'live' AND cooldown_source_id IS NULL`,
    'DROP TABLE live_scores',
    `CREATE TABLE rollups_merged (
      owner_id text NOT NULL,
      span text NOT NULL,
      starts_at_ms bigint NOT NULL,
      mode text NOT NULL,
      corridor text NOT NULL,
      ${rollupSums.map((name) => `${name} bigint NOT NULL`).join(', ')},
      PRIMARY KEY (${rollupKeys.join(', ')})
    ) WITHOUT ROWID`,
    ...merged('rollups', rollupKeys, rollupSums),
    // Form 2 keeps personal text apart: a record and an override hold its salted hash. Null means form 1.
    ...['verifications', 'overrides'].flatMap((table) => [
      `ALTER TABLE ${table} ADD COLUMN form integer`,
      `ALTER TABLE ${table} ADD COLUMN personal_hash text`,
    ]),
    // One text a subject: a record's correlation id, with the columns that its history is filtered by, or an override's
    // justification. Deleted when it is erased.
    `CREATE TABLE personal_texts (
      subject_id text NOT NULL PRIMARY KEY,
      owner_id text NOT NULL,
      salt text NOT NULL,
      personal_text text NOT NULL,
      decision text,
      corridor text
    ) WITHOUT ROWID`,
    `CREATE INDEX personal_texts_by_text ON personal_texts (owner_id, personal_text, decision, subject_id, corridor)
      WHERE decision IS NOT NULL`,
    // Null in outcomes of before, which are not in the log.
    'ALTER TABLE outcomes ADD COLUMN outcome_id text',
    'CREATE UNIQUE INDEX outcomes_by_id ON outcomes (outcome_id) WHERE outcome_id IS NOT NULL',
    `CREATE TABLE acts (
      act_id text NOT NULL PRIMARY KEY,
      kind text NOT NULL,
      subject text NOT NULL,
      made_by text NOT NULL,
      at_ms bigint NOT NULL,
      detail text NOT NULL
    ) WITHOUT ROWID`,
    'CREATE TABLE key_usage_merged (key_id text NOT NULL PRIMARY KEY, verifications bigint NOT NULL) WITHOUT ROWID',
    ...merged('key_usage', ['key_id'], ['verifications']),
  ],
  sqlite: [
    // `records` is before `entries`, so that it is read without them.
    'CREATE TABLE journal_queue (number integer PRIMARY KEY, records integer NOT NULL DEFAULT 0, entries text NOT NULL)',
    'INSERT INTO journal_queue (number, entries) SELECT number, entries FROM log_waiting',
    'DROP TABLE log_waiting',
    ...startFollowers('char(10)'),
    ...(['UPDATE', 'DELETE'] as const).map(
      (change) => `CREATE TRIGGER acts_no_${change.toLowerCase()} BEFORE ${change} ON acts
        BEGIN SELECT RAISE(ABORT, 'acts are write-once'); END`,
    ),
    `CREATE TRIGGER acts_no_replace BEFORE INSERT ON acts
      WHEN EXISTS (SELECT 1 FROM acts WHERE act_id = NEW.act_id)
      BEGIN SELECT RAISE(ABORT, 'acts are write-once'); END`,
  ],
  postgres: [
    'ALTER TABLE log_waiting RENAME TO journal_queue',
    'ALTER TABLE journal_queue ADD COLUMN records integer NOT NULL DEFAULT 0',
    ...startFollowers('chr(10)'),
    `CREATE FUNCTION fairway_refuse_act_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'acts are write-once' USING ERRCODE = 'restrict_violation'; END $$`,
    `CREATE TRIGGER acts_no_change BEFORE UPDATE OR DELETE ON acts
      FOR EACH ROW EXECUTE FUNCTION fairway_refuse_act_change()`,
    `CREATE TRIGGER acts_no_truncate BEFORE TRUNCATE ON acts
      FOR EACH STATEMENT EXECUTE FUNCTION fairway_refuse_act_change()`,
    'ALTER TABLE acts ENABLE ALWAYS TRIGGER acts_no_change',
    'ALTER TABLE acts ENABLE ALWAYS TRIGGER acts_no_truncate',
    // Few rows, updated often: leave room on their pages and vacuum early.
    ...['rollups', 'key_usage', 'followers', 'journal_lease', 'log_head'].map(
      (table) => `ALTER TABLE ${table} SET
        (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000)`,
    ),
  ],
}
