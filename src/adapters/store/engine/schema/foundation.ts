/** Migration 1: records, idempotency keys, cooldowns, API keys and rate limits. Released: never edited. */

import { inPostgres, type Migration } from './migration.ts'

const verificationColumns = `
  request_id text NOT NULL PRIMARY KEY,
  owner_id text NOT NULL,
  key_id text NOT NULL,
  mode text NOT NULL,
  corridor text NOT NULL,
  decision text NOT NULL,
  score_hundredths integer NOT NULL,
  confidence_hundredths integer NOT NULL,
  amount double precision,
  currency text NOT NULL,
  correlation_id text,
  evaluated_at_ms bigint NOT NULL,
  recorded_at_ms bigint NOT NULL,
  cooldown_source_id text,
  answer text NOT NULL,
  evidence text NOT NULL`

export const foundation: Migration = {
  number: 1,
  name: 'foundation',
  shared: [
    `CREATE TABLE api_keys (
      key_id text NOT NULL PRIMARY KEY,
      key_hash text NOT NULL UNIQUE,
      owner_id text NOT NULL,
      owner_label text NOT NULL,
      type text NOT NULL,
      scopes text NOT NULL,
      verify_limit_count integer,
      verify_limit_window_ms bigint,
      created_at_ms bigint NOT NULL,
      expires_at_ms bigint,
      revoked_at_ms bigint
    )`,
    `CREATE TABLE idempotency_keys (
      owner_id text NOT NULL,
      idempotency_key text NOT NULL,
      fingerprint text NOT NULL,
      request_id text NOT NULL,
      PRIMARY KEY (owner_id, idempotency_key)
    ) WITHOUT ROWID`,
    `CREATE TABLE cooldowns (
      owner_id text NOT NULL,
      mode text NOT NULL,
      corridor text NOT NULL,
      blocked_at_ms bigint NOT NULL,
      request_id text NOT NULL,
      PRIMARY KEY (owner_id, mode, corridor)
    ) WITHOUT ROWID`,
    // Sharded, so that concurrent instances do not wait for each other.
    'CREATE TABLE verification_counts (shard integer NOT NULL PRIMARY KEY, total bigint NOT NULL)',
    `INSERT INTO verification_counts (shard, total) VALUES ${Array.from({ length: 32 }, (_, shard) => `(${shard},0)`).join(',')}`,
  ],
  sqlite: [
    `CREATE TABLE verifications (${verificationColumns})`,
    'CREATE INDEX verifications_by_decision ON verifications (owner_id, decision, request_id)',
    'CREATE INDEX verifications_by_corridor ON verifications (owner_id, corridor, decision, request_id)',
    ...(['UPDATE', 'DELETE'] as const).map(
      (change) => `CREATE TRIGGER verifications_no_${change.toLowerCase()} BEFORE ${change} ON verifications
        BEGIN SELECT RAISE(ABORT, 'verifications are write-once'); END`,
    ),
    // INSERT OR REPLACE fires no DELETE trigger unless recursive_triggers is on, and another program's connection may
    // have it off. So the insert itself is guarded, by id and by row id.
    `CREATE TRIGGER verifications_no_replace BEFORE INSERT ON verifications
      WHEN EXISTS (SELECT 1 FROM verifications WHERE request_id = NEW.request_id)
        OR (NEW.rowid > 0 AND EXISTS (SELECT 1 FROM verifications WHERE rowid = NEW.rowid))
      BEGIN SELECT RAISE(ABORT, 'verifications are write-once'); END`,
  ],
  postgres: [
    `${inPostgres(`CREATE TABLE verifications (${verificationColumns})`)} PARTITION BY RANGE (request_id)`,
    'CREATE INDEX verifications_by_decision ON verifications (owner_id, decision, request_id)',
    'CREATE INDEX verifications_by_corridor ON verifications (owner_id, corridor, decision, request_id)',
    `CREATE FUNCTION fairway_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'verifications are write-once' USING ERRCODE = 'restrict_violation'; END $$`,
    `CREATE TRIGGER verifications_no_change BEFORE UPDATE OR DELETE ON verifications
      FOR EACH ROW EXECUTE FUNCTION fairway_refuse_change()`,
    // Partitions do not inherit statement triggers: each gets its own when it is created.
    `CREATE TRIGGER verifications_no_truncate BEFORE TRUNCATE ON verifications
      FOR EACH STATEMENT EXECUTE FUNCTION fairway_refuse_change()`,
    // ALWAYS: the trigger also fires in a replication session.
    'ALTER TABLE verifications ENABLE ALWAYS TRIGGER verifications_no_change',
    'ALTER TABLE verifications ENABLE ALWAYS TRIGGER verifications_no_truncate',
    // Unlogged: a database crash resets the windows, as a restart does on SQLite.
    `CREATE UNLOGGED TABLE limit_buckets (
      bucket text COLLATE "C" NOT NULL PRIMARY KEY, admitted bigint NOT NULL, last_at_us bigint NOT NULL
    ) WITH (fillfactor = 50)`,
    `CREATE UNLOGGED TABLE limit_admissions (
      bucket text COLLATE "C" NOT NULL, at_us bigint NOT NULL, first_number bigint NOT NULL,
      last_number bigint NOT NULL, PRIMARY KEY (bucket, at_us, first_number)
    )`,
    admitFunction(),
  ],
}

/**
 * Admits up to `wanted` requests to each bucket by the database's clock. One row covers all requests admitted at one
 * moment. The oldest row inside the window gives the count, so the work does not grow with the limit. Buckets arrive
 * sorted, so that two callers never deadlock.
 */
function admitFunction(): string {
  return `CREATE FUNCTION fairway_admit(buckets text[], wanted integer[], limits integer[], windows_us bigint[])
    RETURNS TABLE (bucket text, granted integer, in_window bigint, oldest_us bigint, now_us bigint)
    LANGUAGE plpgsql AS $$
    #variable_conflict use_column
    DECLARE
      place integer;
      known limit_buckets%ROWTYPE;
      first_inside bigint;
    BEGIN
      FOR place IN 1 .. coalesce(array_length(buckets, 1), 0) LOOP
        bucket := buckets[place];
        SELECT * INTO known FROM limit_buckets AS b WHERE b.bucket = buckets[place] FOR UPDATE;
        IF NOT FOUND THEN
          INSERT INTO limit_buckets AS b VALUES (buckets[place], 0, 0) ON CONFLICT ON CONSTRAINT limit_buckets_pkey DO NOTHING;
          SELECT * INTO known FROM limit_buckets AS b WHERE b.bucket = buckets[place] FOR UPDATE;
        END IF;
        now_us := (extract(epoch FROM clock_timestamp()) * 1000000)::bigint;
        IF now_us < known.last_at_us THEN
          -- The clock was set back: what it admitted ahead of us counts from now, for one window and no longer.
          UPDATE limit_admissions AS a SET at_us = now_us WHERE a.bucket = buckets[place] AND a.at_us > now_us;
        END IF;
        DELETE FROM limit_admissions AS a
          WHERE a.bucket = buckets[place] AND a.at_us <= now_us - windows_us[place];
        SELECT a.first_number, a.at_us INTO first_inside, oldest_us FROM limit_admissions AS a
          WHERE a.bucket = buckets[place] ORDER BY a.at_us, a.first_number LIMIT 1;
        in_window := CASE WHEN FOUND THEN known.admitted - first_inside + 1 ELSE 0 END;
        granted := greatest(0, least(wanted[place], limits[place] - in_window));
        IF granted > 0 THEN
          INSERT INTO limit_admissions AS a VALUES
            (buckets[place], now_us, known.admitted + 1, known.admitted + granted);
          UPDATE limit_buckets AS b SET admitted = known.admitted + granted, last_at_us = now_us
            WHERE b.bucket = buckets[place];
          oldest_us := coalesce(oldest_us, now_us);
        ELSIF in_window > limits[place] THEN
          -- The limit was lowered meanwhile: the place that blocks is not the oldest one.
          SELECT a.at_us INTO oldest_us FROM limit_admissions AS a
            WHERE a.bucket = buckets[place] AND a.last_number > known.admitted - limits[place]
            ORDER BY a.at_us, a.first_number LIMIT 1;
        END IF;
        oldest_us := coalesce(oldest_us, now_us);
        RETURN NEXT;
      END LOOP;
    END $$`
}
