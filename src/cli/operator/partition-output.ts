/** Formats the months of records as a table. */

import type { StoredMonth } from '../../app/ports/operate/partitions.ts'
import { bytesText } from '../../core/explain/wording.ts'
import { table } from '../table.ts'
import { iso } from '../../core/time/durations.ts'

export function monthsText(months: readonly StoredMonth[]): string {
  const rows = months.map((one) => [
    one.month,
    one.state,
    recordsText(one),
    one.bytes === null ? '' : bytesText(one.bytes),
    one.away === null ? '' : `${iso(one.away.detachedAtMs)} by ${one.away.detachedBy}`,
  ])
  const first = months[0]?.month ?? 'none'
  const last = months.at(-1)?.month ?? 'none'
  return [
    ...table(['MONTH', 'STATE', 'RECORDS', 'SIZE', 'DETACHED'], rows),
    '',
    `Months: ${months.length}, from ${first} to ${last}. Record counts marked ~ are estimates of the database.`,
  ].join('\n')
}

function recordsText({ records, away }: StoredMonth): string {
  if (records === null) return 'unknown'
  return away === null ? `~${records}` : String(records)
}
