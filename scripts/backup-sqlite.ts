/**
 * A copy of the SQLite database, whole and checked, while the server goes on:
 *
 *   npm run -s backup -- FILE
 */

import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { readConfig } from '../src/config.ts'

const busyTimeoutMs = 5_000

/** One line, and an exit code that a timer notices. */
class Refusal extends Error {}

function sourceFile(): string {
  const { databaseUrl } = readConfig(process.env)
  if (!databaseUrl.startsWith('sqlite:')) throw new Refusal('this is for SQLite: use pg_dump for PostgreSQL')
  const source = databaseUrl.slice('sqlite:'.length)
  if (!existsSync(source)) throw new Refusal(`there is no ${source}`)
  return source
}

/** One look at one moment: writers go on beside it, and nothing of theirs is half in it. */
function copyInto(source: string, target: string): void {
  // Secrets of webhooks are in it. SQLite takes a file that is there and empty.
  closeSync(openSync(target, 'wx', 0o600))
  const database = new DatabaseSync(source, { timeout: busyTimeoutMs })
  try {
    database.prepare('VACUUM INTO ?').run(target)
  } finally {
    database.close()
  }
  const file = openSync(target, 'r+')
  fsyncSync(file)
  closeSync(file)
}

/** What it holds, where it is whole. */
function checked(target: string): string {
  const copy = new DatabaseSync(target, { readOnly: true })
  try {
    const one = (sql: string): string => String(Object.values(copy.prepare(sql).get() ?? {})[0])
    const state = one('PRAGMA integrity_check')
    if (state !== 'ok') throw new Refusal(`the copy is not whole: ${state}`)
    const schema = one('SELECT max(number) FROM schema_migrations')
    return `schema ${schema}, decisions: ${one('SELECT count(*) FROM verifications')}`
  } finally {
    copy.close()
  }
}

function backUp(target: string | undefined): string {
  if (target === undefined) throw new Refusal('say where to: npm run -s backup -- FILE')
  if (existsSync(target)) throw new Refusal(`${target} is there already`)
  const source = sourceFile()
  // What breaks off leaves nothing under the name of a whole copy.
  const part = `${target}.${process.pid}.part`
  try {
    copyInto(source, part)
    const held = checked(part)
    renameSync(part, target)
    return `${target} is whole: ${held}`
  } finally {
    rmSync(part, { force: true })
  }
}

try {
  process.stdout.write(`${backUp(process.argv[2])}\n`)
} catch (error) {
  process.stderr.write(`backup: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
