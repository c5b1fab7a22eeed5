/** Request ids, `SVC-<year>-<26 digits>`: time first, so that text order is recording order and an id has its month. */

import { base32Digits, decodeBase32Number, encodeBase32, encodeBase32Number } from './base32.ts'
import { monthAt, type Month } from '../time/month.ts'

export type RequestId = string & { readonly brand: 'RequestId' }

const timeDigits = 10
export const requestIdRandomDigits = 16
/** The digits after the year, which make an id unique. */
export const requestIdDigits = timeDigits + requestIdRandomDigits
const shape = /^SVC-(\d{4})-([0-9A-HJKMNP-TV-Z]{10})[0-9A-HJKMNP-TV-Z]{16}$/

/** Random bytes per id. */
export const requestIdRandomBytes = 10

function withTime(atMs: number, randomPart: string): RequestId {
  const year = String(new Date(atMs).getUTCFullYear()).padStart(4, '0')
  return `SVC-${year}-${encodeBase32Number(atMs, timeDigits)}${randomPart}` as RequestId
}

export function formatRequestId(atMs: number, randomBytes: Uint8Array): RequestId {
  return withTime(atMs, encodeBase32(randomBytes))
}

/** The lower bound in text order of ids recorded at `atMs` or later; all earlier ids sort before it. */
export function firstRequestIdAt(atMs: number): RequestId {
  return withTime(atMs, '0'.repeat(requestIdRandomDigits))
}

/** The next id in text order with the same time, for several ids in one millisecond. */
export function nextRequestId(id: RequestId): RequestId {
  for (let index = id.length - 1; index >= id.length - requestIdRandomDigits; index -= 1) {
    const digit = base32Digits.indexOf(id.charAt(index))
    if (digit < 31) {
      const zeros = '0'.repeat(id.length - 1 - index)
      return `${id.slice(0, index)}${base32Digits.charAt(digit + 1)}${zeros}` as RequestId
    }
  }
  throw new Error('request ids: no id is left for this millisecond')
}

/** The id and its time; null for text that is not a request id of this service. */
export function parseRequestId(text: string): { id: RequestId; atMs: number } | null {
  const match = shape.exec(text)
  if (match === null) return null
  const atMs = decodeBase32Number(match[2] ?? '')
  if (atMs === null || atMs > 8.64e15 || String(new Date(atMs).getUTCFullYear()) !== match[1]) return null
  return { id: text as RequestId, atMs }
}

/** Whether the id is one of a decision, and not of another entry of the journal. */
export const isRequestId = (id: string): boolean => id.startsWith('SVC-')

/** The time in an id of this service, of a decision or of another entry; null for other text. */
export function timeOfId(id: string): number | null {
  const digits = id.slice(-requestIdDigits, -requestIdRandomDigits).toUpperCase()
  return digits.length === timeDigits ? decodeBase32Number(digits) : null
}

/** The request id with the digits of an id that has them, such as of an event; null for other text. */
export function requestIdOfDigits(id: string): RequestId | null {
  const atMs = timeOfId(id)
  if (atMs === null || atMs > 8.64e15) return null
  const digits = id.slice(-requestIdRandomDigits).toUpperCase()
  return parseRequestId(withTime(atMs, digits))?.id ?? null
}

/** The month of an id; null for text that is not a request id of this service. */
export function monthOfId(requestId: string): Month | null {
  const parsed = parseRequestId(requestId)
  return parsed === null ? null : monthAt(parsed.atMs)
}
