/** The followers: what each keeps up to date, how far it is behind, and whether it fails. */

import type { FollowerState } from '@fairway/client'
import { formatCount, formatMs, formatWait } from '../../format.ts'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { StackTable, type StackColumn } from '../../ui/stack-table.tsx'
import { Chip, type Tone } from '../../ui/verdict.tsx'
import { codeLabel } from '../../labels.ts'
import { FollowerFix } from './fixes.tsx'
import { followers as names } from './labels.ts'

/** A running follower has passed every entry long before this. */
const lateSeconds = 30

function stateOf({ failing, lag_entries: entries, lag_seconds: seconds }: FollowerState): {
  readonly tone: Tone
  readonly label: string
  readonly icon: IconName
} {
  if (failing) return { tone: 'nogo', label: 'Failing, will retry', icon: 'stop' }
  if (entries === 0) return { tone: 'go', label: 'Up to date', icon: 'check' }
  if (seconds > lateSeconds) return { tone: 'degraded', label: 'Behind', icon: 'warn' }
  return { tone: 'info', label: 'Catching up', icon: 'clock' }
}

function State({ follower }: { readonly follower: FollowerState }) {
  const { tone, label, icon } = stateOf(follower)
  return (
    <Chip tone={tone}>
      <Icon name={icon} size={15} />
      {label}
    </Chip>
  )
}

const fixOf = ({ name }: FollowerState) => <FollowerFix name={name} />

const needsFix = (follower: FollowerState): boolean => ['nogo', 'degraded'].includes(stateOf(follower).tone)

function formatLag(seconds: number): string {
  if (seconds === 0) return '0 s'
  return seconds < 100 ? formatMs(seconds * 1_000) : formatWait(seconds)
}

const columns: readonly StackColumn<FollowerState>[] = [
  { name: 'Follower', cell: ({ name }) => names[name] ?? codeLabel(name) },
  { name: 'State', place: 'plain', cell: (follower) => <State follower={follower} /> },
  {
    name: 'Entries behind',
    number: true,
    cell: ({ lag_entries: entries }) => <span className="figures">{formatCount(entries)}</span>,
  },
  {
    name: 'Lag',
    number: true,
    cell: ({ lag_seconds: seconds }) => <span className="nowrap figures">{formatLag(seconds)}</span>,
  },
]

export function Followers({ followers }: { readonly followers: readonly FollowerState[] }) {
  return (
    <StackTable
      caption="Followers"
      columns={columns}
      rows={followers}
      keyOf={({ name }) => name}
      isOpen={needsFix}
      below={fixOf}
    />
  )
}
