/** The stages in plain words. */

import type { AdminCip } from '@fairway/client'

export type Stage = AdminCip['stage']

export const stageNames: Readonly<Record<Stage, string>> = {
  telemetry_only: 'Telemetry only',
  scoring_passive: 'Passive scoring',
  provisional: 'Provisional',
  validated: 'Validated',
}

export const stageMeanings: Readonly<Record<Stage, string>> = {
  telemetry_only: 'Corridors are observed. No decision is affected.',
  scoring_passive: 'Telemetry is scored beside decisions. No decision is affected.',
  provisional: 'Telemetry is a small part of live scores. Needs the quality gate.',
  validated: 'Telemetry is a larger part of live scores. Needs the quality gate and 14 days as provisional.',
}
