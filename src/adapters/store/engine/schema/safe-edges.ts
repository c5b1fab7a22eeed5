/** Migration 12: one endpoint per URL, sandbox keys counted by the address that asked for them, a row to write to. */

import type { Migration } from './migration.ts'

export const safeEdges: Migration = {
  number: 12,
  name: 'safe_edges',
  shared: [
    // Null for endpoints from before, which may be duplicates and keep working, and for removed ones.
    'ALTER TABLE webhooks ADD COLUMN unique_url text',
    'CREATE UNIQUE INDEX webhooks_unique_url ON webhooks (owner_id, unique_url)',
    // Null for requests from before.
    'ALTER TABLE access_requests ADD COLUMN client_group text',
    'CREATE INDEX access_requests_by_client ON access_requests (client_group, owner_id)',
    // One row, written to find out whether the disk takes it.
    'CREATE TABLE write_probe (only_one integer NOT NULL PRIMARY KEY, at_ms bigint NOT NULL)',
  ],
  sqlite: [],
  postgres: [],
}
