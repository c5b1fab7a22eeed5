/** The three risk profiles: one score, three thresholds for `GO`. */

import { goFloorHundredths } from './score.ts'

export const profileNames = ['conservative', 'balanced', 'optimise_speed'] as const

export type ProfileName = (typeof profileNames)[number]

export const profileGoFloorHundredths: Readonly<Record<ProfileName, number>> = {
  conservative: 85,
  balanced: goFloorHundredths,
  optimise_speed: 70,
}
