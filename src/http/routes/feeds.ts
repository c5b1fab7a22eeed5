/** GET /api/v1/feeds: the state of every live feed, with its place in the operator's file. */

import { Type } from 'typebox'
import { feedList } from '../../app/inspect/feed-status.ts'
import type { LiveSource } from '../../app/ports/signals.ts'
import type { App } from '../types.ts'
import { callerOf } from '../auth.ts'
import { errorResponses, keyed, named, nullable, response, SignalName } from '../schemas/common.ts'
import { LiveFeedState } from '../schemas/feeds.ts'

const FeedList = named(
  'FeedList',
  Type.Object({
    feeds: Type.Array(
      Type.Object({
        signal: SignalName,
        corridor: nullable(Type.String({ description: 'The corridor that declares it, if it is one.' })),
        partner: nullable(Type.String({ description: 'The partner that declares it, if it is one.' })),
        ...LiveFeedState,
      }),
    ),
  }),
)

export function registerFeeds(app: App, { live }: { readonly live: LiveSource }): void {
  app.route({
    method: 'GET',
    url: '/api/v1/feeds',
    config: { access: { scope: 'decision:read', limit: 'keyed' } },
    schema: {
      operationId: 'liveFeeds',
      tags: ['Intelligence'],
      summary: 'List the live feeds and their states',
      description:
        'As seen by this instance, without values. A GET of a corridor reads its feeds anew. Empty for a test key.',
      security: keyed,
      response: {
        200: response(FeedList, 'limited'),
        ...errorResponses('limited', 400, 401, 403, 429, 500, 503),
      },
    },
    handler: async (request) => ({
      feeds: callerOf(request).mode === 'live' ? feedList(live) : [],
    }),
  })
}
