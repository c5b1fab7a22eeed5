/** `fairway doctor` on a database and settings of a test, and a fingerprint of what it must not change. */

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { CheckedFinding, Report } from '../../src/app/operate/doctor/examine.ts'
import { freshDatabase, type Engine, type FreshDatabase } from './database/databases.ts'
import { withDirectDatabase } from './database/sql.ts'
import { freePort } from './process/free-port.ts'
import { runInProcess, serveInProcess } from './process/in-process.ts'

export interface Examined {
  readonly code: number | null
  readonly report: Report
  /** All that was printed. */
  readonly text: string
  /** The state, the finding and the action of each finding of a check. */
  readonly of: (check: string) => CheckedFinding[]
  /** The state of a check that found one thing. */
  readonly only: (check: string) => CheckedFinding
}

/** Nobody's settings file, and a port that nobody has. */
export async function examine(environment: Readonly<Record<string, string>>): Promise<Examined> {
  const own = { XDG_CONFIG_HOME: '/nowhere', PORT: String(await freePort()) }
  const { code, stdout, stderr } = await runInProcess(['doctor', '--json'], { ...own, ...environment })
  assert.equal(stderr, '')
  const report = JSON.parse(stdout) as Report
  const of = (check: string): CheckedFinding[] => report.findings.filter((one) => one.check === check)
  return {
    code,
    report,
    text: stdout,
    of,
    only(check) {
      const found = of(check)
      assert.equal(found.length, 1, JSON.stringify(found))
      return found[0] ?? assert.fail()
    },
  }
}

/** A database as a server leaves it that has run once, with its key beside it. */
export async function servedDatabase(
  engine: Engine,
  environment: Readonly<Record<string, string>> = {},
): Promise<FreshDatabase> {
  const database = await freshDatabase(engine)
  const server = await serveInProcess({ DATABASE_URL: database.url, ...environment })
  await server.stop()
  return database
}

export const fileOf = ({ url }: { readonly url: string }): string => url.slice('sqlite:'.length)

/** All that is in a database: of SQLite every file of its folder, of PostgreSQL every row. */
export async function fingerprint({ url }: { readonly url: string }): Promise<Record<string, string>> {
  const hashOf = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex')
  if (url.startsWith('sqlite:')) {
    const folder = dirname(fileOf({ url }))
    return Object.fromEntries(
      readdirSync(folder)
        .toSorted()
        .map((name) => [name, hashOf(readFileSync(join(folder, name)))]),
    )
  }
  return withDirectDatabase(url, async ({ run }) => {
    const tables = await run(
      "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1",
    )
    const prints: Record<string, string> = {}
    for (const { name } of tables) {
      const rows = await run(`SELECT row_to_json(t)::text AS row FROM ${String(name)} AS t ORDER BY 1`)
      prints[String(name)] = hashOf(JSON.stringify(rows))
    }
    return prints
  })
}
