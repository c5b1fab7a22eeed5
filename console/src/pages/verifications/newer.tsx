/** Offers new decisions with a button, so that no row moves by itself. */

import type { Verification } from '@fairway/client'
import { useQuery } from '../../query.ts'
import { formatCount } from '../../format.ts'
import { Button } from '../../ui/button.tsx'
import { queryOf, type ListView } from './filters.ts'

const refreshMs = 10_000
const newerMax = 100

export function Newer({
  view,
  items,
  onShow,
}: {
  readonly view: ListView
  readonly items: readonly Verification[]
  readonly onShow: () => void
}) {
  const query = { ...queryOf(view.filters), limit: newerMax }
  const { data } = useQuery(
    ['verifications', 'newest', query],
    (client) => client.verifications(query).page(),
    { refreshMs },
  )
  const [top] = items
  const index = data?.items.findIndex(({ request_id }) => request_id === top?.request_id) ?? 0
  const count = index === -1 ? (data?.items.length ?? 0) : index
  return (
    <div role="status">
      {count > 0 && (
        <Button small icon="arrow-up" onClick={onShow}>
          Show {index === -1 && count === newerMax ? `more than ${formatCount(count)}` : formatCount(count)}{' '}
          new
        </Button>
      )}
    </div>
  )
}
