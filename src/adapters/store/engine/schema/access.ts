/** Migration 4: access requests, last use of keys, payment outcomes, and live scores by corridor. */

import type { Migration } from './migration.ts'

export const access: Migration = {
  number: 4,
  name: 'access',
  shared: [
    // Separate from `api_keys`: updated often, and not needed for authentication.
    'CREATE TABLE key_uses (key_id text NOT NULL PRIMARY KEY, last_used_at_ms bigint NOT NULL) WITHOUT ROWID',
    // A row to lock while the keys of one address are counted, so that concurrent requests cannot exceed the limit.
    'CREATE TABLE access_emails (email_key text NOT NULL PRIMARY KEY, requests bigint NOT NULL) WITHOUT ROWID',
    `CREATE TABLE access_requests (
      access_request_id text NOT NULL PRIMARY KEY,
      name text NOT NULL,
      email text NOT NULL,
      email_key text NOT NULL,
      reason text NOT NULL,
      captcha text NOT NULL,
      owner_id text NOT NULL,
      sandbox_key_id text NOT NULL,
      created_at_ms bigint NOT NULL,
      status text NOT NULL,
      decided_at_ms bigint,
      decided_by text,
      decision_note text,
      live_key_id text,
      replaced_key_id text
    )`,
    'CREATE INDEX access_requests_by_email ON access_requests (email_key, owner_id)',
    'CREATE INDEX access_requests_by_status ON access_requests (status, access_request_id)',
    // At most two rows per decision: pending and final. The primary key resolves races.
    `CREATE TABLE outcomes (
      request_id text NOT NULL,
      is_final integer NOT NULL,
      owner_id text NOT NULL,
      key_id text NOT NULL,
      mode text NOT NULL,
      corridor text NOT NULL,
      outcome text NOT NULL,
      occurred_at_ms bigint,
      reported_at_ms bigint NOT NULL,
      ended_at_ms bigint NOT NULL,
      PRIMARY KEY (request_id, is_final)
    ) WITHOUT ROWID`,
    'CREATE INDEX outcomes_recent ON outcomes (owner_id, mode, corridor, ended_at_ms, outcome) WHERE is_final = 1',
    // The input of live volatility. Not an index on `verifications`: building one would block every instance.
    `CREATE TABLE live_scores (
      owner_id text NOT NULL,
      corridor text NOT NULL,
      request_id text NOT NULL,
      score_hundredths integer NOT NULL,
      PRIMARY KEY (owner_id, corridor, request_id)
    ) WITHOUT ROWID`,
    // Last, because it blocks authentication while it runs. Null for older keys: their prefix follows from their type.
    'ALTER TABLE api_keys ADD COLUMN prefix text',
    'CREATE INDEX api_keys_by_owner ON api_keys (owner_id)',
  ],
  sqlite: [
    ...(['UPDATE', 'DELETE'] as const).map(
      (change) => `CREATE TRIGGER outcomes_no_${change.toLowerCase()} BEFORE ${change} ON outcomes
        BEGIN SELECT RAISE(ABORT, 'outcomes are write-once'); END`,
    ),
    `CREATE TRIGGER outcomes_no_replace BEFORE INSERT ON outcomes
      WHEN EXISTS (SELECT 1 FROM outcomes WHERE request_id = NEW.request_id AND is_final >= NEW.is_final)
      BEGIN SELECT RAISE(ABORT, 'outcomes are write-once'); END`,
  ],
  postgres: [
    `CREATE FUNCTION fairway_refuse_outcome_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'outcomes are write-once' USING ERRCODE = 'restrict_violation'; END $$`,
    `CREATE TRIGGER outcomes_no_change BEFORE UPDATE OR DELETE ON outcomes
      FOR EACH ROW EXECUTE FUNCTION fairway_refuse_outcome_change()`,
    `CREATE TRIGGER outcomes_no_truncate BEFORE TRUNCATE ON outcomes
      FOR EACH STATEMENT EXECUTE FUNCTION fairway_refuse_outcome_change()`,
    'ALTER TABLE outcomes ENABLE ALWAYS TRIGGER outcomes_no_change',
    'ALTER TABLE outcomes ENABLE ALWAYS TRIGGER outcomes_no_truncate',
    // One row per key, updated every few seconds.
    'ALTER TABLE key_uses SET (fillfactor = 50)',
  ],
}
