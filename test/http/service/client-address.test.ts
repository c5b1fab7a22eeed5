/** Who counts as one caller: an IPv4 address, or the /64 of an IPv6 one. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../helpers/fast-check.ts'
import type { FastifyRequest } from 'fastify'
import { clientAddress, clientGroup, groupOf } from '../../../src/http/client-address.ts'
import { check } from '../../helpers/check.ts'

test('an IPv4 address is itself, in IPv6 clothes too; an IPv6 address is its /64; anything else is none', () => {
  check<string, string | null>(
    [
      ['203.0.113.7', '203.0.113.7'],
      ['::ffff:203.0.113.7', '203.0.113.7'],
      ['::ffff:cb00:7107', '203.0.113.7'],
      ['::FFFF:203.0.113.7', '203.0.113.7'],
      ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
      ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64'],
      ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
      ['::1', '::/64'],
      ['fe80::1%eth0', 'fe80::/64'],
      ['', null],
      ['unknown', null],
      ['10', null],
      ['0x7f.1', null],
      ['1.2.3', null],
      ['1.2.3.4.5', null],
      ['256.1.1.1', null],
      ['010.1.1.1', null],
      ['203.0.113.7:443', '203.0.113.7'],
      ['203.0.113.7:x', null],
      ['[2001:db8::1]', '2001:db8::/64'],
      ['[2001:db8::1]:443', '2001:db8::/64'],
      [':::', null],
      ['203.0.113.7, 10.0.0.1', null],
    ],
    groupOf,
  )
})

const anyHextet = fc.integer({ min: 1, max: 0xffff }).map((value) => value.toString(16))
const anyHextets = (count: number): fc.Arbitrary<string[]> =>
  fc.array(anyHextet, { minLength: count, maxLength: count })

test('IPv6 addresses share a group exactly where their first 64 bits are the same', () => {
  fc.assert(
    fc.property(anyHextets(4), anyHextets(4), anyHextets(4), anyHextets(4), (one, other, here, there) => {
      const group = (network: readonly string[], host: readonly string[]): string | null =>
        groupOf([...network, ...host].join(':'))
      assert.notEqual(group(one, here), null)
      assert.equal(group(one, here), group(one, there))
      assert.equal(group(one, here) === group(other, here), one.join(':') === other.join(':'))
    }),
  )
})

test('whatever is sent as an address, there is a group or none, and no fault', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.ipV4(), fc.ipV6(), fc.ipV4Extended()), (text) => {
      const group = groupOf(text)
      assert.ok(group === null || /^[\d.]+$|^[\da-f:]+\/64$/.test(group), String(group))
    }),
    { numRuns: 500 },
  )
})

test('a caller who has hung up before it was looked at has no address, and is no fault', () => {
  const gone = { ip: undefined, raw: { socket: {} } } as unknown as FastifyRequest
  assert.equal(clientGroup(gone), 'unknown')
  assert.equal(clientAddress(gone), '')
})
