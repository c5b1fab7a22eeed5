/** The API reference: everything that the contract has is on one small page, which no text of the contract can break. */

import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { describe, test } from 'node:test'
import {
  homesOf,
  type Contract,
  type Operation,
  type Schema,
} from '../../../scripts/site/reference/document.ts'
import { readContract, referencePage } from '../../../scripts/site/reference/page.ts'

const root = new URL('../../../', import.meta.url)
const contract = readContract(new URL('docs/openapi.json', root))
const files = { styles: '/styles.css', script: '/site.js' }
const page = referencePage(contract, files)

/** The markup of a part, by its id; empty if there is none. */
const partOf = (html: string, id: string): string => {
  const from = html.indexOf(`id="${id}"`)
  return from < 0 ? '' : html.slice(from, html.indexOf('</section>', from))
}

const slug = (tag = ''): string => tag.toLowerCase()

/** Each operation and each event with its part of the page. */
const operations = [
  ...Object.entries(contract.paths).map((one) => ({ one, prefix: '' })),
  ...Object.entries(contract.webhooks ?? {}).map((one) => ({ one, prefix: '/webhook/' })),
].flatMap(({ one: [path, methods], prefix }) =>
  Object.entries(methods).map(([name, operation]) => {
    const method = name.toUpperCase()
    const place = prefix === '' ? `/${method}${path}` : `${prefix}${method}/${path}`
    return { method, path, operation, part: partOf(page, `tag/${slug(operation.tags?.[0])}${place}`) }
  }),
)

const homes = homesOf(contract)

/** The fields of a schema that are shown in place, and the names of those that are linked. */
function shownBy(
  schema: Schema,
  isTop: boolean,
  found = { fields: new Set<string>(), links: new Set<string>() },
) {
  const [, name = ''] = /^#\/components\/schemas\/(.+)$/.exec(schema.$ref ?? '') ?? []
  if (name !== '') {
    if (!isTop && homes.has(name)) found.links.add(name)
    else shownBy(contract.components.schemas[name] ?? assert.fail(name), isTop, found)
    return found
  }
  for (const [field, part] of Object.entries(schema.properties ?? {})) {
    found.fields.add(field)
    shownBy(part, false, found)
  }
  for (const part of [schema.items, ...(schema.anyOf ?? []), schema.additionalProperties])
    if (typeof part === 'object') shownBy(part, isTop, found)
  return found
}

function expectShown(part: string, schema: Schema, of: string): void {
  const { fields, links } = shownBy(schema, true)
  for (const field of fields)
    assert.ok(part.includes(`<code class="ref-name">${field}</code>`), `${of}: ${field}`)
  for (const link of links) assert.ok(part.includes(`href="#models/${link}"`), `${of}: ${link}`)
}

const schemasOf = ({ requestBody, responses }: Operation): Schema[] =>
  [requestBody, ...Object.entries(responses).map(([status, answer]) => (status < '3' ? answer : undefined))]
    .flatMap((one) => Object.values(one?.content ?? {}))
    .flatMap(({ schema }) => schema ?? [])

describe('the contract', () => {
  test('every operation and event has its part, with its path, summary, parameters, statuses and a command', () => {
    assert.ok(operations.length > 100)
    for (const { method, path, operation, part } of operations) {
      const named = `${method} ${path}`
      assert.ok(part.includes(`<code>${path}</code>`), named)
      assert.ok(part.includes(operation.summary ?? '-'), named)
      for (const status of Object.keys(operation.responses))
        assert.ok(part.includes(status), `${named} ${status}`)
      for (const { name } of operation.parameters ?? [])
        assert.ok(part.includes(`<code class="ref-name">${name}</code>`), `${named} ${name}`)
      for (const scope of (operation.security ?? []).flatMap((scheme) => Object.values(scheme).flat()))
        assert.ok(part.includes(`<code>${scope}</code>`), `${named} ${scope}`)
      if (path.startsWith('/')) assert.match(part, /curl (?:-X [A-Z]+ )?(?:&#39;|')?http:/, named)
    }
  })

  test('every field of every body and answer is in its part, or in that of a shared object that is linked there', () => {
    for (const { method, path, operation, part } of operations)
      for (const schema of schemasOf(operation)) expectShown(part, schema, `${method} ${path}`)
    for (const name of homes) {
      const schema = contract.components.schemas[name] ?? assert.fail(name)
      expectShown(name === 'Error' ? partOf(page, 'errors') : partOf(page, `models/${name}`), schema, name)
    }
  })

  test('every value of an enumeration, every header and every status of an error is there', () => {
    const enums = JSON.stringify(contract).matchAll(/"enum":(\[[^\]]*\])/g)
    const values = new Set([...enums].flatMap(([, list = '[]']) => JSON.parse(list) as unknown[]))
    for (const value of values) assert.ok(page.includes(`<code>${String(value)}</code>`), String(value))
    for (const name of Object.keys(contract.components.headers ?? {}))
      assert.ok(partOf(page, 'headers').includes(`>${name}</code>`), name)
    for (const name of Object.keys(contract.components.responses ?? {})) {
      const [status = ''] = /\d+/.exec(name) ?? []
      assert.notEqual(partOf(page, `errors/${status}`), '', name)
    }
  })

  test('no id is there twice', () => {
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    assert.equal(new Set(ids).size, ids.length)
  })
})

describe('the page', () => {
  test('is under 150 kB compressed, with its styles and scripts, and its own script under 12 kB as it is', () => {
    const dist = new URL('console/dist/', root)
    const served = readFileSync(new URL('docs/index.html', dist), 'utf8')
    const names = [...served.matchAll(/(?:src|href)="\/([^"]+\.(?:js|css))"/g)].map(([, name = '']) => name)
    assert.ok(names.includes('reference.js') && names.some((name) => name.endsWith('.css')))
    const sizes = ['docs/index.html', ...names].map((name) => statSync(new URL(`${name}.gz`, dist)).size)
    const bytes = sizes.reduce((sum, size) => sum + size, 0)
    assert.ok(bytes < 150_000, `${bytes} bytes`)
    assert.ok(statSync(new URL('reference.js', dist)).size < 12_000)
  })
})

/** A contract of one operation that answers with the schema `Tree`. */
const small = (schemas: Readonly<Record<string, Schema>>): Contract => ({
  info: { title: 'Small', version: '1' },
  tags: [{ name: 'Trees' }],
  paths: {
    '/tree': {
      get: {
        tags: ['Trees'],
        responses: {
          200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Tree' } } } },
        },
      },
    },
  },
  components: { schemas },
})

const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })

describe('schemas', () => {
  test('one that contains itself, directly or through others, is shown once and linked', () => {
    const html = referencePage(
      small({
        Tree: {
          type: 'object',
          properties: { leaf: { type: 'string' }, branch: ref('Branch'), twin: ref('Tree') },
        },
        Branch: {
          type: 'object',
          properties: { trees: { type: 'array', items: { anyOf: [ref('Tree'), { type: 'null' }] } } },
        },
      }),
      files,
    )
    for (const id of ['tag/trees/GET/tree', 'models/Tree']) {
      const part = partOf(html, id)
      assert.equal(part.match(/>leaf<\/code>/g)?.length, 1, id)
      assert.equal(part.match(/href="#models\/Tree"/g)?.length, 2, id)
      assert.match(part, /array of Tree or null/)
    }
  })

  test('a type is written in words, with its limits', () => {
    const check = (schema: Schema, ...texts: readonly string[]): void => {
      const html = referencePage(
        small({ Tree: { type: 'object', required: ['it'], properties: { it: schema } } }),
        files,
      )
      const words = partOf(html, 'tag/trees/GET/tree').replaceAll(/<[^>]+>/g, '')
      for (const text of texts) assert.ok(words.includes(text), `${text} in ${words}`)
    }
    check({ type: 'string', minLength: 1, maxLength: 128 }, 'it string', '1 to 128 characters')
    check({ type: 'string', minLength: 1, maxLength: 1 }, '1 character')
    check({ type: 'string', format: 'date-time' }, 'string, date-time')
    check({ type: 'integer', minimum: 0, default: 5 }, 'integer', 'at least 0 · default 5')
    check({ type: 'number', maximum: 1_000_000 }, 'number', 'at most 1,000,000')
    check({ anyOf: [{ type: 'boolean' }, { type: 'null' }] }, 'boolean or null')
    check({ anyOf: [{ type: 'boolean' }, { type: 'string' }] }, 'boolean or string')
    check({ enum: ['a', 'b'] }, 'it string', 'One of a b')
    check({ type: 'array', items: { type: 'string', pattern: '^x' }, maxItems: 9 }, 'array of string')
    check(
      { type: 'array', items: { type: 'string', pattern: '^x' }, maxItems: 9 },
      'at most 9 items · each matches ^x',
    )
    check({ type: 'object', additionalProperties: { type: 'number' } }, 'map to number')
    check({ const: 7 }, 'it number', 'always 7')
  })

  test('a reference that leads nowhere ends the build', () => {
    assert.throws(() => referencePage(small({}), files), /the document has no .*Tree/)
  })
})

test('no text of the contract becomes markup or an address that runs a script', () => {
  const hostile = `<img src=x onerror=alert(1)>"'><script>alert(2)</script> [a](javascript:alert(3)) ![b](https://example.com/c) <b>d</b>`
  const kept = new Set(['$ref', 'type', 'in', 'openapi'])
  const poisoned = JSON.parse(JSON.stringify(contract), (member, value: unknown) =>
    typeof value === 'string' && !kept.has(member) ? hostile : value,
  ) as Contract
  const html = referencePage(poisoned, files)
  assert.ok(html.includes('&lt;img src=x'), 'the text is there')
  assert.doesNotMatch(html, /<img|<b>|<script>|href="javascript/)
  // Within a tag, what is not in quotes is names of attributes of ours.
  for (const [tag] of html.matchAll(/<[a-z][^>]*>/g))
    assert.doesNotMatch(tag.replaceAll(/"[^"]*"/g, ''), /onerror|alert/, tag)
})
