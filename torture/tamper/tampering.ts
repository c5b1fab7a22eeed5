/** One random change of the history, made straight in the database: an edit, a deletion, an insertion, a reordering or a cover-up. */

import type { Chance } from '../random.ts'
import { tables, type Cell, type Hands, type Row, type Table, type TableName } from './tables.ts'

export interface Tampered {
  readonly what: string
  /** One of these must be named by what is found. */
  readonly places: readonly string[]
}

/** Null where what was drawn changes nothing. */
export type Tampering = (hands: Hands) => Promise<Tampered | null>

const tableNames = Object.keys(tables) as TableName[]

/** How a finding names a row. */
function placesOf(table: TableName, row: Row): string[] {
  if (table === 'records') return [String(row['request_id'])]
  if (table === 'overrides') return [String(row['override_id'])]
  if (table === 'nodes')
    return [`node ${String(row['node_index'])} of level ${String(row['level'])}`, 'nodes']
  if (table === 'checkpoints') return [`checkpoint ${String(row['tree_size'])}`]
  return [`leaf ${String(row['leaf_index'])}`, `leaves ${String(row['leaf_index'])} to `]
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'.split('')
const digits = '0123456789'.split('')

function withOtherLetter(text: string, chance: Chance): string {
  const at = chance.below(text.length)
  return text.slice(0, at) + chance.pick(letters) + text.slice(at + 1)
}

/** Of an id: the last digits are chance, the others tell when it was made. */
function withOtherEnd(id: string, chance: Chance): string {
  return id.slice(0, -6) + Array.from({ length: 6 }, () => chance.pick(digits)).join('')
}

function otherText(value: Cell, neighbour: Cell, chance: Chance): Cell {
  const text = value === null ? '' : String(value)
  const ways = [
    () => (text === '' ? 'x' : withOtherLetter(text, chance)),
    () => `${text}x`,
    () => text.slice(0, -1),
    () => neighbour,
  ]
  return chance.pick(ways)()
}

function otherNumber(value: Cell, neighbour: Cell, chance: Chance): Cell {
  const number = Number(value ?? 0)
  return chance.pick([number + 1, number - 1, number + 1 + chance.below(1_000), -number - 1, neighbour])
}

function matching({ key }: Table, row: Row, from: number): { readonly sql: string; readonly values: Cell[] } {
  return {
    sql: key.map((column, place) => `${column} = $${from + place}`).join(' AND '),
    values: key.map((column) => row[column] ?? null),
  }
}

const edit: Tampering = async (hands) => {
  const { chance, rows, run } = hands
  const name = chance.pick(tableNames)
  const table: Table = tables[name]
  const row = chance.pick(rows[name])
  const column = chance.pick([...table.texts, ...table.numbers])
  const other = chance.pick(rows[name])[column] ?? null
  const before = row[column] ?? null
  const isText = table.texts.includes(column)
  const value = isText ? otherText(before, other, chance) : otherNumber(before, other, chance)
  // The same number may come as a number or as its text.
  if (value === before || (value !== null && before !== null && String(value) === String(before))) return null
  const at = matching(table, row, 2)
  await run(`UPDATE ${table.name} SET ${column} = $1 WHERE ${at.sql}`, value, ...at.values)
  const places = [...placesOf(name, row), ...placesOf(name, { ...row, [column]: value })]
  return { what: `${table.name}.${column} edited`, places }
}

const deletion: Tampering = async ({ chance, rows, run }) => {
  const name = chance.pick(tableNames)
  const table: Table = tables[name]
  const row = chance.pick(rows[name])
  const at = matching(table, row, 1)
  await run(`DELETE FROM ${table.name} WHERE ${at.sql}`, ...at.values)
  return { what: `a row of ${table.name} deleted`, places: placesOf(name, row) }
}

/** A copy of a row of the table, but for these members. */
type Copy = (row: Row, hands: Hands) => Row

const copies: Readonly<Record<TableName, Copy>> = {
  records: (row, { chance }) => ({ ...row, request_id: withOtherEnd(String(row['request_id']), chance) }),
  overrides: (row, { chance, rows }) => ({
    ...row,
    override_id: withOtherEnd(String(row['override_id']), chance),
    request_id: chance.pick(rows.records)['request_id'] ?? null,
  }),
  leaves: (row, { chance, rows }) => ({
    ...row,
    leaf_index: chance.pick([-1, rows.leaves.length, rows.leaves.length + 1 + chance.below(100)]),
    subject_id: withOtherEnd(String(row['subject_id']), chance),
  }),
  nodes: (row, { chance }) => ({
    ...row,
    level: chance.pick([8, 8, 16, 3]),
    node_index: chance.pick([-1, 1, 2, chance.below(1_000)]),
  }),
  checkpoints: (row, { chance, rows }) => ({
    ...row,
    tree_size: chance.below(2 * rows.leaves.length) - Math.floor(rows.leaves.length / 2),
  }),
}

const insertion: Tampering = async (hands) => {
  const { chance, rows, run } = hands
  const name = chance.pick(tableNames)
  const row = copies[name](chance.pick(rows[name]), hands)
  const columns = Object.keys(row)
  await run(
    `INSERT INTO ${tables[name].name} (${columns.join(', ')}) VALUES (${columns.map((_, place) => `$${place + 1}`).join(', ')})`,
    ...Object.values(row),
  )
  return { what: `a row of ${tables[name].name} inserted`, places: placesOf(name, row) }
}

/** What is exchanged between two rows: what they say, or what they are called. */
const exchanges: readonly { readonly table: TableName; readonly columns: readonly string[] }[] = [
  { table: 'records', columns: ['request_id'] },
  { table: 'records', columns: ['answer', 'evidence'] },
  { table: 'records', columns: ['decision', 'score_hundredths', 'amount', 'answer', 'evidence'] },
  { table: 'overrides', columns: ['override_id'] },
  { table: 'overrides', columns: ['justification', 'created_at_ms'] },
  { table: 'leaves', columns: ['leaf_hash'] },
  { table: 'leaves', columns: ['subject_id'] },
  { table: 'leaves', columns: ['subject_id', 'leaf_hash'] },
  { table: 'checkpoints', columns: ['note'] },
]

const reordering: Tampering = async ({ chance, rows, run }) => {
  const { table: name, columns } = chance.pick(exchanges)
  const table: Table = tables[name]
  const first = chance.pick(rows[name])
  const second = chance.pick(rows[name])
  if (columns.every((column) => first[column] === second[column])) return null
  for (const column of columns) {
    const set = async (row: Row, value: Cell): Promise<void> => {
      const at = matching(table, row, 2)
      await run(`UPDATE ${table.name} SET ${column} = $1 WHERE ${at.sql}`, value, ...at.values)
    }
    // Many of these may stand nowhere twice: one makes room.
    const aside = table.texts.includes(column) ? withOtherEnd(String(first[column]), chance) : -7
    const isKey = table.key.includes(column)
    await set(first, aside)
    await set(second, first[column] ?? null)
    await set(isKey ? { ...first, [column]: aside } : first, second[column] ?? null)
  }
  // Where both leaf and hash are exchanged only the signed root is wrong, from the next checkpoint on.
  const isWhole = name === 'leaves' && columns.length === 2
  const places = isWhole ? ['checkpoint '] : [...placesOf(name, first), ...placesOf(name, second)]
  return { what: `${columns.join(' and ')} of two rows of ${table.name} exchanged`, places }
}

export const tamperings: Readonly<Record<string, Tampering>> = { edit, deletion, insertion, reordering }
