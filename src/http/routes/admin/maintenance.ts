/** Erasure, retention and months below /api/v1/admin: what a job would do, before one is started. */

import type { Static } from 'typebox'
import { retainedSince } from '../../../app/erasure/retention.ts'
import { monthView } from '../../../app/operate/month-view.ts'
import type { Preview, Worked } from '../../../app/operate/maintenance/work.ts'
import { parseMonth } from '../../../core/time/month.ts'
import { notFound, sendProblem, type Problem } from '../../errors.ts'
import { response } from '../../schemas/common.ts'
import type { App } from '../../types.ts'
import { adminOf, adminPath, common, config, errorsOfAction, errorsOfList } from './common.ts'
import type { MaintenanceRoutesDeps } from './jobs.ts'
import {
  ErasurePreview,
  ErasurePreviewBody,
  MonthCheck,
  MonthList,
  MonthParams,
  Retention,
} from './maintenance-schemas.ts'

export interface MonthRoutesDeps extends MaintenanceRoutesDeps {
  readonly hasArchives: boolean
}

export function registerMaintenance(app: App, deps: MonthRoutesDeps): void {
  registerErasure(app, deps)
  registerRetention(app, deps)
  registerMonths(app, deps)
  registerMonthCheck(app, deps)
}

const conflict = (message: string): Problem => ({ code: 'ADMIN_CONFLICT', message })

/** As it is shown: the schema of the answer says which members it has. */
async function look<View>({ maintenance }: MaintenanceRoutesDeps, preview: Preview): Promise<View | Problem> {
  const worked: Worked = await maintenance.look(preview)
  return worked.kind === 'done' ? (worked.result as View) : conflict(worked.message)
}

function registerErasure(app: App, deps: MaintenanceRoutesDeps): void {
  app.route({
    method: 'POST',
    url: `${adminPath}/erasures/preview`,
    config,
    schema: {
      ...common,
      operationId: 'previewErasure',
      summary: 'Show what an erasure would erase, and what cannot be erased',
      description: 'Changes nothing. A job of the kind `erase` erases it.',
      body: ErasurePreviewBody,
      response: { 200: response(ErasurePreview, 'limited'), ...errorsOfAction },
    },
    async handler(request, reply) {
      const { owner_id: ownerId, correlation_id: correlationId } = request.body
      const preview = { kind: 'plan_erasure', ownerId, correlationId } as const
      const seen = await look<Static<typeof ErasurePreview>>(deps, preview)
      return 'code' in seen ? sendProblem(reply, seen) : reply.send(seen)
    },
  })
}

function registerRetention(app: App, deps: MaintenanceRoutesDeps): void {
  app.route({
    method: 'GET',
    url: `${adminPath}/retention`,
    config,
    schema: {
      ...common,
      operationId: 'retention',
      summary: 'Show what is older than the retention period',
      description: 'Changes nothing. A job of the kind `retention` erases it.',
      response: { 200: response(Retention, 'limited'), ...errorsOfAction },
    },
    async handler(_request, reply) {
      const { retentionDays: days, clock } = deps
      const beforeMs = days === Infinity ? null : retainedSince(clock.nowMs(), days)
      const seen = await look<Omit<Static<typeof Retention>, 'retention_days'>>(deps, {
        kind: 'report_retention',
        beforeMs,
      })
      if ('code' in seen) return sendProblem(reply, seen)
      return reply.send({ retention_days: days === Infinity ? null : days, ...seen })
    },
  })
}

function registerMonths(app: App, { store, hasArchives }: MonthRoutesDeps): void {
  app.route({
    method: 'GET',
    url: `${adminPath}/months`,
    config,
    schema: {
      ...common,
      operationId: 'months',
      summary: 'List the months of records with state and size',
      response: { 200: response(MonthList, 'limited'), ...errorsOfList },
    },
    handler: async () => ({
      partitioned: store.partitions !== null,
      has_archives: hasArchives,
      months: ((await store.partitions?.list()) ?? []).map(monthView),
    }),
  })
}

function registerMonthCheck(app: App, deps: MaintenanceRoutesDeps): void {
  app.route({
    method: 'POST',
    url: `${adminPath}/months/:month/check`,
    config: { ...config, emptyBody: true },
    schema: {
      ...common,
      operationId: 'checkMonth',
      summary: 'Check whether a month can be detached',
      description: 'Changes nothing. A job of the kind `detach_month` detaches it.',
      params: MonthParams,
      response: { 200: response(MonthCheck, 'limited'), ...errorsOfAction },
    },
    async handler(request, reply) {
      const month = parseMonth(request.params.month)
      if (month === null) return sendProblem(reply, notFound)
      const { personId } = adminOf(request, deps)
      const worked = await deps.maintenance.look({ kind: 'check_month', month, by: personId })
      const detail = worked.kind === 'refused' ? worked.message : null
      return reply.send({ month, can_detach: detail === null, detail })
    },
  })
}
