/** The documents as a whole: all of them are executed, all can be reached, and no link leads nowhere. */

import assert from 'node:assert/strict'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join, posix } from 'node:path'
import { test } from 'node:test'
import { root } from '../helpers/docs/checkout.ts'
import { anchorsOf, blocksOf, linksOf } from '../helpers/docs/markdown.ts'

const read = (path: string): string => readFileSync(join(root, path), 'utf8')

const markdownIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.includes('node_modules'))
    .map((name) => posix.join(folder, name.replaceAll('\\', '/')))

const pages = [
  'README.md',
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'client/README.md',
  ...markdownIn('docs'),
].filter((path) => existsSync(join(root, path)))

test('every document with an example has a test that executes it', () => {
  const tests = readdirSync(join(root, 'test/docs')).map((name) => read(`test/docs/${name}`))
  const executed = (path: string): boolean => tests.some((text) => text.includes(`testDocument('${path}')`))
  const isExample = ({ kind }: { kind: string }): boolean => kind === 'shell' || kind === 'program'
  const withExamples = pages.filter((path) => blocksOf(path, read(path)).some(isExample))
  assert.ok(withExamples.includes('README.md'))
  assert.deepEqual(
    withExamples.filter((path) => !executed(path)),
    [],
  )
})

/** The pages that a page links to, each with its anchor. */
function targetsOf(path: string): { page: string; anchor: string }[] {
  return linksOf(read(path)).map((link) => {
    const [target = '', anchor = ''] = link.split('#')
    return { page: target === '' ? path : posix.join(posix.dirname(path), target), anchor }
  })
}

test('every page of docs can be reached from the README', () => {
  const reached = new Set(['README.md'])
  for (const path of reached) {
    for (const { page } of targetsOf(path)) if (pages.includes(page)) reached.add(page)
  }
  // Of the decisions the folder is linked: they are read one by one, from its list.
  const guides = pages.filter((path) => path.startsWith('docs/') && !path.startsWith('docs/decisions/'))
  assert.deepEqual(
    guides.filter((path) => !reached.has(path)),
    [],
  )
})

test('every link leads to a file that is there, and every anchor to a heading', () => {
  const broken = pages.flatMap((path) =>
    targetsOf(path)
      .filter(({ page, anchor }) => {
        if (!existsSync(join(root, page))) return true
        return anchor !== '' && page.endsWith('.md') && !anchorsOf(read(page)).has(anchor)
      })
      .map(({ page, anchor }) => `${path}: ${page}#${anchor}`),
  )
  assert.deepEqual(broken, [])
})

test('every operation of the contract is in the table of endpoints, with its scope and its method', () => {
  const { paths } = JSON.parse(read('docs/openapi.json')) as {
    paths: Record<string, Record<string, { operationId: string; security: { bearer?: string[] }[] }>>
  }
  const rows = new Set(
    read('docs/api.md')
      .split('\n')
      .map((line) => line.split(' | ').map((cell) => cell.replaceAll(/^\| |`/g, '').trim()))
      .map(([endpoint, scope, method]) => `${endpoint} ${scope} ${method}`),
  )
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, security }]) => {
      const scopes = security[0]?.bearer
      const scope = scopes === undefined ? 'no key' : (scopes[0] ?? 'any key')
      return `${method.toUpperCase()} ${path} ${scope} ${operationId}`
    }),
  )
  assert.ok(operations.length > 20)
  assert.deepEqual(
    operations.filter((operation) => !rows.has(operation)),
    [],
  )
})
