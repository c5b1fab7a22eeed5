/** Which addresses may be connected to, block by block, as the IANA registries of special-purpose addresses have them. */

import { networkInterfaces } from 'node:os'
import { test } from 'node:test'
import assert from 'node:assert/strict'
import fc from '../../helpers/fast-check.ts'
import { kindOf, mayConnect, type AddressKind } from '../../../src/adapters/webhook/address.ts'
import { createOwnAddresses } from '../../../src/adapters/webhook/own-addresses.ts'
import { check } from '../../helpers/check.ts'
import { ManualClock } from '../../helpers/clock.ts'

const as = (kind: AddressKind, addresses: string): (readonly [string, AddressKind])[] =>
  addresses
    .trim()
    .split(/\s+/)
    .map((address) => [address, kind])

test('public addresses are told from those of blocks that are not, up to the edges', () => {
  check(
    [
      ...as('public', '1.0.0.0 1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 93.184.216.34 223.255.255.255'),
      ...as('public', '100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 169.253.255.255 169.255.0.0'),
      ...as('public', '172.15.255.255 172.32.0.0 191.255.255.255 192.0.1.0 192.0.1.255 192.0.3.0'),
      ...as('public', '192.88.98.255 192.88.100.0 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0'),
      ...as('public', '198.51.99.255 198.51.101.0 203.0.112.255 203.0.114.0 168.63.129.15 168.63.129.17'),
      ...as('public', '2000:: 2001:200:: 2001:4860:4860::8888 2001:db7:ffff:: 2001:db9:: 2003::'),
      ...as('public', '2606:4700:4700::1111 2620:4f:7fff:: 2620:4f:8001:: 2a00:: 3ffd:ffff:: 3fff:1000::'),
      ...as('public', '3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff 2a00::1:5efe:1.2.3.4 2a00::5eff:1.2.3.4'),
    ],
    kindOf,
  )
})

test('loopback, private networks and shared address space are local', () => {
  check(
    [
      ...as('local', '127.0.0.0 127.0.0.1 127.0.0.53 127.255.255.255'),
      ...as('local', '10.0.0.0 10.255.255.255 172.16.0.0 172.31.255.255 192.168.0.0 192.168.255.255'),
      ...as('local', '100.64.0.0 100.100.100.199 100.100.100.201 100.127.255.255'),
      ...as('local', '::1 fc00:: fd00::1 fd00:ec2::255 fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'),
    ],
    kindOf,
  )
})

test('all other special IPv4 blocks are refused', () => {
  check(
    [
      ...as('refused', '0.0.0.0 0.0.0.1 0.255.255.255'),
      ...as('refused', '169.254.0.0 169.254.169.254 169.254.170.2 169.254.255.255'),
      ...as('refused', '192.0.0.0 192.0.0.9 192.0.0.192 192.0.0.255 192.88.99.0 192.88.99.255'),
      ...as('refused', '192.0.2.0 192.0.2.255 198.51.100.0 198.51.100.255 203.0.113.0 203.0.113.255'),
      ...as('refused', '192.31.196.0 192.31.196.255 192.52.193.0 192.175.48.0 192.175.48.255'),
      ...as('refused', '198.18.0.0 198.19.255.255 224.0.0.0 239.255.255.255'),
      ...as('refused', '240.0.0.0 255.255.255.254 255.255.255.255'),
    ],
    kindOf,
  )
})

test('all other special IPv6 blocks are refused, and all that is not global unicast', () => {
  check(
    [
      ...as('refused', ':: ::2 ::7f00:1 ::ffff:ffff ::1:0:0 1:: ff:: 100:: 100:0:0:1:: 1fff:ffff::'),
      ...as('refused', '::ffff:0:0 ::ffff:7f00:1 ::ffff:8.8.8.8 ::ffff:ffff:ffff ::ffff:0:808:808'),
      ...as(
        'refused',
        '64:ff9b:: 64:ff9b::7f00:1 64:ff9b::ffff:ffff 64:ff9b:1:: 64:ff9b:1:ffff::1 64:ff9b:2::',
      ),
      ...as('refused', '2001:: 2001:0:ffff:: 2001:1::1 2001:2:: 2001:3:: 2001:4:112:: 2001:5::'),
      ...as('refused', '2001:10:: 2001:1f:: 2001:20:: 2001:2f:: 2001:30:: 2001:1ff:ffff::'),
      ...as('refused', '2001:db8:: 2001:db8:ffff:ffff:ffff:ffff:ffff:ffff 2620:4f:8000::'),
      ...as('refused', '2002:: 2002:7f00:1:: 2002:808:808::1 2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'),
      ...as(
        'refused',
        '3ffe:: 3ffe:ffff:: 3fff:: 3fff:fff:ffff:: 4000:: 5f00:: 5f00:ffff:: 6000:: a000:: c000::',
      ),
      ...as(
        'refused',
        'e000:: f000:: fbff:ffff:: fe00:: fe7f:: fe80:: fe80::1 febf:ffff:: fec0:: feff:ffff::',
      ),
      ...as('refused', 'ff00:: ff02::1 ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'),
      ...as('refused', '2a00::5efe:127.0.0.1 2a00::200:5efe:10.0.0.1 2606:4700::5efe:808:808'),
    ],
    kindOf,
  )
})

test('what a cloud tells its machines is out of reach even where the address looks public or private', () => {
  check(
    [
      ...as(
        'refused',
        '168.63.129.16 169.254.169.254 100.100.100.200 192.0.0.192 fd00:ec2::254 FD00:EC2:0::0254',
      ),
      ...as('refused', 'fd00:ec2::23 fd20:ce::254 fd00:c1::a9fe:a9fe fd00:a9fe:a9fe::1 fd00:42::42'),
    ],
    kindOf,
  )
})

test('what is not the plain text of an address is refused', () => {
  const texts = ['', ' ', '1', '127.1', '0x7f.1', '2130706433', '01.1.1.1', '1.1.1.1 ', '1.1.1', '1.1.1.1.1']
  const zones = ['fe80::1%eth0', '::1%lo', '2a00::1%1', '[2a00::1]', 'example.com', '1.1.1.1%0', '1.1.1.256']
  check(
    [...texts, ...zones].map((text) => [text, 'refused'] as const),
    kindOf,
  )
})

test('any IPv4 address in IPv6 clothes is refused, whatever the rules', () => {
  const bytes = fc.tuple(...Array.from({ length: 4 }, () => fc.integer({ min: 0, max: 255 })))
  const forms: readonly ((dotted: string, hex: string) => string)[] = [
    (dotted) => `::ffff:${dotted}`,
    (_, hex) => `::ffff:${hex}`,
    (_, hex) => `::ffff:0:${hex}`,
    (_, hex) => `64:ff9b::${hex}`,
    (_, hex) => `64:ff9b:1::${hex}`,
    (_, hex) => `64:ff9b:1:a:b:c:${hex}`,
    (_, hex) => `2002:${hex}::1`,
    (_, hex) => `2001:0:${hex}::1`,
    (_, hex) => `2001:0:1:2:3:4:${hex}`,
    (_, hex) => `2a00::5efe:${hex}`,
    (_, hex) => `fe80::5efe:${hex}`,
  ]
  const rules = { allowPrivate: true, ownAddresses: () => [] }
  fc.assert(
    fc.property(bytes, ([a = 0, b = 0, c = 0, d = 0]) => {
      const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
      for (const form of forms) assert.ok(!mayConnect(form([a, b, c, d].join('.'), hex), rules))
      // ::1 itself is loopback, not an address of IPv4.
      if (hex !== '0:1') assert.ok(!mayConnect(`::${hex}`, rules))
    }),
  )
})

test('only public addresses may be connected to, and in a trial local ones as well', () => {
  const verdicts = (address: string): string =>
    [false, true]
      .map((allowPrivate) => mayConnect(address, { allowPrivate, ownAddresses: () => [] }))
      .join(' ')
  const of = (verdict: string, addresses: string): (readonly [string, string])[] =>
    addresses.split(' ').map((address) => [address, verdict])
  check(
    [
      ...of('true true', '8.8.8.8 2606:4700:4700::1111'),
      ...of('false true', '127.0.0.1 ::1 10.0.0.1 172.16.0.1 192.168.0.1 100.64.0.1 fd00::1'),
      ...of('false false', '169.254.169.254 168.63.129.16 100.100.100.200 fd00:ec2::254 0.0.0.0 ::'),
      ...of('false false', '224.0.0.1 255.255.255.255 240.0.0.1 192.0.2.1 fe80::1 ff02::1 ::ffff:127.0.0.1'),
    ],
    verdicts,
  )
})

test('a public address of our own is refused however it is written, unless private ones are allowed', () => {
  const own = ['8.8.4.4', '2606:4700:0:0::1', 'fe80::1']
  const rules = { allowPrivate: false, ownAddresses: () => own }
  check(
    [
      ['8.8.4.4', false],
      ['8.8.4.5', true],
      ['2606:4700::1', false],
      ['2606:4700:0000::0001', false],
      ['2606:4700::2', true],
    ],
    (address) => mayConnect(address, rules),
  )
  assert.ok(mayConnect('8.8.4.4', { ...rules, allowPrivate: true }))
  assert.ok(!mayConnect('fe80::1', { ...rules, allowPrivate: true }), 'ours, but of a link')
})

test('our own addresses are those of the machine, and are asked for again after a while', () => {
  const clock = new ManualClock()
  const ownAddresses = createOwnAddresses(clock)
  const expected = Object.values(networkInterfaces()).flatMap(
    (own) => own?.map(({ address }) => address) ?? [],
  )
  assert.deepEqual(ownAddresses(), expected)
  assert.ok(expected.includes('127.0.0.1'))
  const before = ownAddresses()
  assert.equal(ownAddresses(), before, 'not asked again at once')
  clock.advance(5_000)
  assert.notEqual(ownAddresses(), before, 'asked again')
})
