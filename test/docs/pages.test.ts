/** The documents as a whole: all of them are executed, all can be reached, and no link leads nowhere. */

import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { join, posix } from 'node:path'
import { test } from 'node:test'
import { FairwayClient } from '../../client/src/client.ts'
import { isFlagged, signalNames } from '../../src/core/decision/signals.ts'
import { scaledBy, scaleOf } from '../../src/core/live/feed-map.ts'
import { liveReadings } from '../../src/core/live/live-reading.ts'
import { failureRatePermilleOf } from '../../src/core/live/outcome.ts'
import { reasonCodes, recommendedActions } from '../../src/core/decision/reasons.ts'
import { root } from '../helpers/docs/checkout.ts'
import { anchorsOf, linksOf } from '../helpers/docs/markdown.ts'
import { pages, pagesWithExamples, readPage } from '../helpers/docs/pages.ts'

test('the examples of every guide are found to be executed, and every fence can be taken at its word', () => {
  assert.ok(pages.length > 30, 'the documents were not found')
  const guides = [
    'README.md',
    'client/README.md',
    'clients/python/README.md',
    'docs/getting-started.md',
    'docs/first-live-corridor.md',
    'docs/change-a-policy-safely.md',
    'docs/calibration.md',
    'docs/integration.md',
    'docs/recipes.md',
    'docs/people.md',
    'docs/reviews.md',
    'docs/running.md',
    'docs/settings.md',
    'docs/backup.md',
    'docs/postgresql.md',
    'docs/monitoring.md',
    'docs/maintenance.md',
  ]
  const examples = pagesWithExamples()
  assert.deepEqual(
    guides.filter((path) => !examples.includes(path)),
    [],
  )
})

/** The pages that a page links to, each with its anchor. */
function targetsOf(path: string): { page: string; anchor: string }[] {
  return linksOf(readPage(path)).map((link) => {
    const [target = '', anchor = ''] = link.split('#')
    return { page: target === '' ? path : posix.join(posix.dirname(path), target), anchor }
  })
}

test('every page of docs can be reached from the README', () => {
  const reached = new Set(['README.md'])
  for (const path of reached) {
    for (const { page } of targetsOf(path)) if (pages.includes(page)) reached.add(page)
  }
  const guides = pages.filter((path) => path.startsWith('docs/'))
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
        return anchor !== '' && page.endsWith('.md') && !anchorsOf(readPage(page)).has(anchor)
      })
      .map(({ page, anchor }) => `${path}: ${page}#${anchor}`),
  )
  assert.deepEqual(broken, [])
})

/** Text that people read beside the pages. */
const others = ['deploy', 'examples', 'console/src'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(
      (name) => /\.(?:conf|ini|json|md|service|sh|tsx?|ya?ml)$/.test(name) && !name.includes('node_modules'),
    )
    .map((name) => posix.join(folder, name.replaceAll('\\', '/'))),
)

test('every path of the API that a document names is a route, or the beginning of one', () => {
  const { paths } = JSON.parse(readPage('docs/openapi.json')) as { paths: Record<string, object> }
  const routes = Object.keys(paths).map((path) => path.split('/'))
  const leadsSomewhere = (path: string): boolean => {
    const parts = path.split('/')
    return routes.some((route) =>
      parts.every((part, place) => part === route[place] || route[place]?.startsWith('{') === true),
    )
  }
  const named = [...pages, ...others].flatMap((page) =>
    [...readPage(page).matchAll(/\/api\/[\w{}/-]*[\w}]/g)].map(([path]) => ({ page, path })),
  )
  assert.ok(named.length > 200, String(named.length))
  assert.deepEqual(
    named.filter(({ path }) => !leadsSomewhere(path)),
    [],
  )
})

test('the methodology turns a value into a risk value as live decisions do', () => {
  const page = readPage('docs/methodology.md')
  const rows = [...page.matchAll(/^\| `(\w+)` +\| ([\d.]+) +\| ([\d.]+) +\| (yes|no) +\|$/gm)]
  assert.ok(rows.length > 10)
  for (const [row, name = '', value, risk, flagged] of rows) {
    const signal = signalNames.find((one) => one === name) ?? assert.fail(row)
    const read = scaledBy(null, scaleOf[signal], Number(value))
    const scaled = read.kind === 'scaled' ? read.scaled : assert.fail(row)
    const observed = { scaled, ageMs: 0, maxAgeMs: 1, history: null }
    const all = Object.fromEntries(signalNames.map((one) => [one, { ...observed, scaled: 0 }]))
    const readings = liveReadings({ ...all, [signal]: observed } as Parameters<typeof liveReadings>[0])
    assert.equal(readings[signal].healthThousandths, Math.round(Number(risk) * 1000), row)
    assert.equal(isFlagged(signal, readings), flagged === 'yes', row)
  }
  assert.equal(failureRatePermilleOf({ ended: 300, failed: 7 }, { outcomesMin: 20, assumedRate: 0.05 }), 24)
  assert.equal(failureRatePermilleOf({ ended: 4, failed: 1 }, { outcomesMin: 20, assumedRate: 0.05 }), 90)
})

const anybody = (scheme: object): string => ('session' in scheme ? 'a person' : 'any key')

test('every operation of the contract is in the table of endpoints, with its scope and its method', () => {
  const { paths } = JSON.parse(readPage('docs/openapi.json')) as {
    paths: Record<string, Record<string, { operationId: string; security: Record<string, string[]>[] }>>
  }
  const rows = new Set(
    readPage('docs/api.md')
      .split('\n')
      .map((line) => line.split(' | ').map((cell) => cell.replaceAll(/^\| |`/g, '').trim()))
      .map(([endpoint, scope, method]) => `${endpoint} ${scope} ${method}`),
  )
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, security }]) => {
      const [first] = security
      const scope = first === undefined ? 'no key' : (Object.values(first).flat()[0] ?? anybody(first))
      return `${method.toUpperCase()} ${path} ${scope} ${operationId}`
    }),
  )
  assert.ok(operations.length > 20)
  assert.deepEqual(
    operations.filter((operation) => !rows.has(operation)),
    [],
  )
})

test('every method of the client is in the table of endpoints, or beside it in the guide', () => {
  const page = readPage('docs/api.md') + sectionOf(readPage('docs/integration.md'), 'All methods')
  const methods = Object.getOwnPropertyNames(FairwayClient.prototype).filter((name) => name !== 'constructor')
  assert.ok(methods.includes('verify'))
  assert.deepEqual(
    methods.filter((name) => !page.includes(`\`${name}\``) && !page.includes(`\`${name}(`)),
    [],
  )
})

test('every member of a verify answer is in the table of members', () => {
  const { components } = JSON.parse(readPage('docs/openapi.json')) as {
    components: { schemas: { VerifyResponse: { properties: Record<string, unknown> } } }
  }
  const members = Object.keys(components.schemas.VerifyResponse.properties)
  const table = sectionOf(readPage('docs/integration.md'), 'What an answer holds')
  assert.ok(members.includes('decision'))
  assert.deepEqual(
    members.filter((name) => !table.includes(`\`${name}\``)),
    [],
  )
})

const sectionOf = (markdown: string, heading: string): string =>
  markdown.split(/^## /m).find((section) => section.startsWith(`${heading}\n`)) ?? ''

test('every reason code and every recommended action is in the methodology', () => {
  const page = readPage('docs/methodology.md')
  const words = [...reasonCodes, ...recommendedActions]
  assert.deepEqual(
    words.filter((word) => !page.includes(`\`${word}\``)),
    [],
  )
})
