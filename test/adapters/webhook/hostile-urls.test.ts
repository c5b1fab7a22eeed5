/** Hostile URLs are refused at registration, and lead nowhere even where one was registered before. */

import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { createEndpointGuard } from '../../../src/adapters/webhook/endpoint.ts'
import { createWebhookSender } from '../../../src/adapters/webhook/sender.ts'
import { hostileUrls } from './hostile-urls.ts'
import { openNames, openSentinel, type Answer } from './network.ts'

const special: Readonly<Record<string, { readonly A: Answer; readonly AAAA: Answer }>> = {
  'nowhere.example.com': { A: 'missing', AAAA: 'missing' },
  'nothing.example.com': { A: [], AAAA: [] },
  'broken.example.com': { A: 'broken', AAAA: 'broken' },
  'only-ipv6.example.com': { A: [], AAAA: ['::1'] },
  'mixed.example.com': { A: ['93.184.216.34', '127.0.0.1'], AAAA: [] },
  'mixed-ipv6.example.com': { A: ['93.184.216.34'], AAAA: ['::1'] },
  'mapped.example.com': { A: [], AAAA: ['::ffff:7f00:1'] },
  'metadata.example.com': { A: ['169.254.169.254'], AAAA: [] },
  'azure.example.com': { A: ['168.63.129.16'], AAAA: [] },
}

/** Every name leads to the sentinel, so that nothing but a refusal keeps a connection from it. */
async function open(t: TestContext) {
  const sentinel = await openSentinel(t)
  const resolver = await openNames(t, (name, type) => {
    const { A, AAAA } = special[name] ?? { A: ['127.0.0.1'], AAAA: ['::1'] }
    return type === 'A' ? A : AAAA
  })
  const rules = { resolver, allowPrivate: false, ownAddresses: () => [] }
  return { sentinel, rules, groups: hostileUrls(sentinel.port) }
}

test('the table has more than two hundred URLs, all different', async (t) => {
  const { groups } = await open(t)
  const urls = groups.flatMap((group) => group.urls)
  assert.ok(urls.length > 200, `${urls.length}`)
  assert.equal(new Set(urls).size, urls.length)
})

test('each is refused at registration, for its reason', async (t) => {
  const { groups, rules, sentinel } = await open(t)
  const guard = createEndpointGuard(rules)
  const checks = groups.flatMap(({ reason, urls }) =>
    urls.map(async (url) => ({ url, reason, said: await guard.check(url) })),
  )
  const found = await Promise.all(checks)
  assert.deepEqual(
    found.filter(({ reason, said }) => said !== reason),
    [],
  )
  await sentinel.assertUntouched()
})

test('each ends as a failure when it is sent to, with no connection at the sentinel', async (t) => {
  const { groups, rules, sentinel } = await open(t)
  const sender = createWebhookSender(rules)
  t.after(() => sender.close())
  for (const { reason, urls } of groups) {
    const fault = reason === 'does not resolve to an address' ? 'name_not_resolved' : 'address_refused'
    const body = Buffer.from('{}')
    const outcomes = await Promise.all(
      urls.map(async (url) => [url, await sender.send({ url, headers: {}, body })]),
    )
    assert.deepEqual(
      outcomes,
      urls.map((url) => [url, { kind: 'failed', fault }]),
    )
  }
  await sentinel.assertUntouched()
})

test('in a trial with private addresses, what is neither private nor public stays refused', async (t) => {
  const { rules, sentinel } = await open(t)
  const trial = { ...rules, allowPrivate: true }
  const guard = createEndpointGuard(trial)
  const sender = createWebhookSender(trial)
  t.after(() => sender.close())
  const urls = [
    'https://169.254.169.254/',
    'http://168.63.129.16/',
    'http://100.100.100.200/',
    'http://[fd00:ec2::254]/',
    'http://[fe80::1]/',
    'http://metadata.example.com/',
    'http://azure.example.com/',
    ...['0.0.0.0', '0', '[::]', '[::ffff:127.0.0.1]', '[::7f00:1]', '[2002:7f00:1::]'].map(
      (host) => `http://${host}:${sentinel.port}/`,
    ),
    ...['224.0.0.1', '255.255.255.255', '240.0.0.1', '192.0.2.1'].map((host) => `http://${host}/`),
    `http://mapped.example.com:${sentinel.port}/`,
  ]
  for (const url of urls) {
    assert.equal(await guard.check(url), 'must not lead to a private, local or reserved address', url)
    const outcome = await sender.send({ url, headers: {}, body: Buffer.from('{}') })
    assert.deepEqual(outcome, { kind: 'failed', fault: 'address_refused' }, url)
  }
  for (const url of [`http://user@127.0.0.1:${sentinel.port}/`, `ftp://127.0.0.1:${sentinel.port}/`]) {
    assert.notEqual(await guard.check(url), null, url)
    const outcome = await sender.send({ url, headers: {}, body: Buffer.from('{}') })
    assert.equal(outcome.kind, 'failed', url)
  }
  await sentinel.assertUntouched()
})

test('the sentinel sees whoever does connect', async (t) => {
  const { rules, sentinel } = await open(t)
  const sender = createWebhookSender({ ...rules, allowPrivate: true })
  t.after(() => sender.close())
  const url = `https://hooks.example.com:${sentinel.port}/`
  const outcome = await sender.send({ url, headers: {}, body: Buffer.from('{}') })
  assert.equal(outcome.kind, 'failed')
  await assert.rejects(sentinel.assertUntouched(), /connections at the sentinel/)
})
