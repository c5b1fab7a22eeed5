/** A list: rows of one line, which become cards where the list is narrow, instead of scrolling sideways. */

import { Fragment, type MouseEvent, type ReactNode } from 'react'
import './table-list.css'
import { rowClicks } from './table-row.ts'
import { SortChoice, SortHeading, sortRows, useSorting, type Sorter, type SortValues } from './table-sort.tsx'
import type { Column } from './table.tsx'

/** Explicit roles, because table elements displayed as blocks lose their implicit ones. */
const as = (role: string) => ({ role })

export interface StackColumn<Row> extends Column<Row> {
  /** In a card: without its name, or in the corner beside the row's header. */
  readonly place?: 'plain' | 'corner'
  /** A heading that only screen readers get. */
  readonly isHidden?: boolean
  /** Its part of the room that the other columns leave. A longer text is cut, and whole in a title. */
  readonly fluid?: number
  /** The value by which the rows can be sorted. */
  readonly sort?: SortValues<Row>[string]
}

const classOf = <Row,>({ number, place, fluid }: StackColumn<Row>): string | undefined =>
  [number === true && 'num', place !== undefined && `cell-${place}`, fluid !== undefined && 'cell-fluid']
    .filter(Boolean)
    .join(' ') || undefined

/** Before it is pointed at, nothing has to be measured. */
function nameCut({ currentTarget: cell }: MouseEvent<HTMLElement>): void {
  const isCut = [cell, ...cell.children].some((one) => one.scrollWidth > one.clientWidth + 1)
  if (isCut) cell.title = cell.textContent
  else cell.removeAttribute('title')
}

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
        <div {...(column.fluid !== undefined && { onMouseEnter: nameCut })}>{column.cell(row)}</div>
      </Cell>
    )
  })
}

const sortName = (name: string): string => name.toLowerCase().replaceAll(' ', '-')

function Headings<Row>({
  columns,
  sorter,
}: {
  readonly columns: readonly StackColumn<Row>[]
  readonly sorter: Sorter | null
}) {
  const parts = columns.reduce((sum, { fluid = 0 }) => sum + fluid, 0)
  return (
    <tr {...as('row')}>
      {columns.map((column) => {
        const { name, fluid, isHidden, sort } = column
        const look = {
          className: classOf(column) ?? '',
          ...(fluid !== undefined && { style: { width: `${(100 * fluid) / parts}%` } }),
        }
        if (sorter !== null && sort !== undefined) {
          return <SortHeading key={name} name={sortName(name)} label={name} sorter={sorter} {...look} />
        }
        return (
          <th key={name} {...as('columnheader')} scope="col" {...look}>
            {isHidden === true ? <span className="sr-only">{name}</span> : name}
          </th>
        )
      })}
    </tr>
  )
}

interface StackTableProps<Row> {
  readonly caption: string
  readonly columns: readonly StackColumn<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  /** The list's own order in words. With it, headings sort the rows; one list of a page can have it. */
  readonly order?: string
  /** Rows of texts side by side, as high as these are. */
  readonly prose?: boolean
  /** Whether the details of a row are shown below it. */
  readonly isOpen?: (row: Row) => boolean
  readonly below?: (row: Row) => ReactNode
}

export function StackTable<Row>(props: StackTableProps<Row>) {
  const { caption, columns, rows, keyOf, order, prose = false, isOpen, below } = props
  const sortable = order === undefined ? [] : columns.filter(({ sort }) => sort !== undefined)
  const names = sortable.map(({ name }) => [sortName(name), name] as const)
  const sorter = useSorting(names.map(([name]) => name))
  const values = Object.fromEntries(sortable.map(({ name, sort = () => null }) => [sortName(name), sort]))
  return (
    <div className="stack-frame">
      {order !== undefined && <SortChoice columns={names} sorter={sorter} rows={rows.length} order={order} />}
      <table
        className={`table stack-table ${prose ? 'stack-named' : 'dense-table'}`}
        {...as('table')}
        aria-label={caption}
      >
        <thead {...as('rowgroup')}>
          <Headings columns={columns} sorter={order === undefined ? null : sorter} />
        </thead>
        <tbody {...as('rowgroup')}>
          {sortRows(rows, sorter.sorting, values).map((row) => (
            <Fragment key={keyOf(row)}>
              <tr {...as('row')} {...(isOpen?.(row) === true && { className: 'is-open' })} {...rowClicks}>
                <Cells columns={columns} row={row} />
              </tr>
              {isOpen?.(row) === true && (
                <tr {...as('row')} className="row-below">
                  <td {...as('cell')} colSpan={columns.length}>
                    {below?.(row)}
                  </td>
                </tr>
              )}
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  )
}
