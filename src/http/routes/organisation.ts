/** GET /api/v1/organisation/settings: the settings of the calling key only. */

import { Type } from 'typebox'
import { createOrganisation, type OrganisationDeps } from '../../app/inspect/organisation.ts'
import { scopes } from '../../core/identity/api-key.ts'
import type { App } from '../types.ts'
import { anyCallerOf } from '../auth.ts'
import { named, errorResponses, keyed, nullable, response, Timestamp } from '../schemas/common.ts'

const Limit = named('RateLimit', Type.Object({ requests: Type.Integer(), window_seconds: Type.Number() }))

const Features = Type.Object(
  {
    verify: Type.Boolean(),
    batch_assessment: Type.Boolean(),
    partner_ranking: Type.Boolean(),
    decision_intelligence: Type.Boolean(),
    outcomes: Type.Boolean(),
    audit: Type.Boolean(),
    audit_export: Type.Boolean(),
    overrides: Type.Boolean(),
    webhooks: Type.Boolean(),
    test_amounts: Type.Boolean(),
    live_mode: Type.Boolean({ description: 'True for a live key if every signal has a feed.' }),
  },
  { description: 'The features that this key may use.' },
)

const Settings = named(
  'OrganisationSettings',
  Type.Object(
    {
      organisation: Type.String({ description: 'The label assigned to the key when it was issued.' }),
      key: Type.Object({
        key_id: Type.String(),
        type: Type.Enum(['test', 'sandbox', 'live']),
        environment: Type.Enum(['sandbox', 'production']),
        created_at: Timestamp,
        expires_at: nullable(Timestamp),
      }),
      corridors: Type.Object({
        permitted: Type.Array(Type.String(), {
          description: 'The validated corridors. Any other corridor has no data and is never GO.',
        }),
      }),
      open_cooldowns: Type.Array(
        Type.Object({
          corridor: Type.String(),
          source_request_id: Type.String(),
          expires_at: Timestamp,
        }),
        { description: 'Corridors on which verify repeats a NO-GO, in the mode of the key. At most 100.' },
      ),
      features: Features,
      audit_users: Type.Array(
        Type.Object({
          role: Type.String(),
          scope: Type.Enum([...scopes]),
          description: Type.String(),
          granted: Type.Boolean({ description: 'Whether this key has the scope.' }),
        }),
        { description: 'Roles and the scope that each requires.' },
      ),
      rate_limits: Type.Object({ verify: Limit, batch: Limit, other: Limit }),
      usage: Type.Object({
        verifications_this_key: Type.Integer({
          minimum: 0,
          description: 'Number of decisions recorded with this key.',
        }),
      }),
    },
    { description: 'The settings in force for the calling key.' },
  ),
)

export function registerOrganisation(app: App, deps: OrganisationDeps): void {
  const settingsOf = createOrganisation(deps)
  app.route({
    method: 'GET',
    url: '/api/v1/organisation/settings',
    config: { access: { scope: null, limit: 'keyed', callers: 'keys' } },
    schema: {
      operationId: 'organisationSettings',
      tags: ['Service'],
      summary: 'Get the permissions, limits and usage of the calling key',
      security: keyed,
      response: {
        200: response(Settings, 'limited'),
        ...errorResponses('limited', 401, 403, 429, 500, 503),
      },
    },
    handler(request) {
      const { key } = anyCallerOf(request)
      if (key === null) throw new Error('the settings of a key were asked for without one')
      return settingsOf(key)
    },
  })
}
