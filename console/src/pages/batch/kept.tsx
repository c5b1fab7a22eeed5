/** Kept reports: the list, and the button that keeps one. */

import type { KeptReport } from '@fairway/client'
import { Link, useLocation } from 'wouter'
import { useAction } from '../../action.ts'
import { formatCount } from '../../format.ts'
import { Problem } from '../../problem.tsx'
import { QueryResult } from '../../query-result.tsx'
import { useQuery } from '../../query.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { StackTable, type StackColumn } from '../../ui/stack-table.tsx'
import { rowLink } from '../../ui/table-row.ts'
import { ageOf, Time } from '../../ui/time.tsx'
import { ShareBar } from './breakdown.tsx'

const reportHref = (id: string): string => `/batch/${encodeURIComponent(id)}`

/** The server assesses the rows again and keeps its own figures. */
export function KeepReport({ text, name }: { readonly text: string; readonly name: string }) {
  const [, navigate] = useLocation()
  const action = useAction(
    (client) => client.keepBatchReport(text, { reportName: name }),
    ({ report_id: id }) => navigate(reportHref(id)),
  )
  return (
    <>
      <Button icon="layers" variant="primary" small busy={action.busy} onClick={action.run}>
        Keep report
      </Button>
      {action.error !== null && <Problem error={action.error} />}
    </>
  )
}

const columns: readonly StackColumn<KeptReport>[] = [
  {
    name: 'Report',
    fluid: 3,
    sort: ({ report_name: name }) => name,
    cell: ({ report_id: id, report_name: name }) => (
      <Link {...rowLink} className="anywhere" href={reportHref(id)}>
        {name}
      </Link>
    ),
  },
  {
    name: 'Shares',
    cell: ({ go, degraded, no_go: noGo }) => (
      <ShareBar counts={{ GO: go, DEGRADED: degraded, 'NO-GO': noGo }} />
    ),
  },
  {
    name: 'Rows',
    number: true,
    sort: ({ transaction_count: count }) => count,
    cell: ({ transaction_count: count }) => formatCount(count),
  },
  { name: 'GO', number: true, sort: ({ go }) => go, cell: ({ go }) => formatCount(go) },
  {
    name: 'DEGRADED',
    number: true,
    sort: ({ degraded }) => degraded,
    cell: ({ degraded }) => formatCount(degraded),
  },
  {
    name: 'NO-GO',
    number: true,
    sort: ({ no_go: noGo }) => noGo,
    cell: ({ no_go: noGo }) => formatCount(noGo),
  },
  {
    name: 'Uncertainty',
    number: true,
    sort: ({ execution_uncertainty_score: score }) => score,
    cell: ({ execution_uncertainty_score: score }) => score,
  },
  {
    name: 'Kept',
    sort: ({ kept_at: at }) => ageOf(at),
    cell: ({ kept_at: at }) => <Time at={at} seconds={false} />,
  },
  { name: 'By', fluid: 2, cell: ({ kept_by: { name } }) => <bdi>{name}</bdi> },
]

export function KeptReports() {
  const query = useQuery(['batch reports'], (client) => client.batchReports())
  return (
    <QueryResult query={query}>
      {({ reports }) => (
        <Card
          title="Kept reports"
          {...(reports.length > 0 && { note: 'Everybody of your organisation can open these.' })}
        >
          {reports.length === 0 ? (
            <p className="soft">None yet. Assess a file and keep its report to share it.</p>
          ) : (
            <StackTable
              caption="Kept reports"
              order="Newest first."
              columns={columns}
              rows={reports}
              keyOf={({ report_id: id }) => id}
            />
          )}
        </Card>
      )}
    </QueryResult>
  )
}
