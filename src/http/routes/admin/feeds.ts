/** /api/v1/admin/feeds: the state of every live feed, and a check of them now. */

import { checkFeeds, corridorsToCheck } from '../../../app/inspect/check-feeds.ts'
import { feedList } from '../../../app/inspect/feed-status.ts'
import type { LiveSource } from '../../../app/ports/signals.ts'
import { parseCurrency, currencyRule } from '../../../core/reference/currency.ts'
import { invalid, sendProblem, type FieldError } from '../../errors.ts'
import { readCorridor } from '../../input/payment.ts'
import { response } from '../../schemas/common.ts'
import { AdminFeeds, FeedCheckBody, FeedChecks } from './schemas.ts'
import type { App } from '../../types.ts'
import { adminOf, adminPath, common, config, errorsOfAction, errorsOfList, type AdminDeps } from './common.ts'

export interface FeedRoutesDeps extends AdminDeps {
  readonly live: LiveSource
}

const path = `${adminPath}/feeds`
/** One after another, each within the deadline of a read, so that the answer comes in time. */
const corridorsMax = 20

export function registerAdminFeeds(app: App, deps: FeedRoutesDeps): void {
  registerStates(app, deps)
  registerCheck(app, deps)
}

function registerStates(app: App, { live }: FeedRoutesDeps): void {
  app.route({
    method: 'GET',
    url: path,
    config,
    schema: {
      ...common,
      operationId: 'adminFeeds',
      summary: 'Show the state of every live feed',
      description: 'As seen by this instance, without values.',
      response: { 200: response(AdminFeeds, 'limited'), ...errorsOfList },
    },
    handler: async () => {
      const { isConfigured, world } = live.current()
      return {
        configured: isConfigured,
        feeds: feedList(live),
        corridors: [...world.corridors.values()].map(({ corridor, partners }) => ({
          corridor: String(corridor),
          partners: partners.map(({ id }) => id),
        })),
      }
    },
  })
}

function registerCheck(app: App, deps: FeedRoutesDeps): void {
  app.route({
    method: 'POST',
    url: `${path}/check`,
    config: { ...config, emptyBody: true },
    schema: {
      ...common,
      operationId: 'checkFeeds',
      summary: 'Read live feeds now, and show the values',
      description: `Asks the providers as a verify would. At most ${corridorsMax} corridors at a time.`,
      body: FeedCheckBody,
      response: { 200: response(FeedChecks, 'limited'), ...errorsOfAction },
    },
    async handler(request, reply) {
      const { partner = null, amount = 1_000, owner_id: ownerId = null } = request.body
      const errors: FieldError[] = []
      const { corridor: named, currency: code } = request.body
      const corridor = named === undefined ? null : readCorridor(named, '/corridor', errors)
      const currency = code === undefined ? null : parseCurrency(code)
      if (code !== undefined && currency === null) errors.push({ path: '/currency', message: currencyRule })
      const feeds = deps.live.current()
      const wanted = corridorsToCheck(feeds, { corridor, partner })
      if (errors.length === 0 && wanted.length === 0)
        errors.push({
          path: partner === null ? '/corridor' : '/partner',
          message: feeds.isConfigured ? 'is not in the feeds file' : 'there is no feeds file',
        })
      if (wanted.length > corridorsMax)
        errors.push({ path: '/corridor', message: `name one: the feeds file has ${wanted.length} corridors` })
      if (errors.length > 0) return sendProblem(reply, invalid(errors))
      // Recorded first: no provider is asked without an entry. Without a feeds file none is asked.
      const { describe } = adminOf(request, deps)
      const act = describe({ kind: 'feeds.checked', subject: corridor ?? '', detail: { corridor, partner } })
      if (feeds.isConfigured) await deps.store.acts.record(act)
      const checks = await checkFeeds(feeds, { corridor, partner, amount, currency, ownerId }, deps.clock)
      return reply.send({
        checks: checks.map((check) => ({ ...check, feeds: check.feeds.map((signal) => ({ ...signal })) })),
      })
    },
  })
}
