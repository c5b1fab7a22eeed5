/** GET /api/v1/status/signals and GET /api/v1/cip/status: signal feeds and the Corridor Intelligence Platform. */

import { Type } from 'typebox'
import { singleFlight } from '../../app/operate/single-flight.ts'
import { cipStatus } from '../../app/cip/status.ts'
import { createFeedStatus, type FeedStatusDeps } from '../../app/inspect/feed-status.ts'
import type { App } from '../types.ts'
import {
  named,
  errorResponses,
  Mode,
  nullable,
  response,
  SignalLabel,
  SignalName,
  Timestamp,
} from '../schemas/common.ts'
import { LiveFeedState } from '../schemas/feeds.ts'
import { SignalCategory, SignalOrigin } from '../schemas/intelligence.ts'

const feed = { feed: Type.String(), signal: SignalName, category: SignalCategory }

const Observation = named(
  'Observation',
  Type.Object({
    corridor: Type.String(),
    observed_at: Timestamp,
    risk_value: Type.Number({ minimum: 0, maximum: 1 }),
    label: SignalLabel,
  }),
)

const SignalStatus = named(
  'SignalStatus',
  Type.Object(
    {
      available: Type.Object({
        feeds: Type.Array(
          Type.Object({
            ...feed,
            source: SignalOrigin,
            last_observation: nullable(Observation),
            observations: Type.Array(Observation, {
              description: 'The latest observation of each corridor, newest first.',
            }),
            live: nullable(
              Type.Object(LiveFeedState, {
                description: 'The state on this instance; of several feeds for the signal, of the worst.',
              }),
            ),
          }),
        ),
      }),
      roadmap: Type.Object({ feeds: Type.Array(Type.Object({ ...feed, description: Type.String() })) }),
      modes: Type.Array(Mode, { description: 'The modes that decide now.' }),
      environment: Type.Enum(['sandbox', 'production'], {
        description: 'That of every public answer, `sandbox`; `modes` has what is possible.',
      }),
      last_updated: Type.String({ format: 'date', description: 'YYYY-MM-DD, UTC.' }),
    },
    { description: 'Available feeds with their latest observations, and planned feeds.' },
  ),
)

export const CipStatus = named(
  'CipStatus',
  Type.Object(
    {
      phase: Type.Integer({
        minimum: 0,
        maximum: 3,
        description: '0 telemetry only, 1 sandbox coverage, 2 production signals, 3 full network.',
      }),
      state: Type.Enum(['telemetry_only', 'scoring_passive', 'scoring_active']),
      decision_influence: Type.Boolean({ description: 'False: no telemetry affects any decision.' }),
      supported_for_decisioning: Type.Boolean(),
      confidence: Type.Enum(['experimental', 'provisional', 'validated']),
      last_updated: Type.String({
        format: 'date-time',
        description: 'When this state was entered. Only a formal transition changes it.',
      }),
      observations_collected: Type.Integer({
        minimum: 0,
        description: 'Number of stored observations of the active adapter.',
      }),
      blend_weight: Type.Number({ minimum: 0, maximum: 1, description: 'Share of a live score.' }),
      blend_suspended: nullable(
        Type.Object(
          { blend_weight: Type.Number({ minimum: 0, maximum: 1 }), reason: Type.String() },
          { description: 'A weight that was set and counts as 0, because observations are simulated.' },
        ),
      ),
      escalation_enabled: Type.Boolean(),
      active_adapters: Type.Array(Type.String()),
      governed_by: Type.String({ description: 'The latest formal change.' }),
    },
    { description: 'The status of the Corridor Intelligence Platform.' },
  ),
)

export interface PlatformDeps extends FeedStatusDeps {
  readonly setup: { readonly probeEveryMs: number }
}

export function registerPlatform(app: App, deps: PlatformDeps): void {
  const { store, clock, setup, live } = deps
  const feeds = singleFlight(createFeedStatus(deps))
  const state = singleFlight(async () => {
    const scope = live.scope()
    return { scope, state: await store.cip.state(scope) }
  })
  app.route({
    method: 'GET',
    url: '/api/v1/status/signals',
    schema: {
      operationId: 'signalStatus',
      tags: ['Service'],
      summary: 'Get the status of the signal feeds',
      response: { 200: response(SignalStatus, 'free'), ...errorResponses('free', 400, 500, 503) },
    },
    handler: () => feeds(),
  })
  app.route({
    method: 'GET',
    url: '/api/v1/cip/status',
    schema: {
      operationId: 'cipStatus',
      tags: ['Service'],
      summary: 'Get the status of the Corridor Intelligence Platform',
      response: { 200: response(CipStatus, 'free'), ...errorResponses('free', 400, 500, 503) },
    },
    async handler() {
      const current = await state()
      return cipStatus(current.state, current.scope, setup.probeEveryMs > 0, clock.nowMs())
    },
  })
}
