/** Every live feed with its corridor or partner, a filter for those that fail, and a check of one corridor. */

import type { FeedList } from '@fairway/client'
import { useState } from 'react'
import { Link } from 'wouter'
import { formatCount } from '../../format.ts'
import { useLiveFeeds } from '../../mode.tsx'
import { useNowMs } from '../../now.ts'
import { signalLabel } from '../../labels.ts'
import { Button } from '../../ui/button.tsx'
import { StackTable, type StackColumn } from '../../ui/stack-table.tsx'
import { CheckNow } from './check-now.tsx'
import { FeedFix } from './fixes.tsx'
import { breakers, kindLabel } from './labels.ts'
import { Age, FeedsNotice, LiveState } from './signals.tsx'

type Feed = FeedList['feeds'][number]

/** A file can declare thousands; those that fail come first. */
const shownMax = 50

const urgency: Readonly<Record<Feed['status'], number>> = { failing: 0, not_read_yet: 1, healthy: 2 }

function Scope({ of: { corridor, partner } }: { readonly of: Feed }) {
  if (corridor === null && partner === null) return 'All corridors'
  return (
    <span className="row">
      {corridor !== null && <Link href={`/corridors/${corridor}`}>{corridor}</Link>}
      {partner !== null && <code className="anywhere">{partner}</code>}
    </span>
  )
}

function columnsAt(nowMs: number): readonly StackColumn<Feed>[] {
  return [
    { name: 'Signal', cell: ({ signal }) => signalLabel(signal) },
    { name: 'Scope', cell: (feed) => <Scope of={feed} /> },
    { name: 'Kind', cell: kindLabel },
    {
      name: 'State',
      place: 'plain',
      fluid: 1,
      cell: (feed) => <LiveState of={feed} />,
    },
    { name: 'Breaker', cell: ({ breaker }) => breakers[breaker] },
    { name: 'Last read', number: true, cell: ({ last_read_at: at }) => <Age at={at} nowMs={nowMs} /> },
    { name: 'Observed', number: true, cell: ({ last_observed_at: at }) => <Age at={at} nowMs={nowMs} /> },
  ]
}

const fixOf = ({ corridor }: Feed) => <FeedFix corridor={corridor} />

function Rows({ feeds }: { readonly feeds: readonly Feed[] }) {
  // Ages grow between requests.
  const nowMs = useNowMs()
  const [hasAll, setAll] = useState(false)
  const sorted = feeds.toSorted((left, right) => urgency[left.status] - urgency[right.status])
  return (
    <>
      <StackTable
        caption="Live feeds"
        columns={columnsAt(nowMs)}
        rows={hasAll ? sorted : sorted.slice(0, shownMax)}
        keyOf={({ signal, corridor, partner }) => [signal, corridor, partner].join(' ')}
        isOpen={({ status }) => status === 'failing'}
        below={fixOf}
      />
      {!hasAll && sorted.length > shownMax && (
        <div>
          <Button onClick={() => setAll(true)}>{`Show all ${formatCount(sorted.length)} feeds`}</Button>
        </div>
      )}
    </>
  )
}

export function FeedsCard({
  list: { feeds },
  onChecked,
}: {
  readonly list: FeedList
  readonly onChecked: () => void
}) {
  const [isFiltered, setFiltered] = useState(false)
  const status = useLiveFeeds()
  const failing = feeds.filter((feed) => feed.status === 'failing')
  const rows = isFiltered ? failing : feeds
  return (
    <>
      {status !== null && <FeedsNotice feeds={status} />}
      {feeds.length > 0 && (
        <>
          <CheckNow onChecked={onChecked} />
          <div className="feeds-head">
            <p className="small soft">{`${formatCount(feeds.length)} feeds, ${formatCount(failing.length)} failing.`}</p>
            <label className="check">
              <input
                type="checkbox"
                checked={isFiltered}
                onChange={({ target }) => setFiltered(target.checked)}
              />
              Failing only
            </label>
          </div>
          {rows.length === 0 ? <p>No feed is failing.</p> : <Rows feeds={rows} />}
        </>
      )}
    </>
  )
}
