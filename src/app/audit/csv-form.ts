/** Converts a bundle to CSV (`path,type,value`, one row per value) and back without loss. */

import { parse } from 'csv-parse/sync'
import { csvText, defused, restored, type Cell } from '../assess/csv/write.ts'
import { escaped, unescaped } from '../../core/reference/json.ts'

/** Longest CSV row accepted. The longest value of a bundle is the leaf text of a record under two policies at their limits. */
const recordLengthMax = 1_048_576
/** Restoring a cell takes a time that grows with its length and its breaks; the leaf of a record has two. */
const brokenLengthMax = 32_768
const longBreaksMax = 16
const depthMax = 16

const header = ['path', 'type', 'value'] as const

/** A file that is not a bundle. The message continues a sentence that starts with the file's name. */
export class InvalidBundle extends Error {
  override readonly name = 'InvalidBundle'
}

export function toCsv(value: unknown): string {
  const rows: Cell[][] = [[...header]]
  flatten('', value, rows)
  return csvText(rows)
}

function flatten(path: string, value: unknown, rows: Cell[][]): void {
  if (typeof value !== 'object' || value === null) {
    rows.push([path, value === null ? 'null' : typeof value, cellOf(value)])
    return
  }
  const isArray = Array.isArray(value)
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  if (members.length === 0) rows.push([path, isArray ? 'array' : 'object', ''])
  for (const [name, member] of members) flatten(`${path}/${escaped(name)}`, member, rows)
}

/** Escapes text that a spreadsheet would run as a formula. Reading restores it. */
function cellOf(value: unknown): Cell {
  if (typeof value === 'string') return defused(value)
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** The value of a cell that does not fit its type. It matches no hash. */
const unreadable = (text: string): unknown => ({ unreadable: text })

/** Booleans are read in any case: spreadsheets write them in capitals. */
const readers: Readonly<Record<string, (text: string) => unknown>> = {
  string: restoredCell,
  number: (text) => (jsonNumber.test(text) ? Number(text) : unreadable(text)),
  boolean: (text) => (/^(?:true|false)$/i.test(text) ? text.toLowerCase() === 'true' : unreadable(text)),
  null: (text) => (text === '' ? null : unreadable(text)),
  array: (text) => (text === '' ? [] : unreadable(text)),
  object: (text) => (text === '' ? {} : unreadable(text)),
}

function restoredCell(text: string): string {
  const isLong = text.length > brokenLengthMax
  if (isLong && (text.match(/[\t\r\n]/g)?.length ?? 0) > longBreaksMax)
    throw new InvalidBundle('has a longer text than any export')
  return restored(text)
}

export function fromCsv(text: string): unknown {
  const rows = rowsOf(text)
  const [head = [], ...lines] = rows
  if (head.join() !== header.join())
    throw new InvalidBundle('is neither JSON nor CSV with the columns path, type and value')
  const root: Branch = new Map()
  for (const [index, [path = '', type = '', value = '', ...more]] of lines.entries()) {
    const read = Object.hasOwn(readers, type) ? readers[type] : undefined
    if (more.length > 0) throw new InvalidBundle(`has more than three columns in row ${index + 2}`)
    if (read === undefined || !path.startsWith('/'))
      throw new InvalidBundle(`has an invalid path or type in row ${index + 2}`)
    const tokens = path.slice(1).split('/').map(unescaped)
    if (tokens.length > depthMax) throw new InvalidBundle('is nested deeper than any export')
    put(root, tokens, read(value), index + 2)
  }
  return valueOf(root)
}

function rowsOf(text: string): string[][] {
  try {
    return parse(text, {
      bom: true,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: recordLengthMax,
    })
  } catch (error) {
    throw new InvalidBundle(`is not valid CSV: ${(error as Error).message}`)
  }
}

type Branch = Map<string, Branch | Leaf>
interface Leaf {
  readonly leaf: unknown
}

const isLeaf = (node: Branch | Leaf): node is Leaf => !(node instanceof Map)

function put(root: Branch, tokens: readonly string[], value: unknown, row: number): void {
  const last = tokens.at(-1) ?? ''
  let branch = root
  for (const token of tokens.slice(0, -1)) {
    const next: Branch | Leaf = branch.get(token) ?? new Map()
    if (isLeaf(next)) throw new InvalidBundle(`has a value and members under the same path, in row ${row}`)
    branch.set(token, next)
    branch = next
  }
  if (branch.has(last)) throw new InvalidBundle(`repeats a path in row ${row}`)
  branch.set(last, { leaf: value })
}

/** Builds the value of a node. Names that count up from 0 make an array: no object of a bundle has such names. */
function valueOf(node: Branch | Leaf): unknown {
  if (isLeaf(node)) return node.leaf
  const members = [...node].map(([name, member]) => [name, valueOf(member)] as const)
  if (members.some(([name]) => !/^(?:0|[1-9]\d{0,5})$/.test(name))) return Object.fromEntries(members)
  const items = members.toSorted(([left], [right]) => Number(left) - Number(right))
  return items.every(([name], index) => name === String(index))
    ? items.map(([, member]) => member)
    : Object.fromEntries(members)
}
