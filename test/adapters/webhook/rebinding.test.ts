/** Names whose addresses change, or are not all public, or never come: nothing is connected to that was not judged. */

import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { createEndpointGuard } from '../../../src/adapters/webhook/endpoint.ts'
import { createWebhookSender, type SenderOptions } from '../../../src/adapters/webhook/sender.ts'
import type { SendOutcome } from '../../../src/app/ports/webhooks.ts'
import { openTestReceiver } from '../../helpers/peers/receiver.ts'
import { openNames, openSentinel, type Answer, type Names } from './network.ts'

/** Only ever answered where something that is refused stands beside it, or where the guard alone asks. */
const publicIPv4 = '93.184.216.34'
const publicIPv6 = '2606:2800:220:1::1'

const refusedAddress: SendOutcome = { kind: 'failed', fault: 'address_refused' }
const leadsInside = 'must not lead to a private, local or reserved address'

function open(t: TestContext, resolver: Names, options: Partial<SenderOptions> = {}) {
  const rules = { resolver, allowPrivate: false, ownAddresses: () => [], ...options }
  const sender = createWebhookSender(rules)
  t.after(() => sender.close())
  return {
    check: (url: string) => createEndpointGuard(rules).check(url),
    send: (url: string) => sender.send({ url, headers: {}, body: Buffer.from('{}') }),
  }
}

test('a name that was public at registration and is loopback later is refused, with no connection', async (t) => {
  const sentinel = await openSentinel(t)
  let isRegistered = false
  const later = { A: ['127.0.0.1'], AAAA: ['::1'] }
  const first = { A: [publicIPv4], AAAA: [publicIPv6] }
  const names = await openNames(t, (_name, type) => (isRegistered ? later : first)[type])
  const { check, send } = open(t, names)
  const url = `https://rebinding.example.com:${sentinel.port}/`
  assert.equal(await check(url), null)
  isRegistered = true
  assert.deepEqual(await send(url), refusedAddress)
  assert.deepEqual(await send(url), refusedAddress, 'and again')
  assert.equal(await check(url), leadsInside)
  await sentinel.assertUntouched()
})

test('an address that has become our own since is refused', async (t) => {
  const names = await openNames(t, (_name, type) => (type === 'A' ? [publicIPv4] : []))
  let own: string[] = []
  const { check, send } = open(t, names, { ownAddresses: () => own })
  assert.equal(await check('https://moved.example.com/'), null)
  own = [publicIPv4]
  assert.deepEqual(await send('https://moved.example.com/'), refusedAddress)
  assert.deepEqual(await send(`https://${publicIPv4}/`), refusedAddress)
  assert.equal(await check(`https://${publicIPv4}/`), leadsInside)
})

const mixed: Readonly<Record<string, { readonly A: Answer; readonly AAAA: Answer }>> = {
  'public first': { A: [publicIPv4, '127.0.0.1'], AAAA: [] },
  'public last': { A: ['127.0.0.1', publicIPv4], AAAA: [] },
  'one of many': { A: [publicIPv4, '93.184.216.35', '10.0.0.1', '93.184.216.36'], AAAA: [publicIPv6] },
  'IPv4 public, IPv6 loopback': { A: [publicIPv4], AAAA: ['::1'] },
  'IPv4 public, IPv6 unique-local': { A: [publicIPv4], AAAA: [publicIPv6, 'fd00::1'] },
  'IPv4 loopback, IPv6 public': { A: ['127.0.0.1'], AAAA: [publicIPv6] },
  'IPv6 alone, in IPv4 clothes': { A: [], AAAA: ['::ffff:7f00:1'] },
  'IPv6 alone, metadata': { A: 'missing', AAAA: ['fd00:ec2::254'] },
  'the other family broken': { A: ['127.0.0.1'], AAAA: 'broken' },
}

test('one address that is not public refuses a name, whatever stands beside it', async (t) => {
  const sentinel = await openSentinel(t)
  for (const [label, answers] of Object.entries(mixed)) {
    const names = await openNames(t, (_name, type) => answers[type])
    const { check, send } = open(t, names)
    const url = `https://mixed.example.com:${sentinel.port}/`
    assert.equal(await check(url), leadsInside, label)
    assert.deepEqual(await send(url), refusedAddress, label)
  }
  await sentinel.assertUntouched()
})

test('public addresses of either family are enough for registration', async (t) => {
  const answers: readonly { readonly A: Answer; readonly AAAA: Answer }[] = [
    { A: [publicIPv4], AAAA: [publicIPv6] },
    { A: [publicIPv4], AAAA: [] },
    { A: [publicIPv4], AAAA: 'missing' },
    { A: [publicIPv4], AAAA: 'broken' },
    { A: [], AAAA: [publicIPv6] },
    { A: 'broken', AAAA: [publicIPv6] },
  ]
  for (const answer of answers) {
    const names = await openNames(t, (_name, type) => answer[type])
    const { check } = open(t, names)
    for (const host of ['hooks.example.com', 'HOOKS.Example.com.', 'xn--hks-snaa.example.com:8443']) {
      assert.equal(await check(`https://${host}/path?query=1&x=%20`), null, host)
    }
  }
})

test('a name is looked up once for a connection, so that no later answer counts', async (t) => {
  const receiver = await openTestReceiver()
  t.after(() => receiver.close())
  let isAsked = false
  const names = await openNames(t, (_name, type) => {
    if (type === 'AAAA') return []
    if (isAsked) return ['127.0.0.2']
    isAsked = true
    return ['127.0.0.1']
  })
  const { send } = open(t, names, { allowPrivate: true })
  const url = receiver.url.replace('127.0.0.1', 'once.example.com')
  assert.deepEqual(await send(url), { kind: 'answered', status: 200 })
  assert.deepEqual([...names.asked].toSorted(), ['A once.example.com', 'AAAA once.example.com'])
  assert.equal(receiver.requests[0]?.headers.host, new URL(url).host)
})

test('of several addresses the next one is tried where one does not answer', async (t) => {
  const receiver = await openTestReceiver()
  t.after(() => receiver.close())
  // Nothing listens there: the receiver has this port on one address alone.
  const names = await openNames(t, (_name, type) => (type === 'A' ? ['127.0.0.2', '127.0.0.1'] : ['::1']))
  const { send } = open(t, names, { allowPrivate: true })
  const outcome = await send(receiver.url.replace('127.0.0.1', 'several.example.com'))
  assert.deepEqual(outcome, { kind: 'answered', status: 200 })
})

test('a name that does not resolve is refused and fails, for whatever reason', async (t) => {
  for (const answer of ['missing', 'broken', []] as const) {
    const names = await openNames(t, () => answer)
    const { check, send } = open(t, names)
    assert.equal(await check('https://nowhere.example.com/'), 'does not resolve to an address')
    const outcome = await send('https://nowhere.example.com/')
    assert.deepEqual(outcome, { kind: 'failed', fault: 'name_not_resolved' })
  }
})

test('a name server that never answers ends in a failure all the same', async (t) => {
  const names = await openNames(t, () => 'silence', { timeoutMs: 100 })
  const patient = open(t, names)
  assert.equal(await patient.check('https://silent.example.com/'), 'does not resolve to an address')
  assert.ok(names.asked.length <= 2, 'the time is up before the name server is asked again')
  assert.deepEqual(await patient.send('https://silent.example.com/'), {
    kind: 'failed',
    fault: 'name_not_resolved',
  })
  const slowNames = await openNames(t, () => 'silence')
  const hasty = open(t, slowNames, { timeoutMs: 100 })
  assert.deepEqual(await hasty.send('https://silent.example.com/'), { kind: 'failed', fault: 'timeout' })
})

test('where one family never answers, the other one counts', async (t) => {
  const receiver = await openTestReceiver()
  t.after(() => receiver.close())
  const names = await openNames(t, (_name, type) => (type === 'A' ? ['127.0.0.1'] : 'silence'), {
    timeoutMs: 3_000,
  })
  const url = receiver.url.replace('127.0.0.1', 'half.example.com')
  assert.deepEqual(await open(t, names, { allowPrivate: true }).send(url), {
    kind: 'answered',
    status: 200,
  })
})

test('localhost is loopback in a trial, whatever the name server says', async (t) => {
  const receiver = await openTestReceiver()
  t.after(() => receiver.close())
  const names = await openNames(t, () => 'missing')
  const { check, send } = open(t, names, { allowPrivate: true })
  for (const host of ['localhost', 'LOCALHOST.', 'hooks.localhost']) {
    const url = receiver.url.replace('127.0.0.1', host)
    assert.equal(await check(url), null, host)
    assert.deepEqual(await send(url), { kind: 'answered', status: 200 }, host)
  }
  assert.deepEqual(names.asked, [])
})

test('in a trial http, private addresses and names of one label are accepted', async (t) => {
  const names = await openNames(t, (_name, type) => (type === 'A' ? ['10.1.2.3'] : []))
  const { check } = open(t, names, { allowPrivate: true })
  const urls = [
    'http://127.0.0.1:8080/hook',
    'http://[::1]:8080/',
    'https://192.168.1.20/',
    'http://[fd12::1]/',
    'http://receiver:3000/',
    'http://receiver.internal/',
    'http://printer.local/',
    'https://hooks.example.com/',
  ]
  for (const url of urls) assert.equal(await check(url), null, url)
  assert.equal(await check('ftp://receiver/'), 'must be a valid http or https URL')
})
