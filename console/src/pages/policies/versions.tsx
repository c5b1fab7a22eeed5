/** All versions, newest first, with a filter by status. */

import type { Policy, PolicyList } from '@fairway/client'
import { Link } from 'wouter'
import { useAddress } from '../../address.ts'
import { CursorPages } from '../../cursor-pages.tsx'
import { PrincipalName } from '../../people/principal.tsx'
import type { Query } from '../../query.ts'
import { Card } from '../../ui/card.tsx'
import { Segments } from '../../ui/field.tsx'
import { Empty, Skeleton } from '../../ui/state.tsx'
import { StackTable } from '../../ui/stack-table.tsx'
import type { Column } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { policyHref, statuses, type PolicyStatus } from './labels.ts'
import { Change, PolicyProblem, Status } from './parts.tsx'

const columns: readonly Column<Policy>[] = [
  {
    name: 'Policy',
    cell: ({ policy_id: id, document }) => (
      <span className="policy-name">
        <Link href={policyHref(id)} className="anywhere">
          {document.name}
        </Link>
        <code className="small soft anywhere">{id}</code>
      </span>
    ),
  },
  { name: 'Status', cell: ({ status }) => <Status of={status} /> },
  {
    name: 'Written',
    cell: ({ created_by: by, created_at: at }) => (
      <div className="policy-change">
        <p className="small soft">
          <Time at={at} seconds={false} />
        </p>
        <PrincipalName of={by} />
      </div>
    ),
  },
  { name: 'Promotions and rollbacks', cell: (policy) => <History of={policy} /> },
]

/** The newest promotion and, after it, the rollback. */
function History({ of: { changes } }: { readonly of: Policy }) {
  const shown = changes.filter(({ kind }) => kind !== 'candidate').slice(-2)
  if (shown.length === 0) return <span className="soft">None</span>
  return (
    <div className="stack">
      {shown.toReversed().map((change) => (
        <Change key={change.kind + change.at} of={change} />
      ))}
    </div>
  )
}

const filters = [
  ['all', 'All'],
  ...(['active', 'candidate', 'draft', 'retired'] as const).map(
    (status) => [status, statuses[status].label] as const,
  ),
] as const

type Filter = (typeof filters)[number][0]

export function statusIn(params: URLSearchParams): PolicyStatus | null {
  const status = params.get('status')
  return status !== null && Object.hasOwn(statuses, status) ? (status as PolicyStatus) : null
}

export function Versions({ query }: { readonly query: Query<PolicyList> }) {
  const [params, change] = useAddress()
  const status = statusIn(params)
  const { data, error, mutate } = query
  const choose = (filter: Filter): void => change({ status: filter === 'all' ? null : filter, cursor: null })
  return (
    <Card
      title="Versions"
      actions={<Segments label="Status" options={filters} value={status ?? 'all'} onChange={choose} />}
    >
      {error !== undefined && <PolicyProblem error={error} onRetry={() => void mutate()} />}
      {data === undefined && error === undefined && <Skeleton height={240} label="Loading policies" />}
      {data?.policies.length === 0 && (
        <Empty
          icon="policy"
          title={
            status === null ? 'No older versions' : `No ${statuses[status].label.toLowerCase()} policies`
          }
        />
      )}
      {data !== undefined && data.policies.length > 0 && (
        <div className="policy-versions" aria-busy={query.isLoading}>
          <StackTable
            caption="Versions"
            columns={columns}
            rows={data.policies}
            keyOf={({ policy_id: id }) => id}
          />
        </div>
      )}
      {data !== undefined && <CursorPages label="Version pages" next={data.next_cursor} />}
    </Card>
  )
}
