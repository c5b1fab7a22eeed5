/** Imports: what each floor may import, no circles, and entries that nobody imports. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectNone, sources } from './files.ts'
import { references, type Reference } from './parser.ts'

/** A folder ends in a slash. `packages` are those a floor may run on; of any package it may have `typesOf` the types. */
interface Floor {
  readonly imports: readonly string[]
  readonly packages: RegExp
  readonly typesOf?: RegExp
}

const nothing = /^$/
/** The entries of the process and of its threads, and the server's, which main loads when it is to serve. */
const wiring =
  'main cli-deps server assess-worker backtest-worker hash-worker maintenance-worker read-worker store-worker stream-worker'
    .split(' ')
    .map((name) => `src/${name}.ts`)
/** Who may import it: main, what puts commands together, what runs them in process, and one of the bench. */
const wirers = new Set([
  'src/main.ts',
  'src/cli-deps.ts',
  'test/helpers/process/in-process.ts',
  'bench/verify/unsealed.ts',
])
const floors: Readonly<Record<string, Floor>> = {
  'src/core/': { imports: ['src/core/'], packages: nothing },
  'src/app/': {
    imports: ['src/core/', 'src/app/'],
    packages: /^(?:node:crypto|csv-parse(?:\/sync)?|@marcbachmann\/cel-js)$/,
  },
  'src/mcp/': {
    imports: ['src/core/', 'src/mcp/'],
    packages: /^@modelcontextprotocol\/server(?:\/stdio)?$/,
    typesOf: /^node:stream$/,
  },
  'src/adapters/': {
    imports: ['src/core/', 'src/adapters/', 'src/app/ports/'],
    packages: /^(?!fastify|@fastify\/|commander)/,
  },
  'src/http/': {
    imports: ['src/core/', 'src/app/', 'src/mcp/', 'src/http/'],
    packages: /^(?:node:.+|fastify|@fastify\/.+|find-my-way|typebox(?:\/.+)?|negotiator|ipaddr\.js)$/,
  },
  'src/cli/': {
    imports: ['src/core/', 'src/app/', 'src/mcp/', 'src/cli/', 'src/config.ts', 'client/'],
    packages: /^(?:commander|node:util)$/,
    typesOf: /./,
  },
  'src/config.ts': { imports: ['src/core/'], packages: nothing },
  'src/compose.ts': {
    imports: ['src/core/', 'src/app/', 'src/adapters/', 'src/http/', 'src/config.ts'],
    packages: nothing,
    typesOf: /^fastify$/,
  },
  ...Object.fromEntries(wiring.map((entry) => [entry, { imports: ['src/'], packages: /./ }])),
  'client/': { imports: ['client/'], packages: nothing },
  'console/': { imports: ['console/', 'client/'], packages: /^(?!node:)/ },
}

const covers = (place: string, path: string): boolean =>
  place.endsWith('/') ? path.startsWith(place) : path === place

const floorOf = (path: string): Floor | null =>
  Object.entries(floors).find(([place]) => covers(place, path))?.[1] ?? null

function allowed(floor: Floor, { specifier, target, typeOnly }: Reference): boolean {
  if (specifier.includes(' ')) return false
  if (target !== null) return floor.imports.some((place) => covers(place, target))
  return floor.packages.test(specifier) || (typeOnly && floor.typesOf?.test(specifier) === true)
}

const housed = sources.filter((path) => /^(?:src|client|console)\//.test(path))

const textOf = ({ path, line, specifier }: Reference): string => `${path}:${line} imports ${specifier}`

test('every source file stands on a floor', () => {
  const homeless = housed.filter((path) => floorOf(path) === null)
  expectNone(homeless)
  assert.ok(housed.length > 50, 'the files were not found')
})

test('each floor imports only what it may', () => {
  const wrong = references.filter((reference) => {
    const floor = floorOf(reference.path)
    return floor !== null && !allowed(floor, reference)
  })
  expectNone(wrong.map(textOf))
})

test('the scan sees static, type-only, re-exported and dynamic imports', () => {
  const sees = (path: string, target: string): boolean =>
    references.some((reference) => reference.path === path && reference.target === target)
  assert.ok(sees('src/main.ts', 'src/server.ts'), 'dynamic')
  assert.ok(sees('src/app/ports/signals.ts', 'src/app/ports/feeds.ts'), 'import type')
  assert.ok(sees('src/core/decision/decide.ts', 'src/core/decision/score.ts'), 'static')
  assert.ok(sees('client/src/index.ts', 'client/src/errors.ts'), 're-exported')
})

test('nobody imports an entry, and few the wiring', () => {
  const importers = references.filter(
    ({ path, target }) => target !== null && wiring.includes(target) && !wirers.has(path),
  )
  expectNone(importers.map(textOf))
  expectNone(wiring.filter((entry) => !sources.includes(entry)))
})

test('the server, the harness and the simulation put the service together, and nobody else', () => {
  const importers = references.filter(({ target }) => target === 'src/compose.ts').map(({ path }) => path)
  assert.deepEqual(importers.toSorted(), [
    'src/server.ts',
    'test/helpers/harness.ts',
    'torture/simulation/instance.ts',
  ])
})

test('the store reaches no network but its database', () => {
  const network = /^(?:node:(?:net|tls|http|https|http2|dgram|dns)(?:\/.+)?|undici)$/
  const others = /^src\/adapters\/(?!store\/)/
  const mayReach = new Set(['src/adapters/threads/thread.ts', 'src/adapters/threads/worker-pool.ts'])
  const wrong = references.filter(
    ({ path, specifier, target }) =>
      path.startsWith('src/adapters/store/') &&
      (network.test(specifier) || (target !== null && others.test(target) && !mayReach.has(target))),
  )
  expectNone(wrong.map(textOf))
})

test('verify, demo, batch and replay decide through one function', () => {
  const expectUsers = (file: string, users: readonly string[]): void => {
    const importers = references.filter(({ target }) => target === file)
    const paths = new Set(importers.map(({ path }) => path))
    for (const user of users) assert.ok(paths.has(`src/${user}.ts`), user)
  }
  expectUsers('src/core/decision/decide.ts', [
    'app/verify/partner-choice',
    'app/verify/demo',
    'app/inspect/replay',
    'core/assess/assessment',
  ])
  // Verify chooses among partners first, and so does whoever must come to the same decision.
  expectUsers('src/app/verify/partner-choice.ts', [
    'app/verify/verify',
    'app/audit/recompute',
    'app/inspect/live-ranking',
  ])
})

// Circles

type Imports = ReadonlyMap<string, readonly string[]>

/** The shortest way from a file through its imports back to itself; null where there is none. */
function circleThrough(file: string, imports: Imports): string[] | null {
  const importerOf = new Map<string, string>()
  const reached = [file]
  // The list grows while it is walked: nearer files come first.
  for (const from of reached) {
    for (const target of imports.get(from) ?? []) {
      if (target === file) return wayTo(from, importerOf)
      if (importerOf.has(target)) continue
      importerOf.set(target, from)
      reached.push(target)
    }
  }
  return null
}

function wayTo(end: string, importerOf: ReadonlyMap<string, string>): string[] {
  const way = [end]
  for (let at = importerOf.get(end); at !== undefined; at = importerOf.get(at)) way.unshift(at)
  return way
}

/** A circle for each file that is in one; each is told once, from its first name on. */
function circlesIn(imports: Imports): string[] {
  const circles = [...imports.keys()].flatMap((file) => {
    const circle = circleThrough(file, imports)
    if (circle === null) return []
    const first = circle.indexOf(circle.toSorted()[0] ?? file)
    const turned = [...circle.slice(first), ...circle.slice(0, first)]
    return [[...turned, turned[0]].join(' -> ')]
  })
  return [...new Set(circles)].toSorted()
}

test('there is no circular import, type imports included', () => {
  const imports = new Map<string, string[]>()
  for (const { path, target } of references) {
    if (target !== null) imports.set(path, [...(imports.get(path) ?? []), target])
  }
  expectNone(circlesIn(imports))
})

test('a circle is found from every file in it and told once', () => {
  const check = (imports: Record<string, string[]>, circles: string[]): void =>
    assert.deepEqual(circlesIn(new Map(Object.entries(imports))), circles)
  check({ a: ['b', 'c'], b: ['c'], c: [] }, [])
  check({ a: ['a'] }, ['a -> a'])
  check({ a: ['c'], b: ['a'], c: ['b'], d: ['a'] }, ['a -> c -> b -> a'])
  check({ a: ['b', 'c'], b: ['a'], c: ['a'] }, ['a -> b -> a', 'a -> c -> a'])
})
