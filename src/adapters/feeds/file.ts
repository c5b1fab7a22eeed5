/** Reads the feeds file. Whatever is wrong with it is told with its line and its field, all of it at once. */

import { parseTree, printParseErrorCode, findNodeAtLocation, type Node, type ParseError } from 'jsonc-parser'
import { Compile } from 'typebox/compile'
import type { TSchema } from 'typebox'
import type { TLocalizedValidationError } from 'typebox/error'
import type { Corridor } from '../../core/reference/corridor.ts'
import { parseCurrency } from '../../core/reference/currency.ts'
import { mapFault, scaledBy, scaleOf, type FeedMap } from '../../core/live/feed-map.ts'
import { signalNames, type SignalName } from '../../core/decision/signals.ts'
import { escaped, isObject, unescaped } from '../../core/reference/json.ts'
import { feedSchemas, FeedsForm, type FeedSpec, type MapSpec } from './schema.ts'
import { compileTemplate } from './template.ts'

export interface FeedsFile {
  readonly deadlineMs: number
  readonly partners: Readonly<Partial<Record<Corridor, string>>>
  readonly feeds: readonly DeclaredFeed[]
}

export interface DeclaredFeed {
  readonly signal: SignalName
  readonly spec: FeedSpec
  readonly map: FeedMap
  /** With the variables of the environment in their places. */
  readonly headers: Readonly<Record<string, string>>
}

export interface FileFinding {
  /** From 1. */
  readonly line: number
  /** JSON pointer; empty for the whole. */
  readonly field: string
  readonly message: string
}

export type ReadFeeds =
  | { readonly kind: 'read'; readonly file: FeedsFile }
  | { readonly kind: 'bad'; readonly findings: readonly FileFinding[] }

const deadlineMsDefault = 800

type Environment = Readonly<Record<string, string | undefined>>

export function readFeeds(content: string, environment: Environment): ReadFeeds {
  const errors: ParseError[] = []
  const root = treeOf(content, errors)
  const lineAt = (offset: number): number => content.slice(0, offset).split('\n').length
  const [broken] = errors
  if (root === undefined || broken !== undefined) {
    const message = `is no JSON: ${spoken(broken === undefined ? 'ValueExpected' : printParseErrorCode(broken.error))}`
    return { kind: 'bad', findings: [{ line: lineAt(broken?.offset ?? 0), field: '', message }] }
  }
  const findings: FileFinding[] = []
  const find: Find = (path, message) => {
    const node = nearest(root, path)
    findings.push({
      line: lineAt(node.offset),
      field: path.map((step) => `/${escaped(String(step))}`).join(''),
      message,
    })
  }
  for (const path of doubled(root, [])) find(path, 'stands there twice')
  const value = valueOf(root)
  checkForm(FeedsForm, value, [], find)
  const form = value as FormOfFile
  // What is wrong elsewhere does not hide what is wrong with a feed.
  const feeds = signalNames.flatMap((signal) => {
    const raw = isObject(form) && isObject(form.signals) ? form.signals[signal] : undefined
    const declared = isObject(raw) ? readFeed(signal, raw, environment, find) : null
    return declared ?? []
  })
  if (findings.length > 0) return { kind: 'bad', findings: inOrder(findings) }
  return {
    kind: 'read',
    file: {
      deadlineMs: form.deadline_ms ?? deadlineMsDefault,
      partners: form.recommended_partner ?? {},
      feeds,
    },
  }
}

/** Undefined for what is no JSON, and for what is nested deeper than anybody writes. */
function treeOf(content: string, errors: ParseError[]): Node | undefined {
  try {
    return parseTree(content, errors, { disallowComments: true, allowTrailingComma: false })
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

interface FormOfFile {
  readonly deadline_ms?: number
  readonly recommended_partner?: Readonly<Record<string, string>>
  readonly signals: Readonly<Partial<Record<SignalName, Readonly<Record<string, unknown>>>>>
}

type Step = string | number
type Find = (path: readonly Step[], message: string) => void

const inOrder = (findings: readonly FileFinding[]): FileFinding[] =>
  findings.toSorted((left, right) => left.line - right.line)

/** Sources that speak of one thing only. */
const onlyFor: Readonly<Partial<Record<FeedSpec['source'], SignalName>>> = {
  'fx-series': 'fx_volatility',
  outcomes: 'historical_failure_rate',
}

function readFeed(
  signal: SignalName,
  raw: Readonly<Record<string, unknown>>,
  environment: Environment,
  find: Find,
): DeclaredFeed | null {
  const path = ['signals', signal]
  let isSound = true
  const mark: Find = (...finding) => {
    isSound = false
    find(...finding)
  }
  const { source } = raw
  if (typeof source !== 'string' || !Object.hasOwn(feedSchemas, source)) {
    mark([...path, 'source'], `must be one of ${Object.keys(feedSchemas).join(', ')}`)
    return null
  }
  const alone = onlyFor[source as FeedSpec['source']]
  if (alone !== undefined && alone !== signal) {
    mark([...path, 'source'], `can only be the source of ${alone}`)
    return null
  }
  checkForm(feedSchemas[source as FeedSpec['source']], raw, path, mark)
  if (!isSound) return null
  const spec = raw as FeedSpec
  const map = 'map' in spec && spec.map !== undefined ? readMap(signal, spec.map, path, mark) : null
  if (spec.source === 'constant' && isSound) checkConstant(signal, spec.value, map, path, mark)
  if (spec.source === 'http') checkObserved(spec.observed_at, path, mark)
  if (spec.source === 'fx-series' && !isPair(spec.pair)) {
    mark([...path, 'pair'], 'must be two different currencies, like GBP/USD')
  }
  let headers: Record<string, string> = {}
  if ('url' in spec) {
    const template = compileTemplate(spec.url)
    if (typeof template === 'string') mark([...path, 'url'], template)
    else if (spec.source === 'fx-series' && template.names.length > 0)
      mark([...path, 'url'], 'must not hold a {name}: the series is one')
    headers = readHeaders(
      (spec.headers ?? {}) as Readonly<Record<string, string>>,
      environment,
      [...path, 'headers'],
      mark,
    )
  }
  return isSound ? { signal, spec, map, headers } : null
}

function readMap(signal: SignalName, spec: MapSpec, path: readonly Step[], mark: Find): FeedMap {
  const { points, cases } = spec
  if ((points === undefined) === (cases === undefined)) {
    mark([...path, 'map'], 'must have either points or cases')
    return null
  }
  const map: FeedMap =
    points !== undefined ? { kind: 'points', points } : { kind: 'cases', cases: cases ?? [] }
  const kinds = new Set((cases ?? []).map(([value]) => typeof value))
  if (kinds.size > 1) mark([...path, 'map', 'cases'], 'must be all words, or all true and false')
  const fault = mapFault(map, scaleOf[signal])
  if (fault !== null)
    mark([...path, 'map', map.kind, ...(fault.place === null ? [] : [fault.place])], fault.message)
  return map
}

function checkConstant(
  signal: SignalName,
  value: number | boolean | string,
  map: FeedMap,
  path: readonly Step[],
  mark: Find,
): void {
  const { kind } = scaledBy(map, scaleOf[signal], value)
  if (kind === 'scaled') return
  const where = map === null ? `the scale of ${signal}` : 'its map'
  mark(
    [...path, 'value'],
    kind === 'wrong_type' ? `is not of the kind that ${where} takes` : `is not on ${where}`,
  )
}

function checkObserved(
  observed: { readonly pointer?: string; readonly header?: string } | undefined,
  path: readonly Step[],
  mark: Find,
): void {
  if (observed === undefined || (observed.pointer === undefined) !== (observed.header === undefined)) return
  mark([...path, 'observed_at'], 'must have either a pointer or a header')
}

/** A currency in terms of itself never moves. */
function isPair(pair: string | undefined): boolean {
  const [base = '', quote = ''] = pair?.split('/') ?? ['GBP', 'NGN']
  return base !== quote && parseCurrency(base) !== null && parseCurrency(quote) !== null
}

/** Those that the connection itself is made of. */
const ownHeaders = new Set([
  'host',
  'content-length',
  'connection',
  'transfer-encoding',
  'expect',
  'upgrade',
  'keep-alive',
])

function readHeaders(
  given: Readonly<Record<string, string>>,
  environment: Environment,
  path: readonly Step[],
  mark: Find,
): Record<string, string> {
  const headers = Object.create(null) as Record<string, string>
  const variableOf = (name: string): string =>
    Object.hasOwn(environment, name) ? (environment[name] ?? '') : ''
  for (const [name, template] of Object.entries(given)) {
    const missing = [...template.matchAll(/\$\{([^}]*)\}/g)]
      .map(([, variable = '']) => variable)
      .filter((variable) => variableOf(variable) === '')
    const value = template.replaceAll(/\$\{([^}]*)\}/g, (_all, variable: string) => variableOf(variable))
    const lower = name.toLowerCase()
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || ownHeaders.has(lower))
      mark([...path, name], 'is no header that can be set')
    else if (Object.hasOwn(headers, lower)) mark([...path, name], 'stands there twice')
    // The value itself is never told: it may be a secret.
    else if (missing.length > 0) mark([...path, name], `needs ${missing.join(', ')} in the environment`)
    else if (!/^[\t\x20-\x7e]*$/.test(value)) mark([...path, name], 'holds what a header cannot carry')
    headers[lower] = value
  }
  return { ...headers }
}

/** What a text must look like, by the name of its member. */
const writtenLike: Readonly<Record<string, string>> = {
  value: 'must be a JSON pointer, like /data/risk',
  pointer: 'must be a JSON pointer, like /data/as_of',
  pair: 'must be two currencies, like GBP/USD',
}

function checkForm(schema: TSchema, value: unknown, path: readonly Step[], find: Find): void {
  const seen = new Set<string>()
  for (const error of Compile(schema).Errors(value)) {
    const steps = error.instancePath.split('/').slice(1).map(unescaped)
    const at = [...path, ...steps]
    // Of a union every branch tells its fault, and the first is as good as the others. Of what is unknown the place is told first.
    if (!seen.has(at.join('/')) && error.keyword !== 'additionalProperties') find(at, wording(error, at))
    seen.add(at.join('/'))
  }
}

function wording(error: TLocalizedValidationError, at: readonly Step[]): string {
  switch (error.keyword) {
    case 'boolean':
      return 'is unknown here'
    case 'required':
      return `needs ${error.params.requiredProperties.join(', ')}`
    case 'enum':
      return `must be one of ${error.params.allowedValues.join(', ')}`
    case 'pattern':
      return writtenLike[String(at.at(-1))] ?? 'is not written as it must be'
    default:
      return error.message
  }
}

/** What the file has at a path, or the last thing on the way there. */
function nearest(root: Node, path: readonly Step[]): Node {
  for (let length = path.length; length > 0; length -= 1) {
    const steps = path.slice(0, length).map((step) => (/^\d+$/.test(String(step)) ? Number(step) : step))
    const node = findNodeAtLocation(root, steps)
    // The name of a member stands before its value, perhaps a line before.
    if (node !== undefined) return node.parent?.type === 'property' ? node.parent : node
  }
  return root
}

/** Names that stand twice in an object. */
function* doubled(node: Node, path: readonly Step[]): Generator<readonly Step[]> {
  const names = new Set<string>()
  for (const [place, child] of (node.children ?? []).entries()) {
    if (child.type !== 'property') {
      yield* doubled(child, [...path, place])
      continue
    }
    const [name, value] = child.children ?? []
    const step = String(name?.value)
    if (names.has(step)) yield [...path, step]
    names.add(step)
    if (value !== undefined) yield* doubled(value, [...path, step])
  }
}

/** Members are set as they are, `__proto__` too. */
function valueOf(node: Node): unknown {
  if (node.type === 'array') return (node.children ?? []).map(valueOf)
  if (node.type !== 'object') return node.value as unknown
  return Object.fromEntries(
    (node.children ?? []).flatMap(({ children }) => {
      const [name, value] = children ?? []
      return name === undefined || value === undefined ? [] : [[String(name.value), valueOf(value)]]
    }),
  )
}

/** `CommaExpected` becomes `comma expected`. */
function spoken(code: string): string {
  return code.replaceAll(/(?!^)[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).toLowerCase()
}
