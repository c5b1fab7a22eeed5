/** Masks members by name: logs and exports show a keyed hash, equal for equal values, that nobody without the key can guess. */

import { createHmac, hkdfSync } from 'node:crypto'
import { erased } from '../log/personal-text.ts'

export interface Mask {
  readonly names: ReadonlySet<string>
  /** Sets the key of the hashes. Until then every masked value is the word `masked`. */
  use(key: Uint8Array): void
  /** The value of a member, or its hash. Null and what stands for an erased text stay. */
  value<Value>(name: string, value: Value): Value | string
  /** A copy in which members of any depth are masked. */
  deep(value: unknown): unknown
}

const hashDigits = 16

export function createMask(names: readonly string[]): Mask {
  const masked = new Set(names)
  let key: Uint8Array | null = null
  const hashOf = (value: unknown): string => {
    if (key === null) return 'masked'
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return `masked:${createHmac('sha256', key).update(text).digest('hex').slice(0, hashDigits)}`
  }
  const valueOf = <Value>(name: string, value: Value): Value | string =>
    !masked.has(name) || value === null || value === undefined || value === erased ? value : hashOf(value)
  const deep = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map(deep)
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        name,
        masked.has(name) ? valueOf(name, member) : deep(member),
      ]),
    )
  }
  return {
    names: masked,
    use: (given) => {
      key = given
    },
    value: valueOf,
    deep,
  }
}

/** The installation's key derives this one, so that it is the same after a restart and in every instance. */
export function maskKeyOf(seed: Uint8Array): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', seed, '', 'fairway/log-mask/1', 32))
}
