/** What was decided since the table was drawn: told, and shown when somebody wants it, so that no row moves under a hand. */

import type { Verification } from '@fairway/client'
import { useAsk } from '../../ask.ts'
import { formatCount } from '../../format.ts'
import { Button } from '../../ui/button.tsx'
import { queryOf, type Looked } from './filters.ts'

const lookEveryMs = 10_000
const newerMax = 100

export function Newer({
  looked,
  items,
  onShow,
}: {
  readonly looked: Looked
  readonly items: readonly Verification[]
  readonly onShow: () => void
}) {
  const asked = { ...queryOf(looked.filters), limit: newerMax }
  const { data } = useAsk(
    ['verifications', 'newest', asked],
    (client) => client.verifications(asked).page(),
    { everyMs: lookEveryMs },
  )
  const [top] = items
  const place = data?.items.findIndex(({ request_id }) => request_id === top?.request_id) ?? 0
  const count = place === -1 ? (data?.items.length ?? 0) : place
  return (
    <div role="status">
      {count > 0 && (
        <Button small icon="arrow-up" onClick={onShow}>
          {place === -1 && count === newerMax ? `More than ${formatCount(count)}` : formatCount(count)} new:
          show
        </Button>
      )}
    </div>
  )
}
