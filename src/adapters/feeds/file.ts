/** Reads and validates the feeds file. Reports all errors at once, each with its line and field. */

import { parseTree, printParseErrorCode, findNodeAtLocation, type Node, type ParseError } from 'jsonc-parser'
import type { World } from '../../core/live/world.ts'
import { escaped, isObject } from '../../core/reference/json.ts'
import { readFeed, type DeclaredFeed, type Environment } from './feed-spec.ts'
import { checkForm, type Report, type Step } from './form.ts'
import { FeedsForm } from './schema.ts'
import { checkPartnerPlaceholders, rawFeeds, readWorld, type FileForm } from './world-spec.ts'

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
  const errors: ParseError[] = []
  const root = treeOf(content, errors)
  const lineAt = lineFinder(content)
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
  const malformed: (readonly Step[])[] = []
  checkForm(FeedsForm, value, [], (path, message) => {
    malformed.push(path)
    report(path, message)
  })
  const form = isObject(value) ? wellFormed(value, malformed) : {}
  if (isObject(value) && !('signals' in value) && !('corridors' in value)) report([], 'needs signals')
  // Errors elsewhere in the file do not hide the errors of a feed, nor those of the world.
  const feeds = rawFeeds(isObject(value) ? value : {}).flatMap(
    (raw) => readFeed(raw, environment, report) ?? [],
  )
  const world = readWorld(form, report)
  checkPartnerPlaceholders(world, feeds, report)
  if (findings.length > 0) return { kind: 'bad', findings: inOrder(findings) }
  return { kind: 'read', file: { deadlineMs: form.deadline_ms ?? deadlineMsDefault, world, feeds } }
}

/** The form without the members that have a wrong type, so that the others can be checked, too. */
function wellFormed(value: object, malformed: readonly (readonly Step[])[]): FileForm {
  const form = structuredClone(value) as Record<string, unknown>
  for (const [first = '', second, third] of malformed) {
    const holder = form[first]
    const entry = isObject(holder) && second !== undefined ? holder[second] : undefined
    if (isObject(entry) && third !== undefined) delete (entry as Record<string, unknown>)[third]
    else if (isObject(holder) && second !== undefined) (holder as Record<string, unknown>)[second] = {}
    else delete form[first]
  }
  return form
}

/** Finds the line of an offset, from 1. */
function lineFinder(content: string): (offset: number) => number {
  const starts = [0]
  for (let at = content.indexOf('\n'); at >= 0; at = content.indexOf('\n', at + 1)) starts.push(at + 1)
  return (offset) => {
    const next = starts.findIndex((start) => start > offset)
    return next < 0 ? starts.length : next
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

const inOrder = (findings: readonly FileFinding[]): FileFinding[] =>
  findings.toSorted((left, right) => left.line - right.line)

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
