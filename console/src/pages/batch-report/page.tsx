/** The page of a kept report, at an address to share. */

import { NotFoundError, type KeptReportDetails } from '@fairway/client'
import { useState } from 'react'
import { Link, useLocation, useParams } from 'wouter'
import { useAction } from '../../action.ts'
import { Confirm } from '../../confirm.tsx'
import { Keyed } from '../../keyed.tsx'
import { NotForLive } from '../../mode.tsx'
import { Problem } from '../../problem.tsx'
import { QueryResult } from '../../query-result.tsx'
import { useQuery, type Query } from '../../query.ts'
import { saveFile } from '../../save.ts'
import { useSession } from '../../session.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { CopyButton } from '../../ui/code.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { Facts, periodOf, ReportBody, Warnings } from '../batch/report.tsx'
import { byMonth } from '../batch/totals.ts'
import '../batch/batch.css'

const files = {
  html: ['Download page', 'text/html'],
  csv: ['Export CSV', 'text/csv'],
} as const

function Download({ id, format }: { readonly id: string; readonly format: keyof typeof files }) {
  const [label, type] = files[format]
  const action = useAction(
    (client) => client.batchReport(id, { format }),
    (text) => saveFile(`${id}.${format}`, type, [text]),
  )
  return (
    <>
      <Button icon="download" small busy={action.busy} onClick={action.run}>
        {label}
      </Button>
      {action.error !== null && <Problem error={action.error} />}
    </>
  )
}

function Delete({ id, name }: { readonly id: string; readonly name: string }) {
  const [isOpen, setOpen] = useState(false)
  const [, navigate] = useLocation()
  const action = useAction(
    (client) => client.removeBatchReport(id),
    () => navigate('/batch'),
  )
  return (
    <>
      <Button variant="danger" small onClick={() => setOpen(true)}>
        Delete
      </Button>
      <Confirm
        title="Delete this report"
        open={isOpen}
        action={action}
        label="Delete report"
        look="danger"
        onClose={() => setOpen(false)}
      >
        <p>
          <strong className="anywhere">{name}</strong> is deleted for everybody of your organisation, and its
          address no longer works. This cannot be undone.
        </p>
      </Confirm>
    </>
  )
}

function Kept({ kept }: { readonly kept: KeptReportDetails }) {
  const { report, report_id: id, report_name: name, kept_by: by } = kept
  const months = byMonth(report.assessments, (index) => kept.months[index] ?? '')
  return (
    <>
      <Card
        title="Kept report"
        actions={
          <>
            <CopyButton text={window.location.origin + window.location.pathname} label="Copy link" />
            <Download id={id} format="html" />
            <Download id={id} format="csv" />
            {kept.may_delete && <Delete id={id} name={name} />}
          </>
        }
      >
        <Facts
          report={report}
          more={[
            ['Kept', <Time key="at" at={kept.kept_at} seconds={false} />],
            ['Kept by', <bdi key="by">{by.name}</bdi>],
            ['Period', periodOf(months)],
          ]}
        />
        <p className="small soft">
          Shadow mode: the signals are simulated, and no payment rail was queried. The server computed these
          figures. No decision was recorded and no money moved.
        </p>
        <Warnings report={report} />
      </Card>
      <ReportBody report={report} months={months} />
    </>
  )
}

const useReport = (id: string): Query<KeptReportDetails> =>
  useQuery(['batch report', id], (client) => client.batchReport(id))

function KeptAt({ id }: { readonly id: string }) {
  const query = useReport(id)
  if (query.error instanceof NotFoundError) {
    return (
      <Empty
        icon="search"
        title="No report at this address"
        action={<LinkButton href="/batch">Go to kept reports</LinkButton>}
      >
        It was deleted, or it belongs to another organisation.
      </Empty>
    )
  }
  return <QueryResult query={query}>{(kept) => <Kept kept={kept} />}</QueryResult>
}

export default function BatchReportPage() {
  const { report_id: id = '' } = useParams()
  const { verifyMode } = useSession()
  const { data } = useReport(id)
  return (
    <Page title={data?.report_name ?? 'Batch report'} lead={<Link href="/batch">All kept reports</Link>}>
      <Keyed what="this report">
        {verifyMode === 'live' ? (
          <NotForLive title="No live batch assessment">
            A batch is assessed by simulated signals, so a live key has no assessment.
          </NotForLive>
        ) : (
          <KeptAt id={id} />
        )}
      </Keyed>
    </Page>
  )
}
