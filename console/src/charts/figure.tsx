/** A chart with its title, a one-sentence summary and the same data as a table. */

import { Suspense, useId, type ReactNode } from 'react'
import { Skeleton } from '../ui/state.tsx'
import { Table, type Column } from '../ui/table.tsx'

export function Figure<Row>({
  title,
  summary,
  alt,
  height = 240,
  isPrimary = false,
  columns,
  rows,
  keyOf,
  children,
}: {
  readonly title: string
  /** The main finding, in one sentence. */
  readonly summary: ReactNode
  /** The picture in words, for screen readers; without it they have the summary and the table. */
  readonly alt?: string
  readonly height?: number
  /** The primary zone of a page, of which it has one. */
  readonly isPrimary?: boolean
  /** The chart's data as a table, for screen readers. */
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row, place: number) => string
  readonly children: ReactNode
}) {
  const id = useId()
  return (
    <figure className={`card figure${isPrimary ? ' card-primary' : ''}`} aria-labelledby={id}>
      <figcaption>
        <h2 id={id}>{title}</h2>
        <p className="card-note">{summary}</p>
      </figcaption>
      <div {...(alt !== undefined && { role: 'img', 'aria-label': alt })}>
        <div className="figure-picture" style={{ minHeight: height }} aria-hidden="true">
          <Suspense fallback={<Skeleton height={height} label={`Loading ${title}`} />}>{children}</Suspense>
        </div>
      </div>
      <details className="figure-table">
        <summary>Data table</summary>
        <Table caption={title} columns={columns} rows={rows} keyOf={keyOf} />
      </details>
    </figure>
  )
}
