/** A chart's frame: its title, what it says in one sentence, the picture, and the same figures as a table. */

import { Suspense, useId, type ReactNode } from 'react'
import { Skeleton } from '../ui/state.tsx'
import { Table, type Column } from '../ui/table.tsx'

export function Figure<Row>({
  title,
  says,
  height = 240,
  columns,
  rows,
  keyOf,
  children,
}: {
  readonly title: string
  /** What a reader should take from it. */
  readonly says: ReactNode
  readonly height?: number
  /** The same figures as text: how the chart is read without being seen. */
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row, place: number) => string
  readonly children: ReactNode
}) {
  const id = useId()
  return (
    <figure className="card figure" aria-labelledby={id}>
      <figcaption>
        <h2 id={id}>{title}</h2>
        <p className="card-note">{says}</p>
      </figcaption>
      <div className="figure-picture" style={{ minHeight: height }} aria-hidden="true">
        <Suspense fallback={<Skeleton height={height} label={`Drawing ${title}`} />}>{children}</Suspense>
      </div>
      <details className="figure-table">
        <summary>The figures as a table</summary>
        <Table caption={title} columns={columns} rows={rows} keyOf={keyOf} />
      </details>
    </figure>
  )
}
