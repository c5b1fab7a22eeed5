/** Migration 2: overrides, webhooks and the outbox. */

import type { Migration } from '../migration.ts'

const wherePending = "WHERE state = 'pending'"

export const events: Migration = {
  number: 2,
  name: 'events',
  shared: [
    // Keyed by the decision's id: one override per decision, also under concurrency.
    `CREATE TABLE overrides (
      request_id text NOT NULL PRIMARY KEY,
      override_id text NOT NULL UNIQUE,
      owner_id text NOT NULL,
      key_id text NOT NULL,
      action text NOT NULL,
      reason_code text NOT NULL,
      justification text NOT NULL,
      original_decision text NOT NULL,
      created_at_ms bigint NOT NULL
    )`,
    // Each endpoint of an owner has a place, counted from 1. Unique places bound their number, also under concurrency.
    // A removed endpoint has no place; its row stays until its deliveries are deleted.
    `CREATE TABLE webhooks (
      webhook_id text NOT NULL PRIMARY KEY,
      owner_id text NOT NULL,
      place integer,
      url text NOT NULL,
      events text NOT NULL,
      description text,
      secrets text NOT NULL,
      created_at_ms bigint NOT NULL,
      removed_at_ms bigint,
      UNIQUE (owner_id, place)
    )`,
    // One narrow row per event and endpoint: each attempt builds the body from the record or override, which never
    // changes. A claim sets the lease and moves due_at_ms to its end, so that an abandoned lease expires by itself.
    `CREATE TABLE webhook_deliveries (
      webhook_id text NOT NULL,
      event_id text NOT NULL,
      event text NOT NULL,
      request_id text,
      created_at_ms bigint NOT NULL,
      state text NOT NULL,
      attempt integer NOT NULL,
      due_at_ms bigint NOT NULL,
      lease text,
      attempts text NOT NULL,
      PRIMARY KEY (webhook_id, event_id)
    ) WITHOUT ROWID`,
    `CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook_id, due_at_ms) ${wherePending}`,
    "CREATE INDEX webhook_deliveries_dropped ON webhook_deliveries (webhook_id, event_id) WHERE state = 'dropped'",
  ],
  sqlite: [
    ...(['UPDATE', 'DELETE'] as const).map(
      (change) => `CREATE TRIGGER overrides_no_${change.toLowerCase()} BEFORE ${change} ON overrides
        BEGIN SELECT RAISE(ABORT, 'overrides are write-once'); END`,
    ),
    // As for verifications: guards against INSERT OR REPLACE. It also fires for ON CONFLICT DO NOTHING.
    `CREATE TRIGGER overrides_no_replace BEFORE INSERT ON overrides
      WHEN EXISTS (SELECT 1 FROM overrides WHERE override_id = NEW.override_id)
        OR (NEW.rowid > 0 AND EXISTS (SELECT 1 FROM overrides WHERE rowid = NEW.rowid))
        OR EXISTS (SELECT 1 FROM overrides WHERE request_id = NEW.request_id)
      BEGIN SELECT RAISE(ABORT, 'overrides are write-once'); END`,
  ],
  postgres: [
    `CREATE FUNCTION fairway_refuse_override_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'overrides are write-once' USING ERRCODE = 'restrict_violation'; END $$`,
    `CREATE TRIGGER overrides_no_change BEFORE UPDATE OR DELETE ON overrides
      FOR EACH ROW EXECUTE FUNCTION fairway_refuse_override_change()`,
    `CREATE TRIGGER overrides_no_truncate BEFORE TRUNCATE ON overrides
      FOR EACH STATEMENT EXECUTE FUNCTION fairway_refuse_override_change()`,
    'ALTER TABLE overrides ENABLE ALWAYS TRIGGER overrides_no_change',
    'ALTER TABLE overrides ENABLE ALWAYS TRIGGER overrides_no_truncate',
    // Rows are updated a few times soon after the insert: leave room on the page and vacuum early.
    `ALTER TABLE webhook_deliveries SET
      (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000)`,
  ],
}
