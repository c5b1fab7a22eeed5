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

/** How long an answer of the speed profile stays valid; the other profiles set no limit. */
const validForSeconds: Readonly<Partial<Record<ProfileName, number>>> = { optimise_speed: 600 }

export interface ProfileView {
  readonly verdict: Verdict
  readonly recommendedAction: RecommendedAction
  /** `DEGRADED`, or a `GO` that the balanced profile would not give: verify again before execution. */
  readonly recheckRequired: boolean
  readonly validForSeconds: number | null
  /** This `GO` is by the threshold alone: verify gives at most `DEGRADED`, because of the review cap. */
  readonly capNotApplied: boolean
}

/**
 * The decision under another profile. Only thresholds are compared: the block cap, the rule for unsupported corridors and
 * the need of a partner apply; the review cap does not, and neither do floors and rules of policies.
 */
export function viewIn(profile: ProfileName, { scoreHundredths, reasons, evidence }: Decision): ProfileView {
  const gate = evidence.gate === 'block' ? 'block' : 'none'
  const band = bandOf(scoreHundredths, profileGoFloorHundredths[profile])
  const verdict = verdictOf({ ...evidence, band, gate })
  const acting = reasons.filter(
    ({ code }) => code !== 'POLICY_RULE_APPLIED' && (code !== 'POLICY_CAP_APPLIED' || gate === 'block'),
  )
  return {
    verdict,
    recommendedAction: actionOf(verdict, acting),
    recheckRequired: verdict === 'DEGRADED' || (verdict === 'GO' && scoreHundredths < goFloorHundredths),
    validForSeconds: validForSeconds[profile] ?? null,
    capNotApplied: evidence.gate === 'review' && verdict === 'GO',
  }
}

/** Whether the profiles agree, with a one-sentence summary. */
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
    const subject = names.length === 1 ? `The ${names[0]} profile gives` : `${all} profiles give`
    return { agree: true, summary: `${subject} ${verdict} at a score of ${score}.` }
  }
  const parts = [...byVerdict].map(
    ([verdict, names]) => `${joinList(names)} ${names.length === 1 ? 'gives' : 'give'} ${verdict}`,
  )
  return { agree: false, summary: `The profiles differ at a score of ${score}: ${parts.join(', ')}.` }
}
