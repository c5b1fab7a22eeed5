/** How the figures came about and how to read them, from the constants that the scorer uses. */

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

const plainNames: Readonly<Record<SignalName, string>> = {
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
      markup`<tr><th scope="row">${plainNames[name]}</th><td class="number">${weightPercent[name]}%</td></tr>`,
  )
  return markup`<footer aria-labelledby="method-title"><h2 id="method-title">Method and how to read this</h2>
<div class="method"><table class="small"><caption>The seven signals and their weights</caption>
<thead><tr><th scope="col">Signal</th><th scope="col" class="number">Weight</th></tr></thead><tbody>${signals}</tbody></table>
<ul>
<li><b>Score.</b> The weighted sum of seven risk values, each from 0 (worst) to 1 (clear). With ${penaltyFlagCount} or more flagged signals, ${penaltyPercent}% is taken off.</li>
<li><b>Verdict.</b> GO from ${decimal(goFloorHundredths, 2)}, DEGRADED from ${decimal(degradedFloorHundredths, 2)}, NO-GO below.</li>
<li><b>Caps.</b> Above ${withThousands(standardCap.reviewAbove)} units of the row’s currency the verdict is at best DEGRADED, above ${withThousands(standardCap.blockAbove)} it is NO-GO. An operator can set stricter caps for a currency.</li>
<li><b>Corridors.</b> There is data for ${supportedCorridors.join(' and ')}. Any other corridor is DEGRADED whatever its score, and NO-GO above the upper cap.</li>
<li><b>Rounding.</b> Percentages are rounded to one decimal, so a group may add up to 99.9% or 100.1%.</li>
<li><b>Limits.</b> Signals are simulated and the weights are not fitted to outcomes, so alignment describes this file and promises nothing about future payments.</li>
</ul></div>
<p class="soft">Fairway, model version ${modelVersion}. Verdicts are advice on payments of the past; people decide. This page is one file and loads nothing.</p></footer>`
}
