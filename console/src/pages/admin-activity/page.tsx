/** The activity log: what people, keys, operators and the server did to the installation, from the sealed log. */

import type { Activity } from '@fairway/client'
import { useState } from 'react'
import { Link } from 'wouter'
import { useAddress } from '../../address.ts'
import { ExportCsv } from '../../export-csv.tsx'
import { formatCount } from '../../format.ts'
import { AdminOnly } from '../../keyed.tsx'
import { useSession } from '../../session.tsx'
import { Pairs } from '../../ui/card.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { Page } from '../../ui/page.tsx'
import { StackTable, type StackColumn } from '../../ui/stack-table.tsx'
import { rowLink } from '../../ui/table-row.ts'
import { Time } from '../../ui/time.tsx'
import { ListResult, pageLength, useListPage } from '../../admin/list.tsx'
import { actSentence, detailName, detailPairs, hrefOf } from './acts.ts'
import { ClearFilters, FilterForm, filterNames, filtersIn, queryOf } from './filter-form.tsx'

const whoKinds: Readonly<Record<Activity['by']['kind'], readonly [label: string, icon: IconName]>> = {
  person: ['Person', 'user'],
  key: ['Key', 'key'],
  operator: ['Operator', 'screen'],
  server: ['Server', 'pulse'],
}

function Who({ of: { kind, id, name } }: { readonly of: Activity['by'] }) {
  const [label, icon] = whoKinds[kind]
  const href = hrefOf(id)
  const shown = kind === 'server' ? label : kind === 'operator' ? `${label} ${name}` : name
  return (
    <span className="who" title={`${label} ${id}`}>
      <Icon name={icon} size={15} />
      {href === null ? <span>{shown}</span> : <Link href={href}>{shown}</Link>}
      <span className="sr-only">{label}</span>
    </span>
  )
}

function Reference({ id }: { readonly id: string }) {
  const href = hrefOf(id)
  const text = <code className="small">{id}</code>
  return href === null ? text : <Link href={href}>{text}</Link>
}

const summaryOf = ({ detail }: Activity): string =>
  detailPairs(detail)
    .map(([name, value]) => `${detailName(name)} ${value}`)
    .join(' · ')

function columnsOf(openId: string | null, onOpen: (id: string) => void): readonly StackColumn<Activity>[] {
  return [
    {
      name: 'What',
      fluid: 4,
      cell: (act) => (
        <button
          {...rowLink}
          type="button"
          className="link-button"
          aria-expanded={act.act_id === openId}
          onClick={() => onOpen(act.act_id)}
        >
          {actSentence(act)}
        </button>
      ),
    },
    { name: 'Who', place: 'plain', fluid: 4, cell: ({ by }) => <Who of={by} /> },
    {
      name: 'Details',
      place: 'plain',
      fluid: 6,
      cell: (act) => <span className="soft">{summaryOf(act)}</span>,
    },
    { name: 'Time', place: 'plain', cell: ({ at }) => <Time at={at} /> },
    {
      name: 'Subject',
      place: 'plain',
      fluid: 3,
      cell: ({ subject }) =>
        subject === '' ? <span className="soft">the service</span> : <Reference id={subject} />,
    },
    {
      name: 'Leaf',
      number: true,
      cell: ({ leaf_index: leaf }) =>
        leaf === null ? <span className="soft">soon</span> : formatCount(leaf),
    },
  ]
}

function Details({ of: act }: { readonly of: Activity }) {
  const { by, leaf_index: leaf } = act
  return (
    <div className="details-of-row">
      <Pairs
        of={[
          ['Kind', <code key="kind">{act.kind}</code>],
          ['Who', <Reference key="by" id={by.id} />],
          ...(act.subject === '' ? [] : [['Subject', <Reference key="subject" id={act.subject} />] as const]),
          ...detailPairs(act.detail).map(
            ([name, value]) => [detailName(name), <Reference key={name} id={value} />] as const,
          ),
          ['Sealed log', leaf === null ? 'It gets its place within seconds.' : `Leaf ${formatCount(leaf)}`],
          ['Act id', <code key="id">{act.act_id}</code>],
        ]}
      />
    </div>
  )
}

const detailsOf = (act: Activity) => <Details of={act} />

function Log() {
  const [params] = useAddress()
  const { ownClient } = useSession()
  const filters = queryOf(filtersIn(params))
  const cursor = params.get('cursor')
  const query = { ...filters, limit: pageLength, ...(cursor !== null && { cursor }) }
  const page = useListPage('activity', query, (client) => client.admin.activity(query).page())
  const [openId, setOpenId] = useState<string | null>(null)
  const columns = columnsOf(openId, (id) => setOpenId(id === openId ? null : id))
  return (
    <section className="card card-primary" aria-label="Activity">
      <FilterForm error={page.error} />
      <div className="admin-head">
        <ExportCsv
          key={JSON.stringify(filters)}
          name="activity"
          client={ownClient}
          load={(client, options) => client.admin.exportActivity(filters, options)}
        />
        <ClearFilters />
      </div>
      <ListResult
        label="acts"
        query={page}
        filters={[...filterNames, 'q']}
        empty={{ icon: 'history', title: 'No acts yet', text: 'Every change of the installation is listed.' }}
      >
        {(items) => (
          <StackTable
            caption="Activity"
            columns={columns}
            rows={items}
            keyOf={({ act_id: id }) => id}
            isOpen={({ act_id: id }) => id === openId}
            below={detailsOf}
          />
        )}
      </ListResult>
    </section>
  )
}

export default function ActivityPage() {
  return (
    <Page
      title="Activity"
      lead="What people, keys, operators and the server did to the installation, newest first. Every act is a leaf of the sealed log."
    >
      <AdminOnly what="the activity log">
        <Log />
      </AdminOnly>
    </Page>
  )
}
