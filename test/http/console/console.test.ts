/** How the console is served: every page at its address, its files small, lasting and its own. */

import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { builtConsole } from '../../../src/adapters/console-folder.ts'
import { consoleSizes } from '../../../scripts/console-sizes.ts'
import { consolePages } from '../../../src/http/routes/console.ts'
import { withFolder } from '../../helpers/folder.ts'
import { withHarness } from '../../helpers/harness.ts'

if (builtConsole() === null) assert.fail('npm ci builds the console; npm run build does it again')
const folder = fileURLToPath(new URL('../../../console/dist/', import.meta.url))
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
  statSync(join(folder, name)).isFile(),
)

test('every page of the console has its address at the server, and the server no other', () => {
  const source = readFileSync(new URL('../../../console/src/pages.ts', import.meta.url), 'utf8')
  const paths = [...source.matchAll(/path: '([^']+)', page:/g)].map(([, path]) => path)
  assert.deepEqual(paths, [...consolePages])
})

test('every page is the same document, under a policy that admits its own scripts alone', async () => {
  await withHarness({ console: true }, async ({ get }) => {
    const document = readFileSync(join(folder, 'index.html'), 'utf8')
    for (const page of consolePages) {
      const { status, headers, text } = await get(null, page.replace(/:\w+/, 'ANY-1'))
      assert.equal(status, 200, page)
      assert.equal(text, document)
      assert.match(String(headers['content-type']), /^text\/html/)
      assert.equal(headers['cache-control'], 'no-cache')
      const policy = String(headers['content-security-policy'])
      assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self';/)
      assert.match(policy, /require-trusted-types-for 'script'/)
      assert.doesNotMatch(policy, /unsafe|https?:|\*/)
    }
    for (const [, attributes, inside] of document.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)) {
      assert.match(attributes ?? '', / src="\/[^/]/, 'a script is a file of ours')
      assert.equal(inside, '', 'no script is in the page')
    }
    assert.doesNotMatch(document, /<style| style=|(?:src|href)="https?:|\son\w+=/)
  })
})

describe('files', () => {
  test('named by their content they are kept for ever, others are asked for again, and what is not there is a 404', async () => {
    await withHarness({ console: true }, async ({ get, send }) => {
      const script = files.find((name) => name.endsWith('.js') && name.startsWith('assets')) ?? ''
      for (const [encoding, ending] of [
        ['br', '.br'],
        ['gzip', '.gz'],
      ] as const) {
        const answer = await send({
          method: 'GET',
          url: `/${script}`,
          headers: { 'accept-encoding': encoding },
        })
        assert.equal(answer.status, 200)
        assert.equal(answer.headers['content-encoding'], encoding)
        assert.equal(Number(answer.headers['content-length']), statSync(join(folder, script + ending)).size)
        assert.equal(answer.headers['cache-control'], 'public, max-age=31536000, immutable')
        assert.match(String(answer.headers['content-type']), /javascript/)
      }
      assert.equal((await get(null, `/${script}`)).text, readFileSync(join(folder, script), 'utf8'))
      assert.equal((await get(null, '/theme.js')).headers['cache-control'], 'no-cache')
      for (const path of [
        `/${script}.br`,
        '/assets/none.js',
        '/assets/',
        '/index.html',
        '/assets/..%2findex.html',
      ]) {
        const { status, body } = await get(null, path)
        assert.equal(status, 404, path)
        assert.equal(body.code, 'NOT_FOUND')
      }
    })
  })
})

describe('requests that ask for less than a file', () => {
  test('a part that nobody can have, and a condition that does not hold, are passed over: the whole file is sent', async () => {
    await withHarness({ console: true }, async ({ send, log }) => {
      const long = 'Thu, 01 Jan 1970 00:00:00 GMT'
      for (const url of [
        '/theme.js',
        `/${files.find((name) => name.endsWith('.css')) ?? ''}`,
        '/',
        '/overview',
      ]) {
        const whole = await send({ method: 'GET', url })
        assert.equal(whole.status, 200)
        assert.equal(whole.headers['accept-ranges'], undefined)
        for (const headers of [
          { range: 'bytes=99999999-' },
          { range: 'bytes=abc' },
          { range: 'bytes=0-3' },
          { 'if-match': '"x"' },
          { 'if-unmodified-since': long },
          { 'if-match': '"x"', 'if-unmodified-since': long, range: 'bytes=5-1' },
        ]) {
          for (const encoding of ['identity', 'br']) {
            const answer = await send({
              method: 'GET',
              url,
              headers: { ...headers, 'accept-encoding': encoding },
            })
            assert.equal(answer.status, 200, `${url} ${JSON.stringify(headers)}`)
            if (encoding === 'identity') assert.equal(answer.text, whole.text)
          }
        }
      }
      const tag = String((await send({ method: 'GET', url: '/theme.js' })).headers['etag'])
      const known = await send({ method: 'GET', url: '/theme.js', headers: { 'if-none-match': tag } })
      assert.equal(known.status, 304, 'a file that is known is not sent again')
      assert.deepEqual(
        log.filter((line) => line.includes('unexpected error')),
        [],
      )
    })
  })
})

describe('scripts', () => {
  const sizes = consoleSizes(folder)
  const overLimit = (of: 'firstVisitBytes' | 'ownBytes', bytesMax: number): string[] =>
    sizes.filter((size) => size[of] >= bytesMax).map((size) => `${size.page}: ${size[of]} bytes`)

  test('a first visit loads less than 250 kB compressed, whichever page it is, with its charts', () => {
    assert.deepEqual(overLimit('firstVisitBytes', 250_000), [])
    assert.ok(
      sizes.some(({ page, firstVisitBytes }) => page === 'overview' && firstVisitBytes > 100_000),
      'the charts of the overview were not counted',
    )
  })

  test('a page that is opened later is under 25 kB compressed', () => {
    assert.deepEqual(
      sizes.map(({ page }) => page).toSorted(),
      readdirSync(new URL('../../../console/src/pages/', import.meta.url)).toSorted(),
    )
    assert.deepEqual(overLimit('ownBytes', 25_000), [])
  })

  test('no page needs the drawings before it has charts', () => {
    const entry = /src="\/(assets\/[^"]+\.js)"/.exec(readFileSync(join(folder, 'index.html'), 'utf8'))?.[1]
    const drawings = files.filter(
      (name) =>
        name.startsWith('assets') &&
        name.endsWith('.js') &&
        readFileSync(join(folder, name), 'utf8').includes('recharts-'),
    )
    assert.ok(drawings.length > 0, 'there are drawings')
    assert.ok(!drawings.includes(entry ?? ''), 'the first script has none of them')
  })
})

test('a page goes on naming the files that are served, while another build takes the place of its own', async () => {
  await withFolder(async (place) => {
    const build = (name: string): void => {
      mkdirSync(join(place, 'assets'), { recursive: true })
      writeFileSync(join(place, 'assets', name), name)
      writeFileSync(join(place, 'index.html'), `<script src="/assets/${name}"></script>`)
    }
    assert.equal(builtConsole(place), null)
    build('first.js')
    await withHarness({ console: builtConsole(place) }, async ({ get }) => {
      build('second.js')
      const { text } = await get(null, '/overview')
      assert.match(text, /first\.js/)
      assert.equal((await get(null, '/assets/first.js')).status, 200)
      rmSync(join(place, 'assets', 'first.js'))
      assert.equal((await get(null, '/assets/first.js')).status, 200, 'what was read once stays')
    })
    await withHarness({ console: builtConsole(place) }, async ({ get }) => {
      rmSync(join(place, 'assets', 'second.js'))
      assert.equal((await get(null, '/assets/second.js')).status, 404)
    })
  })
})

test('where the console was not built the page says how, and the API is up', async () => {
  await withHarness({}, async ({ get }) => {
    const { status, text, headers } = await get(null, '/')
    assert.equal(status, 200)
    assert.match(text, /npm run build/)
    assert.match(String(headers['content-security-policy']), /default-src 'none'/)
    assert.equal((await get(null, '/assets/any.js')).status, 404)
  })
})
