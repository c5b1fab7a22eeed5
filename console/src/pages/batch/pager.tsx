/** Pagination of a long table. */

import { formatCount } from '../../format.ts'
import { Button } from '../../ui/button.tsx'

const pageRows = 25

/** The requested page, limited to those that exist. */
export function pageIn(requested: string | null, count: number): number {
  const last = Math.max(1, Math.ceil(count / pageRows))
  const page = Number(requested ?? 1)
  return Number.isInteger(page) && page >= 1 ? Math.min(page, last) : 1
}

export function sliceOf<Row>(rows: readonly Row[], page: number): readonly Row[] {
  return rows.slice((page - 1) * pageRows, page * pageRows)
}

export function Pager({
  page,
  count,
  onPage,
}: {
  readonly page: number
  readonly count: number
  readonly onPage: (page: number) => void
}) {
  const from = (page - 1) * pageRows + 1
  const to = Math.min(count, page * pageRows)
  const isLast = to >= count
  if (count <= pageRows) return null
  return (
    <nav className="pager" aria-label="Pages of rows">
      <span className="small soft figures" aria-live="polite">
        {`Rows ${formatCount(from)} to ${formatCount(to)} of ${formatCount(count)}`}
      </span>
      <span className="row">
        <Button small icon="back" disabled={page === 1} onClick={() => onPage(page - 1)}>
          Previous
        </Button>
        <Button small icon="arrow" disabled={isLast} onClick={() => onPage(page + 1)}>
          Next
        </Button>
      </span>
    </nav>
  )
}
