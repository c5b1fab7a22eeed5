/** Migration 17: reviews with their changes, the second principal of overrides, and holds. */

import type { Migration } from './migration.ts'

export const reviews: Migration = {
  number: 17,
  name: 'reviews',
  shared: [
    // Status, claim and version follow from the changes; they are kept for queries.
    `CREATE TABLE reviews (
      review_id text NOT NULL PRIMARY KEY,
      owner_id text NOT NULL,
      request_id text NOT NULL,
      mode text NOT NULL,
      corridor text NOT NULL,
      decision text NOT NULL,
      recommended_action text NOT NULL,
      reason_codes text NOT NULL,
      score_hundredths integer NOT NULL,
      amount double precision,
      currency text NOT NULL,
      opened_at_ms bigint NOT NULL,
      due_at_ms bigint NOT NULL,
      expires_at_ms bigint NOT NULL,
      status text NOT NULL,
      claimed_by text NOT NULL,
      version integer NOT NULL,
      repeats bigint NOT NULL,
      closed_at_ms bigint
    )`,
    'CREATE INDEX reviews_by_status ON reviews (owner_id, mode, status, due_at_ms, review_id)',
    // Has all columns of the sums, so that these read no rows.
    `CREATE INDEX reviews_waiting ON reviews (owner_id, mode, currency, status, due_at_ms, expires_at_ms, amount)
      WHERE closed_at_ms IS NULL`,
    'CREATE INDEX reviews_due ON reviews (mode, due_at_ms) WHERE closed_at_ms IS NULL',
    'CREATE INDEX reviews_expiring ON reviews (expires_at_ms) WHERE closed_at_ms IS NULL',
    `CREATE TABLE review_changes (
      change_id text NOT NULL PRIMARY KEY,
      review_id text NOT NULL,
      number integer NOT NULL,
      owner_id text NOT NULL,
      request_id text NOT NULL,
      kind text NOT NULL,
      key_id text,
      person_id text,
      principal_id text,
      action text,
      reason_code text,
      personal_hash text,
      proposal_id text,
      override_id text,
      due_at_ms bigint,
      expires_at_ms bigint,
      at_ms bigint NOT NULL
    )`,
    'CREATE UNIQUE INDEX review_changes_by_review ON review_changes (review_id, number)',
    // From the head on: an upgrade opens nothing for decisions of before.
    'CREATE TABLE review_follower (follower integer NOT NULL PRIMARY KEY, position bigint NOT NULL)',
    'INSERT INTO review_follower (follower, position) SELECT 1, sequenced FROM log_head',
    // The principal who approved; null for an override without a review.
    ...['review_id', 'approved_key_id', 'approved_person_id', 'approved_principal_id'].map(
      (name) => `ALTER TABLE overrides ADD COLUMN ${name} text`,
    ),
    // Requests to verify that got no decision, by minute.
    `CREATE TABLE holds (
      owner_id text NOT NULL,
      minute_at_ms bigint NOT NULL,
      mode text NOT NULL,
      corridor text NOT NULL,
      reason text NOT NULL,
      requests bigint NOT NULL,
      last_at_ms bigint NOT NULL,
      PRIMARY KEY (owner_id, minute_at_ms, mode, corridor, reason)
    ) WITHOUT ROWID`,
    'CREATE INDEX holds_by_minute ON holds (minute_at_ms)',
  ],
  sqlite: [
    ...(['UPDATE', 'DELETE'] as const).map(
      (change) => `CREATE TRIGGER review_changes_no_${change.toLowerCase()} BEFORE ${change} ON review_changes
        BEGIN SELECT RAISE(ABORT, 'changes of reviews are write-once'); END`,
    ),
    `CREATE TRIGGER review_changes_no_replace BEFORE INSERT ON review_changes
      WHEN EXISTS (SELECT 1 FROM review_changes WHERE change_id = NEW.change_id
        OR (review_id = NEW.review_id AND number = NEW.number))
      BEGIN SELECT RAISE(ABORT, 'changes of reviews are write-once'); END`,
  ],
  postgres: [
    `CREATE FUNCTION fairway_refuse_review_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'changes of reviews are write-once' USING ERRCODE = 'restrict_violation'; END $$`,
    `CREATE TRIGGER review_changes_no_change BEFORE UPDATE OR DELETE ON review_changes
      FOR EACH ROW EXECUTE FUNCTION fairway_refuse_review_change()`,
    `CREATE TRIGGER review_changes_no_truncate BEFORE TRUNCATE ON review_changes
      FOR EACH STATEMENT EXECUTE FUNCTION fairway_refuse_review_change()`,
    'ALTER TABLE review_changes ENABLE ALWAYS TRIGGER review_changes_no_change',
    'ALTER TABLE review_changes ENABLE ALWAYS TRIGGER review_changes_no_truncate',
    // Rows that are updated often: leave room on their pages and vacuum early.
    ...['reviews', 'review_follower', 'holds'].map(
      (table) => `ALTER TABLE ${table} SET
        (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000)`,
    ),
  ],
}
