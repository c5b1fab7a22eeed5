/** Migration 18: reports of batch assessments that somebody keeps. */

import type { Migration } from './migration.ts'

export const batchReports: Migration = {
  number: 18,
  name: 'batch_reports',
  shared: [
    // The long texts are last, so that a list does not read them.
    `CREATE TABLE batch_reports (
      report_id text NOT NULL PRIMARY KEY,
      owner_id text NOT NULL,
      place integer NOT NULL,
      name text NOT NULL,
      kept_at_ms bigint NOT NULL,
      key_id text NOT NULL,
      person_id text,
      principal_id text,
      transactions integer NOT NULL,
      go integer NOT NULL,
      degraded integer NOT NULL,
      no_go integer NOT NULL,
      uncertainty integer NOT NULL,
      content text NOT NULL,
      page text NOT NULL
    )`,
    // A place for each report bounds their number, whatever happens at the same time.
    'CREATE UNIQUE INDEX batch_reports_by_owner ON batch_reports (owner_id, place)',
  ],
  sqlite: [],
  postgres: [],
}
