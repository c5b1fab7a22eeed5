/** The three risk profiles: one score, three thresholds for `GO`. */

import { verdictOf, type Decision } from './decide.ts'
import { actionOf, type RecommendedAction } from './reasons.ts'
import { bandOf, goFloorHundredths, type Verdict } from './score.ts'
import { joinList } from '../explain/wording.ts'

export const profileNames = ['conservative', 'balanced', 'optimise_speed'] as const

export type ProfileName = (typeof profileNames)[number]

export const profileGoFloorHundredths: Readonly<Record<ProfileName, number>> = {
  conservative: 85,
  balanced: goFloorHundredths,
  optimise_speed: 70,
}

export const profileLabels: Readonly<Record<ProfileName, string>> = {
  conservative: 'Conservative',
  balanced: 'Balanced',
  optimise_speed: 'Optimise speed',
}

/** How long an answer in the speed profile may be acted on; the others set no bound. */
const validForSeconds: Readonly<Partial<Record<ProfileName, number>>> = { optimise_speed: 600 }

export interface ProfileView {
  readonly verdict: Verdict
  readonly recommendedAction: RecommendedAction
  /** A `DEGRADED`, or a `GO` that the balanced profile would not give: ask again before the money moves. */
  readonly recheckRequired: boolean
  readonly validForSeconds: number | null
}

/**
 * A decision as a profile would have made it. Thresholds alone are compared: the review cap does not act here, the
 * block cap and the rule for unsupported corridors do.
 */
export function viewIn(profile: ProfileName, { scoreHundredths, reasons, evidence }: Decision): ProfileView {
  const gate = evidence.gate === 'block' ? 'block' : 'none'
  const band = bandOf(scoreHundredths, profileGoFloorHundredths[profile])
  const verdict = verdictOf(band, gate, evidence.supported)
  const acting = reasons.filter(({ code }) => code !== 'POLICY_CAP_APPLIED' || gate === 'block')
  return {
    verdict,
    recommendedAction: actionOf(verdict, acting),
    recheckRequired: verdict === 'DEGRADED' || (verdict === 'GO' && scoreHundredths < goFloorHundredths),
    validForSeconds: validForSeconds[profile] ?? null,
  }
}

/** One sentence on where the profiles part, made from what they said. */
export function divergenceOf(views: ReadonlyMap<ProfileName, ProfileView>, scoreHundredths: number) {
  const byVerdict = new Map<Verdict, string[]>()
  for (const [profile, { verdict }] of views) {
    byVerdict.set(verdict, [...(byVerdict.get(verdict) ?? []), profileLabels[profile].toLowerCase()])
  }
  const score = (scoreHundredths / 100).toFixed(2)
  const [first] = byVerdict
  if (first !== undefined && byVerdict.size === 1) {
    const [verdict, names] = first
    const all = names.length === 2 ? 'Both' : `All ${names.length}`
    const who = names.length === 1 ? `The ${names[0]} profile says` : `${all} profiles say`
    return { agree: true, summary: `${who} ${verdict} at a score of ${score}.` }
  }
  const parts = [...byVerdict].map(
    ([verdict, names]) => `${joinList(names)} ${names.length === 1 ? 'says' : 'say'} ${verdict}`,
  )
  return { agree: false, summary: `The profiles differ at a score of ${score}: ${parts.join(', ')}.` }
}
