/** Single random changes of the history, made directly in the database: edit, deletion, insertion and reordering. */

import type { Rng } from '../random.ts'
import { changeBlock, changeLeaf, leavesOf, placesOfLeaves, type StoredLeaf } from './leaves.ts'
import { tables, type Cell, type DirectAccess, type Row, type Table, type TableName } from './tables.ts'

export interface Tampered {
  readonly what: string
  /** A finding must name one of these. */
  readonly places: readonly string[]
}

/** Returns null if the random choice changes nothing. */
export type Tampering = (access: DirectAccess) => Promise<Tampered | null>

const tableNames = Object.keys(tables) as TableName[]

/** The texts by which a finding may name a row. */
function placesOf(table: TableName, row: Row): string[] {
  if (table === 'records') return [String(row['request_id'])]
  if (table === 'overrides') return [String(row['override_id'])]
  if (table === 'reviews') return [String(row['review_id'])]
  if (table === 'changes') return [String(row['change_id']), String(row['review_id'])]
  if (table === 'nodes')
    return [`node ${String(row['node_index'])} of level ${String(row['level'])}`, 'nodes']
  if (table === 'checkpoints') return [`checkpoint ${String(row['tree_size'])}`]
  return placesOfLeaves(leavesOf(row))
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'.split('')
const digits = '0123456789'.split('')

function withOtherLetter(text: string, rng: Rng): string {
  const at = rng.below(text.length)
  return text.slice(0, at) + rng.pick(letters) + text.slice(at + 1)
}

/** Replaces the random end of an id; the rest is its timestamp. */
function withOtherEnd(id: string, rng: Rng): string {
  return id.slice(0, -6) + Array.from({ length: 6 }, () => rng.pick(digits)).join('')
}

function otherText(value: Cell, neighbour: Cell, rng: Rng): Cell {
  const text = value === null ? '' : String(value)
  const ways = [
    () => (text === '' ? 'x' : withOtherLetter(text, rng)),
    () => `${text}x`,
    () => text.slice(0, -1),
    () => neighbour,
  ]
  return rng.pick(ways)()
}

function otherNumber(value: Cell, neighbour: Cell, rng: Rng): Cell {
  const number = Number(value ?? 0)
  return rng.pick([number + 1, number - 1, number + 1 + rng.below(1_000), -number - 1, neighbour])
}

function matching({ key }: Table, row: Row, from: number): { readonly sql: string; readonly values: Cell[] } {
  return {
    sql: key.map((column, place) => `${column} = $${from + place}`).join(' AND '),
    values: key.map((column) => row[column] ?? null),
  }
}

const editRow: Tampering = async (access) => {
  const { rng, rows, run } = access
  const name = rng.pick(tableNames)
  const table: Table = tables[name]
  const row = rng.pick(rows[name])
  const { on, columns = [] } = table.dependent ?? {}
  const meaningless = on !== undefined && row[on] === null ? columns : []
  const column = rng.pick([...table.texts, ...table.numbers].filter((one) => !meaningless.includes(one)))
  const other = rng.pick(rows[name])[column] ?? null
  const before = row[column] ?? null
  const isText = table.texts.includes(column)
  const value = isText ? otherText(before, other, rng) : otherNumber(before, other, rng)
  // The same number may be a number or a string.
  if (value === before || (value !== null && before !== null && String(value) === String(before))) return null
  const at = matching(table, row, 2)
  await run(`UPDATE ${table.name} SET ${column} = $1 WHERE ${at.sql}`, value, ...at.values)
  const places = [...placesOf(name, row), ...placesOf(name, { ...row, [column]: value })]
  return { what: `${table.name}.${column} edited`, places }
}

const deleteRow: Tampering = async ({ rng, rows, run }) => {
  const name = rng.pick(tableNames)
  const table: Table = tables[name]
  const row = rng.pick(rows[name])
  const at = matching(table, row, 1)
  await run(`DELETE FROM ${table.name} WHERE ${at.sql}`, ...at.values)
  return { what: `a row of ${table.name} deleted`, places: placesOf(name, row) }
}

const sizeOf = ({ blocks }: DirectAccess['rows']): number => blocks.flatMap(leavesOf).length

/** An index before the first leaf, among the leaves, right after the last, or far beyond. */
function anyPlace({ rng, rows }: DirectAccess): number {
  const size = sizeOf(rows)
  return rng.pick([-1, rng.below(size), size, size + 1 + rng.below(100)])
}

/** A copy of a row with some members changed. */
type Copy = (row: Row, access: DirectAccess) => Row

const copies: Readonly<Record<TableName, Copy>> = {
  records: (row, { rng }) => ({ ...row, request_id: withOtherEnd(String(row['request_id']), rng) }),
  overrides: (row, { rng, rows }) => ({
    ...row,
    override_id: withOtherEnd(String(row['override_id']), rng),
    request_id: rng.pick(rows.records)['request_id'] ?? null,
  }),
  changes: (row, { rng }) => ({
    ...row,
    change_id: withOtherEnd(String(row['change_id']), rng),
    number: rng.pick([Number(row['number']), Number(row['number']) + 1, 0]),
  }),
  reviews: (row, { rng }) => ({ ...row, review_id: withOtherEnd(String(row['review_id']), rng) }),
  blocks: (row, access) => ({ ...row, first_leaf: anyPlace(access) }),
  nodes: (row, { rng }) => ({
    ...row,
    level: rng.pick([8, 8, 16, 3]),
    node_index: rng.pick([-1, 1, 2, rng.below(1_000)]),
  }),
  checkpoints: (row, { rng, rows }) => ({
    ...row,
    tree_size: rng.below(2 * sizeOf(rows)) - Math.floor(sizeOf(rows) / 2),
  }),
}

const insertRow: Tampering = async (access) => {
  const { rng, rows, run } = access
  const name = rng.pick(tableNames)
  const row = copies[name](rng.pick(rows[name]), access)
  const columns = Object.keys(row)
  await run(
    `INSERT INTO ${tables[name].name} (${columns.join(', ')}) VALUES (${columns.map((_, place) => `$${place + 1}`).join(', ')})`,
    ...Object.values(row),
  )
  return { what: `a row of ${tables[name].name} inserted`, places: placesOf(name, row) }
}

/** Columns to exchange between two rows: their contents or their ids. */
const exchanges: readonly { readonly table: TableName; readonly columns: readonly string[] }[] = [
  { table: 'records', columns: ['request_id'] },
  { table: 'records', columns: ['answer', 'evidence'] },
  { table: 'records', columns: ['decision', 'score_hundredths', 'amount', 'answer', 'evidence'] },
  { table: 'overrides', columns: ['override_id'] },
  { table: 'overrides', columns: ['justification', 'created_at_ms'] },
  { table: 'changes', columns: ['change_id'] },
  { table: 'changes', columns: ['kind', 'at_ms'] },
  { table: 'changes', columns: ['key_id', 'person_id', 'principal_id'] },
  { table: 'reviews', columns: ['status', 'claimed_by', 'version'] },
  { table: 'reviews', columns: ['amount', 'due_at_ms'] },
  { table: 'blocks', columns: ['slot'] },
  { table: 'blocks', columns: ['entries'] },
  { table: 'blocks', columns: ['slot', 'entries'] },
  { table: 'checkpoints', columns: ['note'] },
]

const exchangeRows: Tampering = async ({ rng, rows, run }) => {
  const { table: name, columns } = rng.pick(exchanges)
  const table: Table = tables[name]
  const first = rng.pick(rows[name])
  const second = rng.pick(rows[name])
  if (columns.every((column) => first[column] === second[column])) return null
  for (const column of columns) {
    const set = async (row: Row, value: Cell): Promise<void> => {
      const at = matching(table, row, 2)
      await run(`UPDATE ${table.name} SET ${column} = $1 WHERE ${at.sql}`, value, ...at.values)
    }
    // Many columns are unique, so one row takes a temporary value.
    const temporary = table.texts.includes(column) ? withOtherEnd(String(first[column]), rng) : -7
    const isKey = table.key.includes(column)
    await set(first, temporary)
    await set(second, first[column] ?? null)
    await set(isKey ? { ...first, [column]: temporary } : first, second[column] ?? null)
  }
  // If leaves are exchanged with their hashes, only the signed roots from the next checkpoint on are wrong.
  const anywhere = columns.includes('entries') ? ['checkpoint '] : []
  const places = [...placesOf(name, first), ...placesOf(name, second), ...anywhere]
  return { what: `${columns.join(' and ')} of two rows of ${table.name} exchanged`, places }
}

/** The same changes to single leaves inside their blocks. */
const leafTamperings = {
  edit: async (access) => {
    const { rng, rows } = access
    const leaf = rng.pick(rows.blocks.flatMap(leavesOf))
    const member = rng.pick(['subjectId', 'leafHash'] as const)
    const value = withOtherLetter(leaf[member], rng)
    if (value === leaf[member]) return null
    await changeLeaf(access, leaf, { [member]: value })
    return { what: `${member} of a leaf edited`, places: placesOfLeaves([leaf]) }
  },
  deletion: async (access) => {
    const leaf = access.rng.pick(access.rows.blocks.flatMap(leavesOf))
    await changeBlock(access, leaf.block, (entries) => entries.toSpliced(leaf.line, 1))
    return { what: 'a leaf removed from its block', places: [...placesOfLeaves([leaf]), 'leaf ', 'leaves '] }
  },
  insertion: async (access) => {
    const leaf = access.rng.pick(access.rows.blocks.flatMap(leavesOf))
    const more = { ...leaf, subjectId: withOtherEnd(leaf.subjectId, access.rng) }
    await changeBlock(access, leaf.block, (entries) => entries.toSpliced(leaf.line, 0, more))
    return { what: 'a leaf inserted into a block', places: [...placesOfLeaves([leaf, more]), 'leaf '] }
  },
  reordering: async (access) => {
    const { rng, rows } = access
    const leaves = rows.blocks.flatMap(leavesOf)
    const first = rng.pick(leaves)
    const second = rng.pick(leaves)
    if (first.index === second.index) return null
    const members = rng.pick([['subjectId'], ['leafHash'], ['subjectId', 'leafHash']] as const)
    const partOf = (leaf: StoredLeaf) => Object.fromEntries(members.map((member) => [member, leaf[member]]))
    await changeLeaf(access, first, partOf(second))
    await changeLeaf(access, second, partOf(first))
    const anywhere = members.length === 2 ? ['checkpoint '] : []
    return {
      what: `${members.join(' and ')} of two leaves exchanged`,
      places: [...placesOfLeaves([first, second]), ...anywhere],
    }
  },
} satisfies Record<string, Tampering>

/** Chooses a leaf as often as each of the tables. */
const rowOrLeaf =
  (rowTampering: Tampering, leafTampering: Tampering): Tampering =>
  (access) =>
    (access.rng.below(tableNames.length + 1) === 0 ? leafTampering : rowTampering)(access)

export const tamperings: Readonly<Record<string, Tampering>> = {
  edit: rowOrLeaf(editRow, leafTamperings.edit),
  deletion: rowOrLeaf(deleteRow, leafTamperings.deletion),
  insertion: rowOrLeaf(insertRow, leafTamperings.insertion),
  reordering: rowOrLeaf(exchangeRows, leafTamperings.reordering),
}
