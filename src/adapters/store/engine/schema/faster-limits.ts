/** Migration 11: admissions that cost the same however many have ended, and that a commit can ask for in its own message. */

import type { Migration } from './migration.ts'

export const fasterLimits: Migration = {
  number: 11,
  name: 'faster_limits',
  shared: [],
  sqlite: [],
  postgres: [admitFunction(), proceedFunction()],
}

/**
 * As in migration 1, but rows that have left the window are skipped by their time and deleted only now and then: a
 * deletion for each admission cost more than the admission, and every later one read what it had left behind. A setting of
 * the session tells the statements that follow in the same message whether anybody was refused.
 */
function admitFunction(): string {
  return `CREATE OR REPLACE FUNCTION fairway_admit(buckets text[], wanted integer[], limits integer[], windows_us bigint[])
    RETURNS TABLE (bucket text, granted integer, in_window bigint, oldest_us bigint, now_us bigint)
    LANGUAGE plpgsql AS $$
    #variable_conflict use_column
    DECLARE
      place integer;
      known limit_buckets%ROWTYPE;
      first_inside bigint;
      is_refused boolean := false;
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
          -- The clock was set back: what it admitted ahead of us counts from now, for one window and no longer. What had
          -- left the window by then does not come back.
          DELETE FROM limit_admissions AS a
            WHERE a.bucket = buckets[place] AND a.at_us <= known.last_at_us - windows_us[place];
          UPDATE limit_admissions AS a SET at_us = now_us WHERE a.bucket = buckets[place] AND a.at_us > now_us;
        END IF;
        SELECT a.first_number, a.at_us INTO first_inside, oldest_us FROM limit_admissions AS a
          WHERE a.bucket = buckets[place] AND a.at_us > now_us - windows_us[place]
          ORDER BY a.at_us, a.first_number LIMIT 1;
        in_window := CASE WHEN FOUND THEN known.admitted - first_inside + 1 ELSE 0 END;
        granted := greatest(0, least(wanted[place], limits[place] - in_window));
        IF granted > 0 THEN
          INSERT INTO limit_admissions AS a VALUES
            (buckets[place], now_us, known.admitted + 1, known.admitted + granted);
          UPDATE limit_buckets AS b SET admitted = known.admitted + granted, last_at_us = now_us
            WHERE b.bucket = buckets[place];
          oldest_us := coalesce(oldest_us, now_us);
          IF known.admitted / 64 <> (known.admitted + granted) / 64 THEN
            DELETE FROM limit_admissions AS a
              WHERE a.bucket = buckets[place] AND a.at_us <= now_us - windows_us[place];
          END IF;
        ELSIF in_window > limits[place] THEN
          -- The limit was lowered meanwhile: the place that blocks is not the oldest one.
          SELECT a.at_us INTO oldest_us FROM limit_admissions AS a
            WHERE a.bucket = buckets[place] AND a.last_number > known.admitted - limits[place]
            ORDER BY a.at_us, a.first_number LIMIT 1;
        END IF;
        oldest_us := coalesce(oldest_us, now_us);
        is_refused := is_refused OR granted < wanted[place];
        RETURN NEXT;
      END LOOP;
      PERFORM set_config('fairway.is_refused', is_refused::text, false);
    END $$`
}

/** Ends a message, and undoes what it wrote, unless everybody was admitted and nothing else is in the way. */
function proceedFunction(): string {
  return `CREATE FUNCTION fairway_proceed(is_blocked boolean) RETURNS integer LANGUAGE plpgsql AS $$
    BEGIN
      IF is_blocked OR current_setting('fairway.is_refused')::boolean THEN
        RAISE EXCEPTION 'fairway: a caller is refused or a corridor blocked' USING ERRCODE = 'FW001';
      END IF;
      RETURN 1;
    END $$`
}
