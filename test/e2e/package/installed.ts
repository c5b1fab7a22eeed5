/** The package as a stranger gets it: one file, installed in an empty folder, on the oldest Node.js and on today's. */

import assert from 'node:assert/strict'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { before, describe, test } from 'node:test'
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { productionPackages } from '../../../scripts/release/manifest.ts'
import { callTool } from '../../helpers/mcp.ts'
import { withOtlp } from '../../helpers/peers/otlp.ts'
import { checkedFetch } from '../../helpers/process/checked-fetch.ts'
import { lend } from '../../helpers/process/package.ts'
import { ask, issueByCli, serve, type Served } from '../../helpers/process/process.ts'
import { oldestNode, type Needed } from '../../helpers/process/runtimes.ts'
import { nowhere } from '../../helpers/process/user.ts'
import { execute, folder, root, tarball } from './built.ts'

const megabyte = 1_000_000

function bytesOf(path: string): number {
  const entry = lstatSync(path)
  if (!entry.isDirectory()) return entry.size
  return readdirSync(path).reduce((sum, name) => sum + bytesOf(join(path, name)), 0)
}

interface Manifest {
  readonly dependencies?: object
  readonly scripts?: Readonly<Record<string, string>>
}

const here: Needed = { skip: false, path: () => process.execPath }

type Npx = (
  args: readonly string[],
  more?: Readonly<Record<string, string>>,
) => Promise<{ readonly stdout: string; readonly stderr: string }>

interface Installed {
  readonly node: Needed
  readonly project: string
  readonly environment: Readonly<Record<string, string>>
  /** A command as a person types it: `npx fairway …`. */
  readonly npx: Npx
}

async function install(node: Needed): Promise<Installed> {
  const project = mkdtempSync(join(folder, 'project-'))
  const home = join(project, 'home')
  mkdirSync(home)
  const environment = {
    PATH: `${dirname(node.path())}${delimiter}${process.env['PATH'] ?? ''}`,
    HOME: home,
    npm_config_update_notifier: 'false',
  }
  const args = ['install', '--offline', '--no-audit', '--no-fund', '--loglevel=error', tarball()]
  await execute('npm', args, { cwd: project, env: environment })
  const npx: Npx = (words, more = {}) =>
    execute('npx', ['--offline', 'fairway', ...words], {
      cwd: project,
      env: { ...environment, ...more },
      maxBuffer: 64 * megabyte,
    })
  return { node, project, environment, npx }
}

function isSmall({ project }: Installed): void {
  assert.ok(bytesOf(join(project, 'node_modules')) < 80 * megabyte)
}

function isAlone({ project }: Installed): void {
  const modules = join(project, 'node_modules')
  assert.deepEqual(
    readdirSync(modules).filter((name) => !name.startsWith('.')),
    ['fairway'],
  )
  const own = join(modules, 'fairway')
  const manifest = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8')) as Manifest
  assert.deepEqual([manifest.dependencies, manifest.scripts], [undefined, undefined])
  assert.equal(existsSync(join(own, 'node_modules')), false)
}

function passesLicencesOn({ project }: Installed): void {
  const licences = readFileSync(join(project, 'node_modules/fairway/LICENSES-OF-PACKAGES.txt'), 'utf8')
  for (const place of productionPackages(root)) {
    const { name, version } = JSON.parse(readFileSync(join(root, place, 'package.json'), 'utf8')) as {
      name: string
      version: string
    }
    assert.ok(licences.includes(`${name} ${version}: `), name)
  }
  assert.ok(!licences.includes('no licence named'))
}

async function decidesAtOnce({ project, npx }: Installed): Promise<void> {
  const url = await nowhere()
  const { stdout } = await npx(['quickstart'], { FAIRWAY_URL: url })
  const { server, verification } = JSON.parse(stdout) as {
    server: { pid: number; log_file: string }
    verification: { decision: string; request_id: string }
  }
  try {
    assert.equal(verification.decision, 'GO')
    assert.equal(server.log_file, join(project, 'data', 'fairway.log'))
    const explained = await npx(['explain', verification.request_id])
    assert.match(explained.stdout, /"decision":"GO"/)
    const pages = ['/', '/docs/', '/guide/', '/openapi.json'].map((path) => checkedFetch(`${url}${path}`))
    for (const { status } of await Promise.all(pages)) assert.equal(status, 200)
    assert.doesNotMatch(readFileSync(server.log_file, 'utf8'), /Warning/)
  } finally {
    process.kill(server.pid, 'SIGTERM')
  }
}

async function servesAndAssesses({ project, environment, npx, node }: Installed): Promise<void> {
  const settings = { DATABASE_URL: `sqlite:${join(project, 'served.db')}` }
  const entry = join(project, 'node_modules/fairway/bin/fairway.js')
  const server = await serve({ ...environment, ...settings }, { entry, node: node.path() })
  try {
    const { stdout } = await npx(
      ['keys', 'issue', '--type', 'test', '--owner', 'Package', '--json'],
      settings,
    )
    const { key } = JSON.parse(stdout) as { key: string }
    assert.equal((await ask(server.url, key, { corridor: 'GB-NG', amount: 1 })).status, 200)
    writeFileSync(join(project, 'payments.csv'), 'corridor,amount,currency\nGB-NG,1000,GBP\nGB-NG,5,GBP\n')
    const assessed = await npx(['assess', 'payments.csv'], settings)
    assert.match(`${assessed.stdout}${assessed.stderr}`, /\b2\b/)
    await npx(['backup', 'copy.db'], settings)
    const times = ['--from', '2026-01-01', '--to', '2100-01-01']
    const archive = join(project, 'archive')
    await npx(['export', ...times, '--format', 'jsonl', '--out', archive], settings)
    assert.match((await npx(['archive', 'verify', archive], settings)).stdout, /INTACT/)
    await assert.rejects(
      npx(['export', ...times, '--format', 'parquet', '--out', join(project, 'table')], settings),
      /npm install @duckdb\/node-api/,
    )
  } finally {
    assert.equal(await server.stop(), 0)
  }
  const checked = await npx(['audit', 'verify-log', '--json'], settings)
  assert.match(checked.stdout, /"findings":\[\]/)
}

/** The packages of the protocol, and the request that the service sends to itself, are in the package. */
async function servesTools({ project, environment, node }: Installed): Promise<void> {
  const entry = join(project, 'node_modules/fairway/bin/fairway.js')
  const bare = await connectHost(
    new StdioClientTransport({ command: node.path(), args: [entry, 'mcp'], env: { ...environment } }),
  )
  const { contents } = await bare.readResource({ uri: 'fairway://methodology' })
  assert.match(JSON.stringify(contents), /# /)
  await bare.close()
  const settings = { DATABASE_URL: `sqlite:${join(project, 'tools.db')}` }
  const server = await serve({ ...environment, ...settings }, { entry, node: node.path() })
  try {
    const { key } = await issueByCli(settings.DATABASE_URL)
    const requestInit = { headers: { authorization: `Bearer ${key}` } }
    const host = await connectHost(
      new StreamableHTTPClientTransport(new URL('/mcp', server.url), { requestInit }),
    )
    const { data } = await callTool(host, 'verify', { corridor: 'GB-NG', amount: 1, currency: 'GBP' })
    assert.equal(data.decision, 'GO')
    await host.close()
  } finally {
    assert.equal(await server.stop(), 0)
  }
}

async function exportsTraces({ project, environment, node }: Installed): Promise<void> {
  const entry = join(project, 'node_modules/fairway/bin/fairway.js')
  const packages = ['@opentelemetry/api', '@opentelemetry/sdk-node']
  await withOtlp(async (receiver) => {
    const settings = {
      DATABASE_URL: `sqlite:${join(project, 'traced.db')}`,
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '50',
    }
    const start = (): Promise<Served> => serve({ ...environment, ...settings }, { entry, node: node.path() })
    await assert.rejects(start, /npm install @opentelemetry\/api @opentelemetry\/sdk-node\n/)
    for (const name of packages) lend(project, name)
    try {
      const server = await start()
      const { key } = await issueByCli(settings.DATABASE_URL)
      assert.equal((await ask(server.url, key, { corridor: 'GB-NG', amount: 1 })).status, 200)
      await receiver.until(() => receiver.spans().find(({ name }) => name === 'POST /api/v1/verify'))
      assert.equal(await server.stop(), 0)
    } finally {
      for (const name of packages) rmSync(join(project, 'node_modules', name))
    }
  })
}

async function connectHost(transport: Transport): Promise<Client> {
  const client = new Client({ name: 'host', version: '1.0.0' })
  await client.connect(transport)
  return client
}

async function isExamined({ project, npx }: Installed): Promise<void> {
  const settings = {
    DATABASE_URL: `sqlite:${join(project, 'none.db')}`,
    FAIRWAY_NATS_URL: 'nats://127.0.0.1',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318',
  }
  const { code, stdout } = await npx(['doctor', '--json'], settings).then(
    () => assert.fail('nothing was found'),
    (error: unknown) => error as { readonly code: number; readonly stdout: string },
  )
  assert.equal(code, 20)
  assert.match(stdout, /Node\.js [\d.]+; 22\.20\.0, 24\.7\.0 or later is needed/)
  assert.match(stdout, /npm install @nats-io\/transport-node @nats-io\/jetstream/)
  assert.match(stdout, /npm install @opentelemetry\/api @opentelemetry\/sdk-node/)
}

async function hasEveryCommand({ project, environment, node }: Installed): Promise<void> {
  const own = join(project, 'node_modules/fairway')
  const run = (...args: readonly string[]) => execute(node.path(), args, { cwd: own, env: environment })
  const { stdout } = await run('bin/fairway.js', '--help')
  const list = stdout.slice(0, stdout.indexOf('\nHelp:'))
  const names = [...list.matchAll(/^ {2}([a-z]+) /gm)].map(([, name = '']) => name)
  assert.ok(names.includes('quickstart') && names.includes('erase') && names.length > 30, names.join(' '))
  for (const name of names) {
    const help = await run('bin/fairway.js', name, '--help')
    assert.ok(help.stdout.startsWith(`Usage: fairway ${name}`), name)
  }
  const isEntry = (name: string): boolean => /^(?:main|.*-worker)\.js$/.test(name)
  const files = readdirSync(join(own, 'src')).filter((name) => name.endsWith('.js') && !isEntry(name))
  assert.ok(files.length > 50)
  const code = files.map((name) => `await import('./src/${name}')`).join('\n')
  await run('--input-type=module', '--eval', code)
}

for (const [title, node] of Object.entries({
  'Node.js 24': here,
  'the oldest Node.js that it takes': oldestNode,
})) {
  describe(`in an empty folder, on ${title}`, { skip: node.skip }, () => {
    let installed: Installed
    before(async () => {
      installed = await install(node)
    })

    test('one file and no network is all that an installation needs, and it takes less than 80 MB', () =>
      isSmall(installed))
    test('it is one package, which asks for no other and runs no script when it is installed', () =>
      isAlone(installed))
    test('the licences of the packages that are compiled into it are passed on', () =>
      passesLicencesOn(installed))
    test('quickstart gives a first decision; its data is in the folder', () => decidesAtOnce(installed))
    test('serve, keys, assess, backup and the check of the log work as in a checkout', () =>
      servesAndAssesses(installed))
    test('hosts get their tools from the command and from the service', () => servesTools(installed))
    test('the doctor names the versions of Node.js, and the packages that a setting needs', () =>
      isExamined(installed))
    test('OpenTelemetry works once its packages are beside it; without them the start says what to install', () =>
      exportsTraces(installed))
    test('every command is there, and all code that a command loads later finds what it imports', () =>
      hasEveryCommand(installed))
  })
}
