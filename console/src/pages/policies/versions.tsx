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
import { CopyId } from '../../ui/copy-id.tsx'
import { StackTable, type StackColumn } from '../../ui/stack-table.tsx'
import { rowLink } from '../../ui/table-row.ts'
import { ageOf, Time } from '../../ui/time.tsx'
import { changes as changeLabels, policyHref, statuses, type PolicyStatus } from './labels.ts'
import { PolicyProblem, Status } from './parts.tsx'

const columns: readonly StackColumn<Policy>[] = [
  {
    name: 'Policy',
    fluid: 4,
    sort: ({ document }) => document.name,
    cell: ({ policy_id: id, document }) => (
      <Link {...rowLink} href={policyHref(id)} className="anywhere">
        {document.name}
      </Link>
    ),
  },
  {
    name: 'Status',
    place: 'plain',
    sort: ({ status }) => status,
    cell: ({ status }) => <Status of={status} />,
  },
  {
    name: 'Written by',
    fluid: 3,
    sort: ({ created_by: by }) => by.name,
    cell: ({ created_by: by }) => <PrincipalName of={by} />,
  },
  {
    name: 'Written',
    sort: ({ created_at: at }) => ageOf(at),
    cell: ({ created_at: at }) => <Time at={at} seconds={false} />,
  },
  { name: 'Last change', fluid: 5, cell: (policy) => <LastChange of={policy} /> },
  {
    name: 'Id',
    place: 'plain',
    cell: ({ policy_id: id }) => <CopyId id={id} />,
  },
]

/** The newest promotion or rollback; the page of the policy has all. */
function LastChange({ of: { changes } }: { readonly of: Policy }) {
  const last = changes.findLast(({ kind }) => kind !== 'candidate')
  if (last === undefined) return <span className="soft">None</span>
  return (
    <>
      {changeLabels[last.kind]} <Time at={last.at} seconds={false} />
      <span className="second">{last.reason ?? last.by.name}</span>
    </>
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
            order="Newest first."
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
