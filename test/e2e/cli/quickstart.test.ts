/** `fairway quickstart` as it is run on a fresh machine: what it starts, keeps, uses again, and stops when it fails. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, watch } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { checkedFetch } from '../../helpers/process/checked-fetch.ts'
import { withFolder } from '../../helpers/folder.ts'
import { serveInProcess, type Finished } from '../../helpers/process/in-process.ts'
import { finished, start } from '../../helpers/process/process.ts'
import {
  answering,
  configIn,
  fairwayOf,
  homeIn,
  nowhere,
  onTerminal,
  writeConfig,
} from '../../helpers/process/user.ts'

interface Quickstarted {
  readonly url: string
  readonly server: {
    readonly started: boolean
    readonly pid: number | null
    readonly log_file: string | null
  }
  readonly key: { readonly requested: boolean; readonly source: string }
  readonly verification: { readonly decision: string; readonly request_id: string }
}

const read = ({ stdout, stderr }: Finished): Quickstarted => {
  assert.match(stdout, /^\{.*\}\n$/, stderr)
  return JSON.parse(stdout) as Quickstarted
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Asks it to end, and waits until the address is free: the process is nobody's child here. */
async function stop(pid: number, url: string): Promise<void> {
  process.kill(pid, 'SIGTERM')
  while (isRunning(pid) || (await answers(url))) await new Promise((resolve) => setImmediate(resolve))
}

async function answers(url: string): Promise<boolean> {
  return checkedFetch(`${url}/api/health`).then(
    () => true,
    () => false,
  )
}

const pidIn = (log: string): number =>
  Number(/"pid":(\d+)[^\n]*server: listening/.exec(readFileSync(log, 'utf8'))?.[1])

test('from nothing to a first decision; a second run uses server and key again', () =>
  withFolder(async (folder) => {
    const url = await nowhere()
    const database = { DATABASE_URL: `sqlite:${join(folder, 'data', 'fairway.db')}` }
    const fairway = fairwayOf(folder, { ...database, FAIRWAY_URL: url })
    const first = await fairway(['quickstart'], {}, { asProcess: true })
    const done = read(first)
    const { pid } = done.server
    assert.ok(pid !== null)
    try {
      assert.deepEqual([first.code, done.server.started, done.key.requested], [0, true, true])
      assert.equal(done.verification.decision, 'GO')
      assert.equal(done.server.log_file, join(folder, 'data', 'fairway.log'))
      assert.equal(pidIn(done.server.log_file), pid)
      assert.equal(statSync(done.server.log_file).mode & 0o777, 0o600)
      assert.equal(statSync(configIn(folder)).mode & 0o777, 0o600)
      const kept = JSON.parse(readFileSync(configIn(folder), 'utf8')) as { url: string; api_key: string }
      assert.equal(kept.url, url)

      // Without the setting: the file has the address too.
      const explained = await fairway(['explain', done.verification.request_id], { FAIRWAY_URL: '' })
      assert.equal(explained.code, 0, explained.stderr)

      const second = await fairway(['quickstart'])
      assert.deepEqual(read(second).server, { started: false, pid: null, log_file: null })
      assert.equal(read(second).key.requested, false)
      assert.equal(
        (JSON.parse(readFileSync(configIn(folder), 'utf8')) as { api_key: string }).api_key,
        kept.api_key,
      )
      for (const { stdout, stderr } of [first, second])
        assert.ok(!`${stdout}${stderr}`.includes(kept.api_key))

      const text = await onTerminal(['quickstart'], { ...homeIn(folder), FAIRWAY_URL: url, NO_COLOR: '1' })
      assert.equal(text.code, 0)
      for (const said of [/GO {2}score/, /fairway history/, /curl -s http/, /FairwayClient/, /\/docs\//]) {
        assert.match(text.stdout, said)
      }
      assert.match(text.stdout, /export FAIRWAY_API_KEY="\$\(fairway login --print-key\)"/)
      assert.ok(!text.stdout.includes(kept.api_key))
      const printed = await fairway(['login', '--print-key'])
      assert.deepEqual([printed.code, printed.stdout, printed.stderr], [0, `${kept.api_key}\n`, ''])
    } finally {
      await stop(pid, url)
    }
  }))

test('a key that the server does not know any more is replaced; one of the environment is not', () =>
  withFolder(async (folder) => {
    const server = await serveInProcess({ DATABASE_URL: `sqlite:${join(folder, 'fairway.db')}` })
    try {
      const old = 'svc-sandbox-0123456789abcdefghjkmnpqrstvwxyz012345'
      writeConfig(folder, JSON.stringify({ url: server.url, api_key: old }))
      const fairway = fairwayOf(folder, { FAIRWAY_URL: server.url })
      const refused = await fairway(['quickstart'], { FAIRWAY_API_KEY: old })
      assert.equal(refused.code, 1)
      assert.match(refused.stderr, /the key from FAIRWAY_API_KEY was not accepted/)
      const done = await fairway(['quickstart', '--name', 'A. Tester', '--email', 'a@example.com'])
      assert.deepEqual([done.code, read(done).key.requested, read(done).server.started], [0, true, false])
      assert.ok(!readFileSync(configIn(folder), 'utf8').includes(old))
    } finally {
      await server.stop()
    }
  }))

test('without a key, login --print-key prints nothing that a shell could take for one', () =>
  withFolder(async (folder) => {
    const { code, stdout, stderr } = await fairwayOf(folder, {})(['login', '--print-key'])
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, /^fairway: no API key: [^\n]+\n$/)
  }))

const healthy = JSON.stringify({ status: 'healthy', version: '1', total_verifications: 0 })

test('where the key could not be kept, none is asked for', () =>
  withFolder((folder) =>
    answering(200, {}, healthy, async (url, seen) => {
      // A link that leads nowhere in the place of the folder: not even root can write there.
      mkdirSync(join(folder, 'settings'))
      symlinkSync(join(folder, 'none', 'none'), join(folder, 'settings', 'fairway'))
      const { code, stderr } = await fairwayOf(folder, { FAIRWAY_URL: url })(['quickstart'])
      assert.equal(code, 1)
      assert.match(stderr, /^fairway: cannot write .*config\.json/)
      assert.equal(seen(), 1, 'more than its health was asked for')
    }),
  ))

test('a key that a server elsewhere refuses is not replaced', () =>
  withFolder(async (folder) => {
    const elsewhere = createServer((request, response) => {
      if (request.url === '/api/health') response.end(healthy)
      else response.writeHead(401).end('{"code":"UNAUTHORIZED","message":"No."}')
    })
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
    try {
      // Leads here as well, and does not say so.
      const url = `http://0.0.0.0:${(elsewhere.address() as AddressInfo).port}`
      const path = writeConfig(folder, JSON.stringify({ url, api_key: 'svc-live-kept' }))
      const { code, stderr } = await fairwayOf(folder, {})(['quickstart'])
      assert.equal(code, 1)
      assert.match(stderr, /was not accepted by http:\/\/0\.0\.0\.0:\d+ and is not replaced by a sandbox key/)
      assert.match(readFileSync(path, 'utf8'), /svc-live-kept/)
    } finally {
      elsewhere.closeAllConnections()
      await new Promise((resolve) => elsewhere.close(resolve))
    }
  }))

test('where a captcha stands before a key, what was started is stopped again and another way is told', () =>
  withFolder(async (folder) => {
    const url = await nowhere()
    const captcha = createServer((_request, response) =>
      response.end('{"success":false,"error-codes":["invalid-input-response"]}'),
    )
    await new Promise<void>((resolve) => captcha.listen(0, '127.0.0.1', resolve))
    try {
      const { port } = captcha.address() as AddressInfo
      const { code, stdout, stderr } = await fairwayOf(folder, {
        FAIRWAY_URL: url,
        DATABASE_URL: `sqlite:${join(folder, 'fairway.db')}`,
        FAIRWAY_RECAPTCHA_SECRET: 'secret',
        FAIRWAY_RECAPTCHA_URL: `http://127.0.0.1:${port}/`,
      })(['quickstart'])
      assert.equal(code, 1)
      assert.match(stderr, /captcha.*fairway keys issue .*fairway login/)
      assert.ok('error' in (JSON.parse(stdout) as object))
      assert.ok(!existsSync(configIn(folder)))
      assert.equal(isRunning(pidIn(join(folder, 'fairway.log'))), false)
      assert.equal(await answers(url), false)
    } finally {
      captcha.closeAllConnections()
      await new Promise((resolve) => captcha.close(resolve))
    }
  }))

test('a server that cannot start is told with the end of its log', () =>
  withFolder(async (folder) => {
    const fairway = fairwayOf(folder, { FAIRWAY_URL: await nowhere(), FAIRWAY_COOLDOWN_S: 'soon' })
    const { code, stderr } = await fairway(['quickstart'], {
      DATABASE_URL: `sqlite:${join(folder, 'fairway.db')}`,
    })
    assert.equal(code, 1)
    assert.match(
      stderr,
      /^fairway: the server did not start: see .*fairway\.log\n {2}fairway: FAIRWAY_COOLDOWN_S/,
    )
  }))

test('elsewhere, or where something else answers, nothing is started', () =>
  withFolder(async (folder) => {
    const database = { DATABASE_URL: `sqlite:${join(folder, 'fairway.db')}` }
    const remote = await fairwayOf(folder, { ...database, FAIRWAY_URL: 'https://fairway.invalid' })([
      'quickstart',
    ])
    assert.equal(remote.code, 75)
    assert.match(
      remote.stderr,
      /no server at https:\/\/fairway\.invalid: quickstart can start one only on this machine/,
    )
    const other = createServer((_request, response) => response.writeHead(404).end('Not here'))
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    try {
      const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
      const { code, stderr } = await fairwayOf(folder, { ...database, FAIRWAY_URL: url })(['quickstart'])
      assert.equal(code, 1)
      assert.match(stderr, /the server at http:\S+ is not Fairway/)
    } finally {
      other.closeAllConnections()
      await new Promise((resolve) => other.close(resolve))
    }
    assert.ok(!existsSync(join(folder, 'fairway.log')) && !existsSync(configIn(folder)))
  }))

test('the key of another server is not thrown away', () =>
  withFolder(async (folder) => {
    const text = JSON.stringify({ url: 'https://fairway.example.com', api_key: 'svc-live-kept' })
    const path = writeConfig(folder, text)
    const { code, stderr } = await fairwayOf(folder, { FAIRWAY_URL: await nowhere() })(['quickstart'])
    assert.equal(code, 1)
    assert.match(
      stderr,
      /contains a key for https:\/\/fairway\.example\.com that would be overwritten: run fairway logout/,
    )
    assert.equal(readFileSync(path, 'utf8'), text)
  }))

for (const [signal, exitCode] of [
  ['SIGINT', 130],
  ['SIGHUP', 129],
] as const)
  test(`${signal} while the server starts stops it too`, () =>
    withFolder(async (folder) => {
      const url = await nowhere()
      const log = join(folder, 'fairway.log')
      const environment = {
        ...homeIn(folder),
        FAIRWAY_URL: url,
        DATABASE_URL: `sqlite:${join(folder, 'fairway.db')}`,
      }
      const watcher = watch(folder)
      const child = start(['quickstart'], environment)
      const ended = finished(child)
      while (!existsSync(log) || readFileSync(log, 'utf8') === '') await once(watcher, 'change')
      watcher.close()
      child.kill(signal)
      const { code } = await ended
      // It may have been quicker than we were.
      assert.ok(code === exitCode || code === 0, String(code))
      if (code === 0) await stop(pidIn(log), url)
      assert.equal(await answers(url), false)
    }))
