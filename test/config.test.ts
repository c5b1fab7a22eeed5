/** The settings of the public and batch limits, and of the proxies that may speak for others. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BadSetting, readConfig } from '../src/config.ts'
import { check } from './helpers/check.ts'

const trusted = (text: string): unknown => readConfig({ FAIRWAY_TRUST_PROXY: text }).trustProxy

test('the limits are 15 in 15 minutes an address and 60 batches a minute a key, unless told', () => {
  const { limits, trustProxy } = readConfig({})
  assert.deepEqual(limits.demo, { count: 15, windowMs: 900_000 })
  assert.deepEqual(limits.batch, { count: 60, windowMs: 60_000 })
  assert.equal(trustProxy, false)
  const told = readConfig({ FAIRWAY_LIMIT_DEMO: '2/10', FAIRWAY_LIMIT_BATCH: ' 7/3 ' }).limits
  assert.deepEqual(
    [told.demo, told.batch],
    [
      { count: 2, windowMs: 10_000 },
      { count: 7, windowMs: 3_000 },
    ],
  )
})

test('a limit that is none is refused by name', () => {
  for (const name of ['FAIRWAY_LIMIT_DEMO', 'FAIRWAY_LIMIT_BATCH']) {
    for (const text of ['15', '0/900', '15/0', '-1/60', '1/86401', 'many', '15/900/1', '1.5/60']) {
      assert.throws(
        () => readConfig({ [name]: text }),
        (error) => error instanceof BadSetting && error.message.startsWith(`${name} must be`),
        text,
      )
    }
  }
})

test('nobody is believed, one proxy, so many, or those of a list', () => {
  check<string, unknown>(
    [
      ['', false],
      ['false', false],
      ['0', false],
      ['true', 1],
      ['1', 1],
      ['10', 10],
      ['10.0.0.1', '10.0.0.1'],
      ['10.0.0.0/8, 2001:db8::/32 ,::1', '10.0.0.0/8,2001:db8::/32,::1'],
      ['loopback', 'loopback'],
      ['loopback,linklocal,uniquelocal,192.0.2.1', 'loopback,linklocal,uniquelocal,192.0.2.1'],
      ['::ffff:192.0.2.1', '::ffff:192.0.2.1'],
    ],
    trusted,
  )
})

test('a proxy that is none is refused at the start, by name and in one line', () => {
  const refused = [
    'yes',
    'TRUE',
    '-1',
    '11',
    '1.5',
    'proxy.example.org',
    'everybody',
    '10.0.0.1;10.0.0.2',
    '10.0.0.1 10.0.0.2',
    '10.0.0.1,,10.0.0.2',
    '10.0.0.1,',
    ',',
    '999.1.1.1',
    '1.2.3',
    '1.2.3.4.5',
    '010.0.0.1',
    '10.0.0.1:80',
    '10.0.0.1/33',
    '10.0.0.1/0',
    '10.0.0.1/',
    '10.0.0.1/8/8',
    '::1/129',
    ':::',
    ':',
    '.',
    '2001:db8::1::2',
    'a.b',
  ]
  for (const text of refused) {
    assert.throws(
      () => trusted(text),
      (error) => error instanceof BadSetting && /^FAIRWAY_TRUST_PROXY must be [^\n]+$/.test(error.message),
      text,
    )
  }
})
