/** An unknown path: a page for a browser, the error of the API for everybody else. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withHarness } from '../../helpers/harness.ts'

/** As Chromium sends it with the address that somebody typed. */
const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8' }

test('a browser gets a page with status 404, under the policy of the console and without a script in it', () =>
  withHarness({ console: true }, async ({ send, get }) => {
    const known = await get(null, '/')
    for (const url of [
      '/nowhere',
      '/overview/',
      '/guide/nowhere',
      '/docs/nowhere',
      '/apiary',
      '/not-found.html',
    ]) {
      const { status, headers, text } = await send({ method: 'GET', url, headers: browser })
      assert.equal(status, 404, url)
      assert.match(String(headers['content-type']), /^text\/html/)
      assert.equal(headers['content-security-policy'], known.headers['content-security-policy'])
      assert.equal(headers['cache-control'], 'no-store')
      assert.match(text, /<h1>Page not found<\/h1>/)
      for (const path of ['/', '/guide/', '/docs/']) assert.ok(text.includes(`<a href="${path}">`), path)
      assert.doesNotMatch(text, /<style| style=|<script>|\son\w+=|https?:/)
      assert.ok(!text.includes('nowhere'), 'the address is not repeated')
    }
  }))

test('the head alone is the head of the page', () =>
  withHarness({ console: true }, async ({ send }) => {
    const page = await send({ method: 'GET', url: '/nowhere', headers: browser })
    const head = await send({ method: 'HEAD', url: '/nowhere', headers: browser })
    assert.equal(head.status, 404)
    assert.equal(head.headers['content-length'], page.headers['content-length'])
  }))

test('paths of programs, other methods and clients that do not ask for a page get the error in JSON', () =>
  withHarness({ console: true }, async ({ send }) => {
    for (const [method, url, headers] of [
      ['GET', '/api/nowhere', browser],
      ['GET', '/api', browser],
      ['GET', '/api?page=1', browser],
      ['GET', '/auth/nowhere', browser],
      ['POST', '/nowhere', browser],
      ['GET', '/nowhere', {}],
      ['GET', '/nowhere', { accept: '*/*' }],
      ['GET', '/nowhere', { accept: 'application/json' }],
      ['GET', '/nowhere', { accept: 'application/json, text/html' }],
      ['GET', '/nowhere', { accept: 'text/html;q=0' }],
    ] as const) {
      const { status, body, headers: answered } = await send({ method, url, headers })
      const name = `${method} ${url} ${JSON.stringify(headers)}`
      assert.equal(status, 404, name)
      assert.match(String(answered['content-type']), /^application\/json/, name)
      assert.equal(body.code, 'NOT_FOUND', name)
    }
  }))

test('where the pages are not built, the page has no style and the same links', () =>
  withHarness({}, async ({ send }) => {
    const { status, text } = await send({ method: 'GET', url: '/nowhere', headers: browser })
    assert.equal(status, 404)
    assert.match(text, /<h1>Page not found<\/h1>/)
    for (const path of ['/', '/guide/', '/docs/']) assert.ok(text.includes(`<a href="${path}">`), path)
    assert.doesNotMatch(text, /<script|<link/)
  }))
