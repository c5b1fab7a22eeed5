/** Reads and validates the feeds file. Reports all errors at once, each with its line and field. */

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
  /** With environment variables substituted. */
  readonly headers: Readonly<Record<string, string>>
}

export interface FileFinding {
  /** From 1. */
  readonly line: number
  /** JSON pointer; empty for the file as a whole. */
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
    const message = `is not valid JSON: ${readable(broken === undefined ? 'ValueExpected' : printParseErrorCode(broken.error))}`
    return { kind: 'bad', findings: [{ line: lineAt(broken?.offset ?? 0), field: '', message }] }
  }
  const findings: FileFinding[] = []
  const report: Report = (path, message) => {
    const node = nearest(root, path)
    findings.push({
      line: lineAt(node.offset),
      field: path.map((step) => `/${escaped(String(step))}`).join(''),
      message,
    })
  }
  for (const path of duplicates(root, [])) report(path, 'is duplicated')
  const value = valueOf(root)
  checkForm(FeedsForm, value, [], report)
  const form = value as FileForm
  // Errors elsewhere in the file do not hide the errors of a feed.
  const feeds = signalNames.flatMap((signal) => {
    const raw = isObject(form) && isObject(form.signals) ? form.signals[signal] : undefined
    const declared = isObject(raw) ? readFeed(signal, raw, environment, report) : null
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

/** Undefined for invalid JSON and for extreme nesting. */
function treeOf(content: string, errors: ParseError[]): Node | undefined {
  try {
    return parseTree(content, errors, { disallowComments: true, allowTrailingComma: false })
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

interface FileForm {
  readonly deadline_ms?: number
  readonly recommended_partner?: Readonly<Record<string, string>>
  readonly signals: Readonly<Partial<Record<SignalName, Readonly<Record<string, unknown>>>>>
}

type Step = string | number
type Report = (path: readonly Step[], message: string) => void

const inOrder = (findings: readonly FileFinding[]): FileFinding[] =>
  findings.toSorted((left, right) => left.line - right.line)

/** Sources that provide only one signal. */
const onlyFor: Readonly<Partial<Record<FeedSpec['source'], SignalName>>> = {
  'fx-series': 'fx_volatility',
  outcomes: 'historical_failure_rate',
}

function readFeed(
  signal: SignalName,
  raw: Readonly<Record<string, unknown>>,
  environment: Environment,
  report: Report,
): DeclaredFeed | null {
  const path = ['signals', signal]
  let isValid = true
  const fail: Report = (...finding) => {
    isValid = false
    report(...finding)
  }
  const { source } = raw
  if (typeof source !== 'string' || !Object.hasOwn(feedSchemas, source)) {
    fail([...path, 'source'], `must be one of ${Object.keys(feedSchemas).join(', ')}`)
    return null
  }
  const onlySignal = onlyFor[source as FeedSpec['source']]
  if (onlySignal !== undefined && onlySignal !== signal) {
    fail([...path, 'source'], `can only be the source of ${onlySignal}, not of this signal`)
    return null
  }
  checkForm(feedSchemas[source as FeedSpec['source']], raw, path, fail)
  if (!isValid) return null
  const spec = raw as FeedSpec
  const map = 'map' in spec && spec.map !== undefined ? readMap(signal, spec.map, path, fail) : null
  if (spec.source === 'constant' && isValid) checkConstant(signal, spec.value, map, path, fail)
  if (spec.source === 'http') checkObserved(spec.observed_at, path, fail)
  if (spec.source === 'fx-series' && !isPair(spec.pair)) {
    fail([...path, 'pair'], 'must be two different currencies, like GBP/USD')
  }
  let headers: Record<string, string> = {}
  if ('url' in spec) {
    const template = compileTemplate(spec.url)
    if (typeof template === 'string') fail([...path, 'url'], template)
    else if (spec.source === 'fx-series' && template.names.length > 0)
      fail([...path, 'url'], 'must not contain a {name}: all payments use the same series')
    headers = readHeaders(
      (spec.headers ?? {}) as Readonly<Record<string, string>>,
      environment,
      [...path, 'headers'],
      fail,
    )
  }
  return isValid ? { signal, spec, map, headers } : null
}

function readMap(signal: SignalName, spec: MapSpec, path: readonly Step[], fail: Report): FeedMap {
  const { points, cases } = spec
  if ((points === undefined) === (cases === undefined)) {
    fail([...path, 'map'], 'must have either points or cases')
    return null
  }
  const map: FeedMap =
    points !== undefined ? { kind: 'points', points } : { kind: 'cases', cases: cases ?? [] }
  const kinds = new Set((cases ?? []).map(([value]) => typeof value))
  if (kinds.size > 1) fail([...path, 'map', 'cases'], 'must be all strings or all booleans')
  const fault = mapFault(map, scaleOf[signal])
  if (fault !== null)
    fail([...path, 'map', map.kind, ...(fault.place === null ? [] : [fault.place])], fault.message)
  return map
}

function checkConstant(
  signal: SignalName,
  value: number | boolean | string,
  map: FeedMap,
  path: readonly Step[],
  fail: Report,
): void {
  const { kind } = scaledBy(map, scaleOf[signal], value)
  if (kind === 'scaled') return
  const target = map === null ? `the scale of ${signal}` : 'its map'
  fail([...path, 'value'], kind === 'wrong_type' ? `has the wrong type for ${target}` : `is not on ${target}`)
}

function checkObserved(
  observed: { readonly pointer?: string; readonly header?: string } | undefined,
  path: readonly Step[],
  fail: Report,
): void {
  if (observed === undefined || (observed.pointer === undefined) !== (observed.header === undefined)) return
  fail([...path, 'observed_at'], 'must have either a pointer or a header')
}

/** Two different currencies: a currency priced in itself never moves. */
function isPair(pair: string | undefined): boolean {
  const [base = '', quote = ''] = pair?.split('/') ?? ['GBP', 'NGN']
  return base !== quote && parseCurrency(base) !== null && parseCurrency(quote) !== null
}

/** Headers that the HTTP client sets itself. */
const reservedHeaders = new Set([
  'host',
  'content-length',
  'connection',
  'transfer-encoding',
  'expect',
  'upgrade',
  'keep-alive',
])

function readHeaders(
  declared: Readonly<Record<string, string>>,
  environment: Environment,
  path: readonly Step[],
  fail: Report,
): Record<string, string> {
  const headers = Object.create(null) as Record<string, string>
  const variableOf = (name: string): string =>
    Object.hasOwn(environment, name) ? (environment[name] ?? '') : ''
  for (const [name, template] of Object.entries(declared)) {
    const missing = [...template.matchAll(/\$\{([^}]*)\}/g)]
      .map(([, variable = '']) => variable)
      .filter((variable) => variableOf(variable) === '')
    const value = template.replaceAll(/\$\{([^}]*)\}/g, (_all, variable: string) => variableOf(variable))
    const lower = name.toLowerCase()
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || reservedHeaders.has(lower))
      fail([...path, name], 'is not a header that can be set')
    else if (Object.hasOwn(headers, lower)) fail([...path, name], 'is duplicated')
    // The value is never reported: it may be a secret.
    else if (missing.length > 0) fail([...path, name], `needs ${missing.join(', ')} in the environment`)
    else if (!/^[\t\x20-\x7e]*$/.test(value))
      fail([...path, name], 'contains characters that a header cannot carry')
    headers[lower] = value
  }
  return { ...headers }
}

/** Messages for texts that do not match their pattern, by member name. */
const patternMessages: Readonly<Record<string, string>> = {
  value: 'must be a JSON pointer, like /data/risk',
  pointer: 'must be a JSON pointer, like /data/as_of',
  pair: 'must be two currencies, like GBP/USD',
}

function checkForm(schema: TSchema, value: unknown, path: readonly Step[], report: Report): void {
  const reported = new Set<string>()
  for (const error of Compile(schema).Errors(value)) {
    const steps = error.instancePath.split('/').slice(1).map(unescaped)
    const at = [...path, ...steps]
    // Every branch of a union reports an error; the first is enough. An unknown member is reported at its own path.
    if (!reported.has(at.join('/')) && error.keyword !== 'additionalProperties')
      report(at, messageOf(error, at))
    reported.add(at.join('/'))
  }
}

function messageOf(error: TLocalizedValidationError, at: readonly Step[]): string {
  switch (error.keyword) {
    case 'boolean':
      return 'is an unknown member'
    case 'required':
      return `needs ${error.params.requiredProperties.join(', ')}`
    case 'enum':
      return `must be one of ${error.params.allowedValues.join(', ')}`
    case 'pattern':
      return patternMessages[String(at.at(-1))] ?? 'has the wrong format'
    default:
      return error.message
  }
}

/** The node at a path, or its nearest existing ancestor. */
function nearest(root: Node, path: readonly Step[]): Node {
  for (let length = path.length; length > 0; length -= 1) {
    const steps = path.slice(0, length).map((step) => (/^\d+$/.test(String(step)) ? Number(step) : step))
    const node = findNodeAtLocation(root, steps)
    // Report the line of the member's name, which may be before the line of its value.
    if (node !== undefined) return node.parent?.type === 'property' ? node.parent : node
  }
  return root
}

/** The paths of duplicate member names. */
function* duplicates(node: Node, path: readonly Step[]): Generator<readonly Step[]> {
  const names = new Set<string>()
  for (const [place, child] of (node.children ?? []).entries()) {
    if (child.type !== 'property') {
      yield* duplicates(child, [...path, place])
      continue
    }
    const [name, value] = child.children ?? []
    const step = String(name?.value)
    if (names.has(step)) yield [...path, step]
    names.add(step)
    if (value !== undefined) yield* duplicates(value, [...path, step])
  }
}

/** Members become own properties, even `__proto__`. */
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
function readable(code: string): string {
  return code.replaceAll(/(?!^)[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).toLowerCase()
}
