/** Ranks declared partners for one payment, by the code that decides live. Stores nothing. */

import type { DecideInput } from '../../core/decision/decide.ts'
import { signalNames, type SignalName } from '../../core/decision/signals.ts'
import { leftOutReason } from '../../core/explain/partner-reasons.ts'
import { feeAmount, feeFor } from '../../core/live/fee.ts'
import type { LivePartner } from '../../core/live/world.ts'
import type { PartnersRead, SignalSource, UnavailableSignal } from '../ports/signals.ts'
import type { PoliciesInForce } from '../policy/in-force.ts'
import { rankChoice, tighteningOf } from '../verify/partner-choice.ts'
import { windowAt } from '../verify/settlement-window.ts'

interface RankingCommand extends Pick<DecideInput, 'corridor' | 'amount' | 'currency' | 'policy'> {
  readonly ownerId: string
  readonly policies: PoliciesInForce | null
  readonly atMs: number
  /** Declared partners of the corridor. */
  readonly partners: readonly LivePartner[]
}

export type LiveRanking =
  | { readonly kind: 'ranked'; readonly recommended: string | null; readonly rows: ReturnType<typeof rowsOf> }
  | {
      readonly kind: 'unavailable'
      readonly signals: readonly UnavailableSignal[]
      readonly withoutFeed: readonly SignalName[]
    }

export async function rankLive(live: SignalSource, command: RankingCommand): Promise<LiveRanking> {
  const { ownerId, corridor, amount, currency, partners } = command
  const ids = partners.map(({ id }) => id)
  const report = await live.read({ ownerId, corridor, amount, currency, partners: ids })
  if (report.kind === 'partners') {
    const rows = rowsOf(report, command)
    const [best] = rows
    const isFit = best !== undefined && best.decision !== 'NO-GO' && !report.isTooLarge
    return { kind: 'ranked', recommended: isFit ? best.partner : null, rows }
  }
  const signals = report.kind === 'unavailable' ? report.signals : signalNames
  const feeds = live.signalsOf(corridor)
  const withoutFeed = signalNames.filter((signal) => signals.includes(signal) && !feeds.includes(signal))
  return { kind: 'unavailable', signals: signals.toSorted(), withoutFeed }
}

/** Ranked partners first, then those that were left out. */
function rowsOf(report: PartnersRead, command: RankingCommand) {
  const { corridor, amount, currency, policy, partners, policies, atMs } = command
  const { telemetry = null } = report
  const isCalendarOpen = windowAt(report.corridor, atMs).window?.open ?? null
  const tightening = tighteningOf(report, { policies, mode: 'live', isCalendarOpen, atMs })
  const ranked = rankChoice(report, { corridor, amount, currency, policy, telemetry, tightening })
  const rowOf = (id: string) => {
    const rule = partners.find((partner) => partner.id === id)?.fee ?? null
    const fee = feeFor(rule, amount, currency)
    return { partner: id, fee: fee === null ? null : feeAmount(fee), fee_currency: rule?.currency ?? null }
  }
  return [
    ...ranked.map(({ read, decision }) => ({
      ...rowOf(read.partner),
      decision: decision.verdict,
      score: decision.scoreHundredths / 100,
      recommended_action: decision.recommendedAction,
      available: !report.isTooLarge,
      unavailable_signals: [],
      unavailable_reason: report.isTooLarge
        ? leftOutReason({ amountMax: read.amountMax, unavailable: [] })
        : null,
    })),
    ...report.leftOut.map((one) => ({
      ...rowOf(one.partner),
      decision: null,
      score: null,
      recommended_action: null,
      available: false,
      unavailable_signals: [...one.signals],
      unavailable_reason: leftOutReason({ amountMax: one.amountMax, unavailable: one.signals }),
    })),
  ].map((row, place) => ({ rank: place + 1, ...row }))
}
