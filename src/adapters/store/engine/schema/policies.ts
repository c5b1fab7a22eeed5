/** Migration 14: policies with their life, candidates and backtests, and the principals of keys. */

import type { Migration } from './migration.ts'

/**
 * Follows each chain of replaced keys down from its first, which is the principal of the rest. Keys that were rotated
 * before acts were recorded have no known predecessor, and stay principals of their own.
 */
function fillPrincipals(replacedKeyId: string): string {
  return `WITH RECURSIVE successions (key_id, replaced_key_id) AS (
      SELECT subject, ${replacedKeyId} FROM acts WHERE kind = 'key.rotated'
      UNION
      SELECT live_key_id, replaced_key_id FROM access_requests
        WHERE live_key_id IS NOT NULL AND replaced_key_id IS NOT NULL
    ), lineages (key_id, principal_id) AS (
      SELECT key_id, key_id FROM api_keys k
        WHERE NOT EXISTS (SELECT 1 FROM successions s WHERE s.key_id = k.key_id)
      UNION
      SELECT s.key_id, l.principal_id FROM lineages l JOIN successions s ON s.replaced_key_id = l.key_id
    )
    UPDATE api_keys SET principal_id = l.principal_id FROM lineages l
      WHERE l.key_id = api_keys.key_id AND l.principal_id <> l.key_id`
}

const actor = `actor_kind text NOT NULL,
      actor_id text NOT NULL,
      actor_name text NOT NULL,
      principal_id text NOT NULL`

/** The tables whose rows never change, with their keys. */
const writeOnce = { policies: 'policy_id', policy_changes: 'number' }

export const policies: Migration = {
  number: 14,
  name: 'policies',
  shared: [
    // The owner is empty for a policy of the installation, in every table.
    `CREATE TABLE policies (
      policy_id text NOT NULL PRIMARY KEY,
      owner_id text NOT NULL,
      document text NOT NULL,
      sha256 text NOT NULL,
      created_at_ms bigint NOT NULL,
      ${actor}
    )`,
    'CREATE INDEX policies_by_owner ON policies (owner_id, policy_id)',
    `CREATE TABLE policy_changes (
      number bigint NOT NULL PRIMARY KEY,
      owner_id text NOT NULL,
      kind text NOT NULL,
      policy_id text NOT NULL,
      reason text,
      at_ms bigint NOT NULL,
      ${actor}
    )`,
    'CREATE INDEX policy_changes_by_owner ON policy_changes (owner_id, number)',
    // The number of changes: instances read it to see that something has changed.
    'CREATE TABLE policy_head (head integer NOT NULL PRIMARY KEY, changes bigint NOT NULL)',
    'INSERT INTO policy_head (head, changes) VALUES (1, 0)',
    // The report of each policy that was a candidate, which follows the journal until it ends.
    `CREATE TABLE policy_candidates (
      policy_id text NOT NULL PRIMARY KEY,
      owner_id text NOT NULL,
      since_ms bigint NOT NULL,
      until_ms bigint,
      until_leaf bigint,
      from_leaf bigint NOT NULL,
      sums text
    )`,
    // Apart from `followers`: an older instance beside this one does not know the name, and would report a fault.
    'CREATE TABLE policy_follower (follower integer NOT NULL PRIMARY KEY, position bigint NOT NULL)',
    'INSERT INTO policy_follower (follower, position) SELECT 1, sequenced FROM log_head',
    `CREATE TABLE policy_backtests (
      backtest_id text NOT NULL PRIMARY KEY,
      policy_id text NOT NULL,
      owner_id text NOT NULL,
      from_ms bigint NOT NULL,
      to_ms bigint NOT NULL,
      mode text,
      status text NOT NULL,
      created_at_ms bigint NOT NULL,
      ended_at_ms bigint,
      done bigint NOT NULL,
      total bigint,
      up_to text,
      sums text,
      error text,
      holder text,
      beat_ms bigint
    )`,
    'CREATE INDEX policy_backtests_by_policy ON policy_backtests (policy_id, backtest_id)',
    `CREATE INDEX policy_backtests_unfinished ON policy_backtests (owner_id) WHERE status IN ('queued', 'running')`,
    'ALTER TABLE rollups ADD COLUMN reason_policy_rule_applied bigint NOT NULL DEFAULT 0',
    // Last, because it blocks authentication while it runs. Null stands for the key's own id.
    'ALTER TABLE api_keys ADD COLUMN principal_id text',
  ],
  sqlite: [
    ...Object.entries(writeOnce).flatMap(([table, key]) => [
      ...(['UPDATE', 'DELETE'] as const).map(
        (change) => `CREATE TRIGGER ${table}_no_${change.toLowerCase()} BEFORE ${change} ON ${table}
        BEGIN SELECT RAISE(ABORT, 'policies are write-once'); END`,
      ),
      `CREATE TRIGGER ${table}_no_replace BEFORE INSERT ON ${table}
        WHEN EXISTS (SELECT 1 FROM ${table} WHERE ${key} = NEW.${key})
        BEGIN SELECT RAISE(ABORT, 'policies are write-once'); END`,
    ]),
    fillPrincipals("json_extract(detail, '$.replaced_key_id')"),
  ],
  postgres: [
    `CREATE FUNCTION fairway_refuse_policy_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'policies are write-once' USING ERRCODE = 'restrict_violation'; END $$`,
    ...Object.keys(writeOnce).flatMap((table) => [
      `CREATE TRIGGER ${table}_no_change BEFORE UPDATE OR DELETE ON ${table}
        FOR EACH ROW EXECUTE FUNCTION fairway_refuse_policy_change()`,
      `CREATE TRIGGER ${table}_no_truncate BEFORE TRUNCATE ON ${table}
        FOR EACH STATEMENT EXECUTE FUNCTION fairway_refuse_policy_change()`,
      `ALTER TABLE ${table} ENABLE ALWAYS TRIGGER ${table}_no_change`,
      `ALTER TABLE ${table} ENABLE ALWAYS TRIGGER ${table}_no_truncate`,
    ]),
    fillPrincipals("detail::json ->> 'replaced_key_id'"),
  ],
}
