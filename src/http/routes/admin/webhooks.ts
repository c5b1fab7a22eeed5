/** /api/v1/admin/webhooks: the endpoints of all owners, and how they are doing. */

import type { Store } from '../../../app/ports/store.ts'
import type { Webhook } from '../../../app/ports/webhooks.ts'
import { isWebhookId } from '../../../core/events/webhook.ts'
import { invalid, sendProblem } from '../../errors.ts'
import { cursorRule, linkToNext, readCursor } from '../../input/paging.ts'
import { limits } from '../../limits.ts'
import { response } from '../../schemas/common.ts'
import { AdminWebhookList, AdminWebhookQuery } from './schemas.ts'
import type { App } from '../../types.ts'
import { withHealth } from '../webhooks.ts'
import { adminPath, common, config, errorsOfList, linkHeader, type AdminDeps } from './common.ts'

const path = `${adminPath}/webhooks`
const runSize = 100
/** Endpoints that one request looks at; a filter may leave a page short, and its cursor goes on. */
const readMax = 200

export function registerAdminWebhooks(app: App, { store, clock }: AdminDeps): void {
  app.route({
    method: 'GET',
    url: path,
    config,
    schema: {
      ...common,
      operationId: 'adminWebhooks',
      summary: 'List the endpoints of all owners',
      description:
        'A page may be short: follow `next_cursor` until there is none. For the deliveries of an endpoint, name its owner in the header `X-Fairway-Owner`.',
      querystring: AdminWebhookQuery,
      response: { 200: response(AdminWebhookList, 'limited', linkHeader), ...errorsOfList },
    },
    async handler(request, reply) {
      const { query } = request
      const { limit = limits.historyPageDefault, cursor, state, q = '' } = query
      const after = cursor === undefined ? '' : readCursor(cursor)
      if (cursor !== undefined && !isWebhookId(after))
        return sendProblem(reply, invalid([{ path: '/cursor', message: cursorRule }]))
      const read = await readSome(store, { after, limit, isWanted: (one) => isAbout(one, q.trim()), state })
      if (read.next !== null) reply.header('link', linkToNext(path, query, read.next))
      const ownerIds = [...new Set(read.found.map(({ webhook }) => webhook.ownerId))]
      const owners = await Promise.all(ownerIds.map((id) => store.keys.findOwner(id, clock.nowMs())))
      const nameOf = new Map(owners.flatMap((owner) => (owner === null ? [] : [[owner.ownerId, owner.name]])))
      return reply.send({
        webhooks: read.found.map(({ webhook, view }) => ({
          ...view,
          owner_id: webhook.ownerId,
          owner: nameOf.get(webhook.ownerId) ?? '',
        })),
        next_cursor: read.next === null ? null : Buffer.from(read.next).toString('base64url'),
      })
    },
  })
}

const isAbout = ({ webhookId, ownerId, url }: Webhook, text: string): boolean =>
  webhookId === text || ownerId === text || url.toLowerCase().includes(text.toLowerCase())

interface Wanted {
  readonly after: string
  readonly limit: number
  readonly isWanted: (webhook: Webhook) => boolean
  readonly state: string | undefined
}

async function readSome(store: Store, { after, limit, isWanted, state }: Wanted) {
  const found: { webhook: Webhook; view: Awaited<ReturnType<typeof withHealth>> }[] = []
  let last = after
  for (let read = 0; read < readMax; read += runSize) {
    const run = await store.endpoints.list(last, runSize)
    for (const webhook of run) {
      if (found.length === limit) return { found, next: last }
      last = webhook.webhookId
      if (!isWanted(webhook)) continue
      const view = await withHealth(store, webhook)
      if (state === undefined || view.health.state === state) found.push({ webhook, view })
    }
    if (run.length < runSize) return { found, next: null }
  }
  return { found, next: last }
}
