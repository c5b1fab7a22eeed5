/** A table that scrolls sideways in a narrow window; the first cell of a row is its header. */

import type { ReactNode } from 'react'

export interface Column<Row> {
  readonly name: string
  readonly cell: (row: Row) => ReactNode
  readonly number?: boolean
}

export function Table<Row>({
  caption,
  columns,
  rows,
  keyOf,
  captionShown = false,
}: {
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row, place: number) => string
  readonly captionShown?: boolean
}) {
  return (
    <div className="table-frame" tabIndex={0} role="region" aria-label={caption}>
      <table className="table line-table">
        <caption className={captionShown ? 'card-note' : 'sr-only'}>{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ name, number }) => (
              <th key={name} scope="col" {...(number && { className: 'num' })}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, place) => (
            <tr key={keyOf(row, place)}>
              {columns.map(({ name, cell, number }, column) =>
                column === 0 ? (
                  <th key={name} scope="row" {...(number && { className: 'num' })}>
                    {cell(row)}
                  </th>
                ) : (
                  <td key={name} {...(number && { className: 'num' })}>
                    {cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
