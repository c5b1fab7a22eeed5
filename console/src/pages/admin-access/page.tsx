/** Access requests: those that wait come first; approve with a live key, or reject. */

import type { AccessRequestView } from '@fairway/client'
import { useState } from 'react'
import { useAddress } from '../../address.ts'
import { AdminOnly } from '../../keyed.tsx'
import { useNowMs } from '../../now.ts'
import { Segments } from '../../ui/field.tsx'
import { Page } from '../../ui/page.tsx'
import { StackTable } from '../../ui/stack-table.tsx'
import { ListResult, pageLength, Search, useListPage } from '../../admin/list.tsx'
import { Approve } from './approve.tsx'
import { Reject } from './reject.tsx'
import { columnsAt, RequestDetails } from './rows.tsx'

const views = [
  ['received', 'Waiting'],
  ['approved', 'Approved'],
  ['rejected', 'Rejected'],
  ['all', 'All'],
] as const
type View = (typeof views)[number][0]

/** A search looks at all of them. */
function viewIn(params: URLSearchParams): View {
  const given = views.find(([view]) => view === params.get('status'))?.[0]
  return given ?? (params.has('q') ? 'all' : 'received')
}

function useRequests(view: View) {
  const [params] = useAddress()
  const [q, cursor] = [params.get('q') ?? '', params.get('cursor')]
  const query = {
    limit: pageLength,
    ...(q !== '' && { q }),
    ...(cursor !== null && { cursor }),
    ...(view !== 'all' && { status: view }),
  }
  return useListPage('access requests', query, (client) => client.admin.accessRequests(query).page())
}

type Act = { readonly kind: 'approve' | 'reject'; readonly request: AccessRequestView }

const detailsOf = (request: AccessRequestView) => <RequestDetails of={request} />

function Requests() {
  const [params, change] = useAddress()
  const view = viewIn(params)
  const query = useRequests(view)
  const nowMs = useNowMs(30_000)
  const [openId, setOpenId] = useState<string | null>(null)
  const [act, setAct] = useState<Act | null>(null)
  const columns = columnsAt(nowMs, {
    isOpen: ({ access_request_id: id }) => id === openId,
    onDetails: ({ access_request_id: id }) => setOpenId(id === openId ? null : id),
    onAct: (kind, request) => setAct({ kind, request }),
  })
  const close = (): void => setAct(null)
  return (
    <section className="card card-primary" aria-label="Access requests">
      <div className="admin-filters">
        <Search label="Find a request" hint="Name, email or a whole id" />
        <Segments
          label="Status"
          options={views}
          value={view}
          onChange={(status) => change({ status, cursor: null })}
        />
      </div>
      <ListResult
        label="access requests"
        query={query}
        filters={['q', 'status']}
        empty={{
          icon: 'check',
          title: 'No request is waiting',
          text: 'Somebody who asks for a sandbox key on the sign-in page appears here, and can be given a live key.',
        }}
      >
        {(items) => (
          <StackTable
            caption="Access requests"
            order="Newest first."
            columns={columns}
            rows={items}
            keyOf={({ access_request_id: id }) => id}
            isOpen={({ access_request_id: id }) => id === openId}
            below={detailsOf}
          />
        )}
      </ListResult>
      <Approve of={act?.kind === 'approve' ? act.request : null} onClose={close} />
      <Reject of={act?.kind === 'reject' ? act.request : null} onClose={close} />
    </section>
  )
}

export default function AccessPage() {
  return (
    <Page
      title="Access requests"
      lead="People who asked for access. Names and email addresses are as entered: nobody has verified them."
    >
      <AdminOnly what="the access requests">
        <Requests />
      </AdminOnly>
    </Page>
  )
}
