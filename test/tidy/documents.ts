/** Documents: what they name is there, what they must name is in them, and the map stays a map. */

import assert from 'node:assert/strict'
import { basename, dirname, join } from 'node:path'
import { test } from 'node:test'
import { productionPackages } from '../../scripts/release/manifest.ts'
import { readConfig } from '../../src/config.ts'
import { ownNames } from '../../src/core/operate/setting-names.ts'
import { statusOf } from '../../src/http/errors.ts'
import { settingNames } from '../helpers/settings.ts'
import { everyFile, expectNone, filesBelow, isThere, linesOf, read, sourceFolders } from './files.ts'

const required = ['README.md', 'ARCHITECTURE.md']
const documents = [
  ...[...required, 'CONTRIBUTING.md', 'CHANGELOG.md'].filter((path) => isThere(path)),
  ...filesBelow('docs').filter((path) => path.endsWith('.md')),
]
const document = (path: string): string => (isThere(path) ? read(path) : '')

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
  return ['', 'src', dirname(from)].some((base) => isThere(join(base, path)))
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
    ...links.filter((target) => !isThere(join(dirname(path), target))),
  ]
}

test('README and ARCHITECTURE are there', () => {
  expectNone(required.filter((path) => !isThere(path)))
})

const map = { path: 'ARCHITECTURE.md', linesMax: 200, lineLengthMax: 120 }

test('the map has at most 200 lines of at most 120 characters', () => {
  const lines = linesOf(document(map.path))
  const long = lines.flatMap((line, index) =>
    line.length > map.lineLengthMax ? [`${map.path}:${index + 1} has ${line.length} characters`] : [],
  )
  expectNone(long)
  assert.ok(lines.length <= map.linesMax, `${map.path} has ${lines.length} lines`)
})

/** Lines and cells that are too long to be read with ease; code, pictures and the changelog are left out. */
function longParts(path: string): string[] {
  // Blocks of code leave empty lines behind, so that lines keep their numbers.
  const prose = read(path).replaceAll(/^ *(```+|~~~+).*\n[\s\S]*?^ *\1 *$/gm, (code) =>
    code.replaceAll(/[^\n]/g, ''),
  )
  return prose.split('\n').flatMap((line, index) => {
    const isRow = line.trimStart().startsWith('|')
    const parts = isRow ? line.split(/(?<!\\)\|/).map((cell) => cell.trim()) : [line]
    const lengthMax = isRow ? 80 : 120
    const isLong = parts.some((part) => part.length > lengthMax) && !line.startsWith('![')
    return isLong ? [`${path}:${index + 1} is longer than ${lengthMax} characters`] : []
  })
}

/** Pages of the guide from other folders. */
const elsewhere = ['client', 'clients/python', 'deploy', 'deploy/ha'].map((folder) => `${folder}/README.md`)

test('the documents have lines of at most 120 characters, and cells of tables of at most 80', () => {
  const paths = [...documents, ...elsewhere].filter((path) => path !== 'CHANGELOG.md')
  expectNone(paths.flatMap(longParts))
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

/** The status as the list shows it, without reasons: `amended by 0032, 0035`. */
const shortStatus = (status: string): string =>
  status
    .replaceAll(/\[(\d{4})\]\([^)]*\)/g, '$1')
    .replaceAll(/\s+\([^)]*\)/g, '')
    .replaceAll(/\s+/g, ' ')
    .replace(/[.;].*$/, '')
const linkedIn = (status: string): string[] =>
  [...status.matchAll(/\[(\d{4})\]/g)].map(([, number = '']) => number)

test('every decision has the form, is in the list with its status, and links back to those that change it', () => {
  const list = linesOf(read('docs/decisions/README.md')).map((line) =>
    line.split('|').map((cell) => cell.trim()),
  )
  const statuses = new Map<string, string>()
  const faults = filesBelow('docs/decisions').flatMap((path) => {
    const name = basename(path)
    if (name === 'README.md') return []
    const [text, number] = [read(path), name.slice(0, 4)]
    const [, status = ''] = /^\*\*Status:\*\* ((?:in force|amended|superseded)[^]*?\.)\n\n/m.exec(text) ?? []
    statuses.set(number, status)
    const row = list.find(([, first]) => first === `[${number}](${name})`)
    const parts = [`# ${number}: `, '\n**Context.** ', '\n**Decision.**']
    return [
      ...parts.filter((part) => !text.includes(part)).map((part) => `${path}: ${part.trim()}`),
      ...(status !== '' && row?.[3] === shortStatus(status)
        ? []
        : [`${path}: the status, or its row in the list`]),
    ]
  })
  const oneWay = [...statuses].flatMap(([number, status]) =>
    linkedIn(status)
      .filter((other) => !linkedIn(statuses.get(other) ?? '').includes(number))
      .map((other) => `the status of ${other} does not link back to ${number}`),
  )
  expectNone([...faults, ...oneWay])
})

test('every error code is documented', () => {
  const page = document('docs/errors.md')
  expectNone(Object.keys(statusOf).filter((code) => !page.includes(`\`${code}\``)))
})

/** Rows of the page of settings, by name. The standard's own are on another page. */
const settingRows = new Map(
  [...document('docs/settings.md').matchAll(/^\| `((?!OTEL_)[A-Z_]+)` +\| (.*?) +\| (.*?) +\|$/gm)].map(
    ([, name = '', standard = '', meaning = '']) => [name, { standard, meaning }] as const,
  ),
)
const settings = readConfig({}).settings.filter(({ name }) => !name.startsWith('OTEL_'))

test('the page of settings names each setting, and no other', () => {
  assert.deepEqual([...settingRows.keys()].toSorted(), settings.map(({ name }) => name).toSorted())
})

/** Their default depends on other settings or on the output, or is too long for a cell. */
const describedDefaults: Readonly<Record<string, string>> = {
  LOG_LEVEL: '`info`; text: `warn`',
  FAIRWAY_LOG_FORMAT: 'by the output',
  FAIRWAY_SEAL_KEY_FILE: 'see below',
  FAIRWAY_RECAPTCHA_URL: "Google's",
  FAIRWAY_RETENTION_DAYS: 'none: no limit',
}

test('the page of settings has the default of each, and the unit of each that has one', () => {
  for (const { name, default: value } of settings) {
    const row = settingRows.get(name)
    assert.equal(row?.standard, describedDefaults[name] ?? (value === null ? 'none' : `\`${value}\``), name)
    const unit = { _S: 'seconds', _MS: 'milliseconds', _DAYS: 'days' }[
      /_(?:S|MS|DAYS)$/.exec(name)?.[0] ?? ''
    ]
    if (unit !== undefined) assert.match(row?.meaning ?? '', new RegExp(`\\b${unit}\\b`), name)
  }
})

test('the page of settings names each secret that can be in a file, and no other', () => {
  const [, section = ''] = /\n## Secrets in files\n([\s\S]*?)\n## /.exec(document('docs/settings.md')) ?? []
  const list = section.split('\n').filter((line) => /^(?:- |  )/.test(line))
  const named = [...list.join('\n').matchAll(/`([A-Z_]+)`/g)].map(([, name = '']) => name)
  const secrets = [...settingNames()].flatMap((name) => /^(.*)_FILE$/.exec(name)?.[1] ?? [])
  assert.deepEqual(named.toSorted(), secrets.toSorted())
})

test('every variable of ours that a document, an example or a file of deploy names is known', () => {
  const known = new Set([...settingNames(), ...ownNames])
  const places = ['docs', 'examples', 'deploy', 'client/src', 'clients/python', 'console/src']
  const files = places.flatMap(filesBelow)
  const named = files.flatMap((path) =>
    [...read(path).matchAll(/\bFAIRWAY_[A-Z_]*[A-Z]\b/g)].map(([name]) => name),
  )
  assert.ok(named.includes('FAIRWAY_WEBHOOK_SECRET') && named.includes('FAIRWAY_DATABASE_BIND'))
  // An example of a mistake.
  const mistaken = 'FAIRWAY_COOLDOWN'
  expectNone([...new Set(named)].filter((name) => !known.has(name) && name !== mistaken))
})

test('the page of dependencies names each package of a release, and no other', () => {
  const [own = ''] = document('docs/dependencies.md').split('\n## Packages that you add')
  const named = [...own.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
  const installed = productionPackages('.').map((path) => path.replace(/^.*node_modules\//, ''))
  const notPackages = new Set(['LICENSES-OF-PACKAGES.txt', 'fetch', 'JSON.parse', 'Accept'])
  assert.deepEqual(
    [...new Set(named)].filter((name) => !notPackages.has(name)).toSorted(),
    [...new Set(installed)].toSorted(),
  )
})
