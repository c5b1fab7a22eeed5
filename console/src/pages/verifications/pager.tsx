/** The pager. Cursors lead only forward, so earlier ones are stored in the browser's history state. */

import { useLocation } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'
import { Button } from '../../ui/button.tsx'
import { addressOf, pageSizes, type ListView } from './filters.ts'

/** The cursors of the previous pages; the first page has null. */
interface Trail {
  readonly trail?: readonly (string | null)[]
}

export function Pager({
  view,
  nextCursor,
  isSearch,
  onTurn,
}: {
  readonly view: ListView
  readonly nextCursor: string | null
  /** Whether this page has searched a part of the history, and is not full. */
  readonly isSearch: boolean
  readonly onTurn: () => void
}) {
  const [, navigate] = useLocation()
  const trail = useHistoryState<Trail | null>()?.trail ?? []
  const { cursor, limit } = view
  const go = (to: string | null, before: readonly (string | null)[]): void => {
    navigate(addressOf({ ...view, cursor: to }), { state: { trail: before } })
    onTurn()
  }
  // A copied URL has no trail, so the page number is unknown.
  const isPageUnknown = cursor !== null && trail.length === 0
  return (
    <nav className="records-pager" aria-label="Pagination">
      <label className="row small">
        <span className="soft">Rows per page</span>
        <select
          className="input"
          value={limit}
          onChange={(event) =>
            navigate(addressOf({ ...view, cursor: null, limit: Number(event.target.value) }))
          }
        >
          {[...new Set([...pageSizes, limit])].map((size) => (
            <option key={size}>{size}</option>
          ))}
        </select>
      </label>
      <div className="row">
        {!isPageUnknown && <span className="soft small figures">Page {trail.length + 1}</span>}
        {cursor !== null && (
          <Button variant="quiet" onClick={() => go(null, [])}>
            First page
          </Button>
        )}
        <Button disabled={trail.length === 0} onClick={() => go(trail.at(-1) ?? null, trail.slice(0, -1))}>
          Previous
        </Button>
        <Button disabled={nextCursor === null} onClick={() => go(nextCursor, [...trail, cursor])}>
          {isSearch ? 'Search older' : 'Next'}
        </Button>
      </div>
    </nav>
  )
}
