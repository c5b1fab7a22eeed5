/** Writes a page of acts as CSV, one line per act. */

import { csvText, defused, type Cell } from '../assess/csv/write.ts'
import type { ActivityView } from './activity.ts'
import type { Mask } from './mask.ts'

const columns = [
  'act_id',
  'at',
  'kind',
  'subject',
  'by_kind',
  'by',
  'by_name',
  'detail',
  'leaf_index',
] as const

/** Includes the header even for an empty page. */
export function activityCsv(page: readonly ActivityView[], mask: Mask): string {
  return csvText([
    columns,
    ...page.map(({ by, detail, ...act }): Cell[] => {
      const cells: Record<(typeof columns)[number], string | number | null> = {
        ...act,
        by_kind: by.kind,
        by: by.id,
        by_name: by.name,
        detail: JSON.stringify(mask.deep(detail)),
      }
      return columns.map((name) => {
        const cell = mask.value(name, cells[name])
        return typeof cell === 'string' ? defused(cell) : cell
      })
    }),
  ])
}
