/** Which route needs which scope: every route that there is, held against the lists in the documents and against real keys. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { systemRandom } from '../../../src/adapters/system.ts'
import { revokeKey } from '../../../src/app/access/keys.ts'
import {
  formatKey,
  keyLifetimeMs,
  keyRandomBytes,
  scopes,
  type Scope,
} from '../../../src/core/identity/api-key.ts'
import type { ServedRoute } from '../../../src/http/types.ts'
import { consolePages } from '../../../src/http/routes/console.ts'
import { withHarness, type Answer, type Harness } from '../../helpers/harness.ts'

/** In the words of the documents: `{id}` for `:id`. */
const named = ({ method, url }: ServedRoute): string => `${method} ${url.replaceAll(/:([a-z_]+)/g, '{$1}')}`

const needOf = ({ access }: ServedRoute): string =>
  access === null
    ? 'no key'
    : access.scope === null
      ? callersOf[access.callers ?? 'all']
      : `\`${access.scope}\``

const callersOf = { all: 'any key', keys: 'any key', people: 'a person', admins: 'an admin' } as const

/** The console's first page stands for all of them. */
const otherPages: ReadonlySet<string> = new Set(consolePages.filter((page) => page !== '/'))

/** HEAD comes with every GET, and is no row of its own. */
const rowsOf = (routes: readonly ServedRoute[]): ServedRoute[] =>
  routes.filter(({ method, url }) => method !== 'HEAD' && !otherPages.has(url))

/** The routes below each heading, which is a scope in code, or the callers with a capital letter. */
function documented(): Record<string, string> {
  const page = readFileSync(new URL('../../../docs/access.md', import.meta.url), 'utf8')
  const [, ...sections] = page.slice(page.indexOf('## Scopes')).split(/^### /m)
  const rows = sections.flatMap((section) => {
    const [heading = '', ...lines] = section.split('\n')
    const need = `${heading.charAt(0).toLowerCase()}${heading.slice(1)}`
    const routes = lines.filter((line) => /^(?:GET|POST|PUT|PATCH|DELETE) /.test(line))
    return routes.map((route) => [route, need] as const)
  })
  return Object.fromEntries(rows)
}

test('the documents have every route, with the scope that it needs, and no other', async () => {
  await withHarness({}, async ({ app }) => {
    const served = Object.fromEntries(rowsOf(app.servedRoutes).map((route) => [named(route), needOf(route)]))
    assert.deepEqual(documented(), served)
    assert.ok(Object.keys(served).length > 30, 'the routes were not found')
    for (const route of app.servedRoutes.filter(({ method }) => method === 'HEAD')) {
      const same = app.servedRoutes.find(({ method, url }) => method === 'GET' && url === route.url)
      assert.deepEqual(route.access, same?.access, `HEAD ${route.url} is guarded as GET is`)
    }
  })
})

test('the OpenAPI document names the scope that each route needs', async () => {
  await withHarness({}, async ({ app, get }) => {
    const { paths } = (await get(null, '/openapi.json')).body
    for (const route of rowsOf(app.servedRoutes)) {
      const [method = '', path = ''] = named(route).split(' ')
      const operation = paths[path]?.[method.toLowerCase()]
      // The protocol of tools describes itself.
      if (path === '/mcp') continue
      if (operation === undefined) assert.equal(route.access, null, `${path} is hidden and needs a key`)
      else assert.deepEqual(operation.security, securityOf(route), path)
    }
  })
})

function securityOf({ access }: ServedRoute): object[] {
  if (access === null) return []
  const needed = access.scope === null ? [] : [access.scope]
  const byKey = [{ bearer: needed }, { apiKey: needed }]
  if (access.callers === 'keys') return byKey
  return access.callers === undefined ? [...byKey, { session: needed }] : [{ session: needed }]
}

/** A request that reaches the guard; what comes after it may refuse the rest. */
function ask({ send }: Harness, { method, url }: ServedRoute, key: string | null): Promise<Answer> {
  const hasBody = method === 'POST'
  return send({
    method,
    url: url.replaceAll(/:[a-z_]+/g, 'GB-NG'),
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(hasBody ? { 'content-type': 'application/json' } : {}),
    },
    ...(hasBody ? { payload: '{}' } : {}),
  })
}

const keyedRoutes = ({ app }: Harness): ServedRoute[] =>
  rowsOf(app.servedRoutes).filter(({ access }) => access !== null)

/** Those that keys may use. */
const routesOfKeys = (harness: Harness): ServedRoute[] =>
  keyedRoutes(harness).filter(({ access }) => access?.callers === undefined || access.callers === 'keys')

test('a key that lacks the one scope of a route gets 403 with its name, and a key that has it alone is let in', async () => {
  await withHarness({}, async (harness) => {
    const only = new Map<Scope, string>()
    const without = new Map<Scope, string>()
    for (const scope of scopes) {
      only.set(scope, (await harness.issue({ scopes: [scope] })).key)
      without.set(scope, (await harness.issue({ scopes: scopes.filter((one) => one !== scope) })).key)
    }
    const { key: full } = await harness.issue()
    const met = new Set<Scope>()
    for (const route of routesOfKeys(harness)) {
      const { scope } = route.access ?? assert.fail()
      assert.notEqual((await ask(harness, route, full)).status, 403, `${named(route)} with all scopes`)
      for (const one of scopes) {
        const { status, body } = await ask(harness, route, only.get(one) ?? '')
        if (scope === null || scope === one) assert.notEqual(status, 403, `${named(route)} with ${one} alone`)
        else assert.deepEqual([status, body.code], [403, 'FORBIDDEN'], `${named(route)} with ${one} alone`)
      }
      if (scope === null) continue
      met.add(scope)
      const { status, body } = await ask(harness, route, without.get(scope) ?? '')
      assert.deepEqual([status, body.code], [403, 'FORBIDDEN'], `${named(route)} without ${scope}`)
      assert.equal(body.message, `This key lacks the scope ${scope}. Use a key that has it.`)
    }
    assert.deepEqual([...met].toSorted(), [...scopes].toSorted(), 'every scope is of use')
  })
})

test('no key, and keys that are unknown, expired or revoked, get one and the same 401 on every keyed route', async () => {
  await withHarness({}, async (harness) => {
    const { store, clock } = harness
    const expired = await harness.issue({ prefix: 'svc-live-' })
    const revoked = await harness.issue({ prefix: 'svc-sandbox-' })
    clock.advance(keyLifetimeMs.live ?? 0)
    await revokeKey({ keys: store.keys, clock }, revoked.record.keyId)
    const unknown = formatKey('svc-live-', systemRandom.bytes(keyRandomBytes))
    const keys = [null, '', unknown, 'nonsense', expired.key, revoked.key]
    const answers = new Set<string>()
    for (const route of keyedRoutes(harness)) {
      for (const key of keys) {
        const { status, text, headers, body } = await ask(harness, route, key)
        assert.equal(status, 401, named(route))
        assert.equal(headers['x-request-id'], body.request_id)
        assert.equal(headers['ratelimit'], undefined)
        answers.add(text.replace(body.request_id, ''))
      }
    }
    assert.equal(answers.size, 1, 'byte for byte')
  })
})

test('routes that need no key ask for none, and a bad one does not keep anybody out', async () => {
  await withHarness({}, async (harness) => {
    // A sign-in is asked for the page that it comes from.
    const isSignIn = ({ method, url }: ServedRoute): boolean => method === 'POST' && url.startsWith('/auth/')
    const open = rowsOf(harness.app.servedRoutes).filter((route) => route.access === null && !isSignIn(route))
    for (const route of open) {
      for (const key of [null, 'nonsense']) {
        const { status } = await ask(harness, route, key)
        assert.ok(![401, 403].includes(status), named(route))
      }
    }
  })
})
