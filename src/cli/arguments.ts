/** Strict parsers for command-line arguments: ambiguous input is rejected before the command runs. */

import { InvalidArgumentError, type Command } from 'commander'
import { parseIsoTime } from '../core/time/iso-time.ts'

/** A double holds 15 decimal digits exactly; with more, the number sent could differ from the one typed. */
const digitsMax = 15

/** A decimal number, plain or with a comma before each three digits: no exponent, no sign. */
export function parseAmount(text: string): number {
  if (!/^(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?$/.test(text)) {
    throw new InvalidArgumentError('Expected a plain number, such as 1000, 1,000 or 1000.50.')
  }
  const number = text.replaceAll(',', '')
  const digits = number.replace('.', '').replace(/^0+/, '')
  if (digits.length > digitsMax) throw new InvalidArgumentError(`Expected at most ${digitsMax} digits.`)
  return Number(number)
}

/** Keeps the typed text: JavaScript prints very small numbers with an exponent, which `parseAmount` rejects. */
export interface TypedAmount {
  readonly text: string
  readonly amount: number
}

export function parseTypedAmount(text: string): TypedAmount {
  return { text, amount: parseAmount(text) }
}

/** Rejects a currency without an amount: the script that built the command probably has an unset variable. */
export function refuseLoneCurrency(
  command: Command,
  amount: number | undefined,
  currency: string | undefined,
): void {
  if (amount === undefined && currency !== undefined) {
    command.error('error: --currency requires an amount; no request was sent')
  }
}

export function parseCount(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('Expected a whole number of at least 1.')
  return Number(text)
}

/** One of a fixed set of words, in upper or lower case. */
export function oneOf<Word extends string>(words: readonly Word[]): (text: string) => Word {
  return (text) => {
    const word = words.find((one) => one === text || one === text.toUpperCase())
    if (word === undefined) throw new InvalidArgumentError(`Expected one of ${words.join(', ')}.`)
    return word
  }
}

/** One line of at most `lengthMax` characters, trimmed. */
export function plainText(lengthMax: number): (text: string) => string {
  const form = new RegExp(`^[^\\p{Cc}]{1,${lengthMax}}$`, 'u')
  return (text) => {
    const trimmed = text.trim()
    if (!form.test(trimmed))
      throw new InvalidArgumentError(`Expected 1 to ${lengthMax} printable characters.`)
    return trimmed
  }
}

/** The id of a change in the operator's own register. */
export function parseChangeId(text: string): string {
  if (!/^[A-Za-z0-9][A-Za-z0-9._:/#-]{0,99}$/.test(text)) {
    throw new InvalidArgumentError(
      'Expected 1 to 100 letters, digits and . _ : / # - starting with a letter or digit.',
    )
  }
  return text
}

/** A script with an unset variable passes an empty text. */
export function parseNotEmpty(text: string): string {
  if (text === '') throw new InvalidArgumentError('Expected a text that is not empty.')
  return text
}

/** Keeps the text, which the server reads by the same rules. */
export function parseTimeText(text: string): string {
  if (parseIsoTime(text) === null)
    throw new InvalidArgumentError('Expected a time such as 2026-11-01T00:00:00Z, or a date.')
  return text
}

/** `a,b, c` */
export function parseList(text: string): string[] {
  const items = text.split(',').map((one) => one.trim())
  if (items.includes('')) throw new InvalidArgumentError('Expected a comma-separated list, such as a,b.')
  return items
}

/** Drops undefined members, so that the server applies its own defaults. */
export function definedMembers<Members extends Readonly<Record<string, unknown>>>(
  members: Members,
): { [Name in keyof Members]?: Exclude<Members[Name], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Members]?: Exclude<Members[Name], undefined>
  }
}
