/** Addresses of NATS servers: hosts, TLS and credentials are read; anything else is refused. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseNatsServers } from '../../../src/core/events/nats-servers.ts'

const check = (text: string, expected: unknown): void => assert.deepEqual(parseNatsServers(text), expected)

test('addresses are hosts with ports, by TLS or not, with credentials or without', () => {
  check('nats://localhost', { hosts: ['localhost:4222'], isTls: false, credentials: null })
  check('tls://a.example:4333, tls://b.example/', {
    hosts: ['a.example:4333', 'b.example:4222'],
    isTls: true,
    credentials: null,
  })
  check('nats://[::1]:4222', { hosts: ['[::1]:4222'], isTls: false, credentials: null })
  check('nats://fairway:p%40ss@localhost', {
    hosts: ['localhost:4222'],
    isTls: false,
    credentials: { kind: 'password', user: 'fairway', password: 'p@ss' },
  })
  check('nats://a,nats://secret@b', {
    hosts: ['a:4222', 'b:4222'],
    isTls: false,
    credentials: { kind: 'token', token: 'secret' },
  })
})

test('anything else is no address', () => {
  check('', 'none')
  const wrong = ['localhost', 'http://localhost', 'nats://', 'nats://a,tls://b', 'nats://a,', 'nats://a/path']
  for (const text of [...wrong, 'nats://a?b', 'nats://a b', 'nats://%zz@a', 'nats://u:@a']) check(text, null)
})
