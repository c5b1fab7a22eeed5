/** The test amounts: decimals that select a simulated condition. */

import { Card } from '../../ui/card.tsx'
import type { Typed } from './payment.ts'

const decimals: readonly (readonly [decimals: string, condition: string])[] = [
  ['00', 'No simulated condition'],
  ['01', 'One open fraud flag'],
  ['02', 'Settlement network degraded'],
  ['03', 'Partner liquidity short'],
  ['04', 'FX volatility high'],
  ['05', 'Operation invalid'],
  ['06', 'Many recent failures'],
  ['07', 'Payee check bypassed'],
  ['08', 'Four signals flagged'],
  ['09', 'Two providers unavailable'],
]

/** The two decimals of an amount, as the API reads it. */
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
  /** The amount of the decision on the page. */
  readonly shown: number | null
  readonly recorded: boolean
  readonly onPick: (amount: string) => void
}) {
  const integerPart = /^\s*(\d+)/.exec(typed.amount)?.[1] ?? '1000'
  return (
    <Card
      title="Test amounts"
      note="On GB-NG and NG-GB, the decimals of the amount select a simulated condition. Select one to verify it."
    >
      <div className="try-amounts">
        {decimals.map(([two, condition]) => (
          <button
            key={two}
            type="button"
            className="try-amount"
            aria-pressed={shown !== null && decimalsOf(shown) === two}
            onClick={() => onPick(two === '00' ? integerPart : `${integerPart}.${two}`)}
          >
            <code>.{two}</code>
            <span>{condition}</span>
          </button>
        ))}
      </div>
      <p className="small soft">
        {recorded
          ? '.09 results in a hold: no decision can be made.'
          : 'With a key, .09 results in a hold. The demo ignores it.'}
      </p>
    </Card>
  )
}
