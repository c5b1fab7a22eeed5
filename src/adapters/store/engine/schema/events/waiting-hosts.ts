/** Migration 23: events wait for a failing host, and an endpoint that never answers is suspended. */

import type { Migration } from '../migration.ts'

export const waitingHosts: Migration = {
  number: 23,
  name: 'waiting_hosts',
  shared: [
    // Null unless the last attempt failed. The endpoint has one attempt after held_until_ms, if its host is spared.
    'ALTER TABLE webhooks ADD COLUMN failing_host text',
    'ALTER TABLE webhooks ADD COLUMN failing_since_ms bigint',
    'ALTER TABLE webhooks ADD COLUMN failed_at_ms bigint',
    'ALTER TABLE webhooks ADD COLUMN held_until_ms bigint',
    'ALTER TABLE webhooks ADD COLUMN suspended_at_ms bigint',
    // Set with the state 'dropped', which an earlier version beside this one knows: dropped without five attempts.
    'ALTER TABLE webhook_deliveries ADD COLUMN suspended_at_ms bigint',
    // The hosts that fail, by owner. The lease is that of the one attempt to a host that is spared.
    `CREATE TABLE webhook_hosts (
      owner_id text NOT NULL,
      host text NOT NULL,
      failures integer NOT NULL,
      failed_at_ms bigint NOT NULL,
      lease text,
      lease_ends_at_ms bigint,
      PRIMARY KEY (owner_id, host)
    ) WITHOUT ROWID`,
  ],
  sqlite: [],
  postgres: [],
}
