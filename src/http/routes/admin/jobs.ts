/** /api/v1/admin/jobs: long work on the whole installation, started by an admin. */

import { Type, type Static } from 'typebox'
import type { JobCommand } from '../../../app/operate/maintenance/work.ts'
import type { Maintenance } from '../../../app/operate/maintenance/jobs.ts'
import type { Job, JobKind } from '../../../app/ports/operate/maintenance.ts'
import { hasWord } from '../../../app/erasure/erase-payment.ts'
import { retainedSince } from '../../../app/erasure/retention.ts'
import { namesOf } from '../../../app/operate/activity.ts'
import type { Store } from '../../../app/ports/store.ts'
import { iso } from '../../../core/time/durations.ts'
import { parseIsoTime } from '../../../core/time/iso-time.ts'
import { parseMonth, type Month } from '../../../core/time/month.ts'
import { invalid, notFound, sendProblem, type FieldError, type Problem } from '../../errors.ts'
import { cursorRule, readCursor } from '../../input/paging.ts'
import { limits } from '../../limits.ts'
import { isBlank, response } from '../../schemas/common.ts'
import type { App } from '../../types.ts'
import {
  adminOf,
  adminPath,
  common,
  config,
  errorsOfAction,
  errorsOfList,
  linkHeader,
  paged,
  type AdminDeps,
} from './common.ts'
import { JobList, JobQuery, JobView, StartJobBody } from './maintenance-schemas.ts'

export interface MaintenanceRoutesDeps extends AdminDeps {
  readonly maintenance: Maintenance
  readonly retentionDays: number
}

const path = `${adminPath}/jobs`
const isJobId = (text: string): boolean => /^job_[0-9a-z]{26}$/.test(text)

export function registerJobs(app: App, deps: MaintenanceRoutesDeps): void {
  registerStart(app, deps)
  registerList(app, deps)
  registerOne(app, deps)
}

type Body = Static<typeof StartJobBody>
type Member = Exclude<keyof Body, 'kind' | 'reason'>

/** The members of each kind: those it needs, and those it may have. */
const membersOf: Readonly<Record<JobKind, { readonly needs: readonly Member[]; readonly may: Member[] }>> = {
  verify_log: { needs: [], may: ['checkpoints', 'trusted_keys'] },
  erase: { needs: ['owner_id', 'correlation_id', 'reference', 'plan'], may: ['clean_later'] },
  retention: { needs: ['before'], may: [] },
  clean: { needs: [], may: [] },
  detach_month: { needs: ['month'], may: [] },
  attach_month: { needs: ['month'], may: [] },
  drop_month: { needs: ['month', 'archive'], may: ['dry_run', 'manifest_sha256'] },
}

/** An act that cannot be undone needs a reason, and the answer of its preview. */
function checkMembers(body: Body, errors: FieldError[]): void {
  const { kind, reason, ...given } = body
  const { needs, may } = membersOf[kind]
  const isFinal = kind === 'erase' || (kind === 'drop_month' && body.dry_run !== true)
  if (isFinal && (reason === undefined || isBlank(reason)))
    errors.push({ path: '/reason', message: 'is required: it cannot be undone' })
  if (kind === 'drop_month' && isFinal && body.manifest_sha256 === undefined)
    errors.push({ path: '/manifest_sha256', message: 'is required: it is in the result of the dry run' })
  for (const name of needs)
    if (given[name] === undefined) errors.push({ path: `/${name}`, message: `is required for ${kind}` })
  const known: ReadonlySet<string> = new Set([...needs, ...may])
  for (const name of Object.keys(StartJobBody.properties))
    if (name in given && !known.has(name))
      errors.push({ path: `/${name}`, message: `does not belong to ${kind}` })
}

/** Nobody can erase it from there. */
function checkRecorded({ reason, reference, correlation_id: erased }: Body, errors: FieldError[]): void {
  for (const [place, text] of Object.entries({ '/reason': reason, '/reference': reference }))
    if (erased !== undefined && text !== undefined && hasWord(text, erased))
      errors.push({ path: place, message: 'must not contain the correlation id: it is recorded permanently' })
}

function readMonth(text: string | undefined, errors: FieldError[]): Month | null {
  const month = text === undefined ? null : parseMonth(text)
  if (text !== undefined && month === null)
    errors.push({ path: '/month', message: 'must be a month, like 2026-03' })
  return month
}

/** A text that is younger than the period is not erased by it, whatever a report said before. */
function readBefore(
  text: string | undefined,
  { retentionDays, clock }: MaintenanceRoutesDeps,
  errors: FieldError[],
): number {
  if (text === undefined) return 0
  const beforeMs = parseIsoTime(text)
  if (beforeMs === null) errors.push({ path: '/before', message: 'must be the time of a report' })
  else if (retentionDays === Infinity)
    errors.push({
      path: '/before',
      message: 'FAIRWAY_RETENTION_DAYS is not set: personal text is kept for ever',
    })
  else if (beforeMs > retainedSince(clock.nowMs(), retentionDays))
    errors.push({ path: '/before', message: 'must not be within the retention period' })
  return beforeMs ?? 0
}

function commandOf(
  body: Body,
  by: string,
  deps: MaintenanceRoutesDeps,
  errors: FieldError[],
): JobCommand | null {
  checkMembers(body, errors)
  checkRecorded(body, errors)
  const month = readMonth(body.month, errors)
  const beforeMs = readBefore(body.before, deps, errors)
  if (errors.length > 0) return null
  const { kind } = body
  switch (kind) {
    case 'verify_log':
      return { kind, by, checkpoints: body.checkpoints ?? [], trustedKeys: body.trusted_keys ?? [] }
    case 'erase':
      return {
        kind,
        by,
        ownerId: body.owner_id ?? '',
        correlationId: body.correlation_id ?? '',
        reference: body.reference ?? '',
        planHash: body.plan ?? '',
        cleanLater: body.clean_later === true,
      }
    case 'retention':
      return { kind, by, beforeMs }
    case 'clean':
      return { kind, by }
    case 'detach_month':
    case 'attach_month':
      return month === null ? null : { kind, by, month }
    case 'drop_month':
      return month === null
        ? null
        : {
            kind,
            by,
            month,
            archive: body.archive ?? '',
            isDryRun: body.dry_run === true,
            receipt: body.manifest_sha256 ?? null,
          }
  }
}

const busy: Problem = {
  code: 'ADMIN_CONFLICT',
  message: 'Another job is running, and one runs at a time. Try again when it has ended.',
}

function registerStart(app: App, deps: MaintenanceRoutesDeps): void {
  app.route({
    method: 'POST',
    url: path,
    config,
    schema: {
      ...common,
      operationId: 'startJob',
      summary: 'Start a job of maintenance',
      description:
        'The work of the command line, done by this instance while it serves. One job runs at a time in the whole installation. Start and end are entries of the sealed log.',
      body: StartJobBody,
      response: { 200: response(JobView, 'limited'), ...errorsOfAction },
    },
    async handler(request, reply) {
      const errors: FieldError[] = []
      const { personId } = adminOf(request, deps)
      const command = commandOf(request.body, personId, deps, errors)
      if (command === null) return sendProblem(reply, invalid(errors))
      const job = await deps.maintenance.ask(command, request.body.reason?.trim() ?? '')
      if (job === null) return sendProblem(reply, busy)
      const [view] = await viewsOf(deps.store, [job])
      return view === undefined ? sendProblem(reply, notFound) : reply.send(view)
    },
  })
}

function registerList(app: App, deps: MaintenanceRoutesDeps): void {
  app.route({
    method: 'GET',
    url: path,
    config,
    schema: {
      ...common,
      operationId: 'adminJobs',
      summary: 'List the jobs of maintenance, newest first',
      querystring: JobQuery,
      response: { 200: response(JobList, 'limited', linkHeader), ...errorsOfList },
    },
    async handler(request, reply) {
      const { query } = request
      const { limit = limits.historyPageDefault, cursor } = query
      const before = cursor === undefined ? null : readCursor(cursor)
      if (before !== null && !isJobId(before))
        return sendProblem(reply, invalid([{ path: '/cursor', message: cursorRule }]))
      const found = await deps.maintenance.list(before, limit + 1)
      const { page, nextCursor, link } = paged(found, { limit, idOf: (job) => job.jobId, path, query })
      if (link !== null) reply.header('link', link)
      return reply.send({ jobs: await viewsOf(deps.store, page), next_cursor: nextCursor })
    },
  })
}

function registerOne(app: App, deps: MaintenanceRoutesDeps): void {
  app.route({
    method: 'GET',
    url: `${path}/:job_id`,
    config,
    schema: {
      ...common,
      operationId: 'adminJob',
      summary: 'Get a job of maintenance',
      params: Type.Object({ job_id: Type.String({ description: 'The id of a job.' }) }),
      response: { 200: response(JobView, 'limited'), ...errorsOfAction },
    },
    async handler(request, reply) {
      const { job_id: jobId } = request.params
      const job = isJobId(jobId) ? await deps.maintenance.find(jobId) : null
      const [view] = job === null ? [] : await viewsOf(deps.store, [job])
      return view === undefined ? sendProblem(reply, notFound) : reply.send(view)
    },
  })
}

async function viewsOf(store: Store, jobs: readonly Job[]) {
  const names = await namesOf(
    store,
    jobs.map(({ startedBy }) => startedBy),
  )
  return jobs.map((job) => ({
    job_id: job.jobId,
    kind: job.kind,
    status: job.status,
    parameters: { ...job.parameters },
    reason: job.reason === '' ? null : job.reason,
    started_by: { id: job.startedBy, name: names.get(job.startedBy) ?? job.startedBy },
    started_at: iso(job.startedAtMs),
    ended_at: iso(job.endedAtMs),
    progress: { done: job.done, total: job.total },
    result: job.result === null ? null : { ...job.result },
    error: job.error,
  }))
}
