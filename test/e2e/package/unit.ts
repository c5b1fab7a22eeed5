/** `deploy/fairway.service`: systemd takes it, its command starts, and what it forbids is nothing that the service does. */

import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { chownSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { before, describe, test } from 'node:test'
import { readText } from '../../helpers/deploy.ts'
import { ask, finished, issueByCli } from '../../helpers/process/process.ts'
import { straceNeeded, systemdAnalyzeNeeded } from '../../helpers/process/runtimes.ts'
import { execute, folder, tarball } from './built.ts'
import { addressOf, bin, protect, userOfImage } from './run.ts'

/** Stands for `/`. */
const machine = join(folder, 'machine')
const prefix = join(machine, 'opt/fairway')
const state = join(machine, 'var/lib/fairway')
const settings = join(machine, 'etc/fairway.env')

/** The unit with its paths on that machine. */
const unit = readText('deploy/fairway.service').replaceAll(/\/(?:opt|var\/lib|etc)\/fairway/g, (path) =>
  join(machine, path),
)

/** All values of a directive. */
const valuesOf = (name: string): string[] =>
  [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value)

const environment = (): Record<string, string> =>
  Object.fromEntries(
    valuesOf('Environment').map((pair): [string, string] => {
      const at = pair.indexOf('=')
      return [pair.slice(0, at), pair.slice(at + 1)]
    }),
  )

async function install(): Promise<void> {
  for (const path of [prefix, state, dirname(settings)]) mkdirSync(path, { recursive: true })
  // As docs/running.md says.
  const args = ['install', '--offline', '--no-audit', '--no-fund', '--prefix', prefix, tarball()]
  await execute('npm', args, { cwd: machine, env: { ...process.env, HOME: machine } })
  await protect(prefix)
  const { uid, gid } = userOfImage()
  if (uid !== undefined && gid !== undefined) chownSync(state, uid, gid)
  writeFileSync(settings, 'PORT=0\n')
}

/** As systemd starts it: in its folder, as its user, with nothing in the environment but what the unit names. */
function start(under: readonly string[] = []): ChildProcess {
  const [command = ''] = valuesOf('ExecStart')
  const [program = '', ...args] = [...under, ...command.split(' ')]
  const [cwd = ''] = valuesOf('WorkingDirectory')
  // systemd has a PATH of its own, on which Node.js is.
  const env = { PATH: `${bin}:/usr/bin:/bin`, ...environment(), PORT: '0' }
  return spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], ...userOfImage() })
}

/** Starts, decides and stops. */
async function serveOnce(server: ChildProcess): Promise<void> {
  const ended = finished(server)
  const url = await addressOf(server)
  const { key } = await issueByCli(environment()['DATABASE_URL'] ?? '')
  assert.equal((await ask(url, key, { corridor: 'GB-NG', amount: 5 })).status, 200)
  server.kill('SIGTERM')
  const { code, stderr } = await ended
  assert.equal(code, 0, stderr)
}

/** The system calls of a group of systemd, whose members may be groups. */
async function callsIn(group: string): Promise<string[]> {
  const { stdout } = await execute(systemdAnalyzeNeeded.path(), ['syscall-filter', group])
  const members = stdout.split('\n').flatMap((line) => /^ {4}(@?\w[\w-]*)$/.exec(line)?.[1] ?? [])
  const nested = members.map(async (name) => (name.startsWith('@') ? callsIn(name) : [name]))
  return (await Promise.all(nested)).flat()
}

describe('the unit for systemd', () => {
  before(install)

  test('systemd takes it without a warning', { skip: systemdAnalyzeNeeded.skip }, async () => {
    const path = join(machine, 'fairway.service')
    writeFileSync(path, unit)
    const { stdout, stderr } = await execute(systemdAnalyzeNeeded.path(), ['verify', '--man=no', path])
    assert.equal(stdout + stderr, '')
  })

  test('systemd finds it little exposed: below 2 of 10', { skip: systemdAnalyzeNeeded.skip }, async () => {
    const path = join(machine, 'fairway.service')
    writeFileSync(path, unit)
    await execute(systemdAnalyzeNeeded.path(), ['security', '--offline=true', '--threshold=20', path])
  })

  test('its settings and its data are where its command looks for them', () => {
    assert.deepEqual(valuesOf('EnvironmentFile'), [settings])
    assert.deepEqual(valuesOf('WorkingDirectory'), [state])
    assert.equal(join(machine, 'var/lib', valuesOf('StateDirectory').join('')), state)
    assert.equal(environment()['DATABASE_URL'], `sqlite:${join(state, 'fairway.db')}`)
  })

  test('its command starts in an empty folder, which is the only one that it writes into', async () => {
    await serveOnce(start())
    assert.deepEqual(readdirSync(state).toSorted(), ['fairway.db', 'fairway.db-owner', 'fairway.db.key'])
    assert.deepEqual(readdirSync(join(prefix, 'node_modules')).toSorted(), [
      '.bin',
      '.package-lock.json',
      'fairway',
    ])
  })

  test(
    'every system call of a start, a decision and a stop is one that it allows',
    { skip: systemdAnalyzeNeeded.skip || straceNeeded.skip },
    async () => {
      const [allowed = '', refused = ''] = valuesOf('SystemCallFilter')
      const calls = new Set(await callsIn(allowed))
      for (const name of await callsIn(refused.replace(/^~/, ''))) calls.delete(name)
      const trace = join(state, 'trace')
      await serveOnce(start([straceNeeded.path(), '-D', '-f', '-qq', '-o', trace]))
      const lines = readFileSync(trace, 'utf8').split('\n')
      const made = new Set(lines.flatMap((line) => /^\d+ +([a-z_]\w*)\(/.exec(line)?.[1] ?? []))
      assert.ok(made.has('openat') && made.has('fsync'), [...made].join(' '))
      assert.deepEqual(
        [...made].filter((name) => !calls.has(name)),
        [],
      )
    },
  )
})
