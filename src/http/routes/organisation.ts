/** GET /api/v1/organisation/settings: of the calling key, and of no other. */

import { Type } from 'typebox'
import { createOrganisation, type OrganisationDeps } from '../../app/inspect/organisation.ts'
import { scopes } from '../../core/identity/api-key.ts'
import type { App } from '../types.ts'
import { callerOf } from '../auth.ts'
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
    live_mode: Type.Boolean({ description: 'A live key, and a feed for every signal.' }),
  },
  { description: 'What this key may use.' },
)

const Settings = named(
  'OrganisationSettings',
  Type.Object(
    {
      organisation: Type.String({ description: 'The label that the key was issued with.' }),
      key: Type.Object({
        key_id: Type.String(),
        type: Type.Enum(['test', 'sandbox', 'live']),
        environment: Type.Enum(['sandbox', 'production']),
        created_at: Timestamp,
        expires_at: nullable(Timestamp),
      }),
      corridors: Type.Object({
        permitted: Type.Array(Type.String(), {
          description: 'Those that are validated; any other is answered with DEGRADED.',
        }),
      }),
      features: Features,
      audit_users: Type.Array(
        Type.Object({
          role: Type.String(),
          scope: Type.Enum([...scopes]),
          description: Type.String(),
          granted: Type.Boolean({ description: 'Whether this key has the scope.' }),
        }),
        { description: 'Roles, by the scope that each needs.' },
      ),
      rate_limits: Type.Object({ verify: Limit, batch: Limit, other: Limit }),
      usage: Type.Object({
        verifications_this_key: Type.Integer({
          minimum: 0,
          description: 'Decisions recorded with this key.',
        }),
      }),
    },
    { description: 'As they are in force for the key that asks.' },
  ),
)

export function registerOrganisation(app: App, deps: OrganisationDeps): void {
  const settingsOf = createOrganisation(deps)
  app.route({
    method: 'GET',
    url: '/api/v1/organisation/settings',
    config: { access: { scope: null, limit: 'keyed' } },
    schema: {
      operationId: 'organisationSettings',
      tags: ['Service'],
      summary: 'What the calling key may do, how often, and how much it has done',
      security: keyed,
      response: {
        200: response(Settings, 'limited'),
        ...errorResponses('limited', 401, 429, 500, 503),
      },
    },
    handler: (request) => settingsOf(callerOf(request)),
  })
}
