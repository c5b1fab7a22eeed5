/** Text tables: columns as wide as their widest cell. */

import { widthOf } from './width.ts'

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) =>
    Math.max(widthOf(title), ...rows.map((row) => widthOf(row[column] ?? ''))),
  )
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - widthOf(cell)))
      .join('  ')
      .trimEnd()
  return [head, ...rows].map(line).join('\n')
}
