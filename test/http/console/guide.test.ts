/** The guide and the API reference as they are served: a page for every document, and every link leads somewhere. */

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { consoleLinks, consoleNamesIn } from '../../../scripts/site/console-links.ts'
import { decisions, guideGroups, nameOf } from '../../../scripts/site/guide.ts'
import { render } from '../../../scripts/site/markdown.ts'
import { builtConsole } from '../../../src/adapters/console-folder.ts'
import { consolePages } from '../../../src/http/routes/console.ts'
import { withHarness } from '../../helpers/harness.ts'

const built = builtConsole() ?? assert.fail('npm ci builds the guide; npm run build does it again')
const root = new URL('../../../', import.meta.url)

const addresses = [...built.keys()].flatMap((path) => {
  const [, name] = /^guide\/(.+)\.html$/.exec(path) ?? []
  return name === undefined ? [] : [name === 'index' ? '/guide/' : `/guide/${name}`]
})

const pages = [...addresses, '/docs/']

test('every document of docs is in the guide; the endpoints are in the API reference', () => {
  const listed = new Set(guideGroups.flatMap(([, paths]) => paths))
  const documents = readdirSync(new URL('docs/', root)).filter((name) => name.endsWith('.md'))
  assert.deepEqual(
    documents.filter((name) => !listed.has(`docs/${name}`)),
    ['README.md', 'api.md'],
  )
  assert.equal(addresses.length, listed.size + decisions.length + 1)
})

test('every decision is a page of the guide, under the page that lists them', () =>
  withHarness({ console: true }, async ({ get }) => {
    const list = (await get(null, '/guide/decisions')).text
    for (const path of decisions) {
      const address = `/guide/${nameOf(path)}`
      assert.ok(list.includes(`<a href="${address}">`), path)
      const { text } = await get(null, address)
      assert.match(text, /<a class="nav-link" href="\/guide\/decisions" aria-current="true">/)
    }
    assert.ok(decisions.length > 50)
  }))

test('every page is served under the policy of the console, without a script or style in it', () =>
  withHarness({ console: true }, async ({ get }) => {
    const { headers: known } = await get(null, '/')
    for (const address of pages) {
      const { status, headers, text } = await get(null, address)
      assert.equal(status, 200, address)
      assert.equal(headers['content-security-policy'], known['content-security-policy'])
      const markup = text.replaceAll(/<code>[\s\S]*?<\/code>/g, '')
      assert.doesNotMatch(markup, /<style| style=|<script>|\son\w+=|(?:src|href)="http:/, address)
      assert.equal(text.match(/<h1/g)?.length, 1, address)
    }
    const moved = await get(null, '/guide')
    assert.deepEqual([moved.status, moved.headers['location']], [301, '/guide/'])
  }))

test('every link to this server leads to a page, and every fragment to a part of it', () =>
  withHarness({ console: true }, async ({ get }) => {
    const texts = new Map<string, string>()
    const textOf = async (address: string): Promise<string> => {
      const earlier = texts.get(address)
      if (earlier !== undefined) return earlier
      const { status, text } = await get(null, address)
      texts.set(address, status === 200 ? text : '')
      return texts.get(address) ?? ''
    }
    const dead: string[] = []
    for (const address of pages) {
      const links = [...(await textOf(address)).matchAll(/<a [^>]*href="([^"]+)"/g)]
      for (const [, target = ''] of links) {
        if (target.startsWith('https:')) continue
        const [path = '', fragment] = target.split('#')
        const text = await textOf(path === '' ? address : path)
        const isFound = fragment === undefined || text.includes(`id="${fragment}"`)
        if (text === '' || !isFound) dead.push(`${address}: ${target}`)
      }
    }
    assert.deepEqual(dead, [])
    assert.ok(texts.size > 40, 'pages of the console are linked, too')
  }))

test('links of a document lead to pages of the site, or are text where the site has none', () => {
  const site = {
    addressOf: (path: string) => ({ 'docs/errors.md': '/guide/errors', 'docs/api.md': '/docs/' })[path],
    consolePaths: new Set(['/overview']),
    settings: { home: 'docs/errors.md', names: new Set(['PORT']) },
  }
  const html = (markdown: string): string => render(markdown, 'docs/cli.md', site).html.trim()
  assert.equal(html('[e](errors.md#all)'), '<p><a href="/guide/errors#all">e</a></p>')
  assert.equal(html('[a](api.md)'), '<p><a href="/docs/">a</a></p>')
  assert.equal(html('[s](../src/main.ts)'), '<p>s</p>')
  assert.equal(html('`/overview`'), '<p><a href="/overview"><code>/overview</code></a></p>')
  assert.equal(
    html('http://localhost:8080/reviews'),
    '<p><a href="/reviews">http://localhost:8080/reviews</a></p>',
  )
  assert.equal(html('`PORT=0`'), '<p><a href="/guide/errors#PORT"><code>PORT=0</code></a></p>')
  assert.equal(html('[`PORT`](errors.md)'), '<p><a href="/guide/errors"><code>PORT</code></a></p>')
  assert.equal(html('## A & `b`'), '<h2 id="a--b">A &amp; <code>b</code></h2>')
  assert.match(html('```sh\na <b> & "c"\n```'), /<code>a &lt;b&gt; &amp; &quot;c&quot;<\/code>/)
})

test('a page of the guide opens the pages of the console that it is about, and every page of the menu is opened by one', () =>
  withHarness({ console: true }, async ({ get }) => {
    const names = consoleNamesIn(fileURLToPath(root))
    const documents = new Set(guideGroups.flatMap(([, paths]) => paths))
    for (const [document, paths] of Object.entries(consoleLinks)) {
      assert.ok(documents.has(document), document)
      const { text } = await get(null, `/guide/${nameOf(document)}`)
      const [line = ''] = /<p class="guide-open">.*<\/p>/.exec(text) ?? []
      for (const path of paths) {
        assert.ok((consolePages as readonly string[]).includes(path), path)
        assert.ok(line.includes(`<a href="${path}">${names.get(path) ?? assert.fail(path)}</a>`), document)
      }
    }
    const opened = new Set(Object.values(consoleLinks).flat())
    assert.deepEqual(
      [...names.keys()].filter((path) => !opened.has(path)),
      [],
    )
    assert.ok(names.size > 15)
  }))

test('a setting that a page names leads to its row, which every setting of the service has', () =>
  withHarness({ console: true }, async ({ get }) => {
    const source = readFileSync(new URL('src/config.ts', root), 'utf8')
    const settings = new Set(source.match(/\bFAIRWAY_[A-Z_\d]+/g))
    const texts = await Promise.all(addresses.map(async (address) => (await get(null, address)).text))
    const home = texts.find((text) => text.includes('<tr id="FAIRWAY_WORKERS">')) ?? assert.fail('no table')
    for (const name of settings) assert.ok(home.includes(`<tr id="${name}"><td><code>${name}</code>`), name)
    assert.ok(settings.size > 30)
    const plain = texts.flatMap((text) =>
      [...text.matchAll(/(?<!<td>)(?<!">)<code>(FAIRWAY_[A-Z_\d]+)<\/code>/g)].map(([, name = '']) => name),
    )
    assert.deepEqual(
      plain.filter((name) => settings.has(name)),
      [],
    )
    // The console leads there, too.
    const shown = readFileSync(new URL('console/src/site/setting.tsx', root), 'utf8')
    const [, page = ''] = /settingsPage = '(.+)'/.exec(shown) ?? []
    assert.equal((await get(null, page)).text, home)
  }))

test('where the guide is not built, its address says how to build it', () =>
  withHarness({}, async ({ get }) => {
    const { status, text } = await get(null, '/guide/')
    assert.equal(status, 200)
    assert.match(text, /npm run build/)
  }))

test('the sources of the pages name no other host', () => {
  for (const name of ['public/reference.js', 'src/site/site.ts', 'src/site/search.ts'])
    assert.doesNotMatch(readFileSync(new URL(`console/${name}`, root), 'utf8'), /https?:\/\//)
})
