/** Decisions as rows of a table: the columns of CSV and Parquet files. */

import { csvText, defused } from '../assess/csv/write.ts'
import { historyCells, historyColumns } from '../inspect/history-csv.ts'
import type { Mask } from '../operate/mask.ts'
import type { SealedDecision } from '../ports/operate/archive.ts'
import type { LogLeaf } from '../ports/log.ts'

/** Each column with its type in Parquet. Times are in UTC. A masked column has texts. */
export const archiveColumns = ({ names }: Pick<Mask, 'names'>): Readonly<Record<string, string>> => ({
  leaf_index: names.has('leaf_index') ? 'VARCHAR' : 'BIGINT',
  leaf_hash: 'VARCHAR',
  owner_id: 'VARCHAR',
  ...Object.fromEntries(historyColumns.map((name) => [name, names.has(name) ? 'VARCHAR' : typeOf(name)])),
})

function typeOf(name: (typeof historyColumns)[number]): string {
  if (name === 'recorded_at' || name === 'evaluated_at' || name === 'overridden_at') return 'TIMESTAMP'
  return name === 'score' || name === 'confidence' || name === 'amount' ? 'DOUBLE' : 'VARCHAR'
}

export const headerText = csvText([['leaf_index', 'leaf_hash', 'owner_id', ...historyColumns]])

const asWritten = (text: string): string => text

/** A row for people, whose spreadsheets run formulas, or for a program. */
export function rowText(
  leaf: LogLeaf,
  { record, override, outcome }: SealedDecision,
  { mask, isForPeople }: { readonly mask: Mask; readonly isForPeople: boolean },
): string {
  const row = { ...record, override: override?.value ?? null, outcome: outcome?.value ?? null }
  const cells = [mask.value('leaf_index', leaf.index), leaf.leafHash, mask.value('owner_id', record.ownerId)]
  return csvText([[...cells, ...historyCells(row, mask, isForPeople ? defused : asWritten)]])
}
