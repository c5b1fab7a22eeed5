/** The keys of all owners: issue, rotate, revoke. */

import type { AdminKey } from '@fairway/client'
import { useState } from 'react'
import { useAddress } from '../../address.ts'
import { AdminOnly } from '../../keyed.tsx'
import { useIsAdmin } from '../../caller.ts'
import { useNowMs } from '../../now.ts'
import { Button } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { StackTable } from '../../ui/stack-table.tsx'
import {
  Choice,
  choiceIn,
  ListResult,
  pageLength,
  Search,
  useListPage,
  useRefresh,
} from '../../admin/list.tsx'
import { Issue } from './issue.tsx'
import { Revoke } from './revoke.tsx'
import { Rotate } from './rotate.tsx'
import { columnsAt, KeyDetails } from './rows.tsx'

const statuses = [
  ['active', 'Active'],
  ['expired', 'Expired'],
  ['revoked', 'Revoked'],
] as const
const types = [
  ['test', 'Test'],
  ['live', 'Live'],
  ['sandbox', 'Sandbox'],
] as const

function useKeys() {
  const [params] = useAddress()
  const [q, cursor] = [params.get('q') ?? '', params.get('cursor')]
  const [status, type] = [choiceIn(params, 'status', statuses), choiceIn(params, 'type', types)]
  const query = {
    limit: pageLength,
    ...(q !== '' && { q }),
    ...(cursor !== null && { cursor }),
    ...(status !== '' && { status }),
    ...(type !== '' && { type }),
    ...(params.get('expires_soon') === 'true' && { expires_soon: 'true' as const }),
  }
  return useListPage('admin keys', query, (client) => client.admin.keys(query).page())
}

function Filters() {
  const [params, change] = useAddress()
  return (
    <div className="admin-filters">
      <Search label="Find a key" hint="Owner, or a whole id" />
      <Choice name="status" label="Status" all="All" choices={statuses} />
      <Choice name="type" label="Type" all="All" choices={types} />
      <label className="check">
        <input
          type="checkbox"
          checked={params.get('expires_soon') === 'true'}
          onChange={({ target }) => change({ expires_soon: target.checked ? 'true' : null, cursor: null })}
        />
        Expires within 14 days
      </label>
    </div>
  )
}

type Act = { readonly kind: 'rotate' | 'revoke'; readonly key: AdminKey }

const detailsOf = (key: AdminKey) => <KeyDetails of={key} />

function Keys({ onIssue }: { readonly onIssue: () => void }) {
  const query = useKeys()
  const nowMs = useNowMs(30_000)
  const [openId, setOpenId] = useState<string | null>(null)
  const [act, setAct] = useState<Act | null>(null)
  const columns = columnsAt(nowMs, {
    isOpen: ({ key_id: id }) => id === openId,
    onDetails: ({ key_id: id }) => setOpenId(id === openId ? null : id),
    onAct: (kind, key) => setAct({ kind, key }),
  })
  const close = (): void => setAct(null)
  return (
    <section className="card card-primary" aria-label="Keys">
      <Filters />
      <ListResult
        label="keys"
        query={query}
        filters={['q', 'status', 'type', 'expires_soon']}
        empty={{
          icon: 'key',
          title: 'No keys yet',
          text: 'Issue the first one: with it an owner verifies payments.',
          action: (
            <Button variant="primary" onClick={onIssue}>
              Issue a key
            </Button>
          ),
        }}
      >
        {(items) => (
          <StackTable
            caption="Keys"
            order="Newest first."
            columns={columns}
            rows={items}
            keyOf={({ key_id: id }) => id}
            isOpen={({ key_id: id }) => id === openId}
            below={detailsOf}
          />
        )}
      </ListResult>
      <Rotate of={act?.kind === 'rotate' ? act.key : null} onClose={close} />
      <Revoke of={act?.kind === 'revoke' ? act.key : null} onClose={close} />
    </section>
  )
}

export default function KeysPage() {
  const isAdmin = useIsAdmin()
  const [isOpen, setOpen] = useState(false)
  const refresh = useRefresh('admin keys', 'owners')
  return (
    <Page
      title="Keys"
      lead="The API keys of all owners, newest first."
      actions={
        isAdmin && (
          <Button variant="primary" icon="key" onClick={() => setOpen(true)}>
            Issue a key
          </Button>
        )
      }
    >
      <AdminOnly what="the keys">
        <Keys onIssue={() => setOpen(true)} />
        <Issue open={isOpen} onClose={() => setOpen(false)} onIssued={refresh} />
      </AdminOnly>
    </Page>
  )
}
