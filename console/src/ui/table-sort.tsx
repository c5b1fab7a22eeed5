/** Sorts the rows of a table that are loaded, by a heading; the order is in the address. */

import { useId, type CSSProperties } from 'react'
import { useAddress } from '../address.ts'
import { Icon } from './icon.tsx'

export interface Sorting {
  readonly by: string
  readonly isDescending: boolean
}

type SortValue = number | string | null

/** The values of a row by which a column sorts; a null is always last. */
export type SortValues<Row> = Readonly<Record<string, (row: Row) => SortValue | readonly SortValue[]>>

/** `sort=amount`, or `sort=-amount` for the other way round; an unknown column is none. */
function sortingIn(text: string | null, names: readonly string[]): Sorting | null {
  const by = text?.replace(/^-/, '') ?? ''
  return names.includes(by) ? { by, isDescending: text?.startsWith('-') === true } : null
}

/** The third choice of a heading is the list's own order. */
function nextOf(sorting: Sorting | null, by: string): string | null {
  if (sorting?.by !== by) return by
  return sorting.isDescending ? null : `-${by}`
}

function compare(one: SortValue, other: SortValue, way: 1 | -1): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null)
  return one === other ? 0 : one < other ? -way : way
}

export function sortRows<Row>(
  rows: readonly Row[],
  sorting: Sorting | null,
  values: SortValues<Row>,
): readonly Row[] {
  const valueOf = sorting === null ? undefined : values[sorting.by]
  if (valueOf === undefined) return rows
  const way = sorting?.isDescending === true ? -1 : 1
  return rows.toSorted((one, other) => {
    const others = [valueOf(other)].flat()
    const differences = [valueOf(one)]
      .flat()
      .map((value, place) => compare(value, others[place] ?? null, way))
    return differences.find((difference) => difference !== 0) ?? 0
  })
}

export function useSorting(names: readonly string[]) {
  const [params, change] = useAddress()
  const sorting = sortingIn(params.get('sort'), names)
  return {
    sorting,
    sort: (by: string): void => change({ sort: nextOf(sorting, by) }),
    /** An address of the same list, in the same order. */
    keptIn: (address: string): string =>
      sorting === null
        ? address
        : `${address}${address.includes('?') ? '&' : '?'}sort=${params.get('sort') ?? ''}`,
    choose: (text: string): void => change({ sort: text === '' ? null : text }),
  }
}

export type Sorter = ReturnType<typeof useSorting>

/** An explicit role, because table elements displayed as blocks lose their implicit ones. */
const as = (role: string) => ({ role })

export function SortHeading({
  name,
  label,
  className,
  style,
  sorter: { sorting, sort },
}: {
  readonly name: string
  readonly label: string
  readonly className: string
  readonly style?: CSSProperties
  readonly sorter: Sorter
}) {
  const isHere = sorting?.by === name
  return (
    <th
      {...as('columnheader')}
      scope="col"
      className={className}
      style={style}
      aria-sort={!isHere ? 'none' : sorting.isDescending ? 'descending' : 'ascending'}
    >
      {/* In a narrow window headings are out of sight, and the choice above the list sorts: no focus goes there. */}
      <span className="sort-plain">{label}</span>
      <button type="button" className="sort-heading" onClick={() => sort(name)}>
        {label}
        <span
          className={`sort-mark${isHere ? '' : ' sort-none'}${isHere && sorting.isDescending ? ' sort-down' : ''}`}
        >
          <Icon name="arrow-up" size={13} />
        </span>
      </button>
    </th>
  )
}

/** The order in words, and a choice in place of the headings in a narrow window. */
export function SortChoice({
  columns,
  sorter: { sorting, choose },
  rows,
  order,
}: {
  readonly columns: readonly (readonly [name: string, label: string])[]
  readonly sorter: Sorter
  /** The number of rows that are loaded. */
  readonly rows: number
  /** The list's own order. */
  readonly order: string
}) {
  const id = useId()
  const value = sorting === null ? '' : `${sorting.isDescending ? '-' : ''}${sorting.by}`
  const label = columns.find(([name]) => name === sorting?.by)?.[1].toLowerCase()
  return (
    <div className="row sort-choice small soft">
      <p role="status">
        {sorting === null
          ? order
          : `Sorted by ${label}, ${sorting.isDescending ? 'descending' : 'ascending'}: only the ${rows} rows that are loaded.`}
      </p>
      <div className="row sort-select">
        <label htmlFor={id}>Sort by</label>
        <select id={id} className="input" value={value} onChange={({ target }) => choose(target.value)}>
          <option value="">List order</option>
          {columns.flatMap(([name, text]) => [
            <option key={name} value={name}>
              {text}, ascending
            </option>,
            <option key={`-${name}`} value={`-${name}`}>
              {text}, descending
            </option>,
          ])}
        </select>
      </div>
    </div>
  )
}
