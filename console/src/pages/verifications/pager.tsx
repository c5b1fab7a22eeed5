/** From page to page. The way back is kept with each step of the browser's history: a cursor leads only onward. */

import { useLocation } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'
import { Button } from '../../ui/button.tsx'
import { addressOf, pageSizes, type Looked } from './filters.ts'

/** The cursors of the pages before this one; the first has none. */
interface Trail {
  readonly trail?: readonly (string | null)[]
}

export function Pager({
  looked,
  nextCursor,
  onTurn,
}: {
  readonly looked: Looked
  readonly nextCursor: string | null
  readonly onTurn: () => void
}) {
  const [, navigate] = useLocation()
  const trail = useHistoryState<Trail | null>()?.trail ?? []
  const { cursor, limit } = looked
  const go = (to: string | null, before: readonly (string | null)[]): void => {
    navigate(addressOf({ ...looked, cursor: to }), { state: { trail: before } })
    onTurn()
  }
  // Whoever came by a copied address knows no way back but to the beginning.
  const isLost = cursor !== null && trail.length === 0
  return (
    <nav className="records-pager" aria-label="Pages of the table">
      <label className="row small">
        <span className="soft">Rows a page</span>
        <select
          className="input"
          value={limit}
          onChange={(event) =>
            navigate(addressOf({ ...looked, cursor: null, limit: Number(event.target.value) }))
          }
        >
          {[...new Set([...pageSizes, limit])].map((size) => (
            <option key={size}>{size}</option>
          ))}
        </select>
      </label>
      <div className="row">
        {!isLost && <span className="soft small figures">Page {trail.length + 1}</span>}
        {cursor !== null && (
          <Button look="quiet" onClick={() => go(null, [])}>
            First page
          </Button>
        )}
        <Button disabled={trail.length === 0} onClick={() => go(trail.at(-1) ?? null, trail.slice(0, -1))}>
          Previous
        </Button>
        <Button disabled={nextCursor === null} onClick={() => go(nextCursor, [...trail, cursor])}>
          Next
        </Button>
      </div>
    </nav>
  )
}
