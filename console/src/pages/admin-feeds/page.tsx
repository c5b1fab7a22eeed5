/** The live feeds of the installation: the state of each, and a check of one corridor now. */

import type { AdminFeeds } from '@fairway/client'
import { Link } from 'wouter'
import { useAddress } from '../../address.ts'
import { formatCount } from '../../format.ts'
import { AdminOnly } from '../../keyed.tsx'
import { useNowMs } from '../../now.ts'
import { QueryResult } from '../../query-result.tsx'
import { useOwnQuery } from '../../query.ts'
import { Setting } from '../../site/setting.tsx'
import { Card } from '../../ui/card.tsx'
import { Code } from '../../ui/code.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty, Skeleton } from '../../ui/state.tsx'
import { StackTable, type StackColumn } from '../../ui/stack-table.tsx'
import { ageOf, Ago } from '../../ui/time.tsx'
import { Chip } from '../../ui/verdict.tsx'
import { Icon } from '../../ui/icon.tsx'
import { signalLabel } from '../../labels.ts'
import { breakers, kindLabel } from '../status/labels.ts'
import { Choice, choiceIn } from '../../admin/list.tsx'
import { CheckNow } from './check.tsx'
import { feedFaults } from './faults.ts'

const refreshMs = 10_000

type Feed = AdminFeeds['feeds'][number]

const states = [
  ['failing', 'Failing'],
  ['not_read_yet', 'Not read yet'],
  ['healthy', 'Healthy'],
] as const

/** Those that fail come first. */
const urgency: Readonly<Record<Feed['status'], number>> = { failing: 0, not_read_yet: 1, healthy: 2 }

function State({ of: { status, breaker } }: { readonly of: Feed }) {
  if (status === 'failing') {
    return (
      <Chip tone="nogo">
        <Icon name="stop" size={15} />
        {breaker === 'closed' ? 'Failing' : 'Failing, paused'}
      </Chip>
    )
  }
  if (status === 'not_read_yet') return <Chip tone="info">Not read yet</Chip>
  return (
    <Chip tone="go">
      <Icon name="check" size={15} />
      Healthy
    </Chip>
  )
}

function columnsAt(nowMs: number): readonly StackColumn<Feed>[] {
  return [
    { name: 'Signal', sort: ({ signal }) => signalLabel(signal), cell: ({ signal }) => signalLabel(signal) },
    {
      name: 'Corridor',
      sort: ({ corridor }) => corridor ?? '',
      place: 'plain',
      cell: ({ corridor }) =>
        corridor === null ? 'All' : <Link href={`/corridors/${corridor}`}>{corridor}</Link>,
    },
    {
      name: 'Partner',
      fluid: 2,
      sort: ({ partner }) => partner ?? '',
      cell: ({ partner }) => (partner === null ? <span className="soft">All</span> : <code>{partner}</code>),
    },
    { name: 'Kind', place: 'plain', sort: kindLabel, cell: kindLabel },
    {
      name: 'State',
      place: 'plain',
      sort: ({ status }) => urgency[status],
      cell: (feed) => <State of={feed} />,
    },
    {
      name: 'Last fault',
      fluid: 3,
      sort: ({ last_fault: fault }) => fault,
      cell: ({ last_fault: fault }) =>
        fault === null ? <span className="soft">none</span> : feedFaults[fault],
    },
    { name: 'Breaker', sort: ({ breaker }) => breaker, cell: ({ breaker }) => breakers[breaker] },
    {
      name: 'Value',
      number: true,
      sort: ({ last_observed_at: at }) => ageOf(at),
      cell: ({ last_observed_at: at }) => <Ago at={at} nowMs={nowMs} />,
    },
    {
      name: 'Read',
      number: true,
      sort: ({ last_read_at: at }) => ageOf(at),
      cell: ({ last_read_at: at }) => <Ago at={at} nowMs={nowMs} />,
    },
  ]
}

function List({ feeds, corridors }: Pick<AdminFeeds, 'feeds' | 'corridors'>) {
  const [params] = useAddress()
  const nowMs = useNowMs()
  const codes = corridors.map(({ corridor }) => [corridor, corridor] as const)
  const [state, corridor] = [choiceIn(params, 'state', states), choiceIn(params, 'corridor', codes)]
  const shown = feeds
    .filter((feed) => state === '' || feed.status === state)
    .filter((feed) => corridor === '' || feed.corridor === null || feed.corridor === corridor)
    .toSorted((left, right) => urgency[left.status] - urgency[right.status])
  const failing = feeds.filter(({ status }) => status === 'failing').length
  return (
    <Card
      title="All feeds"
      note={`${formatCount(feeds.length)} feeds, ${formatCount(failing)} failing, as the instance that answered sees them. Value and Read are the ages of the last value and of the last read.`}
    >
      <div className="admin-filters">
        <Choice name="state" label="State" all="All" choices={states} />
        <Choice name="corridor" label="Corridor" all="All corridors" choices={codes} />
      </div>
      {shown.length === 0 ? (
        <Empty icon="check" title={state === 'failing' ? 'No feed is failing' : 'No feed matches'} />
      ) : (
        <StackTable
          caption="Live feeds"
          order="Failing first."
          columns={columnsAt(nowMs)}
          rows={shown}
          keyOf={({ signal, corridor: code, partner }) => [signal, code, partner].join(' ')}
        />
      )}
    </Card>
  )
}

const setUp = `# Start from examples/feeds/feeds.json, and read every feed of it once
fairway feeds check --file live-feeds.json
FAIRWAY_LIVE_FEEDS=live-feeds.json fairway serve`

function NotConfigured() {
  return (
    <Card title="No feeds file" isPrimary>
      <p>
        Live decisions are on hold: no feed is set up for any of the seven signals. Test and sandbox keys do
        not need one.
      </p>
      <p>
        Write a feeds file that names the source of each signal, for the installation or by corridor and
        partner. Point <Setting name="FAIRWAY_LIVE_FEEDS" /> to it and start Fairway again.{' '}
        <code>docs/live.md</code> describes every field.
      </p>
      <Code title="In a terminal" text={setUp} />
    </Card>
  )
}

function Feeds() {
  const query = useOwnQuery(['admin feeds'], (client) => client.admin.feeds(), { refreshMs })
  return (
    <QueryResult query={query} skeleton={<Skeleton height={420} label="Loading feeds" />}>
      {({ configured, feeds, corridors }) =>
        configured ? (
          <>
            <CheckNow corridors={corridors} onChecked={() => void query.mutate()} />
            <List feeds={feeds} corridors={corridors} />
          </>
        ) : (
          <NotConfigured />
        )
      }
    </QueryResult>
  )
}

export default function FeedsPage() {
  return (
    <Page title="Feeds" lead="The sources of live signals, by corridor and partner.">
      <AdminOnly what="the feeds">
        <Feeds />
      </AdminOnly>
    </Page>
  )
}
