/** The test amounts: two decimals that choose what the simulated world does, each a press away. */

import { Card } from '../../ui/card.tsx'
import type { Typed } from './payment.ts'

const decimals: readonly (readonly [decimals: string, brings: string])[] = [
  ['00', 'The amount as it is'],
  ['01', 'One open fraud flag'],
  ['02', 'Settlement network degraded'],
  ['03', 'Partner liquidity short'],
  ['04', 'FX volatility high'],
  ['05', 'Operation not valid'],
  ['06', 'Many recent failures'],
  ['07', 'Payee check bypassed'],
  ['08', 'Four signals at once'],
  ['09', 'Two providers out of reach'],
]

/** Those of the amount as the API reads it. */
function decimalsOf(amount: number): string {
  return amount.toFixed(2).slice(-2)
}

export function TestAmounts({
  typed,
  shown,
  recorded,
  onPick,
}: {
  readonly typed: Typed
  /** What the decision on the page was asked for. */
  readonly shown: number | null
  readonly recorded: boolean
  readonly onPick: (amount: string) => void
}) {
  const whole = /^\s*(\d+)/.exec(typed.amount)?.[1] ?? '1000'
  return (
    <Card
      title="Test amounts"
      note="On GB-NG and NG-GB the decimals choose what the simulated world does. Press one to verify it."
    >
      <div className="try-amounts">
        {decimals.map(([two, brings]) => (
          <button
            key={two}
            type="button"
            className="try-amount"
            aria-pressed={shown !== null && decimalsOf(shown) === two}
            onClick={() => onPick(two === '00' ? whole : `${whole}.${two}`)}
          >
            <code>.{two}</code>
            <span>{brings}</span>
          </button>
        ))}
      </div>
      <p className="small soft">
        {recorded
          ? 'With .09 nothing can be decided: the answer is a hold.'
          : 'With a key .09 is a hold, and no decision. The demo ignores it.'}
      </p>
    </Card>
  )
}
