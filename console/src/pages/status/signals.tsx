/** The signal feeds: source, state and age of each. */

import type { SignalStatus } from '@fairway/client'
import { formatAge, formatScore, formatUtc } from '../../format.ts'
import { HoldNotice, liveFeedsOf, type LiveFeeds } from '../../mode.tsx'
import { useNowMs } from '../../now.ts'
import { useSession } from '../../session.tsx'
import { Setting } from '../../site/setting.tsx'
import { Icon } from '../../ui/icon.tsx'
import { StackTable, type StackColumn } from '../../ui/stack-table.tsx'
import { Chip, type Tone } from '../../ui/verdict.tsx'
import { codeLabel, signalLabel } from '../../labels.ts'
import { kindLabel } from './labels.ts'

type Feed = SignalStatus['available']['feeds'][number]

type Live = Pick<NonNullable<Feed['live']>, 'status' | 'breaker' | 'last_fault'>

interface StateLabel {
  readonly tone: Tone
  readonly label: string
}

function liveState({ status, breaker }: Live): StateLabel {
  if (status === 'not_read_yet') return { tone: 'info', label: 'Not read yet' }
  if (status === 'healthy') return { tone: 'go', label: 'Healthy' }
  return { tone: 'nogo', label: breaker === 'closed' ? 'Failing' : 'Failing, paused' }
}

const simulatedState = ({ last_observation: observation }: Feed): StateLabel =>
  observation === null ? { tone: 'info', label: 'Not observed yet' } : { tone: 'go', label: 'Observed' }

function State({ of: { tone, label }, fault }: { readonly of: StateLabel; readonly fault: string | null }) {
  return (
    <>
      <Chip tone={tone}>
        <Icon name={tone === 'go' ? 'check' : tone === 'nogo' ? 'stop' : 'clock'} size={15} />
        {label}
      </Chip>
      {fault !== null && <span className="second">Last error: {codeLabel(fault)}</span>}
    </>
  )
}

export function LiveState({ of }: { readonly of: Live }) {
  return <State of={liveState(of)} fault={of.last_fault} />
}

/** When the last value of a live feed was observed, or when the probe last read a simulated one. */
const observedAtOf = ({ live, last_observation: observation }: Feed): string | null =>
  live === null ? (observation?.observed_at ?? null) : (live.last_observed_at ?? live.last_read_at)

export function Age({ at, nowMs }: { readonly at: string | null; readonly nowMs: number }) {
  if (at === null) return <span className="soft">none</span>
  return (
    <time dateTime={at} title={formatUtc(at)} className="nowrap figures">
      {formatAge((nowMs - Date.parse(at)) / 1_000)}
    </time>
  )
}

function columnsAt(nowMs: number): readonly StackColumn<Feed>[] {
  return [
    { name: 'Signal', cell: ({ signal }) => signalLabel(signal) },
    {
      name: 'State',
      place: 'plain',
      fluid: 1,
      cell: (feed) =>
        feed.live === null ? <State of={simulatedState(feed)} fault={null} /> : <LiveState of={feed.live} />,
    },
    { name: 'Kind', cell: ({ live }) => kindLabel(live) },
    {
      name: 'Observed on',
      cell: ({ last_observation: observation }) =>
        observation === null ? <span className="soft">none</span> : observation.corridor,
    },
    {
      name: 'Health',
      number: true,
      cell: ({ last_observation: observation }) =>
        observation === null ? '' : formatScore(observation.risk_value),
    },
    { name: 'Age', number: true, cell: (feed) => <Age at={observedAtOf(feed)} nowMs={nowMs} /> },
  ]
}

/** Why live decisions are on hold. Only with a live key is that something to act on. */
export function FeedsNotice({ feeds }: { readonly feeds: LiveFeeds }) {
  const { mode } = useSession()
  return (
    <HoldNotice feeds={feeds} tone={mode === 'live' ? 'degraded' : 'info'}>
      {feeds.missing.length > 0 ? (
        <>
          Set <Setting name="FAIRWAY_LIVE_FEEDS" /> to a feeds file.{' '}
          <a href="/guide/live">
            <code>docs/live.md</code>
          </a>{' '}
          describes it.
        </>
      ) : (
        'The last error of each feed is below.'
      )}
    </HoldNotice>
  )
}

export function Signals({ status }: { readonly status: SignalStatus }) {
  // Ages grow between requests.
  const nowMs = useNowMs()
  return (
    <>
      <FeedsNotice feeds={liveFeedsOf(status)} />
      <StackTable
        caption="Signal feeds"
        columns={columnsAt(nowMs)}
        rows={status.available.feeds}
        keyOf={({ feed }) => feed}
      />
    </>
  )
}
