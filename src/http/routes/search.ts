/** GET /api/v1/search: finds an id of any kind, or the decisions of a correlation id. */

import { createSearch, type SearchDeps } from '../../app/inspect/search.ts'
import type { App } from '../types.ts'
import { callerOf } from '../auth.ts'
import { errorResponses, keyed, response } from '../schemas/common.ts'
import { SearchQuery, SearchResults } from '../schemas/records.ts'

export function registerSearch(app: App, deps: SearchDeps): void {
  const search = createSearch(deps)
  app.route({
    method: 'GET',
    url: '/api/v1/search',
    config: { access: { scope: 'decision:read', limit: 'keyed' } },
    schema: {
      operationId: 'search',
      tags: ['Records'],
      summary: 'Find an id or a correlation id',
      description:
        'Finds one id exactly: of a decision, override, outcome, review, event, policy, backtest, kept report or webhook; or the newest ten decisions with a correlation id. Only what the caller may read: reviews, policies with their backtests, and webhooks need their scopes, and an id of another owner is unknown. Not part of the original contract.',
      security: keyed,
      querystring: SearchQuery,
      response: {
        200: response(SearchResults, 'limited'),
        ...errorResponses('limited', 400, 401, 403, 429, 500, 503),
      },
    },
    async handler(request) {
      const text = request.query.q.trim()
      return { results: text === '' ? [] : await search(callerOf(request), text) }
    },
  })
}
