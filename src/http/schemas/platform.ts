/** Schema of the status of the Corridor Intelligence Platform. */

import { Type } from 'typebox'
import { named, nullable } from './common.ts'

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
