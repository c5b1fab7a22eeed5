/** A table whose rows become blocks in a narrow window, instead of scrolling sideways. */

import { Fragment, type ReactNode } from 'react'
import { rowClicks } from './table-row.ts'
import type { Column } from './table.tsx'

/** Explicit roles, because table elements displayed as blocks lose their implicit ones. */
const as = (role: string) => ({ role })

export interface StackColumn<Row> extends Column<Row> {
  /** In a dense block: without its name, or in the corner beside the row's header. */
  readonly place?: 'plain' | 'corner'
  /** A heading that only screen readers get. */
  readonly isHidden?: boolean
}

const classOf = <Row,>({ number, place }: StackColumn<Row>): string | undefined =>
  [number === true && 'num', place !== undefined && `cell-${place}`].filter(Boolean).join(' ') || undefined

interface RowProps<Row> {
  readonly columns: readonly StackColumn<Row>[]
  readonly row: Row
}

function Cells<Row>({ columns, row }: RowProps<Row>) {
  return columns.map((column, place) => {
    const Cell = place === 0 ? 'th' : 'td'
    return (
      <Cell
        key={column.name}
        {...as(place === 0 ? 'rowheader' : 'cell')}
        className={classOf(column)}
        {...(place > 0 && { 'data-name': column.name })}
      >
        <div>{column.cell(row)}</div>
      </Cell>
    )
  })
}

export function StackTable<Row>({
  caption,
  columns,
  rows,
  keyOf,
  named = true,
  dense = false,
  openKey = null,
  below,
}: {
  readonly caption: string
  readonly columns: readonly StackColumn<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  /** Whether cells show their column names in blocks. */
  readonly named?: boolean
  /** One line for a row and, in a narrow window, a few for a block. */
  readonly dense?: boolean
  /** The key of the row whose details are shown below it. */
  readonly openKey?: string | null
  readonly below?: (row: Row) => ReactNode
}) {
  const look = dense ? ' dense-table' : named ? ' stack-named' : ''
  return (
    <table className={`table stack-table${look}`} {...as('table')} aria-label={caption}>
      <thead {...as('rowgroup')}>
        <tr {...as('row')}>
          {columns.map((column) => (
            <th key={column.name} {...as('columnheader')} scope="col" className={classOf(column)}>
              {column.isHidden === true ? <span className="sr-only">{column.name}</span> : column.name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody {...as('rowgroup')}>
        {rows.map((row) => {
          const isOpen = openKey === keyOf(row)
          return (
            <Fragment key={keyOf(row)}>
              <tr {...as('row')} {...(isOpen && { className: 'is-open' })} {...rowClicks}>
                <Cells columns={columns} row={row} />
              </tr>
              {isOpen && (
                <tr {...as('row')} className="row-below">
                  <td {...as('cell')} colSpan={columns.length}>
                    {below?.(row)}
                  </td>
                </tr>
              )}
            </Fragment>
          )
        })}
      </tbody>
    </table>
  )
}
