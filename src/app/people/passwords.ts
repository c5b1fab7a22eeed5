/** Hashes of passwords: scrypt, which needs much memory for each guess. */

import { scrypt, timingSafeEqual } from 'node:crypto'
import type { Random } from '../ports/system.ts'

/** 64 MiB for each of two passes, as OWASP's cheat sheet on password storage gives for scrypt. */
const cost = { N: 2 ** 16, r: 8, p: 2, maxmem: 2 ** 27 } as const
const saltBytes = 16
const hashBytes = 32
const form = /^scrypt1\.([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/

/** One hash at a time, so that guesses cannot fill the memory. More that wait, in all or of one client, are refused. */
const waitingMax = 60
const waitingPerClientMax = 3

/** Too many passwords are being checked at this moment. */
export class PasswordsBusy extends Error {
  override readonly name = 'PasswordsBusy'
}

export interface Passwords {
  /** Waits for the turn of a client. Throws `PasswordsBusy` if too many wait. */
  inTurn<Result>(client: string, work: () => Promise<Result>): Promise<Result>
  hash(password: string): Promise<string>
  /** Takes the same time without a hash, so that nobody learns which accounts exist. */
  isRight(password: string, stored: string | null): Promise<boolean>
}

export function createPasswords(random: Random): Passwords {
  const waiting: string[] = []
  let last: Promise<unknown> = Promise.resolve()
  return {
    async inTurn(client, work) {
      const own = waiting.filter((one) => one === client).length
      if (waiting.length >= waitingMax || own >= waitingPerClientMax)
        throw new PasswordsBusy('too many sign-ins at this moment')
      waiting.push(client)
      const turn = last.then(work)
      last = turn.catch(() => undefined).finally(() => waiting.splice(waiting.indexOf(client), 1))
      return turn
    },
    async hash(password) {
      const salt = Buffer.from(random.bytes(saltBytes))
      const key = await derive(password, salt)
      return `scrypt1.${salt.toString('base64url')}.${key.toString('base64url')}`
    },
    async isRight(password, stored) {
      const [, salt, expected] = form.exec(stored ?? '') ?? []
      const key = await derive(password, Buffer.from(salt ?? '', 'base64url'))
      return expected !== undefined && timingSafeEqual(key, Buffer.from(expected, 'base64url'))
    },
  }
}

/** Composed and decomposed letters are the same password. */
function derive(password: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, hashBytes, cost, (error, key) =>
      error === null ? resolve(key) : reject(error),
    )
  })
}
