/** GET /api/v1/admin/activity: what people, operators and the server did to the installation, from the sealed log. */

import type { FastifyReply } from 'fastify'
import { activityCsv } from '../../../app/operate/activity-csv.ts'
import type { Mask } from '../../../app/operate/mask.ts'
import { readActivity, type ActivityView } from '../../../app/operate/activity.ts'
import { invalid, sendProblem, type FieldError } from '../../errors.ts'
import { chooseFormat, mediaTypes } from '../../input/media.ts'
import { cursorRule, readCursor } from '../../input/paging.ts'
import { readRecordedAt } from '../../input/times.ts'
import { limits } from '../../limits.ts'
import { response } from '../../schemas/common.ts'
import { ActivityList, ActivityQuery } from './schemas.ts'
import type { App, AppDeps } from '../../types.ts'
import { adminPath, common, config, errorsOfList, linkHeader, paged, type AdminDeps } from './common.ts'

const path = `${adminPath}/activity`

function sendCsv(reply: FastifyReply, page: readonly ActivityView[], mask: Mask): FastifyReply {
  return reply
    .type(mediaTypes.csv)
    .header('content-disposition', 'attachment; filename="activity.csv"')
    .send(activityCsv(page, mask))
}

export function registerActivity(app: App, { store, mask }: AdminDeps & Pick<AppDeps, 'mask'>): void {
  app.route({
    method: 'GET',
    url: path,
    config,
    schema: {
      ...common,
      operationId: 'activity',
      summary: 'List what was done to the installation, newest first',
      description:
        'Every act is an entry of the sealed log. In CSV (`Accept: text/csv` or `format`), each page has a header and one line per act, and the link keeps the format.',
      querystring: ActivityQuery,
      response: {
        200: response(
          {
            description: 'A page of acts, newest first.',
            content: {
              'application/json': { schema: ActivityList },
              'text/csv': { schema: { type: 'string' } },
            },
          },
          'limited',
          linkHeader,
        ),
        ...errorsOfList,
      },
    },
    async handler(request, reply) {
      const { query } = request
      const { limit = limits.historyPageDefault, cursor, kind = null, by = null, subject = null } = query
      const errors: FieldError[] = []
      const before = cursor === undefined ? null : readCursor(cursor)
      if (before !== null && !/^act_[0-9a-z]{26}$/.test(before))
        errors.push({ path: '/cursor', message: cursorRule })
      const fromMs = readRecordedAt(query.from, '/from', errors)
      const toMs = readRecordedAt(query.to, '/to', errors)
      if (fromMs !== null && toMs !== null && fromMs > toMs)
        errors.push({ path: '/from', message: 'must not be after to' })
      if (errors.length > 0) return sendProblem(reply, invalid(errors))
      const wanted = { limit: limit + 1, before, kind, by, subject, fromMs, toMs }
      const found = await readActivity(store, wanted)
      const isCsv = chooseFormat(request, reply, query.format) === 'csv'
      const linked = isCsv ? { ...query, format: 'csv' } : query
      const { page, nextCursor, link } = paged(found, {
        limit,
        idOf: (act) => act.act_id,
        path,
        query: linked,
      })
      if (link !== null) reply.header('link', link)
      if (!isCsv) return reply.send({ activity: page, next_cursor: nextCursor })
      return sendCsv(reply, page, await mask())
    },
  })
}
