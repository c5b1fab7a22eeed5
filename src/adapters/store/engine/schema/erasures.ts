/** Migration 20: erased personal texts, and those whose traces are not cleaned from the files of the database yet. */

import type { Migration } from './migration.ts'

export const erasures: Migration = {
  number: 20,
  name: 'erasures',
  shared: [
    // The subject whose text was erased, and the act that says so.
    'CREATE TABLE erasures (subject_id text NOT NULL PRIMARY KEY, act_id text NOT NULL) WITHOUT ROWID',
    'CREATE INDEX erasures_by_act ON erasures (act_id, subject_id)',
    // The acts whose erased texts may still be in free pages.
    'CREATE TABLE uncleaned_erasures (act_id text NOT NULL PRIMARY KEY) WITHOUT ROWID',
  ],
  sqlite: [
    ...(['UPDATE', 'DELETE'] as const).map(
      (change) => `CREATE TRIGGER erasures_no_${change.toLowerCase()} BEFORE ${change} ON erasures
        BEGIN SELECT RAISE(ABORT, 'erasures are write-once'); END`,
    ),
    `CREATE TRIGGER erasures_no_replace BEFORE INSERT ON erasures
      WHEN EXISTS (SELECT 1 FROM erasures WHERE subject_id = NEW.subject_id)
      BEGIN SELECT RAISE(ABORT, 'erasures are write-once'); END`,
  ],
  postgres: [
    `CREATE FUNCTION fairway_refuse_erasure_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'erasures are write-once' USING ERRCODE = 'restrict_violation'; END $$`,
    `CREATE TRIGGER erasures_no_change BEFORE UPDATE OR DELETE ON erasures
      FOR EACH ROW EXECUTE FUNCTION fairway_refuse_erasure_change()`,
    `CREATE TRIGGER erasures_no_truncate BEFORE TRUNCATE ON erasures
      FOR EACH STATEMENT EXECUTE FUNCTION fairway_refuse_erasure_change()`,
    'ALTER TABLE erasures ENABLE ALWAYS TRIGGER erasures_no_change',
    'ALTER TABLE erasures ENABLE ALWAYS TRIGGER erasures_no_truncate',
  ],
}
