/** The corridors and partners of live mode, as an operator declares them. */

import {
  corridorCurrencies,
  settlementCurrency,
  supportedCorridors,
  type Corridor,
} from '../reference/corridor.ts'
import type { Currency } from '../reference/currency.ts'
import type { SettlementCalendar } from './calendar.ts'
import type { FeeRule } from './fee.ts'

export interface LivePartner {
  readonly id: string
  /** For display. */
  readonly name: string
  readonly fee: FeeRule | null
  /** The largest payment that it takes, in units of the payment's currency. */
  readonly amountMax: number | null
}

export interface LiveCorridor {
  readonly corridor: Corridor
  readonly settlementCurrency: Currency | null
  readonly currencies: readonly Currency[]
  /** In the order of their ids. Empty: the corridor's signals alone decide. */
  readonly partners: readonly LivePartner[]
  /** The name that a corridor without declared partners recommends. */
  readonly recommendedPartner: string | null
  readonly calendar: SettlementCalendar | null
}

export interface World {
  readonly corridors: ReadonlyMap<Corridor, LiveCorridor>
  /** Partners whose scores differ by no more than this from the best compete by their fees. */
  readonly toleranceHundredths: number
}

/** A corridor with the contract's currencies, as every one has unless the file says otherwise. */
export function undeclaredCorridor(corridor: Corridor, recommendedPartner: string | null): LiveCorridor {
  return {
    corridor,
    settlementCurrency: settlementCurrency(corridor),
    currencies: [...new Set(corridorCurrencies(corridor))].filter((currency) => currency !== null),
    partners: [],
    recommendedPartner,
    calendar: null,
  }
}

/** The contract's corridors: the world of a file that declares none. */
export function contractWorld(recommended: Readonly<Record<string, string>> = {}): World {
  const corridors = supportedCorridors.map(
    (corridor) => [corridor, undeclaredCorridor(corridor, recommended[corridor] ?? null)] as const,
  )
  return { corridors: new Map(corridors), toleranceHundredths: 0 }
}
