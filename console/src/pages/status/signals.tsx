/** The signal feeds: where each signal comes from, whether it can be had, and how old what was last seen is. */

import type { SignalStatus } from '@fairway/client'
import { useEffect, useState } from 'react'
import { formatAge, formatScore, formatUtc } from '../../format.ts'
import { Icon } from '../../ui/icon.tsx'
import { StackTable } from '../../ui/stack-table.tsx'
import type { Column } from '../../ui/table.tsx'
import { Chip, type Tone } from '../../ui/verdict.tsx'
import { codeWords, signalWords } from '../../words.ts'
import { kindWords } from './words.ts'

type Feed = SignalStatus['available']['feeds'][number]

/** Ages grow while nobody asks. */
function useNowMs(everyMs: number): number {
  const [nowMs, setNowMs] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return nowMs
}

function stateOf({ live, last_observation: seen }: Feed): { readonly tone: Tone; readonly words: string } {
  if (live === null) {
    return seen === null ? { tone: 'info', words: 'Not observed yet' } : { tone: 'go', words: 'Observed' }
  }
  if (live.status === 'not_read_yet') return { tone: 'info', words: 'Not read yet' }
  if (live.status === 'healthy') return { tone: 'go', words: 'Healthy' }
  return { tone: 'nogo', words: live.breaker === 'closed' ? 'Failing' : 'Failing, paused' }
}

function State({ feed }: { readonly feed: Feed }) {
  const { tone, words } = stateOf(feed)
  const fault = feed.live?.last_fault ?? null
  return (
    <>
      <Chip tone={tone}>
        <Icon name={tone === 'go' ? 'check' : tone === 'nogo' ? 'stop' : 'clock'} size={15} />
        {words}
      </Chip>
      {fault !== null && <span className="status-under">Last fault: {codeWords(fault)}</span>}
    </>
  )
}

/** Of a live feed when the value was observed, of a simulated one when the probe looked. */
const seenAtOf = ({ live, last_observation: seen }: Feed): string | null =>
  live === null ? (seen?.observed_at ?? null) : (live.last_observed_at ?? live.last_read_at)

function Age({ at, nowMs }: { readonly at: string | null; readonly nowMs: number }) {
  if (at === null) return <span className="soft">none</span>
  return (
    <time dateTime={at} title={formatUtc(at)} className="nowrap figures">
      {formatAge((nowMs - Date.parse(at)) / 1_000)}
    </time>
  )
}

function columnsAt(nowMs: number): readonly Column<Feed>[] {
  return [
    { name: 'Signal', cell: ({ signal }) => signalWords(signal) },
    { name: 'State', cell: (feed) => <State feed={feed} /> },
    { name: 'Kind', cell: kindWords },
    {
      name: 'Last seen on',
      cell: ({ last_observation: seen }) =>
        seen === null ? <span className="soft">none</span> : seen.corridor,
    },
    {
      name: 'Risk value',
      number: true,
      cell: ({ last_observation: seen }) => (seen === null ? '' : formatScore(seen.risk_value)),
    },
    { name: 'Age', number: true, cell: (feed) => <Age at={seenAtOf(feed)} nowMs={nowMs} /> },
  ]
}

export function Signals({ status: { available, roadmap } }: { readonly status: SignalStatus }) {
  const nowMs = useNowMs(1_000)
  return (
    <>
      <StackTable
        caption="Signal feeds"
        columns={columnsAt(nowMs)}
        rows={available.feeds}
        keyOf={({ feed }) => feed}
      />
      {roadmap.feeds.length > 0 && (
        <p className="card-note">
          {roadmap.feeds.length === available.feeds.length
            ? 'No signal has a live source yet, so live decisions are held.'
            : `Without a live source: ${roadmap.feeds.map(({ signal }) => signalWords(signal)).join(', ')}.`}
        </p>
      )}
    </>
  )
}
