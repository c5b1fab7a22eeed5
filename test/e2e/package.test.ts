/** The package as a stranger gets it: one file, installed in an empty folder, on the oldest Node.js and on today's. */

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { checkedFetch } from '../helpers/process/checked-fetch.ts'
import { ask, serve } from '../helpers/process/process.ts'
import { oldestNode, type Needed } from '../helpers/process/runtimes.ts'
import { nowhere } from '../helpers/process/user.ts'

const root = new URL('../../', import.meta.url).pathname
const folder = mkdtempSync(join(tmpdir(), 'fairway-test-'))
const execute = promisify(execFile)
const outs = [join(folder, 'first'), join(folder, 'second')] as const
const megabyte = 1_000_000

/** Builds all files of a release. */
const release = (out: string) =>
  execute(process.execPath, ['scripts/release.ts', '--out', out], { cwd: root })

before(async () => {
  for (const out of outs) await release(out)
})
after(() => rmSync(folder, { recursive: true, force: true }))

const tarball = (out: string = outs[0]): string => {
  const name = readdirSync(out).find((file) => /^fairway-\d.*\.tgz$/.test(file))
  return join(out, name ?? assert.fail('no package was made'))
}

/** Paths in the package. */
async function contents(): Promise<string[]> {
  const { stdout } = await execute('tar', ['--list', '--file', tarball()], { maxBuffer: 64 * megabyte })
  return stdout.split('\n').flatMap((line) => (line === '' ? [] : [line.replace(/^package\//, '')]))
}

test('the same sources make the same bytes, and the checksums name them', () => {
  const sums = outs.map((out) => readFileSync(join(out, 'SHA256SUMS'), 'utf8'))
  assert.equal(sums[0], sums[1])
  const named = (sums[0] ?? '').trimEnd().split('\n')
  const own = readdirSync(outs[0]).filter((name) => name !== 'SHA256SUMS')
  assert.deepEqual(
    named,
    own.map((name) => {
      const hash = createHash('sha256').update(readFileSync(join(outs[0], name)))
      return `${hash.digest('hex')}  ${name}`
    }),
  )
})

test('beside the package are the client, the bill of materials and the notes of its version', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  const client = JSON.parse(readFileSync(join(root, 'client/package.json'), 'utf8')) as { version: string }
  assert.deepEqual(readdirSync(outs[0]), [
    'RELEASE-NOTES.md',
    'SHA256SUMS',
    `fairway-${version}.cdx.json`,
    `fairway-${version}.tgz`,
    `fairway-client-${client.version}.tgz`,
  ])
  assert.ok(readFileSync(join(outs[0], 'RELEASE-NOTES.md'), 'utf8').startsWith(`# Fairway ${version}\n`))
})

test('a folder that has files is not written into', async () => {
  await assert.rejects(release(outs[0]), /has files already/)
})

test('it holds JavaScript, the console and the guide: no TypeScript, no tools, no second Node.js', async () => {
  const paths = await contents()
  const own = paths.filter((path) => !path.startsWith('node_modules/'))
  for (const path of [
    'bin/fairway.js',
    'src/main.js',
    'console/dist/index.html',
    'console/dist/guide/index.html',
  ])
    assert.ok(own.includes(path), path)
  assert.deepEqual(
    own.filter((path) => /\.tsx?$/.test(path)),
    [],
  )
})

function bytesOf(path: string): number {
  const entry = lstatSync(path)
  if (!entry.isDirectory()) return entry.size
  return readdirSync(path).reduce((sum, name) => sum + bytesOf(join(path, name)), 0)
}

/** The packages that are there and that nothing asks for. */
function unneeded(modules: string, dependencies: Readonly<Record<string, string>>): string[] {
  const asked = new Set<string>()
  const queue = Object.keys(dependencies)
  for (const one of queue) {
    if (asked.has(one)) continue
    asked.add(one)
    const manifest = JSON.parse(readFileSync(join(modules, one, 'package.json'), 'utf8')) as Manifest
    queue.push(...Object.keys(manifest.dependencies ?? {}))
  }
  const there = readdirSync(modules).flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(modules, name)).map((own) => `${name}/${own}`) : [name],
  )
  return there.filter((name) => !name.startsWith('.') && !asked.has(name))
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly scripts?: Readonly<Record<string, string>>
}

/** The manifests of all packages that were installed. */
const manifests = (modules: string): string[] =>
  readdirSync(modules, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /(?:^|node_modules\/)(?:@[^/]+\/)?[^/]+\/package\.json$/.test(path),
  )

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
  const modules = join(project, 'node_modules')
  assert.ok(bytesOf(modules) < 80 * megabyte)
  const scripts = manifests(modules).filter((path) => {
    const manifest = JSON.parse(readFileSync(join(modules, path), 'utf8')) as Manifest
    return ['preinstall', 'install', 'postinstall'].some((script) => script in (manifest.scripts ?? {}))
  })
  assert.deepEqual(scripts, [])
}

function isComplete({ project }: Installed): void {
  const own = join(project, 'node_modules/fairway')
  const { dependencies = {} } = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8')) as Manifest
  assert.ok(Object.keys(dependencies).length > 5)
  assert.deepEqual(unneeded(join(own, 'node_modules'), dependencies), [])
  assert.deepEqual(
    readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.')),
    ['fairway'],
  )
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
  } finally {
    assert.equal(await server.stop(), 0)
  }
  const checked = await npx(['audit', 'verify-log', '--json'], settings)
  assert.match(checked.stdout, /"findings":\[\]/)
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
    test('what is installed is what its packages ask for, and is installed with it', () =>
      isComplete(installed))
    test('quickstart gives a first decision; its data is in the folder', () => decidesAtOnce(installed))
    test('serve, keys, assess, backup and the check of the log work as in a checkout', () =>
      servesAndAssesses(installed))
    test('every command is there, and all code that a command loads later finds what it imports', () =>
      hasEveryCommand(installed))
  })
}
