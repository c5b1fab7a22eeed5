/** A database of its own for one test, on either engine. */

import { randomBytes } from 'node:crypto'
import { copyFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { scratchFolder } from '../scratch.ts'

export const engines = ['sqlite', 'postgres'] as const

export type Engine = (typeof engines)[number]

export interface FreshDatabase {
  readonly url: string
  drop(): Promise<void>
}

/** The settings that say where the templates of this run are. */
export const templateNames = {
  sqlite: 'TEST_TEMPLATE_FILE',
  postgres: 'TEST_TEMPLATE_DATABASE',
} as const satisfies Record<Engine, string>

/** With nothing in it, as a first start finds it. */
export function freshDatabase(engine: Engine): Promise<FreshDatabase> {
  return engine === 'sqlite' ? freshFile(null) : freshOnServer(null)
}

/** Without a row, but with its schema, as every later start finds it. Where the run has no template it is empty. */
export function migratedDatabase(engine: Engine): Promise<FreshDatabase> {
  const template = process.env[templateNames[engine]] ?? null
  return engine === 'sqlite' ? freshFile(template) : freshOnServer(template)
}

function freshFile(template: string | null): Promise<FreshDatabase> {
  const directory = scratchFolder('fairway-test-')
  const path = join(directory, 'fairway.db')
  if (template !== null) copyFileSync(template, path)
  return Promise.resolve({
    url: `sqlite:${path}`,
    drop: () => {
      rmSync(directory, { recursive: true, force: true })
      return Promise.resolve()
    },
  })
}

async function freshOnServer(template: string | null): Promise<FreshDatabase> {
  const server = process.env['TEST_DATABASE_URL']
  if (server === undefined) throw new Error('run the tests with npm test: it brings up PostgreSQL')
  const name = `fairway_${randomBytes(8).toString('hex')}`
  await onServer(server, `CREATE DATABASE ${name}${template === null ? '' : ` TEMPLATE ${template}`}`)
  return {
    url: databaseOn(server, name),
    drop: () => {
      rmSync(keyPathOf(name), { force: true })
      return onServer(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
    },
  }
}

/** On PostgreSQL: of a database of its own, as a file of SQLite has one beside it. */
export function keyPathOf(database: string): string {
  return join(tmpdir(), 'fairway-test-keys', `${database}.key`)
}

export function databaseOn(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

export async function onServer(server: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
