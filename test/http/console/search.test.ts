/** The search of the guide and the API reference: a small index with every part of every page, and what words find in it. */

import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { describe, test } from 'node:test'
import { findDocuments, type DocumentIndex, type Piece } from '../../../console/src/search/documents.ts'
import { builtConsole } from '../../../src/adapters/console-folder.ts'
import { withHarness } from '../../helpers/harness.ts'

const built = builtConsole() ?? assert.fail('npm ci builds the guide; npm run build does it again')
const address = '/guide/search.json'

const textOf = (pieces: readonly Piece[]): string => pieces.map(([text]) => text).join('')
const wordsOf = (pieces: readonly Piece[]): readonly string[] =>
  pieces.filter(([, isFound]) => isFound).map(([text]) => text)

describe('the index', () => {
  test('has every heading of every page at its anchor, and the pages alone', () =>
    withHarness({ console: true }, async ({ get }) => {
      const { text, headers } = await get(null, address)
      assert.match(String(headers['content-type']), /^application\/json/)
      const { pages, parts } = JSON.parse(text) as DocumentIndex
      const guide = [...built.keys()].flatMap((path) => /^guide\/(.+)\.html$/.exec(path)?.[1] ?? [])
      assert.deepEqual(
        pages.map(([page]) => page).toSorted(),
        [...guide.map((name) => `/guide/${name === 'index' ? '' : name}`), '/docs/'].toSorted(),
      )
      for (const [place, [page]] of pages.entries()) {
        const markup = (await get(null, page)).text
        const own = parts.filter(([of]) => of === place)
        for (const [, anchor] of own)
          assert.ok(anchor === '' || markup.includes(`id="${anchor}"`), `${page}#${anchor}`)
        const headings = [
          ...markup.matchAll(/<h[23] id="([^"]+)"|<section class="ref-operation[^>]* id="([^"]+)"/g),
        ]
        const anchors = new Set(own.map(([, anchor]) => anchor))
        for (const [, guideId, operationId] of headings)
          assert.ok(anchors.has(guideId ?? operationId ?? ''), `${page}#${guideId ?? operationId}`)
      }
      assert.ok(parts.length > 500)
      // Markup would be shown as it is.
      assert.deepEqual(
        parts.filter((part) => /&(?:lt|amp|quot);|<\/(?:p|td|code)>/.test(part.join(' '))),
        [],
      )
    }))

  test('is under 125 kB compressed, and the script of the pages under 4 kB', () => {
    const folder = new URL('../../../console/dist/', import.meta.url)
    const script = [...built.keys()].find((path) => /^assets\/site-.+\.js$/.test(path)) ?? ''
    const size = (path: string): number => statSync(new URL(`${path}.br`, folder)).size
    assert.ok(size('guide/search.json') < 125_000, String(size('guide/search.json')))
    assert.ok(size(script) < 4_000, String(size(script)))
  })
})

const index: DocumentIndex = {
  pages: [
    ['/guide/webhooks', 'Webhooks'],
    ['/guide/keys', 'Keys'],
    ['/docs/', 'API reference'],
  ],
  parts: [
    [0, '', 'Webhooks', 'A message for each decision.'],
    [
      0,
      'check-the-signature',
      'Check the signature',
      'Each request has a signature. Policies do not matter.',
    ],
    [1, '', 'Keys', `${'Other words come first. '.repeat(12)}A key signs in; FAIRWAY_LIMIT_KEYED limits it.`],
    [2, 'tag/x', 'Register a webhook', 'POST /api/v1/webhooks takes a URL.'],
  ],
}
describe('words', () => {
  const hrefs = (query: string): readonly string[] =>
    findDocuments(index, query).flatMap(({ parts }) => parts.map(({ href }) => href))

  test('are all in what is found: in its heading, its text or the title of its page', () => {
    assert.deepEqual(hrefs('webhooks signature'), ['/guide/webhooks#check-the-signature'])
    assert.deepEqual(hrefs('signature nowhere'), [])
    assert.deepEqual(hrefs('POST /api/v1/webhooks'), ['/docs/#tag/x'])
    assert.deepEqual(hrefs('limit_keyed'), ['/guide/keys'])
  })

  test('are found in any case, as singular and plural, and by their beginning', () => {
    for (const query of ['KEYS', 'key', 'ke']) assert.equal(hrefs(query)[0], '/guide/keys', query)
    assert.deepEqual(hrefs('policy'), hrefs('policies'))
    assert.deepEqual(hrefs('sig'), ['/guide/webhooks#check-the-signature', '/guide/keys'])
  })

  test('in a title come before those in a heading, and those before a text', () => {
    assert.deepEqual(hrefs('webhook'), [
      '/guide/webhooks',
      '/guide/webhooks#check-the-signature',
      '/docs/#tag/x',
    ])
  })

  test('that are nothing find nothing, and signs of patterns are text', () => {
    for (const query of ['', ' ', 'a', '"', '.*', '(', '[a-z]+', '\\', 'x|y'])
      assert.deepEqual(hrefs(query), [], query)
  })

  test('are marked in a text of some words around them, which loses no letter', () => {
    const [part] = findDocuments(index, 'limit key')[0]?.parts ?? []
    assert.ok(part)
    assert.deepEqual(wordsOf(part.heading), ['Keys'])
    assert.deepEqual(wordsOf(part.snippet), ['key', 'LIMIT', 'KEYED', 'limits'])
    assert.match(textOf(part.snippet), /^… .*A key signs in; FAIRWAY_LIMIT_KEYED limits it\.$/)
    assert.ok(textOf(part.snippet).length < 200)
  })
})

describe('the pages as they are', () => {
  const first: readonly (readonly [query: string, href: string])[] = [
    ['webhook signature', '/guide/webhooks#check-the-signature'],
    ['webhooks', '/guide/webhooks'],
    ['reviews', '/guide/reviews'],
    ['glossary', '/guide/glossary'],
    ['FAIRWAY_LIMIT_DEMO', '#FAIRWAY_LIMIT_DEMO'],
    ['/api/v1/demo-verify', '/docs/#tag/demo/POST/api/v1/demo-verify'],
    ['IDEMPOTENCY_CONFLICT', '/guide/errors#IDEMPOTENCY_CONFLICT'],
    ['cip', '/guide/cip'],
    ['performance', '/guide/performance'],
    // Of a decision and a page on the same subject, the page.
    ['erasure', '/guide/erasure'],
    ['archives', '/guide/archives'],
    ['calibration', '/guide/calibration'],
    ['decisions', '/guide/decisions'],
  ]
  /** Words that visitors use where our headings have others. */
  const foreign: readonly (readonly [query: string, href: string])[] = [
    ['sso', '/guide/people#openid-connect'],
    ['disaster recovery', '/guide/backup'],
    ['high availability', '/guide/deploy-ha'],
    ['configuration', '/guide/settings'],
    ['tracing', '/guide/opentelemetry'],
    ['scaling', '/guide/scale'],
    ['throughput', '/guide/performance'],
    ['downgrade', '/guide/upgrade#the-way-back'],
    ['privacy', '/guide/erasure'],
    ['troubleshooting', '/guide/errors'],
    ['sbom', '/guide/dependencies'],
    ['two-person rule', '/guide/policies#four-eyes'],
    ['pagination', '/guide/intelligence#history-and-summary'],
    ['dead letter', '/guide/webhooks#how-an-endpoint-is-doing'],
    ['encryption', '/guide/erasure'],
    ['python sdk', '/guide/clients-python'],
  ]
  const hrefsOf = async (get: (key: null, path: string) => Promise<{ text: string }>) => {
    const whole = JSON.parse((await get(null, address)).text) as DocumentIndex
    return (query: string): readonly string[] =>
      findDocuments(whole, query).map(({ parts }) => parts[0]?.href ?? '')
  }
  test('are found first by what people look for', () =>
    withHarness({ console: true }, async ({ get }) => {
      const hrefs = await hrefsOf(get)
      for (const [query, wanted] of first)
        assert.ok(hrefs(query)[0]?.endsWith(wanted), `${query}: ${hrefs(query)[0]}`)
    }))

  test('are among the first three by words that are not ours', () =>
    withHarness({ console: true }, async ({ get }) => {
      const hrefs = await hrefsOf(get)
      for (const [query, wanted] of foreign) {
        const best = hrefs(query).slice(0, 3)
        assert.ok(
          best.some((href) => href.startsWith(wanted)),
          `${query}: ${best.join(', ')}`,
        )
      }
    }))
})
