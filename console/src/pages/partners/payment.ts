/** The input of a partner ranking, in the URL and as an API request. */

import { InvalidRequestError, type PartnerRankingRequest } from '@fairway/client'
import { amountIn } from '../../typed-amount.ts'
import type { SupportedCorridor } from '../../supported.tsx'

export interface RankingInput {
  readonly corridor: string
  readonly amount: string
  readonly currency: string
  readonly partners: readonly string[]
}

/** The sample partners exist only in the simulation. */
const initial: RankingInput = {
  corridor: 'GB-NG',
  amount: '1000',
  currency: 'GBP',
  partners: ['sim-partner-alder', 'sim-partner-birch', 'sim-partner-cedar'],
}

export const linesOf = (text: string): readonly string[] =>
  text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]))

export function inputIn(address: URLSearchParams): RankingInput {
  const partners = address.getAll('partner')
  return {
    corridor: address.get('corridor') ?? initial.corridor,
    amount: address.get('amount') ?? initial.amount,
    currency: address.get('currency') ?? initial.currency,
    partners: partners.length === 0 ? initial.partners : partners,
  }
}

export const partnersMin = 2

/** The corridor of the address if it is declared, or the first that can be ranked; all its partners by default. */
export function liveInputIn(address: URLSearchParams, corridors: readonly SupportedCorridor[]): RankingInput {
  const chosen =
    corridors.find(({ corridor }) => corridor === address.get('corridor')?.toUpperCase()) ??
    corridors.find(({ partners }) => partners.length >= partnersMin)
  const named = address.getAll('partner')
  const ids = (chosen?.partners ?? []).map(({ partner }) => partner)
  return {
    corridor: chosen?.corridor ?? '',
    amount: address.get('amount') ?? initial.amount,
    currency: currencyIn(chosen, address.get('currency')),
    partners: named.length === 0 ? ids : ids.filter((id) => named.includes(id)),
  }
}

/** The wanted currency if the corridor has it. */
export function currencyIn(corridor: SupportedCorridor | undefined, wanted: string | null): string {
  const currencies = corridor?.currencies ?? []
  return currencies.find((one) => one === (wanted ?? initial.currency)) ?? currencies[0] ?? ''
}

/** Checks only that the amount is a number; the server validates the rest. */
export function requestOf({
  corridor,
  amount: typed,
  currency,
  partners,
}: RankingInput): PartnerRankingRequest {
  const amount = amountIn(typed)
  return {
    corridor,
    partners: [...partners],
    ...(amount !== undefined && { amount }),
    ...(currency.trim() !== '' && { currency }),
  }
}

/** The errors of the partner names, each by its position in the list. */
export function partnersError(error: unknown): string | undefined {
  if (!(error instanceof InvalidRequestError)) return undefined
  const nameOf = (path: string): string => {
    const [, index] = /^\/partners\/(\d+)$/.exec(path) ?? []
    return index === undefined ? 'The list' : `Name ${Number(index) + 1}`
  }
  const faults = error.errors.filter(({ path }) => path.startsWith('/partners'))
  const messages = faults.map(({ path, message }) => {
    const plain = message.replaceAll(/\/partners\/\d+/g, (other) => nameOf(other).toLowerCase())
    return `${nameOf(path)} ${plain}.`
  })
  return messages.length === 0 ? undefined : messages.join(' ')
}
