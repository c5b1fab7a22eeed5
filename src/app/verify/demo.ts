/** The public demo: the real scorer on simulated signals. Stores nothing. */

import { isSupported, settlementCurrency, type Corridor } from '../../core/reference/corridor.ts'
import type { Currency } from '../../core/reference/currency.ts'
import { decide } from '../../core/decision/decide.ts'
import { currentRevision, demoModel, engineVersion } from '../../core/decision/engine.ts'
import { bestPartner } from '../../core/shadow/partners.ts'
import type { Policy } from '../../core/decision/policy.ts'
import { divergenceOf, viewIn, type ProfileName, type ProfileView } from '../../core/decision/profiles.ts'
import type { RecommendedAction } from '../../core/decision/reasons.ts'
import { simulate, simulatedVolatility } from '../../core/shadow/simulation.ts'
import { scenarioOf } from '../../core/shadow/test-amounts.ts'
import { composeAnswer, validationNote, type StoredAnswer, type Warning } from './answer.ts'
import type { Clock } from '../ports/system.ts'

export interface DemoPayment {
  readonly corridor: Corridor
  readonly amount: number
  readonly currency: Currency
}

interface DemoRequest {
  readonly requestId: string
  readonly correlationId: string | null
  readonly warnings: readonly Warning[]
}

interface DemoAnswer extends Omit<
  StoredAnswer<string>,
  'mode' | 'cooldown' | 'valid_until' | 'settlement_window'
> {
  readonly mode: 'synthetic'
  readonly suggested_path: string
  readonly scoring_framework_version: string
}

interface ProfileComparison {
  readonly scoreHundredths: number
  readonly views: ReadonlyMap<ProfileName, ProfileView>
  readonly divergence: { readonly agree: boolean; readonly summary: string }
  readonly evaluatedAtMs: number
}

export interface Demo {
  /** Test amounts apply, except the one for an outage: the demo never answers 503 for signals. */
  verify(payment: DemoPayment, request: DemoRequest): DemoAnswer
  /** Compares one score with the threshold of each profile. Test amounts do not apply. */
  compare(payment: DemoPayment, profiles: readonly ProfileName[]): ProfileComparison
}

export interface DemoDeps {
  readonly clock: Clock
  readonly policy: Policy
  readonly hasTestAmounts: boolean
}

export function createDemo({ clock, policy, hasTestAmounts }: DemoDeps): Demo {
  return {
    verify(payment, { requestId, correlationId, warnings }) {
      const { corridor, amount } = payment
      const readings = simulate(payment, hasTestAmounts ? scenarioOf(amount) : null)
      const decision = decide({ ...payment, supported: isSupported(corridor), readings, policy })
      const nowMs = clock.nowMs()
      const answer = composeAnswer({
        decision,
        readings,
        source: 'simulation',
        corridor,
        amount,
        currency: payment.currency,
        warnings,
        revision: currentRevision,
        mode: 'shadow',
        requestId,
        correlationId,
        recordedAtMs: nowMs,
        evaluatedAtMs: nowMs,
        validMs: null,
        settlementCurrency: settlementCurrency(corridor),
        volatility: simulatedVolatility(corridor),
        recommendedPartner: bestPartner(corridor, readings),
      })
      return {
        ...answer,
        mode: 'synthetic',
        validation_note: validationNote(corridor, answer.corridor_supported, 'synthetic'),
        decision_model: demoModel,
        suggested_path: suggestedPath[answer.recommended_action](answer.recommended_partner),
        scoring_framework_version: engineVersion,
      }
    },
    compare(payment, profiles) {
      const supported = isSupported(payment.corridor)
      const decision = decide({ ...payment, supported, readings: simulate(payment), policy })
      const views = new Map(profiles.map((profile) => [profile, viewIn(profile, decision)]))
      return {
        scoreHundredths: decision.scoreHundredths,
        views,
        divergence: divergenceOf(views, decision.scoreHundredths),
        evaluatedAtMs: clock.nowMs(),
      }
    },
  }
}

const through = (partner: string | null): string => (partner === null ? '' : ` through ${partner}`)

/** The next step, as a sentence. */
const suggestedPath: Readonly<Record<RecommendedAction, (partner: string | null) => string>> = {
  PROCEED: (partner) => `Send the payment${through(partner)}.`,
  REVIEW: (partner) => `Have a person review it, then send it${through(partner)}.`,
  REROUTE: () => 'Choose another route or another time, and verify again.',
  RETRY_LATER: () => 'Use another partner, or wait for liquidity, and verify again.',
  MANUAL_APPROVAL: (partner) => `Ask for manual approval, then send it${through(partner)}.`,
  CONFIRM_PAYEE: (partner) => `Confirm the payee by hand, then send it${through(partner)}.`,
  BLOCK: () => 'Do not send the payment; escalate it.',
  TREAT_AS_NO_DATA: () => 'Decide by your own rules: there is no data for this corridor.',
}
