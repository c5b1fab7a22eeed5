/** The payment that partners are ranked for: as the address has it, and as the API takes it. */

import { InvalidRequestError, type PartnerRankingRequest } from '@fairway/client'

export interface Asked {
  readonly corridor: string
  readonly amount: string
  readonly currency: string
  readonly partners: readonly string[]
}

/** The partners are those of the simulation: made up, and the same for everyone. */
const opening: Asked = {
  corridor: 'GB-NG',
  amount: '1000',
  currency: 'GBP',
  partners: ['sim-partner-alder', 'sim-partner-birch', 'sim-partner-cedar'],
}

export const linesOf = (text: string): readonly string[] =>
  text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]))

export function askedIn(address: URLSearchParams): Asked {
  const partners = address.getAll('partner')
  return {
    corridor: address.get('corridor') ?? opening.corridor,
    amount: address.get('amount') ?? opening.amount,
    currency: address.get('currency') ?? opening.currency,
    partners: partners.length === 0 ? opening.partners : partners,
  }
}

/** What JSON can carry; all else is for the server to judge. */
export function requestOf({ corridor, amount, currency, partners }: Asked): PartnerRankingRequest {
  const isGiven = amount.trim() !== ''
  if (isGiven && Number.isNaN(Number(amount))) {
    const message = 'must be a plain number, like 1234.56'
    throw new InvalidRequestError(message, { errors: [{ path: '/amount', message }] })
  }
  return {
    corridor,
    partners: [...partners],
    ...(isGiven && { amount: Number(amount) }),
    ...(currency.trim() !== '' && { currency }),
  }
}

/** What is wrong with the names, each told by its place in the list. */
export function partnersError(error: unknown): string | undefined {
  if (!(error instanceof InvalidRequestError)) return undefined
  const named = (path: string): string => {
    const [, place] = /^\/partners\/(\d+)$/.exec(path) ?? []
    return place === undefined ? 'The list' : `Name ${Number(place) + 1}`
  }
  const found = error.errors.filter(({ path }) => path.startsWith('/partners'))
  const told = found.map(({ path, message }) => {
    const plain = message.replaceAll(/\/partners\/\d+/g, (other) => named(other).toLowerCase())
    return `${named(path)} ${plain}.`
  })
  return told.length === 0 ? undefined : told.join(' ')
}
