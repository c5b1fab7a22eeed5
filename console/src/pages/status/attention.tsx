/** The things that need a person now, each with one sentence and the page that mends it. */

import { Link } from 'wouter'
import { useMay } from '../../caller.ts'
import { formatCount } from '../../format.ts'
import { useQuery } from '../../query.ts'
import { Notice } from '../../ui/state.tsx'

const refreshMs = 30_000

/** Each part stays out if it fails or the caller may not read it: the rest of the page says what is wrong. */
export function Attention() {
  const mayReview = useMay('review:read')
  const mayManage = useMay('webhook:manage')
  const { data: reviews } = useQuery(
    mayReview ? ['status reviews'] : null,
    (client) => client.reviewSummary(),
    { refreshMs },
  )
  const { data: endpoints = [] } = useQuery(
    mayManage ? ['status webhooks'] : null,
    (client) => client.webhooks(),
    { refreshMs },
  )
  const webhooks = endpoints.filter(({ health }) => health.state === 'failing')
  const { data: holds } = useQuery(['status holds'], (client) => client.holds({ hours: 1 }), { refreshMs })
  const overdue = reviews?.overdue ?? 0
  const held = holds?.held_now ?? 0
  if (overdue + held + webhooks.length === 0) return null
  return (
    <Notice tone="degraded" title="Needs attention">
      <ul className="status-attention">
        {overdue > 0 && (
          <li>
            <Link href="/reviews?overdue=true">
              {formatCount(overdue)} {overdue === 1 ? 'review is' : 'reviews are'} overdue
            </Link>
            : claim and settle the oldest first.
          </li>
        )}
        {held > 0 && (
          <li>
            <Link href="/overview#holds">
              {formatCount(held)} {held === 1 ? 'request was' : 'requests were'} held in the last 5 minutes
            </Link>
            : see why, then send them again.
          </li>
        )}
        {webhooks.map(({ webhook_id: id, url, status }) => (
          <li key={id} className="anywhere">
            <Link href={`/webhooks/${encodeURIComponent(id)}`}>
              {status === 'suspended' ? `The endpoint ${url} is suspended` : `Deliveries to ${url} fail`}
            </Link>
            : look at the last attempt, mend the receiver and send a test event.
          </li>
        ))}
      </ul>
    </Notice>
  )
}
