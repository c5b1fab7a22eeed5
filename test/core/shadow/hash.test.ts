/** The hash on which the simulation and the key checksums rest: the same on every machine, for ever. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../helpers/fast-check.ts'
import { hash32 } from '../../../src/core/shadow/hash.ts'
import { check } from '../../helpers/check.ts'

/** FNV-1a with MurmurHash3's finaliser, in whole numbers without limits. */
function oracle(text: string): number {
  const low = (value: bigint): bigint => value & 0xffff_ffffn
  let hash = 0x811c_9dc5n
  for (let index = 0; index < text.length; index += 1) {
    hash = low((hash ^ BigInt(text.charCodeAt(index))) * 0x0100_0193n)
  }
  hash = low((hash ^ (hash >> 16n)) * 0x85eb_ca6bn)
  hash = low((hash ^ (hash >> 13n)) * 0xc2b2_ae35n)
  return Number(hash ^ (hash >> 16n))
}

test('the hash of a text never changes', () => {
  check(
    [
      ['', 2_872_998_923],
      ['a', 444_641_715],
      ['GB-NG', 1_427_396_451],
      ['sim-partner-alder|GB-NG|network', 2_835_860_689],
    ],
    hash32,
  )
})

test('the hash is the one of its definition for any text, as an unsigned number of 32 bits', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (text) => {
      assert.equal(hash32(text), oracle(text))
    }),
  )
})
