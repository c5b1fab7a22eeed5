/** Reads and validates the feeds file. Reports all errors at once, each with its line and field. */

import { parseTree, printParseErrorCode, findNodeAtLocation, type Node, type ParseError } from 'jsonc-parser'
import type { World } from '../../core/live/world.ts'
import { escaped, isObject } from '../../core/reference/json.ts'
import { membersIn, membersOf } from '../../core/reference/repeated-members.ts'
import { createTemplates, readFeed, type DeclaredFeed, type Environment } from './feed-spec.ts'
import { checkForm, type Report, type Step } from './form.ts'
import { FeedsForm } from './schema.ts'
import { checkFxPairs, checkPartnerPlaceholders, rawFeeds, readWorld, type FileForm } from './world-spec.ts'

export interface FeedsFile {
  readonly deadlineMs: number
  readonly world: World
  readonly feeds: readonly DeclaredFeed[]
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

export function readFeeds(content: string, environment: Environment): ReadFeeds {
  const findings: Found[] = []
  const report: Report = (path, message) => void findings.push({ path, message })
  let value: unknown
  try {
    value = JSON.parse(content)
  } catch {
    return { kind: 'bad', findings: [syntaxFinding(content)] }
  }
  const file = readValue(value, environment, report)
  // The tree of a large file is many times its size, so it is built only to find the lines of errors.
  const isRepeated = membersIn(Buffer.from(content)) !== membersOf(value)
  if (findings.length === 0 && !isRepeated) return { kind: 'read', file }
  return { kind: 'bad', findings: located(content, findings) }
}

interface Found {
  readonly path: readonly Step[]
  readonly message: string
}

/** All errors but repeated members, which a parsed value does not show. */
function readValue(value: unknown, environment: Environment, report: Report): FeedsFile {
  const malformed: (readonly Step[])[] = []
  checkForm(FeedsForm, value, [], (path, message) => {
    malformed.push(path)
    report(path, message)
  })
  if (isObject(value) && !('signals' in value) && !('corridors' in value)) report([], 'needs signals')
  const reading = { environment, templates: createTemplates() }
  // Errors elsewhere in the file do not hide the errors of a feed, nor those of the world.
  const feeds = rawFeeds(isObject(value) ? value : {}).flatMap((raw) => readFeed(raw, reading, report) ?? [])
  const form = isObject(value) ? wellFormed(value, malformed) : {}
  const world = readWorld(form, report)
  checkPartnerPlaceholders(world, feeds, report)
  checkFxPairs(world, feeds, report)
  return { deadlineMs: form.deadline_ms ?? deadlineMsDefault, world, feeds }
}

function syntaxFinding(content: string): FileFinding {
  const errors: ParseError[] = []
  treeOf(content, errors)
  const [broken] = errors
  const code = broken === undefined ? 'ValueExpected' : printParseErrorCode(broken.error)
  const line = lineFinder(content)(broken?.offset ?? 0)
  return { line, field: '', message: `is not valid JSON: ${readable(code)}` }
}

/** The errors with their lines, and the members that are given twice. */
function located(content: string, found: readonly Found[]): FileFinding[] {
  const root = treeOf(content, [])
  const lineAt = lineFinder(content)
  const repeated = root === undefined ? [] : [...duplicates(root, [])]
  const all = [...repeated.map((path) => ({ path, message: 'is duplicated' })), ...found]
  return all
    .map(({ path, message }) => ({
      line: root === undefined ? 1 : lineAt(nearest(root, path).offset),
      field: path.map((step) => `/${escaped(String(step))}`).join(''),
      message,
    }))
    .toSorted((left, right) => left.line - right.line)
}

const named = new Set<Step>(['corridors', 'partners', 'calendars'])

/** The form without the members that have a wrong type, so that all others can be checked, too. */
function wellFormed(value: object, malformed: readonly (readonly Step[])[]): FileForm {
  if (malformed.length === 0) return value
  const form = structuredClone(value) as Record<string, unknown>
  for (const path of malformed) takeOut(form, path)
  return form
}

function takeOut(form: Record<string, unknown>, path: readonly Step[]): void {
  let holder = form
  for (const [place, step] of path.entries()) {
    const inner = holder[step]
    if (!isObject(inner) || place === path.length - 1) {
      // Others may refer to the name of an entry.
      if (place === 1 && named.has(path[0] ?? '')) holder[step] = {}
      else delete holder[step]
      return
    }
    holder = inner
  }
}

/** Finds the line of an offset, from 1. */
function lineFinder(content: string): (offset: number) => number {
  const starts = [0]
  for (let at = content.indexOf('\n'); at >= 0; at = content.indexOf('\n', at + 1)) starts.push(at + 1)
  return (offset) => {
    let [low, high] = [0, starts.length]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle
    }
    return high
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

/** `CommaExpected` becomes `comma expected`. */
function readable(code: string): string {
  return code.replaceAll(/(?!^)[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).toLowerCase()
}
