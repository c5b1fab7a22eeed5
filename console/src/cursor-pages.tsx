/** Links to the first page and to the next one. Cursors lead only forward; Back leads to the page before. */

import { useLocation } from 'wouter'
import { useAddress } from './address.ts'
import { LinkButton } from './ui/button.tsx'

export function CursorPages({ label, next }: { readonly label: string; readonly next: string | null }) {
  const [here] = useLocation()
  const [params] = useAddress()
  const href = (cursor: string | null): string => {
    const to = new URLSearchParams(params)
    to.delete('cursor')
    if (cursor !== null) to.set('cursor', cursor)
    return `${here}?${to.toString()}`
  }
  const isLater = params.has('cursor')
  if (!isLater && next === null) return null
  return (
    <nav className="row" aria-label={label}>
      {isLater && (
        <LinkButton href={href(null)} small icon="back">
          Newest
        </LinkButton>
      )}
      {next !== null && (
        <LinkButton href={href(next)} small icon="arrow">
          Older
        </LinkButton>
      )}
    </nav>
  )
}
