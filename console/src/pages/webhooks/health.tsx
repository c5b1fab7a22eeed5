/** How an endpoint is doing: its state in words, and the share of events that arrived. */

import type { Webhook } from '@fairway/client'
import { formatShare } from '../../format.ts'
import { Icon } from '../../ui/icon.tsx'
import { Chip } from '../../ui/verdict.tsx'

type Health = Webhook['health']

/** Suspended comes before what the last attempts show. */
export function EndpointState({
  of: {
    status,
    health: { state },
  },
}: {
  readonly of: Pick<Webhook, 'status' | 'health'>
}) {
  if (status === 'suspended') {
    return (
      <Chip tone="nogo">
        <Icon name="stop" size={15} />
        Suspended
      </Chip>
    )
  }
  if (state === 'failing') {
    return (
      <Chip tone="nogo">
        <Icon name="stop" size={15} />
        Failing
      </Chip>
    )
  }
  if (state === 'idle') return <Chip>Nothing sent yet</Chip>
  return (
    <Chip tone="go">
      <Icon name="check" size={15} />
      Healthy
    </Chip>
  )
}

/** The colour follows the state, which stands beside it in words. */
export function SuccessRate({ of: { success_rate: rate, state } }: { readonly of: Health }) {
  if (rate === null) return <span className="soft">none</span>
  return (
    <span className="rate">
      <span className="bar" aria-hidden="true">
        <span
          className={state === 'failing' ? 'fill-nogo' : rate < 1 ? 'fill-degraded' : 'fill-go'}
          style={{ width: `${rate * 100}%` }}
        />
      </span>
      <span className="figures num">{formatShare(rate, 1)}</span>
    </span>
  )
}
