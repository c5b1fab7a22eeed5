/** The job that runs, or the one that was chosen, and the list of all. */

import type { MaintenanceJob, StartJobRequest } from '@fairway/client'
import { useEffect } from 'react'
import { useAction } from '../../action.ts'
import { useAddress } from '../../address.ts'
import { formatCount } from '../../format.ts'
import { useNowMs } from '../../now.ts'
import { Problem } from '../../problem.tsx'
import { useOwnQuery, type Query } from '../../query.ts'
import { useRefresh } from '../../admin/list.tsx'
import { Card, Pairs } from '../../ui/card.tsx'
import { CopyButton } from '../../ui/code.tsx'
import { Empty, Notice, Skeleton } from '../../ui/state.tsx'
import { StackTable, type StackColumn } from '../../ui/stack-table.tsx'
import { Ago, Time } from '../../ui/time.tsx'
import { Chip } from '../../ui/verdict.tsx'
import { jobName, jobSentence, jobSubject, statusNames, toneOfJob } from './words.ts'

const refreshMs = 2_000
const jobsShown = 20

export interface Jobs {
  readonly query: Query<readonly MaintenanceJob[]>
  readonly isRunning: boolean
}

/** The parts that a job may change are read again when it has ended. */
export function useJobs(): Jobs {
  const query = useOwnQuery(
    ['admin jobs'],
    async (client) => (await client.admin.jobs({ limit: jobsShown }).page()).items,
    { refreshMs },
  )
  const refresh = useRefresh('admin retention', 'admin months')
  const [newest] = query.data ?? []
  const state = newest === undefined ? '' : `${newest.job_id} ${newest.status}`
  useEffect(() => {
    if (state !== '') refresh()
    // eslint-disable-next-line react/exhaustive-deps -- `refresh` is another function each time
  }, [state])
  return { query, isRunning: newest?.status === 'running' }
}

/** Starts a job, and shows it. */
export function useStart(body: () => StartJobRequest, onStarted: () => void = () => undefined) {
  const [, change] = useAddress()
  const refresh = useRefresh('admin jobs')
  return useAction(
    (client) => client.admin.startJob(body()),
    ({ job_id: job }) => {
      change({ job })
      refresh()
      onStarted()
    },
  )
}

function Progress({ of: job }: { readonly of: MaintenanceJob }) {
  const { done, total } = job.progress
  const text = jobSentence(job)
  return (
    <div
      className="bar job-progress"
      role="progressbar"
      aria-label={`Progress: ${jobName(job)}`}
      aria-valuetext={text}
      {...(total !== null && { 'aria-valuemin': 0, 'aria-valuemax': total, 'aria-valuenow': done })}
    >
      <span style={{ width: `${total === null || total === 0 ? 0 : (done / total) * 100}%` }} />
    </div>
  )
}

interface Finding {
  readonly place: string
  readonly message: string
}

function Findings({ of: { result } }: { readonly of: MaintenanceJob }) {
  const findings = (result?.['findings'] ?? []) as readonly Finding[]
  const total = Number(result?.['findings_total'] ?? 0)
  if (findings.length === 0) return null
  return (
    <>
      <ul className="job-findings" aria-label="Findings">
        {findings.map(({ place, message }) => (
          <li key={`${place} ${message}`}>
            <code>{place}</code> {message}
          </li>
        ))}
      </ul>
      {total > findings.length && (
        <p className="small soft">{`And ${formatCount(total - findings.length)} more: fairway audit verify-log lists them.`}</p>
      )}
    </>
  )
}

/** The limits of a check are as important as its result. */
function Covered({ of: { result } }: { readonly of: MaintenanceJob }) {
  const parts = (
    [
      ['Covered', result?.['covered']],
      ['Not covered', result?.['not_covered']],
    ] as const
  ).flatMap(([name, value]) => (Array.isArray(value) ? [[name, value.join('; ')] as const] : []))
  if (parts.length === 0) return null
  return (
    <details>
      <summary>What the check covers</summary>
      <Pairs of={parts} />
    </details>
  )
}

function Details({ of: job }: { readonly of: MaintenanceJob }) {
  const { job_id: id, reason, started_by: by, started_at: at, ended_at: endedAt, result } = job
  const text = (name: string, label: string) => {
    const value = result?.[name]
    return typeof value === 'string'
      ? [
          [
            label,
            <code key={name} className="anywhere">
              {value}
            </code>,
          ] as const,
        ]
      : []
  }
  return (
    <Pairs
      of={[
        ...jobSubject(job).map(
          ([name, value]) =>
            [
              name,
              <span key={name} className="anywhere">
                {value}
              </span>,
            ] as const,
        ),
        ...(reason === null ? [] : [['Reason', reason] as const]),
        [
          'Started',
          <span key="at">
            <Time at={at} /> by {by.name}
          </span>,
        ],
        ...(endedAt === null ? [] : [['Ended', <Time key="end" at={endedAt} />] as const]),
        ...text('root_hash', 'Root hash'),
        ...text('fingerprint', 'Fingerprint'),
        ...text('manifest_sha256', 'Manifest SHA-256'),
        [
          'Id',
          <span key="id" className="row">
            <code className="anywhere">{id}</code>
            <CopyButton text={id} />
          </span>,
        ],
      ]}
    />
  )
}

function Shown({ of: job }: { readonly of: MaintenanceJob }) {
  const isRunning = job.status === 'running'
  return (
    <div className="stack" aria-live="polite">
      <Notice tone={toneOfJob(job)} title={`${jobName(job)}: ${statusNames[job.status].toLowerCase()}`}>
        <p>{jobSentence(job)}</p>
      </Notice>
      {isRunning && <Progress of={job} />}
      <Findings of={job} />
      <Details of={job} />
      <Covered of={job} />
    </div>
  )
}

function columnsAt(nowMs: number, onOpen: (jobId: string) => void): readonly StackColumn<MaintenanceJob>[] {
  return [
    {
      name: 'Job',
      cell: (job) => (
        <button type="button" className="link-button" onClick={() => onOpen(job.job_id)}>
          {jobName(job)}
        </button>
      ),
    },
    {
      name: 'State',
      place: 'plain',
      cell: (job) => <Chip tone={toneOfJob(job)}>{statusNames[job.status]}</Chip>,
    },
    { name: 'Result', place: 'plain', cell: (job) => <span className="job-result">{jobSentence(job)}</span> },
    { name: 'By', cell: ({ started_by: by }) => by.name },
    { name: 'Started', number: true, cell: ({ started_at: at }) => <Ago at={at} nowMs={nowMs} /> },
  ]
}

export function JobsCard({ of: { query } }: { readonly of: Jobs }) {
  const [params, change] = useAddress()
  const nowMs = useNowMs()
  const { data: jobs, error, mutate } = query
  const asked = params.get('job')
  const chosen = jobs?.find((job) => job.job_id === asked) ?? jobs?.[0]
  return (
    <Card
      title="Jobs"
      isPrimary
      note="One job runs at a time in the whole installation, beside the decisions. Start and end are entries of the sealed log."
    >
      {error !== undefined && <Problem error={error} onRetry={() => void mutate()} />}
      {jobs === undefined && error === undefined && <Skeleton height={120} label="Loading jobs" />}
      {chosen !== undefined && <Shown of={chosen} />}
      {jobs?.length === 0 && (
        <Empty icon="clock" title="No job yet">
          Start one below. What the terminal did is not listed here.
        </Empty>
      )}
      {jobs !== undefined && jobs.length > 1 && (
        <StackTable
          caption="Jobs, newest first"
          columns={columnsAt(nowMs, (job) => change({ job }))}
          rows={jobs}
          keyOf={({ job_id: id }) => id}
        />
      )}
    </Card>
  )
}
