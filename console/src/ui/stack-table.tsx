/** A table whose rows become blocks in a narrow window, instead of scrolling sideways. */

import type { Column } from './table.tsx'

/** Explicit roles, because table elements displayed as blocks lose their implicit ones. */
const as = (role: string) => ({ role })

export function StackTable<Row>({
  caption,
  columns,
  rows,
  keyOf,
  named = true,
}: {
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  /** Whether cells show their column names in blocks. */
  readonly named?: boolean
}) {
  return (
    <table
      className={`table stack-table${named ? ' stack-named' : ''}`}
      {...as('table')}
      aria-label={caption}
    >
      <thead {...as('rowgroup')}>
        <tr {...as('row')}>
          {columns.map(({ name, number }) => (
            <th key={name} {...as('columnheader')} scope="col" {...(number && { className: 'num' })}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody {...as('rowgroup')}>
        {rows.map((row) => (
          <tr key={keyOf(row)} {...as('row')}>
            {columns.map(({ name, cell, number }, place) => {
              const Cell = place === 0 ? 'th' : 'td'
              return (
                <Cell
                  key={name}
                  {...as(place === 0 ? 'rowheader' : 'cell')}
                  {...(number && { className: 'num' })}
                  {...(place > 0 && { 'data-name': name })}
                >
                  <div>{cell(row)}</div>
                </Cell>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
