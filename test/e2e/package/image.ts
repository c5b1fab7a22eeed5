/** The last stage of the image, command by command in an empty folder, as a user who may write nothing in it. */

import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { checkedFetch } from '../../helpers/process/checked-fetch.ts'
import { freshDatabase, type FreshDatabase } from '../../helpers/database/databases.ts'
import { argumentsOf, flagsOf, listOf, named, restOf, stages } from '../../helpers/deploy.ts'
import { freePort } from '../../helpers/process/free-port.ts'
import { ask, finished } from '../../helpers/process/process.ts'
import { execute, folder, outs } from './built.ts'
import { addressOf, bin, protect, userOfImage } from './run.ts'

const image = stages().at(-1) ?? assert.fail('the Dockerfile has no stage')
const work = join(folder, 'image')

/** `name=value` pairs. */
const pairsIn = (texts: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    texts.map((text): [string, string] => {
      const [name = '', ...value] = text.split('=')
      return [name, value.join('=')]
    }),
  )

/** Starts a command of the image: nothing is in its environment but what the image and the test give it. */
function start([program = '', ...args]: readonly string[], more: Record<string, string>): ChildProcess {
  const env = { PATH: bin, ...pairsIn(named(image, 'ENV').flatMap(argumentsOf)), ...more }
  return spawn(join(bin, program), args, {
    cwd: work,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...userOfImage(),
  })
}

async function unpack(): Promise<void> {
  mkdirSync(work)
  for (const one of named(image, 'RUN')) {
    const flags = flagsOf(one)
    const { target = '', ...mount } = pairsIn(flags['mount']?.split(',') ?? [])
    assert.equal(flags['network'], 'none')
    assert.deepEqual(mount, { type: 'bind', from: 'build', source: '/build/release' })
    await execute('sh', ['-c', restOf(one).replaceAll(target, outs[0])], { cwd: work })
  }
}

/** Starts, decides, is healthy and stops. */
async function serveOnce(databaseUrl: string): Promise<void> {
  const [command = []] = named(image, 'CMD').map((one) => listOf(restOf(one)))
  const health = restOf(named(image, 'HEALTHCHECK')[0] ?? assert.fail('no HEALTHCHECK'))
  const check = listOf(health.slice(health.indexOf('CMD')))
  // Its user may write nowhere, so the key is a setting.
  const FAIRWAY_SEAL_KEY = Buffer.alloc(32, 7).toString('base64')
  const settings = { DATABASE_URL: databaseUrl, FAIRWAY_SEAL_KEY, PORT: String(await freePort()) }
  const server = start(command, settings)
  const ended = finished(server)
  await addressOf(server)
  const url = `http://127.0.0.1:${settings.PORT}`
  const issue = ['node', 'bin/fairway.js', 'keys', 'issue', '--type', 'test', '--owner', 'Image', '--quiet']
  const issued = await finished(start(issue, settings))
  assert.equal(issued.code, 0, issued.stderr)
  assert.equal((await ask(url, issued.stdout.trim(), { corridor: 'GB-NG', amount: 5 })).status, 200)
  assert.equal((await checkedFetch(`${url}/`)).status, 200)
  assert.equal((await finished(start(check, settings))).code, 0)
  server.kill('SIGTERM')
  assert.equal((await ended).code, 0)
  assert.equal((await finished(start(check, settings))).code, 1)
}

describe('the image', () => {
  before(unpack)

  test('the last stage takes the package and nothing else: no file of the context, no network', () => {
    assert.deepEqual(named(image, 'COPY'), [])
    assert.deepEqual(named(image, 'ADD'), [])
    assert.equal(named(image, 'RUN').length, 1)
    assert.deepEqual(readdirSync(work).toSorted(), [
      'CHANGELOG.md',
      'LICENSE',
      'LICENSES-OF-PACKAGES.txt',
      'README.md',
      'bin',
      'console',
      'deploy',
      'docs',
      'package.json',
      'src',
    ])
  })

  test('what it takes belongs to the user that unpacked it, and to nobody else to change', () => {
    const own = process.getuid?.()
    const others = readdirSync(work, { recursive: true, encoding: 'utf8' }).filter((path) => {
      const { mode, uid } = statSync(join(work, path))
      return (mode & 0o022) !== 0 || uid !== own
    })
    assert.deepEqual(others, [])
  })

  describe('as its user', () => {
    let database: FreshDatabase
    before(async () => {
      database = await freshDatabase('postgres')
      await protect(work)
    })
    after(() => database.drop())

    test('the service starts, decides, is found healthy, and stops when it is asked to', () =>
      serveOnce(database.url))
  })
})
