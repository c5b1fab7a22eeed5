/** Parses key options and prints issued keys, for all commands that issue keys. */

import { InvalidArgumentError } from 'commander'
import { rotationOverlapMsMax, type IssuedKey } from '../../../app/access/keys.ts'
import { scopes, type Scope } from '../../../core/identity/api-key.ts'
import { parseRateLimit, type RateLimit } from '../../../core/time/rolling-window.ts'
import { iso } from '../../../core/time/durations.ts'
import { CommandFailure, plain } from '../../deps.ts'

export const scopesHelp = `Comma-separated scopes from ${scopes.join(', ')}; default: all`

export function parseScopes(text: string): Scope[] {
  const names = text.split(',').map((scope) => scope.trim())
  const parsed = scopes.filter((scope) => names.includes(scope))
  if (names.some((scope) => !scopes.some((one) => one === scope))) {
    throw new InvalidArgumentError(`Expected scopes from ${scopes.join(', ')}.`)
  }
  return parsed
}

export function parseLimit(text: string): RateLimit {
  const limit = parseRateLimit(text)
  if (limit === null) throw new InvalidArgumentError('Expected COUNT/SECONDS, such as 100/60.')
  return limit
}

/** The option is in seconds. */
export function parseOverlapMs(text: string): number {
  const ms = /^\d{1,6}$/.test(text) ? Number(text) * 1000 : Number.NaN
  if (!(ms <= rotationOverlapMsMax))
    throw new InvalidArgumentError('Expected a number of seconds up to 86400.')
  return ms
}

export function unknownKey(keyId: string): CommandFailure {
  return new CommandFailure(`unknown key ${JSON.stringify(keyId)}: run fairway keys list for all keys`)
}

export function scopesText(granted: readonly Scope[]): string {
  return granted.length === 0 ? 'all' : granted.join(', ')
}

export function issuedText({ record, key }: IssuedKey): string {
  return [
    `Key      ${key}`,
    `Key id   ${record.keyId}`,
    `Type     ${record.type}`,
    `Owner    ${plain(record.ownerLabel)} (${record.ownerId})`,
    `Scopes   ${scopesText(record.scopes)}`,
    `Expires  ${iso(record.expiresAtMs) ?? 'never'}`,
    'Store the key safely: it is not shown again.',
  ].join('\n')
}
