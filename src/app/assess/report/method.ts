/** The method section, built from the constants of the scorer. */

import { supportedCorridors } from '../../../core/reference/corridor.ts'
import { standardCap } from '../../../core/decision/policy.ts'
import {
  degradedFloorHundredths,
  goFloorHundredths,
  penaltyFlagCount,
  penaltyPercent,
} from '../../../core/decision/score.ts'
import { signalNames, weightPercent, type SignalName } from '../../../core/decision/signals.ts'
import { withThousands } from '../../../core/explain/wording.ts'
import { decimal } from './formats.ts'
import { markup, type Markup } from './markup.ts'

const signalLabels: Readonly<Record<SignalName, string>> = {
  fraud_flags: 'Fraud and AML flags',
  network_healthy: 'Health of the settlement network',
  balance_sufficient: 'Partner liquidity',
  fx_volatility: 'FX spread and volatility',
  operation_valid: 'Validity of the operation',
  historical_failure_rate: 'Recent failure rate',
  cop_overridden: 'Confirmation of Payee',
}

export function methodFooter(modelVersion: string): Markup {
  const signals = signalNames.map(
    (name) =>
      markup`<tr><th scope="row">${signalLabels[name]}</th><td class="number">${weightPercent[name]}%</td></tr>`,
  )
  return markup`<footer aria-labelledby="method-title"><h2 id="method-title">Method</h2>
<div class="method"><table class="small"><caption>The seven signals and their weights</caption>
<thead><tr><th scope="col">Signal</th><th scope="col" class="number">Weight</th></tr></thead><tbody>${signals}</tbody></table>
<ul>
<li><b>Score.</b> The weighted sum of the health of seven signals, each from 0 (worst) to 1 (best). With ${penaltyFlagCount} or more flagged signals, the score is reduced by ${penaltyPercent}%.</li>
<li><b>Decision.</b> GO from ${decimal(goFloorHundredths, 2)}, DEGRADED from ${decimal(degradedFloorHundredths, 2)}, NO-GO below.</li>
<li><b>Caps.</b> Above ${withThousands(standardCap.reviewAbove)} units of the row’s currency the decision is at best DEGRADED, above ${withThousands(standardCap.blockAbove)} it is NO-GO. An operator can set stricter caps for a currency.</li>
<li><b>Corridors.</b> Data is available for ${supportedCorridors.join(' and ')}. Any other corridor is DEGRADED regardless of its score, and NO-GO above the upper cap.</li>
<li><b>Rounding.</b> Percentages are rounded to one decimal, so a group may add up to 99.9% or 100.1%.</li>
<li><b>Limits.</b> Signals are simulated and the weights are not fitted to outcomes, so alignment and reliability describe this file only and do not predict future payments.</li>
</ul></div>
<p class="soft">Fairway, model version ${modelVersion}. These decisions are advice on past payments; people make the final decision. This page is a single file and loads nothing else.</p></footer>`
}
