/** A fresh database for one test, on either engine. */

import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'

export const engines = ['sqlite', 'postgres'] as const

export type Engine = (typeof engines)[number]

export interface FreshDatabase {
  readonly url: string
  drop(): Promise<void>
}

export async function freshDatabase(engine: Engine): Promise<FreshDatabase> {
  return engine === 'sqlite' ? freshFile() : freshOnServer()
}

function freshFile(): FreshDatabase {
  const directory = mkdtempSync(join(tmpdir(), 'fairway-test-'))
  return {
    url: `sqlite:${join(directory, 'fairway.db')}`,
    drop: () => {
      rmSync(directory, { recursive: true, force: true })
      return Promise.resolve()
    },
  }
}

async function freshOnServer(): Promise<FreshDatabase> {
  const server = process.env['TEST_DATABASE_URL']
  if (server === undefined) throw new Error('run the tests with npm test: it brings up PostgreSQL')
  const name = `fairway_${randomBytes(8).toString('hex')}`
  await onServer(server, `CREATE DATABASE ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => onServer(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) }
}

async function onServer(server: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
