/** A database that refuses some change, on either engine, so that what depends on it fails. */

import { withDirectDatabase } from './sql.ts'

/** Nothing can be inserted into the table, or updated in it, meanwhile. */
export async function withBrokenTable(
  databaseUrl: string,
  change: `${'INSERT ON' | 'UPDATE ON'} ${string}`,
  work: () => Promise<void>,
): Promise<void> {
  const isFile = databaseUrl.startsWith('sqlite:')
  const breaking = isFile
    ? [`CREATE TRIGGER broken BEFORE ${change} BEGIN SELECT RAISE(ABORT, 'broken'); END`]
    : [
        `CREATE FUNCTION broken() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'broken'; END $$`,
        `CREATE TRIGGER broken BEFORE ${change} FOR EACH ROW EXECUTE FUNCTION broken()`,
      ]
  const mending = isFile
    ? ['DROP TRIGGER broken']
    : [`DROP TRIGGER broken ${change.replace(/^\w+ /, '')}`, 'DROP FUNCTION broken()']
  const runAll = (statements: readonly string[]): Promise<void> =>
    withDirectDatabase(databaseUrl, async ({ run }) => {
      for (const sql of statements) await run(sql)
    })
  await runAll(breaking)
  try {
    await work()
  } finally {
    await runAll(mending)
  }
}
