/** Crockford's base 32, against numbers without limits. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../helpers/fast-check.ts'
import {
  base32Digits,
  decodeBase32Number,
  encodeBase32,
  encodeBase32Number,
} from '../../../src/core/identity/base32.ts'
import { check } from '../../helpers/check.ts'

const written = (value: bigint, digits: number): string =>
  Array.from({ length: digits }, (_, place) =>
    base32Digits.charAt(Number((value >> BigInt(5 * (digits - 1 - place))) & 31n)),
  ).join('')

test('the digits leave out I, L, O and U, and their text order is their number order', () => {
  assert.equal(base32Digits, '0123456789ABCDEFGHJKMNPQRSTVWXYZ')
  const digits = base32Digits.split('')
  assert.deepEqual(digits.toSorted(), digits)
})

test('known numbers have known texts', () => {
  check(
    [
      [[0, 1], '0'],
      [[31, 1], 'Z'],
      [[32, 2], '10'],
      [[5, 4], '0005'],
      [[2 ** 53 - 1, 11], '7ZZZZZZZZZZ'],
    ],
    ([value, digits]: readonly [number, number]) => encodeBase32Number(value, digits),
  )
})

test('bytes are written as the one long number that they are', () => {
  const groups = fc.integer({ min: 0, max: 6 }).chain((count) => {
    const length = 5 * count
    return fc.uint8Array({ minLength: length, maxLength: length })
  })
  fc.assert(
    fc.property(groups, (bytes) => {
      const value = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)
      assert.equal(encodeBase32(bytes), written(value, (bytes.length / 5) * 8))
    }),
  )
})

test('what is written is read back, and text order is number order', () => {
  const number = fc.maxSafeNat()
  fc.assert(
    fc.property(number, number, (one, other) => {
      const [left, right] = [encodeBase32Number(one, 11), encodeBase32Number(other, 11)]
      assert.equal(left, written(BigInt(one), 11))
      assert.equal(decodeBase32Number(left), one)
      assert.equal(left < right, one < other)
    }),
  )
})

test('a character that is no digit is refused', () => {
  const rows = ['I', 'L', 'O', 'U', 'a', '-', ' 1', '1\n', 'é'].map((text) => [text, null] as const)
  check(rows, decodeBase32Number)
})
