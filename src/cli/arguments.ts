/** What people type, read strictly: what is not clear is refused before anything is done. */

import { InvalidArgumentError, type Command } from 'commander'

/** More digits than these, and the number that is sent would not be the one that was typed. */
const digitsMax = 15

/** A plain decimal number: no separators, no exponent, no sign. */
export function parseAmount(text: string): number {
  if (!/^\d+(?:\.\d+)?$/.test(text)) {
    throw new InvalidArgumentError('It is a plain number, like 1000 or 1000.50, without separators.')
  }
  const digits = text.replace('.', '').replace(/^0+/, '')
  if (digits.length > digitsMax) throw new InvalidArgumentError(`It has at most ${digitsMax} digits.`)
  return Number(text)
}

/** As it was typed, too: of a very small number JavaScript writes what we would not take. */
export interface TypedAmount {
  readonly text: string
  readonly amount: number
}

export function parseTypedAmount(text: string): TypedAmount {
  return { text, amount: parseAmount(text) }
}

/** A currency is that of an amount: where a script has not set the one, nothing is asked without it. */
export function refuseLoneCurrency(
  command: Command,
  amount: number | undefined,
  currency: string | undefined,
): void {
  if (amount === undefined && currency !== undefined) {
    command.error('error: --currency is given without an amount, and nothing was asked')
  }
}

export function parseCount(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It is a whole number from 1.')
  return Number(text)
}

/** One of some words, in capital letters or small ones. */
export function oneOf<Word extends string>(words: readonly Word[]): (text: string) => Word {
  return (text) => {
    const word = words.find((one) => one === text || one === text.toUpperCase())
    if (word === undefined) throw new InvalidArgumentError(`It is one of ${words.join(', ')}.`)
    return word
  }
}

/** One line of at most so many characters, without the spaces around it. */
export function plainText(lengthMax: number): (text: string) => string {
  const form = new RegExp(`^[^\\p{Cc}]{1,${lengthMax}}$`, 'u')
  return (text) => {
    const trimmed = text.trim()
    if (!form.test(trimmed)) throw new InvalidArgumentError(`It has 1 to ${lengthMax} plain characters.`)
    return trimmed
  }
}

/** `a,b, c` */
export function parseList(text: string): string[] {
  const items = text.split(',').map((one) => one.trim())
  if (items.includes('')) throw new InvalidArgumentError('It is a list with commas between, like a,b.')
  return items
}

/** Only what was given: the server has its own word for what is left out. */
export function given<Members extends Readonly<Record<string, unknown>>>(
  members: Members,
): { [Name in keyof Members]?: Exclude<Members[Name], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Members]?: Exclude<Members[Name], undefined>
  }
}
