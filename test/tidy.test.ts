/** The house rules that a machine can check: floors and imports, sizes, documents that tell the truth. */

import assert from 'node:assert/strict'
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join, posix } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import * as ast from 'typescript/unstable/ast'
import type { Node, SourceFile } from 'typescript/unstable/ast'
import { API } from 'typescript/unstable/sync'
import { statusOf } from '../src/http/errors.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const expectNone = (found: readonly string[]): void => assert.deepEqual(found, [])
const linesOf = (text: string): number => text.replace(/\n$/, '').split('\n').length

const lines = { fileMax: 400, functionMax: 60, architectureMax: 200 }

/** Generated files, data and golden tables have no size limit. */
const sizeExempt = [
  /^src\/core\/reference\/data\//,
  /^client\/src\/openapi\.ts$/,
  /^test\/core\/decision\/golden\.ts$/,
]

const sourceFolders = ['src', 'client', 'console', 'test', 'bench', 'scripts', 'bin', 'examples', 'torture']
const notOurs = new Set(['node_modules', 'dist'])

/** Every file below a folder, as a path from the root with forward slashes; none where the folder is absent. */
function filesBelow(folder: string): string[] {
  if (!existsSync(join(root, folder))) return []
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name)
    if (entry.isDirectory()) return notOurs.has(entry.name) ? [] : filesBelow(path)
    return entry.isFile() ? [path] : []
  })
}

const everyFile = [
  ...readdirSync(root).filter((name) => statSync(join(root, name)).isFile() && !/\.(?:db|tgz)/.test(name)),
  ...[...sourceFolders, 'docs', '.ci'].flatMap(filesBelow),
]
const sources = sourceFolders.flatMap(filesBelow).filter((path) => /\.[jt]sx?$/.test(path))
const inSrc = sources.filter((path) => path.startsWith('src/'))

/** The compiler's own parser reads the files, so that no rule is fooled by a comment, a string or a regular expression. */
const config = join(root, 'tsconfig.tidy.json')
const parser = new API({
  cwd: root,
  fs: {
    fileExists: (path) => (path === config ? true : undefined),
    readFile: (path) => (path === config ? tidyConfig() : undefined),
  },
})
const { program } =
  parser.updateSnapshot({ openProjects: [config] }).getProjects()[0] ?? assert.fail('no project')
after(() => parser.close())

function tidyConfig(): string {
  const options = { noResolve: true, noLib: true, types: [], allowJs: true, jsx: 'preserve', noEmit: true }
  const compilerOptions = {
    ...options,
    module: 'nodenext',
    target: 'esnext',
    allowImportingTsExtensions: true,
  }
  return JSON.stringify({ compilerOptions, files: sources })
}

function parse(path: string): SourceFile {
  return program.getSourceFile(join(root, path)) ?? assert.fail(`${path} was not parsed`)
}

function* nodesOf(node: Node): Generator<Node> {
  yield node
  const children: Node[] = []
  node.forEachChild((child) => void children.push(child))
  for (const child of children) yield* nodesOf(child)
}

/** The findings of a rule over some files, each as `path:line what`. */
function findings(paths: readonly string[], rule: (node: Node, path: string) => string | null): string[] {
  return paths.flatMap((path) => {
    const file = parse(path)
    return [...nodesOf(file)].flatMap((node) => {
      const found = rule(node, path)
      const { line } = file.getLineAndCharacterOfPosition(node.getStart(file))
      return found === null ? [] : [`${path}:${line + 1} ${found}`]
    })
  })
}

// Floors

interface Reference {
  readonly specifier: string
  readonly typeOnly: boolean
}

/** What a node imports, if it is an import of any kind. */
function referenceOf(node: Node): Reference | null {
  if (ast.isImportDeclaration(node) || ast.isExportDeclaration(node)) {
    const { moduleSpecifier } = node
    if (moduleSpecifier === undefined) return null
    const typeOnly = /^(?:import|export)\s+type\b/.test(node.getText())
    return { specifier: textOf(moduleSpecifier), typeOnly }
  }
  if (ast.isImportTypeNode(node)) {
    const { argument } = node
    const literal = ast.isLiteralTypeNode(argument) ? argument.literal : argument
    return { specifier: textOf(literal), typeOnly: true }
  }
  if (ast.isCallExpression(node) && node.expression.kind === ast.SyntaxKind.ImportKeyword) {
    const [argument] = node.arguments
    return { specifier: argument === undefined ? '' : textOf(argument), typeOnly: false }
  }
  return null
}

/** A computed name has a space in it, so that no floor may import it. */
const textOf = (node: Node): string => (ast.isStringLiteral(node) ? node.text : `computed: ${node.getText()}`)

/** A folder ends in a slash. `packages` are those a floor may run on; of any package it may have `typesOf` the types. */
interface Floor {
  readonly imports: readonly string[]
  readonly packages: RegExp
  readonly typesOf?: RegExp
}

const nothing = /^$/
/** The entries of the process and of its threads, and the server's, which main loads when it is to serve. */
const wiring = ['src/main.ts', 'src/server.ts', 'src/assess-worker.ts', 'src/store-worker.ts']
const floors: Readonly<Record<string, Floor>> = {
  'src/core/': { imports: ['src/core/'], packages: nothing },
  'src/app/': {
    imports: ['src/core/', 'src/app/'],
    packages: /^(?:node:crypto|canonicalize|csv-parse(?:\/sync)?)$/,
  },
  'src/adapters/': {
    imports: ['src/core/', 'src/adapters/', 'src/app/ports/'],
    packages: /^(?!fastify|@fastify\/|@scalar\/|commander)/,
  },
  'src/http/': {
    imports: ['src/core/', 'src/app/', 'src/http/'],
    packages:
      /^(?:node:.+|fastify|@fastify\/.+|find-my-way|@scalar\/fastify-api-reference|typebox(?:\/.+)?|negotiator|ipaddr\.js)$/,
  },
  'src/cli/': {
    imports: ['src/core/', 'src/app/', 'src/cli/', 'src/config.ts', 'client/'],
    packages: /^(?:commander|cli-progress|node:util)$/,
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

function allowed(floor: Floor, path: string, { specifier, typeOnly }: Reference): boolean {
  if (specifier.includes(' ')) return false
  if (!specifier.startsWith('.')) {
    return floor.packages.test(specifier) || (typeOnly && floor.typesOf?.test(specifier) === true)
  }
  const target = posix.join(posix.dirname(path), specifier)
  return floor.imports.some((place) => covers(place, target))
}

const housed = sources.filter((path) => /^(?:src|client|console)\//.test(path))

test('every source file stands on a floor', () => {
  const homeless = housed.filter((path) => floorOf(path) === null)
  expectNone(homeless)
  assert.ok(housed.length > 50, 'the files were not found')
})

test('each floor imports only what it may', () => {
  const wrong = findings(housed, (node, path) => {
    const reference = referenceOf(node)
    const floor = floorOf(path)
    if (reference === null || floor === null || allowed(floor, path, reference)) return null
    return `imports ${reference.specifier}`
  })
  expectNone(wrong)
})

test('the scan sees static, type-only, re-exported and dynamic imports', () => {
  const seen = (path: string): string[] => findings([path], (node) => referenceOf(node)?.specifier ?? null)
  const specifiers = (path: string): string[] => seen(path).map((found) => found.replace(/^\S+ /, ''))
  assert.ok(specifiers('src/main.ts').includes('./server.ts'), 'dynamic')
  assert.ok(specifiers('src/http/types.ts').includes('node:http'), 'import type')
  assert.ok(specifiers('src/core/decision/decide.ts').includes('./score.ts'), 'static')
})

function importersOf(targets: readonly string[], others: readonly string[] = sources): string[] {
  expectNone(targets.filter((target) => !sources.includes(target)))
  return findings(others, (node, path) => {
    const { specifier } = referenceOf(node) ?? { specifier: '' }
    const target = posix.join(posix.dirname(path), specifier)
    return targets.includes(target) ? `imports ${target}` : null
  })
}

test('nobody imports an entry, and main alone the wiring of the server (but for one of the bench)', () => {
  const others = sources.filter((path) => !['src/main.ts', 'bench/unsealed.ts'].includes(path))
  expectNone(importersOf(wiring, others))
})

test('the server, the harness and the simulation put the service together, and nobody else', () => {
  const importers = importersOf(['src/compose.ts']).map((found) => found.replace(/:.*/, ''))
  assert.deepEqual(importers, ['src/server.ts', 'test/helpers/harness.ts', 'torture/simulation/instance.ts'])
})

// What the core never does

const worldly = new Set(
  'process globalThis performance crypto console fetch setTimeout setInterval setImmediate queueMicrotask Buffer'.split(
    ' ',
  ),
)

/** The clock, chance, the process and waiting; `new Date(ms)` only spells a time that was given. */
function impurity(node: Node): string | null {
  if (ast.isAwaitExpression(node) || node.kind === ast.SyntaxKind.AsyncKeyword) return 'waits'
  if (ast.isPropertyAccessExpression(node)) {
    const text = node.getText()
    if (text === 'Date.now' || text === 'Math.random') return `uses ${text}`
  }
  if (ast.isNewExpression(node) && node.expression.getText() === 'Date') {
    return (node.arguments?.length ?? 0) === 0 ? 'reads the clock' : null
  }
  if (ast.isCallExpression(node) && node.expression.getText() === 'Date') return 'reads the clock'
  if (!ast.isIdentifier(node) || !worldly.has(node.text)) return null
  const { parent } = node
  const isMember = ast.isPropertyAccessExpression(parent) && parent.name === node
  return isMember ? null : `uses ${node.text}`
}

test('the core knows no clock, no chance, no process and no waiting', () => {
  const core = inSrc.filter((path) => path.startsWith('src/core/'))
  expectNone(findings(core, impurity))
  assert.notDeepEqual(findings(['src/adapters/system.ts'], impurity), [], 'the rule sees nothing')
})

test('the environment is read in main alone', () => {
  const others = inSrc.filter((path) => path !== 'src/main.ts')
  const readers = findings(others, (node) =>
    ast.isPropertyAccessExpression(node) && node.getText() === 'process.env' ? 'reads the environment' : null,
  )
  expectNone(readers)
})

/** Those that are no everyday number: 200, 400 and 500 may count something else. */
const unmistakable = /^(?:40[134589]|41[35]|422|429|431|503)$/

/** The ways out speak HTTP as well, to others. */
const speaksHttp = /^src\/(?:http|adapters\/(?:webhook|feeds|captcha))\//

test('HTTP statuses live in http alone', () => {
  const elsewhere = inSrc.filter((path) => !speaksHttp.test(path))
  const statuses = findings(elsewhere, (node) => {
    if (ast.isNumericLiteral(node) && unmistakable.test(node.text)) return `has the status ${node.text}`
    return ast.isIdentifier(node) && /^status(?:Code|Of)$/.test(node.text) ? `has ${node.text}` : null
  })
  expectNone(statuses)
})

// Sizes

const sized = sources.filter((path) => !sizeExempt.some((pattern) => pattern.test(path)))

test('no file is longer than 400 lines', () => {
  const long = sized.map((path) => `${path} ${linesOf(read(path))}`)
  expectNone(long.filter((entry) => Number(entry.split(' ')[1]) > lines.fileMax))
})

test('no function is longer than 60 lines', () => {
  let functions = 0
  const long = findings(sized, (node) => {
    if (!ast.isFunctionLikeDeclaration(node)) return null
    functions += 1
    const length = linesOf(node.getText())
    return length > lines.functionMax ? `is ${length} lines long` : null
  })
  expectNone(long)
  assert.ok(functions > 200, 'the functions were not found')
})

// Sources

test('every source file opens with a sentence on its job', () => {
  expectNone(sources.filter((path) => !/^(?:#!.*\n)?\/\*\*\s+\S/.test(read(path))))
})

test('nothing in src is left for later', () => {
  const marks = /\b(?:TODO|FIXME)\b/
  expectNone(inSrc.filter((path) => marks.test(read(path))))
})

test('no file names a package registry', () => {
  const registry =
    /"resolved":\s*"https?:|\/\/[\w.-]*(?:registry|artifactory|verdaccio|nexus)[\w.-]*[/:"']|^\s*(?:@[\w-]+:)?registry\s*=/im
  assert.ok(everyFile.includes('package-lock.json'))
  expectNone(everyFile.filter((path) => registry.test(read(path))))
})

// Documents

const required = ['README.md', 'ARCHITECTURE.md']
const documents = [
  ...[...required, 'CHANGELOG.md'].filter((path) => existsSync(join(root, path))),
  ...filesBelow('docs').filter((path) => path.endsWith('.md')),
]
const document = (path: string): string => (existsSync(join(root, path)) ? read(path) : '')

/** Spans and blocks of code, and what is left of the page without them. */
function codeIn(markdown: string): { blocks: string[]; spans: string[]; prose: string } {
  const blocks = [...markdown.matchAll(/^(```+|~~~+).*\n([\s\S]*?)^\1/gm)].map((match) => match[2] ?? '')
  const text = markdown.replaceAll(/^(```+|~~~+).*\n[\s\S]*?^\1/gm, '')
  const spans = [...text.matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? '')
  return { blocks, spans, prose: text.replaceAll(/`[^`\n]+`/g, '') }
}

const npmOwn = new Set('ci init pkg install link exec pack audit ls view publish update'.split(' '))

function missingScripts(markdown: string, scripts: Readonly<Record<string, string>>): string[] {
  const { blocks, spans } = codeIn(markdown)
  const commands = [...blocks, ...spans].flatMap((code) => [
    ...code.matchAll(/\bnpm (run )?(?:-\S+ )*([a-z][\w:-]*)/g),
  ])
  return commands
    .filter(([, run, name = '']) => scripts[name] === undefined && (run !== undefined || !npmOwn.has(name)))
    .map(([command]) => command)
}

const everyName = new Set(everyFile.map((path) => basename(path)))
const ourFolder = new RegExp(`^(?:${[...sourceFolders, 'docs'].join('|')})/`)

/** True where the text is no path of ours, or is one that is there. */
function holds(text: string, from: string): boolean {
  const path = text
    .replace(/^\.\//, '')
    .replace(/(?::\d+)?[.,;:)]*$/, '')
    .replace(/[^/]*\*.*$/, '')
  if (!/^[\w.@-]+(?:\/[\w.@-]+)*\/?$/.test(path)) return true
  const isOurs = ourFolder.test(path)
  if (!isOurs && !/\.(?:ts|md)$/.test(path)) return true
  if (!path.includes('/')) return everyName.has(path)
  return [root, join(root, 'src'), join(root, dirname(from))].some((base) => existsSync(join(base, path)))
}

function missingPaths(path: string): string[] {
  const { blocks, spans, prose } = codeIn(read(path))
  const inBlocks = blocks.flatMap((block) => block.split(/[\s'"=]+/)).filter((word) => ourFolder.test(word))
  const named = [...inBlocks, ...spans.flatMap((span) => span.split(/[\s'"=]+/))]
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map((match) => (match[1] ?? '').replace(/#.*$/, ''))
    .filter((target) => target !== '' && !/^[a-z]+:/.test(target))
  return [
    ...named.filter((text) => !holds(text, path)),
    ...links.filter((target) => !existsSync(join(root, dirname(path), target))),
  ]
}

test('README and ARCHITECTURE are there, and the map has at most 200 lines', () => {
  expectNone(required.filter((path) => !existsSync(join(root, path))))
  assert.ok(linesOf(document('ARCHITECTURE.md')) <= lines.architectureMax)
})

test('every npm script named in the documents exists', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const missing = documents.flatMap((path) =>
    missingScripts(read(path), scripts).map((name) => `${path}: ${name}`),
  )
  expectNone(missing)
  assert.deepEqual(missingScripts('`npm run nowhere`, `npm ci && npm start`', scripts), ['npm run nowhere'])
})

test('every path named in the documents exists', () => {
  const missing = documents.flatMap((path) => missingPaths(path).map((name) => `${path}: ${name}`))
  expectNone(missing)
  const there = [
    'src/core/decision/score.ts',
    'core/decision/score.ts',
    'score.ts',
    'test/**/*.test.ts',
    'npm',
    '/api/health',
  ]
  const absent = ['src/nowhere.ts', 'gone.md', 'core/gone.ts', 'docs/gone/']
  assert.deepEqual(
    [...there, ...absent].filter((path) => !holds(path, 'README.md')),
    absent,
  )
})

test('every error code is documented', () => {
  const page = document('docs/errors.md')
  expectNone(Object.keys(statusOf).filter((code) => !page.includes(`\`${code}\``)))
})

test('every setting is documented', () => {
  const settings = findings(['src/config.ts'], (node) => {
    if (!ast.isCallExpression(node) || !/^(?:setting|seconds)$/.test(node.expression.getText())) return null
    const [name] = node.arguments
    return name === undefined || !ast.isStringLiteral(name) ? null : name.text
  }).map((found) => found.replace(/^\S+ /, ''))
  assert.ok(settings.includes('DATABASE_URL'), 'the settings were not found')
  const page = document('docs/operators.md')
  expectNone(settings.filter((name) => !page.includes(`\`${name}\``)))
})
