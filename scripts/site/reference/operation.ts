/** One operation of the API reference: what it does, who may call it, what it takes and what it answers. */

import { escapeHtml } from '../frame.ts'
import {
  follow,
  isError,
  type Answer,
  type Entry,
  type Media,
  type Operation,
  type Parameter,
} from './document.ts'
import { code, inline, paragraphs } from './markup.ts'
import { answerSamples, requestSamples } from './samples.ts'
import { field, fieldsOf, typeOf, type Schemas } from './schema.ts'

export const methodChip = (method: string): string =>
  `<span class="ref-method ref-${method.toLowerCase()}">${method === 'DELETE' ? 'DEL' : method}</span>`

/** Markup: a section with its samples beside it. */
export function operationSection(entry: Entry, schemas: Schemas): string {
  const { anchor, method, path, operation } = entry
  const types = Object.keys(operation.requestBody?.content ?? {}).join(' ')
  const data = entry.isEvent
    ? ''
    : ` data-method="${method}" data-path="${escapeHtml(path)}" data-types="${escapeHtml(types)}" data-access="${accessKinds(operation)}"`
  const answers = Object.entries(operation.responses).map(([status, answer]): [string, Answer] => [
    status,
    follow(schemas.contract, answer),
  ])
  const good = answers.filter(([status]) => status.startsWith('2'))
  return `<section class="ref-part ref-operation" id="${escapeHtml(anchor)}"${data}>
<div class="ref-text">
<h3><a href="#${escapeHtml(anchor)}">${escapeHtml(operation.summary ?? path)}</a></h3>
<p class="ref-path">${entry.isEvent ? '<span class="ref-method">EVENT</span>' : methodChip(method)} ${code(path)}</p>
${paragraphs(operation.description)}${entry.isEvent ? '' : accessOf(operation)}${parametersOf(operation, schemas)}${bodyOf(operation, schemas)}${good.map(([status, answer]) => answerOf(status, answer, schemas)).join('')}${errorsOf(answers)}</div>
<div class="ref-samples">
${requestSamples(entry)}${good.map(([status, answer]) => answerSamples(entry, status, answer)).join('')}</div>
</section>
`
}

const callers: Readonly<Record<string, string>> = {
  bearer: 'an API key',
  apiKey: 'an API key',
  session: 'the session of a person',
}

/** For the form of the page: `key`, `session`, both or neither. */
function accessKinds({ security = [] }: Operation): string {
  const schemes = new Set(security.flatMap((scheme) => Object.keys(scheme)))
  return ['key', 'session'].filter((kind) => schemes.has(kind === 'key' ? 'bearer' : kind)).join(' ')
}

function accessOf({ security = [] }: Operation): string {
  if (security.length === 0) return '<p class="ref-access">Needs no key.</p>'
  const schemes = security.flatMap((scheme) => Object.keys(scheme))
  const names = [...new Set(schemes.map((name) => callers[name] ?? escapeHtml(name)))]
  const scopes = new Set(security.flatMap((scheme) => Object.values(scheme).flat()))
  const scope = scopes.size === 0 ? '' : `, with the scope ${[...scopes].map(code).join(' ')}`
  return `<p class="ref-access">Needs <a href="#authentication">${names.join(' or ')}</a>${scope}.</p>\n`
}

/** In the order in which people write them. */
const places = ['path', 'query', 'header']

function parametersOf({ parameters = [] }: Operation, schemas: Schemas): string {
  if (parameters.length === 0) return ''
  const listed = parameters.toSorted((a, b) => places.indexOf(a.in) - places.indexOf(b.in))
  const items = listed.map((parameter) => parameterOf(parameter, schemas))
  return `<h4>Parameters</h4><ul class="ref-fields">${items.join('')}</ul>`
}

function parameterOf(parameter: Parameter, schemas: Schemas): string {
  const { name, in: place, required = false, schema, description, example } = parameter
  const shown = example === undefined ? '' : ` data-example="${escapeHtml(String(example))}"`
  const attributes = ` data-name="${escapeHtml(name)}" data-in="${escapeHtml(place)}"${shown}`
  return field(
    { name, schema, isRequired: required, description, place: ` in ${place}`, attributes },
    schemas,
  )
}

function bodyOf({ requestBody }: Operation, schemas: Schemas): string {
  if (requestBody === undefined) return ''
  const word = requestBody.required === false ? 'optional' : 'required'
  const types = Object.entries(requestBody.content).map(([type, media]) => contentOf(type, media, schemas))
  return `<h4>Body <span class="ref-type">${word}</span></h4>${types.join('')}`
}

function answerOf(status: string, answer: Answer, schemas: Schemas): string {
  const inAnswer = { ...schemas, isAnswer: true }
  const types = Object.entries(answer.content ?? {}).map(([type, media]) =>
    contentOf(type, media, inAnswer, answer.description),
  )
  const names = Object.keys(answer.headers ?? {})
  const headers =
    names.length === 0
      ? ''
      : `<p class="ref-limits">Headers: ${names.map((name) => `<a href="#headers">${code(name)}</a>`).join(' ')}</p>`
  return `<h4>Answer ${escapeHtml(status)}</h4><p>${inline(answer.description)}</p>${types.join('')}${headers}`
}

/** A description that is `said` already is not repeated. */
function contentOf(type: string, { schema }: Media, schemas: Schemas, said?: string): string {
  const list = schema === undefined ? '' : fieldsOf(schema, schemas)
  const { description } = schema === undefined ? {} : follow(schemas.contract, schema)
  const text = description === said ? '' : inline(description)
  const isObject = list !== '' || schema === undefined
  const name = isObject
    ? ''
    : ` <span class="ref-type">${escapeHtml(typeOf(schema, schemas.contract))}</span>`
  return `<p class="ref-content">${code(type)}${name}</p>${text === '' ? '' : `<p>${text}</p>`}${list}`
}

function errorsOf(answers: readonly (readonly [string, Answer])[]): string {
  const errors = answers.filter(([status]) => isError(status))
  if (errors.length === 0) return ''
  const items = errors.map(
    ([status, { description }]) =>
      `<li><a href="#errors/${escapeHtml(status)}">${escapeHtml(status)}</a> ${inline(description)}</li>`,
  )
  const list = errors.map(([status]) => escapeHtml(status)).join(', ')
  return `<details class="ref-errors"><summary>Errors ${list}</summary><ul>${items.join('')}</ul></details>\n`
}
