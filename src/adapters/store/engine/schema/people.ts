/** Migration 16: people, their invitations and sessions, and the principals of overrides and outcomes. */

import type { Migration } from './migration.ts'

export const people: Migration = {
  number: 16,
  name: 'people',
  shared: [
    // A removed person stays, because records name it.
    `CREATE TABLE people (
      person_id text NOT NULL PRIMARY KEY,
      owner_id text,
      email text NOT NULL,
      email_key text NOT NULL,
      name text NOT NULL,
      roles text NOT NULL,
      issuer text,
      subject text,
      password_hash text,
      created_at_ms bigint NOT NULL,
      changed_at_ms bigint NOT NULL,
      removed_at_ms bigint
    )`,
    'CREATE UNIQUE INDEX people_local ON people (email_key) WHERE issuer IS NULL AND removed_at_ms IS NULL',
    'CREATE UNIQUE INDEX people_by_account ON people (issuer, subject) WHERE issuer IS NOT NULL',
    `CREATE TABLE invitations (
      token_hash text NOT NULL PRIMARY KEY,
      person_id text NOT NULL,
      created_at_ms bigint NOT NULL,
      expires_at_ms bigint NOT NULL,
      ended_at_ms bigint
    )`,
    'CREATE INDEX invitations_by_person ON invitations (person_id)',
    // Kept after their end, because records name them.
    `CREATE TABLE sessions (
      session_id text NOT NULL PRIMARY KEY,
      token_hash text NOT NULL,
      person_id text NOT NULL,
      method text NOT NULL,
      id_token text,
      client_address text NOT NULL,
      user_agent text NOT NULL,
      created_at_ms bigint NOT NULL,
      expires_at_ms bigint NOT NULL,
      ended_at_ms bigint
    )`,
    'CREATE UNIQUE INDEX sessions_by_token ON sessions (token_hash)',
    'CREATE INDEX sessions_by_person ON sessions (person_id, expires_at_ms)',
    'CREATE INDEX sessions_with_proof ON sessions (expires_at_ms) WHERE id_token IS NOT NULL',
    // Null in overrides and outcomes of before, and for those by a key. Their `key_id` is then a key.
    ...['overrides', 'outcomes'].flatMap((table) => [
      `ALTER TABLE ${table} ADD COLUMN person_id text`,
      `ALTER TABLE ${table} ADD COLUMN principal_id text`,
    ]),
  ],
  sqlite: [],
  postgres: [],
}
