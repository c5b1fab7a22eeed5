/** The client as a stranger gets it: from its tarball, in an empty project, on every runtime that it is made for. */

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { chromium } from 'playwright-core'
import { freshDatabase, type FreshDatabase } from '../helpers/database/databases.ts'
import { installClient, type InstalledClient } from '../helpers/process/package.ts'
import { serveInProcess, type ServedInProcess } from '../helpers/process/in-process.ts'
import { issueByCli } from '../helpers/process/process.ts'
import { chromiumArgs, chromiumNeeded, runtimes } from '../helpers/process/runtimes.ts'

const root = new URL('../../', import.meta.url).pathname
const folder = mkdtempSync(join(tmpdir(), 'fairway-test-'))
const execute = promisify(execFile)

let database: FreshDatabase
let server: ServedInProcess
let apiKey: string
let installed: InstalledClient

before(async () => {
  database = await freshDatabase('sqlite')
  server = await serveInProcess({ DATABASE_URL: database.url })
  apiKey = (await issueByCli(database.url)).key
  installed = await installClient(folder)
})
after(async () => {
  await server.stop()
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

test('the tarball holds built JavaScript, declarations, a page and a licence, and nothing else', () => {
  const sources = readdirSync(join(root, 'client', 'src'))
  const built = sources.flatMap((name) => [name.replace('.ts', '.js'), name.replace('.ts', '.d.ts')])
  const expected = [...built.map((name) => `dist/${name}`), 'LICENSE', 'README.md', 'package.json']
  assert.deepEqual(new Set(installed.files), new Set(expected))
})

test('it has no dependencies: nothing else is installed with it', () => {
  const modules = join(installed.project, 'node_modules')
  const packages = readdirSync(modules).filter((name) => !name.startsWith('.'))
  assert.deepEqual(packages, ['@fairway'])
  assert.deepEqual(readdirSync(join(modules, '@fairway')), ['client'])
  const manifest = JSON.parse(readFileSync(join(modules, '@fairway/client/package.json'), 'utf8')) as Record<
    string,
    unknown
  >
  for (const kind of ['dependencies', 'peerDependencies', 'optionalDependencies']) {
    assert.equal(manifest[kind], undefined, kind)
  }
})

describe('a strict compiler takes its declarations', () => {
  const compilers = { 'TypeScript 7': root, 'TypeScript 5': join(root, 'client') }
  const settings = {
    nodenext: { module: 'nodenext', moduleResolution: 'nodenext' },
    bundler: { module: 'esnext', moduleResolution: 'bundler' },
  }
  const code = `import { allows, FairwayClient, verifyWebhook, type VerifyResult } from '@fairway/client'
export async function gate(client: FairwayClient): Promise<string> {
  const answer: VerifyResult = await client.verify({ corridor: 'GB-NG', amount: 1 }, { maxRetries: 1 })
  // @ts-expect-error a hold has no decision
  answer.decision
  if (answer.held) return answer.idempotencyKey
  // @ts-expect-error an amount is a number
  await client.verify({ corridor: 'GB-NG', amount: '1' })
  for await (const one of client.verifications({ decision: 'NO-GO' })) console.log(one.score.toFixed(2))
  const event = await verifyWebhook('', new Headers(), 'whsec_')
  if (event.event === 'payment.override.created') console.log(event.data.justification)
  return allows(answer) ? answer.request_id : answer.decision
}
`
  for (const [compiler, place] of Object.entries(compilers)) {
    test(`${compiler}, ${Object.keys(settings).join(' and ')}`, async () => {
      const projects = Object.entries(settings).map(([name, resolution]) => {
        const base = `check-${compiler.slice(-1)}-${name}`
        writeFileSync(join(installed.project, `${base}.ts`), code)
        // Of declarations, those of the compiler itself are not checked.
        const options = { strict: true, noEmit: true, skipLibCheck: false, skipDefaultLibCheck: true }
        const lib = ['es2022', 'dom', 'dom.iterable']
        const compilerOptions = { ...options, target: 'es2022', types: [], lib, ...resolution }
        writeFileSync(
          join(installed.project, `${base}.json`),
          JSON.stringify({ compilerOptions, files: [`${base}.ts`] }),
        )
        return `${base}.json`
      })
      const tsc = join(place, 'node_modules', '.bin', 'tsc')
      // Both by one compiler, which reads its own declarations once.
      const { stdout } = await execute(tsc, ['--build', '--force', ...projects], {
        cwd: installed.project,
      }).catch((error: { stdout: string }) => error)
      assert.equal(stdout, '')
    })
  }
})

/** A program as a user would write it; it tells in JSON what it found. */
const program = `import { allows, FairwayClient, NotFoundError, verifyWebhook } from '@fairway/client'

export async function run(baseUrl, apiKey) {
  const client = new FairwayClient({ baseUrl, apiKey })
  const answer = await client.verify({ corridor: 'GB-NG', amount: 1000, currency: 'GBP' })
  const hold = await client.verify({ corridor: 'GB-NG', amount: 1000.09 })
  const found = []
  for await (const one of client.verifications({ limit: 1 })) found.push(one.request_id)
  const missing = await client.audit('SVC-2026-NONE').catch((error) => error)
  const stopped = await client.health({ signal: AbortSignal.abort(new Error('stopped')) }).catch((error) => error)
  const raw = '0123456789abcdef0123456789abcdef'
  const secret = 'whsec_' + btoa(raw)
  const body = JSON.stringify({ event: 'webhook.test', created_at: new Date().toISOString() })
  const bytes = (text) => new TextEncoder().encode(text)
  const key = await crypto.subtle.importKey('raw', bytes(raw), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const timestamp = String(Math.floor(Date.now() / 1000))
  const mac = new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes('evt_1.' + timestamp + '.' + body)))
  const headers = (signature) =>
    new Headers({ 'webhook-id': 'evt_1', 'webhook-timestamp': timestamp, 'webhook-signature': signature })
  const event = await verifyWebhook(body, headers('v1,' + btoa(String.fromCharCode(...mac))), secret)
  const forged = await verifyWebhook(body, headers('v1,' + btoa('0'.repeat(32))), secret).catch((error) => error)
  return {
    event: event.event,
    decision: answer.decision,
    allowed: allows(answer),
    hold: [hold.held, allows(hold), hold.unavailableSignals.length],
    found: found.includes(answer.request_id),
    missing: [missing instanceof NotFoundError, missing.status, missing.code],
    stopped: stopped.message,
    forged: forged.fault,
  }
}
`
const told = {
  event: 'webhook.test',
  decision: 'GO',
  allowed: true,
  hold: [true, false, 2],
  found: true,
  missing: [true, 404, 'NOT_FOUND'],
  stopped: 'stopped',
  forged: 'wrong_signature',
}
const start = `import { run } from './program.mjs'
const { env } = globalThis.process ?? { env: Deno.env.toObject() }
console.log(JSON.stringify(await run(env.FAIRWAY_URL, env.FAIRWAY_API_KEY)))
`

describe('the same program runs the same on', () => {
  const here = { 'Node.js 24': { skip: false, path: () => process.execPath, args: [] as string[] } }
  for (const [name, { skip, path, args }] of Object.entries({ ...here, ...runtimes })) {
    test(name, { skip }, async () => {
      writeFileSync(join(installed.project, 'program.mjs'), program)
      writeFileSync(join(installed.project, 'start.mjs'), start)
      const env = {
        FAIRWAY_URL: server.url,
        FAIRWAY_API_KEY: apiKey,
        HOME: folder,
        DENO_DIR: join(folder, 'deno'),
      }
      const { stdout } = await execute(path(), [...args, 'start.mjs'], { cwd: installed.project, env })
      assert.deepEqual(JSON.parse(stdout), told)
    })
  }

  test('Chromium', { skip: chromiumNeeded.skip }, async () => {
    const browser = await chromium.launch({ executablePath: chromiumNeeded.path(), args: chromiumArgs })
    try {
      const page = await browser.newPage()
      const dist = join(installed.project, 'node_modules/@fairway/client/dist/')
      // Beside the API, as a console would be: its scripts are the files of the package.
      await page.route(`${server.url}/client/**`, async (route) => {
        const name = new URL(route.request().url()).pathname.replace('/client/', '')
        if (name === '')
          return route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>client</title>' })
        const body =
          name === 'program.js' ? program.replace('@fairway/client', './index.js') : readFileSync(dist + name)
        return route.fulfill({ contentType: 'text/javascript', body })
      })
      await page.goto(`${server.url}/client/`)
      const result = await page.evaluate(
        `import('/client/program.js').then(({ run }) => run(location.origin, ${JSON.stringify(apiKey)}))`,
      )
      assert.deepEqual(result, told)
    } finally {
      await browser.close()
    }
  })
})
