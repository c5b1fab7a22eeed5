/** Secrets that a browser holds: invitations and sessions. The store has their hash alone. */

import { hash } from 'node:crypto'
import type { Random } from '../ports/system.ts'

const tokenBytes = 32

export const newToken = (random: Random): string =>
  Buffer.from(random.bytes(tokenBytes)).toString('base64url')

/** Null for text that cannot be a token, so that nothing is looked up. */
export function tokenHash(token: string): string | null {
  return /^[A-Za-z0-9_-]{43}$/.test(token) ? hash('sha256', token, 'hex') : null
}
