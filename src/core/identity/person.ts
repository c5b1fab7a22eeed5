/** People: limits of their names and passwords, the life of invitations and sessions, the address to return to, claims. */

import { isObject } from '../reference/json.ts'
import { dayMs, minuteMs } from '../time/durations.ts'

export const personNameLengthMax = 200
export const passwordLengthMin = 12
export const passwordLengthMax = 200

export const invitationMs = 3 * dayMs
export const sessionMs = dayMs / 2
/** From the start of a sign-in at the provider until its return. */
export const signInMs = 10 * minuteMs

/** The path to open after a sign-in. Anything that could lead to another site is the overview. */
export function returnPath(wanted: string | undefined): string {
  const home = '/overview'
  // A browser reads a backslash as a slash, and drops tabs and line breaks.
  if (wanted === undefined || !/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]{0,500}$/.test(wanted)) return home
  return wanted
}

/** The reason why a password is refused; null if it may be used. */
export function passwordFault(password: string, email: string): string | null {
  const { length } = password
  if (length < passwordLengthMin) return `must have at least ${passwordLengthMin} characters`
  if (length > passwordLengthMax) return `must have at most ${passwordLengthMax} characters`
  if (password.toLowerCase() === email.toLowerCase()) return 'must not be the email address'
  return new Set(password).size < 5 ? 'must have at least 5 different characters' : null
}

/** A claim by its name or, as Keycloak's `realm_access.roles`, by its path. */
export function claimOf(claims: Readonly<Record<string, unknown>>, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  return name
    .split('.')
    .reduce<unknown>((at, part) => (isObject(at) && Object.hasOwn(at, part) ? at[part] : undefined), claims)
}

/** The name is shown in lists, logs and terminals. Empty for what is no text. */
export function onOneLine(value: unknown): string {
  return typeof value === 'string' ? value.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim() : ''
}
