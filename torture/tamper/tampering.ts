/** One random change of the history, made straight in the database: an edit, a deletion, an insertion, a reordering or a cover-up. */

import type { Chance } from '../random.ts'
import { changeBlock, changeLeaf, leavesOf, placesOfLeaves, type KeptLeaf } from './leaves.ts'
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
  return placesOfLeaves(leavesOf(row))
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

const editOfARow: Tampering = async (hands) => {
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

const deletionOfARow: Tampering = async ({ chance, rows, run }) => {
  const name = chance.pick(tableNames)
  const table: Table = tables[name]
  const row = chance.pick(rows[name])
  const at = matching(table, row, 1)
  await run(`DELETE FROM ${table.name} WHERE ${at.sql}`, ...at.values)
  return { what: `a row of ${table.name} deleted`, places: placesOf(name, row) }
}

const sizeOf = ({ blocks }: Hands['rows']): number => blocks.flatMap(leavesOf).length

/** Before the first leaf, among them, right after the last, or far from it. */
function anyPlace({ chance, rows }: Hands): number {
  const size = sizeOf(rows)
  return chance.pick([-1, chance.below(size), size, size + 1 + chance.below(100)])
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
  blocks: (row, hands) => ({ ...row, first_leaf: anyPlace(hands) }),
  nodes: (row, { chance }) => ({
    ...row,
    level: chance.pick([8, 8, 16, 3]),
    node_index: chance.pick([-1, 1, 2, chance.below(1_000)]),
  }),
  checkpoints: (row, { chance, rows }) => ({
    ...row,
    tree_size: chance.below(2 * sizeOf(rows)) - Math.floor(sizeOf(rows) / 2),
  }),
}

const insertionOfARow: Tampering = async (hands) => {
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
  { table: 'blocks', columns: ['slot'] },
  { table: 'blocks', columns: ['entries'] },
  { table: 'blocks', columns: ['slot', 'entries'] },
  { table: 'checkpoints', columns: ['note'] },
]

const exchangeOfRows: Tampering = async ({ chance, rows, run }) => {
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
  // Where leaves are exchanged with their hashes only the signed root is wrong, from the next checkpoint on.
  const wherever = columns.includes('entries') ? ['checkpoint '] : []
  const places = [...placesOf(name, first), ...placesOf(name, second), ...wherever]
  return { what: `${columns.join(' and ')} of two rows of ${table.name} exchanged`, places }
}

/** The same with single leaves, inside of their blocks. */
const ofLeaves = {
  edit: async (hands) => {
    const { chance, rows } = hands
    const leaf = chance.pick(rows.blocks.flatMap(leavesOf))
    const member = chance.pick(['subjectId', 'leafHash'] as const)
    const value = withOtherLetter(leaf[member], chance)
    if (value === leaf[member]) return null
    await changeLeaf(hands, leaf, { [member]: value })
    return { what: `${member} of a leaf edited`, places: placesOfLeaves([leaf]) }
  },
  deletion: async (hands) => {
    const leaf = hands.chance.pick(hands.rows.blocks.flatMap(leavesOf))
    await changeBlock(hands, leaf.block, (entries) => entries.toSpliced(leaf.line, 1))
    return { what: 'a leaf taken out of its block', places: [...placesOfLeaves([leaf]), 'leaf ', 'leaves '] }
  },
  insertion: async (hands) => {
    const leaf = hands.chance.pick(hands.rows.blocks.flatMap(leavesOf))
    const more = { ...leaf, subjectId: withOtherEnd(leaf.subjectId, hands.chance) }
    await changeBlock(hands, leaf.block, (entries) => entries.toSpliced(leaf.line, 0, more))
    return { what: 'a leaf put into a block', places: [...placesOfLeaves([leaf, more]), 'leaf '] }
  },
  reordering: async (hands) => {
    const { chance, rows } = hands
    const leaves = rows.blocks.flatMap(leavesOf)
    const first = chance.pick(leaves)
    const second = chance.pick(leaves)
    if (first.index === second.index) return null
    const members = chance.pick([['subjectId'], ['leafHash'], ['subjectId', 'leafHash']] as const)
    const partOf = (leaf: KeptLeaf) => Object.fromEntries(members.map((member) => [member, leaf[member]]))
    await changeLeaf(hands, first, partOf(second))
    await changeLeaf(hands, second, partOf(first))
    const wherever = members.length === 2 ? ['checkpoint '] : []
    return {
      what: `${members.join(' and ')} of two leaves exchanged`,
      places: [...placesOfLeaves([first, second]), ...wherever],
    }
  },
} satisfies Record<string, Tampering>

/** One time in so many it is a leaf: there are so many tables. */
const orOfLeaves =
  (ofRows: Tampering, ofALeaf: Tampering): Tampering =>
  (hands) =>
    (hands.chance.below(tableNames.length + 1) === 0 ? ofALeaf : ofRows)(hands)

export const tamperings: Readonly<Record<string, Tampering>> = {
  edit: orOfLeaves(editOfARow, ofLeaves.edit),
  deletion: orOfLeaves(deletionOfARow, ofLeaves.deletion),
  insertion: orOfLeaves(insertionOfARow, ofLeaves.insertion),
  reordering: orOfLeaves(exchangeOfRows, ofLeaves.reordering),
}
