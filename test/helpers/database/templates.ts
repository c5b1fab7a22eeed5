/** Databases whose schema is up to date, made once for a whole test run: whoever starts on a copy has nothing left to migrate. */

import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { leafHashes } from '../../../src/app/log/leaf.ts'
import { openStore } from '../../../src/adapters/store/open.ts'
import { ManualClock } from '../clock.ts'
import { scratchFolder } from '../scratch.ts'
import { databaseOn, onServer, templateNames } from './databases.ts'

export interface Templates {
  remove(): Promise<void>
}

/** Tells every process of the run where they are. */
export async function makeTemplates(server: string): Promise<Templates> {
  const directory = scratchFolder('fairway-template-')
  const file = join(directory, 'fairway.db')
  await migrate(`sqlite:${file}`)
  process.env[templateNames.sqlite] = file

  // Not by the process: those of two containers on one server may have the same number.
  const name = `fairway_template_${randomBytes(8).toString('hex')}`
  await onServer(server, `CREATE DATABASE ${name}`)
  await migrate(databaseOn(server, name))
  // One that somebody is connected to cannot be copied.
  await onServer(server, `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`)
  process.env[templateNames.postgres] = name
  return {
    async remove() {
      rmSync(directory, { recursive: true, force: true })
      await onServer(server, `DROP DATABASE IF EXISTS ${name}`)
    },
  }
}

/** As a service does when it starts: at the time of the clock that tests have unless they bring their own. */
async function migrate(databaseUrl: string): Promise<void> {
  const options = { databaseUrl, leafHashes, clock: new ManualClock(), onFault: ignore }
  const { store } = await openStore(options)
  await store.close()
}

function ignore(): void {}
