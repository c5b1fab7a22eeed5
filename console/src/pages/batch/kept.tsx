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
import { StackTable } from '../../ui/stack-table.tsx'
import type { Column } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
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

const columns: readonly Column<KeptReport>[] = [
  {
    name: 'Report',
    cell: ({ report_id: id, report_name: name, ...counts }) => (
      <span className="named">
        <Link className="anywhere" href={reportHref(id)}>
          {name}
        </Link>
        <ShareBar counts={{ GO: counts.go, DEGRADED: counts.degraded, 'NO-GO': counts.no_go }} />
      </span>
    ),
  },
  { name: 'Rows', number: true, cell: ({ transaction_count: count }) => formatCount(count) },
  { name: 'GO', number: true, cell: ({ go }) => formatCount(go) },
  { name: 'DEGRADED', number: true, cell: ({ degraded }) => formatCount(degraded) },
  { name: 'NO-GO', number: true, cell: ({ no_go: noGo }) => formatCount(noGo) },
  { name: 'Uncertainty', number: true, cell: ({ execution_uncertainty_score: score }) => score },
  { name: 'Kept', cell: ({ kept_at: at }) => <Time at={at} seconds={false} /> },
  { name: 'By', cell: ({ kept_by: { name } }) => <bdi className="kept-by">{name}</bdi> },
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
