/** The webhook endpoints of all owners, those that fail first. */

import type { AdminWebhook } from '@fairway/client'
import { useLocation } from 'wouter'
import { useAction } from '../../action.ts'
import { useAddress } from '../../address.ts'
import { formatCount } from '../../format.ts'
import { AdminOnly } from '../../keyed.tsx'
import { useNowMs } from '../../now.ts'
import { Problem } from '../../problem.tsx'
import { useOwnQuery } from '../../query.ts'
import { useSession } from '../../session.tsx'
import { Page } from '../../ui/page.tsx'
import { CopyId } from '../../ui/copy-id.tsx'
import { StackTable, type StackColumn } from '../../ui/stack-table.tsx'
import { rowLink } from '../../ui/table-row.ts'
import { ageOf, Ago } from '../../ui/time.tsx'
import { EndpointState, SuccessRate } from '../webhooks/health.tsx'
import '../webhooks/webhooks.css'
import { Choice, choiceIn, ListResult, pageLength, Search } from '../../admin/list.tsx'

const states = [
  ['failing', 'Failing'],
  ['healthy', 'Healthy'],
  ['idle', 'Nothing sent yet'],
] as const

const refreshMs = 30_000

/** The first page without a state has those that fail in front, wherever the list has them. */
function useEndpoints() {
  const [params] = useAddress()
  const [q, cursor] = [params.get('q') ?? '', params.get('cursor')]
  const state = choiceIn(params, 'state', states)
  const searched = { limit: pageLength, ...(q !== '' && { q }) }
  const query = { ...searched, ...(cursor !== null && { cursor }), ...(state !== '' && { state }) }
  return useOwnQuery(
    ['admin webhooks', JSON.stringify(query)],
    async ({ admin }) => {
      if (state !== '') return admin.webhooks(query).page()
      const [page, failing] = await Promise.all([
        admin.webhooks(query).page(),
        cursor === null ? admin.webhooks({ ...searched, state: 'failing' }).page() : { items: [] },
      ])
      const isFirst = cursor === null
      const others = isFirst ? page.items.filter(({ health }) => health.state !== 'failing') : page.items
      return { items: [...failing.items, ...others], nextCursor: page.nextCursor }
    },
    { refreshMs, keepPrevious: true },
  )
}

/** Opens an endpoint for its owner, whose mode has to be known first. */
function Open({ of: { webhook_id: id, url, owner_id: ownerId } }: { readonly of: AdminWebhook }) {
  const { chooseOwner } = useSession()
  const [, navigate] = useLocation()
  const action = useAction(
    (client) => client.owners({ query: ownerId, limit: 1 }),
    ({ owners }) => {
      const owner = owners.find((one) => one.owner_id === ownerId)
      if (owner === undefined) return
      navigate(`/webhooks/${encodeURIComponent(id)}`)
      chooseOwner(owner)
    },
  )
  return (
    <>
      <button {...rowLink} type="button" className="link-button" onClick={action.run}>
        {url}
      </button>
      {action.error !== null && <Problem error={action.error} />}
    </>
  )
}

function columnsAt(nowMs: number): readonly StackColumn<AdminWebhook>[] {
  return [
    { name: 'URL', fluid: 3, sort: ({ url }) => url, cell: (webhook) => <Open of={webhook} /> },
    {
      name: 'Owner',
      place: 'plain',
      fluid: 2,
      sort: ({ owner }) => owner,
      cell: ({ owner, owner_id: id }) => (owner === '' ? id : owner),
    },
    {
      name: 'State',
      place: 'plain',
      sort: ({ health }) => health.state,
      cell: (webhook) => <EndpointState of={webhook} />,
    },
    {
      name: 'Delivered',
      number: true,
      sort: ({ health }) => health.success_rate,
      cell: ({ health }) => <SuccessRate of={health} />,
    },
    {
      name: 'Waiting',
      number: true,
      sort: ({ health }) => health.waiting,
      cell: ({ health }) => formatCount(health.waiting),
    },
    {
      name: 'Dropped',
      number: true,
      sort: ({ health }) => health.dropped,
      cell: ({ health }) => formatCount(health.dropped),
    },
    {
      name: 'Last delivery',
      number: true,
      sort: ({ health }) => ageOf(health.last_delivered_at),
      cell: ({ health }) => <Ago at={health.last_delivered_at} nowMs={nowMs} />,
    },
    {
      name: 'Id',
      place: 'plain',
      cell: ({ webhook_id: id }) => <CopyId id={id} />,
    },
  ]
}

function Endpoints() {
  const query = useEndpoints()
  const nowMs = useNowMs(10_000)
  return (
    <section className="card card-primary" aria-label="Endpoints">
      <div className="admin-filters">
        <Search label="Find an endpoint" hint="URL, or a whole id" />
        <Choice name="state" label="State" all="All" choices={states} />
      </div>
      <ListResult
        label="endpoints"
        query={query}
        filters={['q', 'state']}
        empty={{
          icon: 'hook',
          title: 'No endpoints yet',
          text: 'An owner registers one on the page Webhooks, or with POST /api/v1/webhooks.',
        }}
      >
        {(items) => (
          <>
            <StackTable
              caption="Endpoints"
              order="Failing first, then the newest."
              columns={columnsAt(nowMs)}
              rows={items}
              keyOf={({ webhook_id: id }) => id}
            />
            <p className="small soft">
              A row opens the endpoint with its deliveries, and chooses its owner in this tab. Delivered is
              the share of the newest events that arrived.
            </p>
          </>
        )}
      </ListResult>
    </section>
  )
}

export default function AdminWebhooksPage() {
  return (
    <Page title="Webhooks of all owners" lead="Endpoints that receive events, those that fail first.">
      <AdminOnly what="the endpoints of all owners">
        <Endpoints />
      </AdminOnly>
    </Page>
  )
}
