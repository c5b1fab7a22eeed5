/**
 * A copy of the SQLite database, whole and checked, while the server goes on:
 *
 *   npm run -s backup -- FILE
 */

import { closeSync, existsSync, fsyncSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { readConfig } from '../src/config.ts'

/** One line, and an exit code that a timer notices. */
function fail(message: string): never {
  process.stderr.write(`backup: ${message}\n`)
  process.exit(1)
}

const [target] = process.argv.slice(2)
if (target === undefined) fail('say where to: npm run -s backup -- FILE')
if (existsSync(target)) fail(`${target} is there already`)
const { databaseUrl } = readConfig(process.env)
if (!databaseUrl.startsWith('sqlite:')) fail('this is for SQLite: use pg_dump for PostgreSQL')
const source = databaseUrl.slice('sqlite:'.length)
if (!existsSync(source)) fail(`there is no ${source}`)

const database = new DatabaseSync(source, { timeout: 5_000 })
// One look at one moment: writers go on beside it, and nothing of theirs is half in it.
database.prepare('VACUUM INTO ?').run(target)
database.close()
const file = openSync(target, 'r+')
fsyncSync(file)
closeSync(file)

const copy = new DatabaseSync(target, { readOnly: true })
const one = (sql: string): unknown => Object.values(copy.prepare(sql).get() ?? {})[0]
const state = one('PRAGMA integrity_check')
if (state !== 'ok') fail(`${target} is not whole: ${String(state)}`)
const decisions = String(one('SELECT count(*) FROM verifications'))
const schema = String(one('SELECT max(number) FROM schema_migrations'))
process.stdout.write(`${target} is whole: schema ${schema}, decisions: ${decisions}\n`)
