/** A bundle as CSV, one value a line, and back again without loss: `path,type,value`. */

import { parse } from 'csv-parse/sync'
import { csvText, defused, restored, type Cell } from '../assess/csv/write.ts'
import { escaped, unescaped } from '../../core/reference/json.ts'

/** No value of a bundle is longer: the longest is a whole record as it was sealed. */
const recordLengthMax = 32_768
const depthMax = 16

const header = ['path', 'type', 'value'] as const

/** What cannot be read as a bundle. The message goes on after the name of the file. */
export class NoBundle extends Error {
  override readonly name = 'NoBundle'
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
  const isList = Array.isArray(value)
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  if (members.length === 0) rows.push([path, isList ? 'array' : 'object', ''])
  for (const [name, member] of members) flatten(`${path}/${escaped(name)}`, member, rows)
}

/** A text that a spreadsheet would run is defused; reading it takes that back. */
function cellOf(value: unknown): Cell {
  if (typeof value === 'string') return defused(value)
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** A cell that its type does not take is a value of its own kind, so that no hash fits it. */
const odd = (text: string): unknown => ({ unreadable: text })

/** Spreadsheets write truth in capitals. */
const readers: Readonly<Record<string, (text: string) => unknown>> = {
  string: restored,
  number: (text) => (jsonNumber.test(text) ? Number(text) : odd(text)),
  boolean: (text) => (/^(?:true|false)$/i.test(text) ? text.toLowerCase() === 'true' : odd(text)),
  null: (text) => (text === '' ? null : odd(text)),
  array: (text) => (text === '' ? [] : odd(text)),
  object: (text) => (text === '' ? {} : odd(text)),
}

export function fromCsv(text: string): unknown {
  const rows = rowsOf(text)
  const [head = [], ...lines] = rows
  if (head.join() !== header.join())
    throw new NoBundle('is neither JSON nor a CSV with the columns path, type, value')
  const root: Branch = new Map()
  for (const [place, [path = '', type = '', value = '', ...more]] of lines.entries()) {
    const read = Object.hasOwn(readers, type) ? readers[type] : undefined
    if (more.length > 0) throw new NoBundle(`has more than three columns in row ${place + 2}`)
    if (read === undefined || !path.startsWith('/')) throw new NoBundle(`cannot be read in row ${place + 2}`)
    const tokens = path.slice(1).split('/').map(unescaped)
    if (tokens.length > depthMax) throw new NoBundle('is nested deeper than any export')
    put(root, tokens, read(value), place + 2)
  }
  return grown(root)
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
    throw new NoBundle(`is no CSV: ${(error as Error).message}`)
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
    if (isLeaf(next)) throw new NoBundle(`has a value and something below it, in row ${row}`)
    branch.set(token, next)
    branch = next
  }
  if (branch.has(last)) throw new NoBundle(`has one path twice, in row ${row}`)
  branch.set(last, { leaf: value })
}

/** No object of a bundle has numbers for names, so a branch that counts from 0, in any order of the rows, is a list. */
function grown(node: Branch | Leaf): unknown {
  if (isLeaf(node)) return node.leaf
  const members = [...node].map(([name, member]) => [name, grown(member)] as const)
  if (members.some(([name]) => !/^(?:0|[1-9]\d{0,5})$/.test(name))) return Object.fromEntries(members)
  const items = members.toSorted(([left], [right]) => Number(left) - Number(right))
  return items.every(([name], place) => name === String(place))
    ? items.map(([, member]) => member)
    : Object.fromEntries(members)
}
