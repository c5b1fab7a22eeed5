/** The batch report, with the same figures in the same order as the `fairway assess` report. */

import type { BatchResponse } from '@fairway/client'
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { brierScale, brierText } from '../../charts/rates.ts'
import { Reliability } from '../../charts/reliability.tsx'
import { Problem } from '../../problem.tsx'
import { saveFile } from '../../save.ts'
import { useSession } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Notice } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { Alignment, CorridorTable, MonthTable, Reasons } from './breakdown.tsx'
import { normalName } from './csv.ts'
import type { Loaded } from './file.ts'
import { byMonth, type Group } from './totals.ts'
import { formatRows } from '../../format.ts'
import { Headline, Scores } from './headline.tsx'
import { KeepReport } from './kept.tsx'
import { monthName } from './months.ts'
import { ReportRows } from './rows.tsx'
import type { Work } from './work.ts'

function DownloadCsv({ report, text }: { readonly report: BatchResponse; readonly text: string }) {
  const { client } = useSession()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  async function fetchCsv(): Promise<void> {
    if (client === null) return
    setBusy(true)
    setError(null)
    try {
      const csv = await client.batchAssess(text, { format: 'csv', reportName: report.report_name })
      saveFile(`${report.report_id}.csv`, 'text/csv', [csv])
    } catch (caught) {
      setError(caught)
    }
    setBusy(false)
  }
  return (
    <>
      <Button icon="download" small busy={busy} onClick={() => void fetchCsv()}>
        Export CSV
      </Button>
      {error !== null && <Problem error={error} />}
    </>
  )
}

type Fact = readonly [name: string, value: ReactNode]

/** The origin of a report; `more` are the facts of its page. */
export function Facts({ report, more }: { readonly report: BatchResponse; readonly more: readonly Fact[] }) {
  const facts: readonly Fact[] = [
    ...more,
    ['Assessed', formatRows(report.transaction_count)],
    ['Model version', report.model_version],
    ['Report ID', <code key="id">{report.report_id}</code>],
  ]
  return (
    <dl className="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** The first and the last month in the file. */
export function periodOf(groups: readonly Group[]): string {
  const months = groups.flatMap(({ key }) => (key === '' ? [] : [key]))
  const [first, last] = [months[0], months.at(-1)]
  if (first === undefined || last === undefined) return 'No dates in the file'
  return first === last ? monthName(first) : `${monthName(first)} to ${monthName(last)}`
}

export function Warnings({ report: { warnings } }: { readonly report: BatchResponse }) {
  if (warnings.length === 0) return null
  return (
    <Notice tone="info" title="Warnings">
      {warnings.map((warning) => (
        <p key={warning} className="anywhere">
          {warning}
        </p>
      ))}
    </Notice>
  )
}

interface ReportProps {
  readonly report: BatchResponse
  readonly loaded: Loaded
  readonly work: Work
}

/** The report's title, facts and actions. It takes the focus when it appears. */
function ReportHead({ report, loaded, work, period }: ReportProps & { readonly period: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
    window.scrollTo(0, 0)
  }, [])
  return (
    <Card
      title={
        <span ref={heading} tabIndex={-1} className="anywhere report-title">
          {report.report_name}
        </span>
      }
      actions={
        <>
          <Button small onClick={work.reopen}>
            Show input rows
          </Button>
          <Button small variant="quiet" onClick={work.clear}>
            Assess another file
          </Button>
        </>
      }
    >
      <div className="row">
        <KeepReport text={loaded.text} name={report.report_name} />
        <DownloadCsv report={report} text={loaded.text} />
        <p className="small soft">
          This report is not kept yet: reloading the page or signing out discards it.
        </p>
      </div>
      <Facts
        report={report}
        more={[
          ['Source', loaded.name],
          ['Generated', <Time key="at" at={report.generated_at} seconds={false} />],
          ['Period', period],
        ]}
      />
      <p className="small soft">
        Shadow mode: the signals are simulated, and no payment rail was queried. No decision was recorded and
        no money moved.
      </p>
      <Warnings report={report} />
    </Card>
  )
}

/** Without outcomes there is nothing to compare. */
function Curve({ of }: { readonly of: BatchResponse['calibration'] }) {
  if (of.brier === null) return null
  return <Reliability curve={of} note={`Brier score: ${brierText(of.brier)}; ${brierScale}.`} />
}

/** The figures and rows, whether the report is kept or not. */
export function ReportBody({
  report,
  months,
}: {
  readonly report: BatchResponse
  readonly months: readonly Group[]
}) {
  const { assessments: rows } = report
  return (
    <>
      <Headline report={report} />
      <Scores rows={rows} />
      <div className="columns">
        <MonthTable groups={months} />
        <CorridorTable rows={rows} />
      </div>
      <Alignment report={report} />
      <Curve of={report.calibration} />
      <Reasons rows={rows} />
      <ReportRows rows={rows} />
    </>
  )
}

export function Report({ report, loaded, work }: ReportProps) {
  const { assessments: rows } = report
  const months = useMemo(() => {
    const { names, rows: inputRows } = loaded.sheet
    const column = names.findIndex((name) => normalName(name) === 'timestamp')
    return byMonth(rows, (index) => inputRows[index]?.cells[column] ?? '')
  }, [rows, loaded])
  return (
    <>
      <ReportHead {...{ report, loaded, work }} period={periodOf(months)} />
      <ReportBody report={report} months={months} />
    </>
  )
}
