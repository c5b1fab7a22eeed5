/** The API reference: one page with every operation, written from the OpenAPI document. It needs no script. */

import { readFileSync } from 'node:fs'
import { escapeHtml, framedPage, type PageFiles } from '../frame.ts'
import {
  entriesOf,
  follow,
  homesOf,
  isError,
  schemaAnchor,
  sentIn,
  tagAnchor,
  type Answer,
  type Contract,
  type Entry,
  type Schema,
} from './document.ts'
import { code, codeBlock, exampleText, inline, paragraphs } from './markup.ts'
import { methodChip, operationSection } from './operation.ts'
import { exampleServer } from './samples.ts'
import { fieldsOf, type Schemas } from './schema.ts'

export const readContract = (path: string | URL): Contract =>
  JSON.parse(readFileSync(path, 'utf8')) as Contract

/** The parts before and after those of the tags: anchor and name. */
const firstParts = [
  ['content', 'Introduction'],
  ['authentication', 'Authentication'],
] as const
const lastParts = [
  ['errors', 'Errors'],
  ['headers', 'Headers'],
  ['models', 'Shared objects'],
] as const

export function referencePage(contract: Contract, files: PageFiles): string {
  const entries = entriesOf(contract)
  const schemas: Schemas = { contract, homes: homesOf(contract) }
  const list = navigation(entries)
  const body = `<div class="guide ref">
<nav class="guide-pages ref-list" aria-label="Endpoints">${list}</nav>
<main class="guide-main" id="content" tabindex="-1" data-server="${exampleServer}">
<details class="guide-menu"><summary>All endpoints</summary><nav class="ref-list" aria-label="All endpoints">${list}</nav></details>
${introduction(contract)}${tagSections(entries, schemas)}${errorSection(schemas)}${headerSection(contract)}${schemaSection(schemas)}</main>
</div>`
  return framedPage({
    title: 'API reference · Fairway',
    place: '/docs/',
    files,
    body,
    scripts: ['<script type="module" src="/reference.js"></script>'],
  })
}

function navigation(entries: readonly Entry[]): string {
  const group = (name: string, items: readonly string[]): string =>
    `<div class="nav-group"><p>${escapeHtml(name)}</p><ul>${items.join('')}</ul></div>`
  const part = ([anchor, name]: readonly [string, string]): string =>
    `<li><a class="nav-link" href="#${anchor}">${name}</a></li>`
  const item = ({ anchor, method, path, isEvent, operation }: Entry): string =>
    `<li data-words="${escapeHtml(`${method} ${path} ${operation.operationId ?? ''}`.toLowerCase())}"><a class="nav-link" href="#${escapeHtml(anchor)}">${isEvent ? '<span class="ref-method">EVT</span>' : methodChip(method)}<span>${escapeHtml(operation.summary ?? path)}</span></a></li>`
  const tags = [...new Set(entries.map(({ tag }) => tag))]
  const groups = tags.map((name) =>
    group(
      name,
      entries.filter(({ tag }) => tag === name).map((entry) => item(entry)),
    ),
  )
  return [group('Start', firstParts.map(part)), ...groups, group('Common', lastParts.map(part))].join('')
}

const ways: Readonly<Record<string, string>> = {
  bearer: '<code>Authorization: Bearer KEY</code>',
  apiKey: '<code>X-API-Key: KEY</code>',
}

function introduction({ info, components }: Contract): string {
  const schemes = Object.entries(components.securitySchemes ?? {}).map(
    ([name, { description, name: header = name }]) =>
      `<li>${ways[name] ?? `The cookie ${code(header)}`}${description === undefined ? '' : `: ${inline(description)}`}</li>`,
  )
  return `<div class="ref-part ref-intro guide-text">
<h1>API reference</h1>
${paragraphs(info.description)}<p>Version ${code(info.version)} of the contract, as <a href="/openapi.json">OpenAPI 3.1 for programs</a>. New here? The <a href="/guide/getting-started">guide</a> begins with a first decision, and <a href="/guide/integration">integration</a> has what a caller must do.</p>
</div>
<section class="ref-part" id="authentication"><h2>Authentication</h2>
<p>Every operation names what it needs. A key goes into a header, never into the address:</p>
<ul>${schemes.join('')}</ul>
<p>A scope is a right that a key has; a person has it by a role. See <a href="/guide/access">access</a>.</p></section>
`
}

function tagSections(entries: readonly Entry[], schemas: Schemas): string {
  const described = new Map(schemas.contract.tags.map(({ name, description }) => [name, description]))
  const tags = [...new Set(entries.map(({ tag }) => tag))]
  return tags
    .map((name) => {
      const operations = entries
        .filter(({ tag }) => tag === name)
        .map((entry) => operationSection(entry, schemas))
      return `<section class="ref-tag" id="${tagAnchor(name)}"><div class="ref-head"><h2>${escapeHtml(name)}</h2><p>${inline(described.get(name))}</p></div>\n${operations.join('')}</section>\n`
    })
    .join('')
}

/** By status: the answers that any operation has. */
function errorsByStatus(contract: Contract): ReadonlyMap<string, readonly Answer[]> {
  const found = new Map<string, Map<unknown, Answer>>()
  for (const { operation } of entriesOf(contract)) {
    for (const [status, answer] of Object.entries(operation.responses)) {
      if (!isError(status)) continue
      const answers = found.get(status) ?? new Map<unknown, Answer>()
      found.set(status, answers.set(answer.$ref ?? answer, follow(contract, answer)))
    }
  }
  return new Map(
    [...found]
      .toSorted(([a], [b]) => Number(a) - Number(b))
      .map(([status, answers]): [string, Answer[]] => [status, [...answers.values()]]),
  )
}

function errorSection(schemas: Schemas): string {
  const statuses = [...errorsByStatus(schemas.contract)].map(([status, answers]) => {
    const examples = new Map<string, string>()
    for (const { content = {} } of answers)
      for (const media of Object.values(content))
        for (const [name, { summary = name, value }] of Object.entries(media.examples ?? {}))
          examples.set(summary, codeBlock(name, `${name}: ${summary}`, escapeHtml(exampleText(value))))
    const folds = [...examples].map(
      ([summary, block]) => `<details><summary>${inline(summary)}</summary>${block}</details>`,
    )
    return `<section class="ref-error" id="errors/${escapeHtml(status)}"><h3>${escapeHtml(status)}</h3><p>${inline(answers[0]?.description)}</p>${folds.join('')}</section>`
  })
  const list =
    'Error' in schemas.contract.components.schemas
      ? fieldsOf(errorSchema, { ...schemas, isAnswer: true })
      : ''
  return `<section class="ref-part" id="errors"><h2>Errors</h2><div id="${schemaAnchor('Error')}"><p>Every error has this body, and a status of those below. What to do about each code is in the <a href="/guide/errors">guide</a>.</p>${list}</div>\n${statuses.join('\n')}</section>\n`
}

const errorSchema: Schema = { $ref: '#/components/schemas/Error' }

function headerSection({ components: { headers = {} } }: Contract): string {
  const items = Object.entries(headers).map(
    ([name, { description }]) =>
      `<li><p class="ref-field"><code class="ref-name">${escapeHtml(name)}</code></p><p>${inline(description)}</p></li>`,
  )
  return `<section class="ref-part" id="headers"><h2>Headers</h2><p>Headers of answers.</p><ul class="ref-fields">${items.join('')}</ul></section>\n`
}

function schemaSection(schemas: Schemas): string {
  const { contract, homes } = schemas
  const sent = sentIn(contract)
  const parts = [...homes]
    .filter((name) => name !== 'Error')
    .map((name) => {
      const schema: Schema = { $ref: `#/components/schemas/${name}` }
      const { description } = follow(contract, schema)
      const list = fieldsOf(schema, { ...schemas, isAnswer: !sent.has(name) })
      return `<section class="ref-model" id="${escapeHtml(schemaAnchor(name))}"><h3>${code(name)}</h3>${paragraphs(description)}${list}</section>\n`
    })
  return `<section class="ref-part" id="models"><h2>Shared objects</h2><p>Objects that several operations have.</p>\n${parts.join('')}</section>\n`
}
