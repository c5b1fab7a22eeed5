/** POST /api/v1/webhooks: bad input gets 400 with the path of the member, and registers nothing. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { errorsOf, post } from '../../helpers/post.ts'
import { publicUrl, trial, webhooksUrl } from '../../helpers/webhooks.ts'

const kind = 'payment.decision.created'

/** The members at fault, beside a good rest; the paths of what is told. */
const cases: readonly (readonly [given: object, ...paths: string[]])[] = [
  [{ url: undefined }, '/url'],
  [{ url: null }, '/url'],
  [{ url: '' }, '/url'],
  [{ url: 7 }, '/url'],
  [{ url: [publicUrl] }, '/url'],
  [{ url: `${publicUrl}/${'x'.repeat(2_048)}` }, '/url'],
  [{ Events: [kind] }, '/Events'],
  [{ URL: publicUrl }, '/URL'],
  [{ events: [] }, '/events'],
  [{ events: kind }, '/events'],
  [{ events: { 0: kind } }, '/events'],
  [{ events: [kind, kind] }, '/events'],
  [{ events: ['payment.unknown'] }, '/events/0'],
  [{ events: ['*'] }, '/events/0'],
  [{ events: ['webhook.test'] }, '/events/0'],
  [{ events: [kind.toUpperCase()] }, '/events/0'],
  [{ events: [kind, 'payment.unknown'] }, '/events/1'],
  [{ events: [7, null] }, '/events/0', '/events/1'],
  [{ description: 7 }, '/description'],
  [{ description: ['x'] }, '/description'],
  [{ description: 'x'.repeat(201) }, '/description'],
  [{ description: 'two\nlines' }, '/description'],
  [{ description: 'bell\u0007' }, '/description'],
  [{ description: 'nul\u0000' }, '/description'],
  [{ url: 1, events: 2, description: 3 }, '/description', '/events', '/url'],
]

async function isEmpty(harness: Harness, key: string): Promise<void> {
  assert.deepEqual((await harness.get(key, webhooksUrl)).body, [])
}

test('a null member is an absent one: the endpoint gets every event and no description', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const { status, body } = await post(
      harness,
      webhooksUrl,
      { url: publicUrl, events: null, description: null },
      { key },
    )
    assert.equal(status, 200)
    assert.deepEqual(
      [body.events, body.description],
      [['payment.decision.created', 'payment.override.created'], null],
    )
  })
})

test('every member wrong in every way is told with its path, and nothing is registered', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    for (const [given, ...paths] of cases) {
      const answer = await post(harness, webhooksUrl, { url: publicUrl, ...given }, { key })
      const name = JSON.stringify(given).slice(0, 80)
      assert.equal(answer.status, 400, `${name}: ${answer.text}`)
      assert.equal(answer.body.code, 'INVALID_REQUEST', name)
      const told = errorsOf(answer).map(([path]) => path)
      assert.deepEqual(told.toSorted(), paths, `${name}: ${answer.text}`)
    }
    for (const body of ['', 'null', '[]', '{', '"x"']) {
      const answer = await post(harness, webhooksUrl, body, { key })
      assert.equal(answer.status, 400, body)
      assert.equal(errorsOf(answer)[0]?.[0], '', body)
    }
    await isEmpty(harness, key)
    assert.equal((await post(harness, webhooksUrl, { url: publicUrl }, { key })).status, 200)
  })
})

/** URLs whose text is refused whatever they lead to. */
const malformed = [
  'nonsense',
  'ftp://93.184.215.14/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'data:text/plain,x',
  'unix:/var/run/docker.sock',
  '//93.184.215.14/',
  'https:93.184.215.14',
  'https:///93.184.215.14/',
  'https://',
  'https://?x',
  'https://user@93.184.215.14/',
  'https://user:password@93.184.215.14/',
  'https://@93.184.215.14/',
  'https://93.184.215.14/#fragment',
  'https://93.184.215.14/#',
  'https://93.184.215.14:0/',
  'https://93.184.215.14:65536/',
  'https://93.184.215.14:x/',
  'https://93.184.215.14\\@example.org/',
  ' https://93.184.215.14/',
  'https://93.184.215.14/ x',
  'https://93.184.215.14/\t',
  'https://93.184.215.14/\r\nHost: x',
  'https://93.184.215.14/\u0000',
  'https://93.184.215.14/\u00e9',
  'https://93.184.215.300/',
  'https://1.2.3.4.5/',
  'https://[::1/',
  'https://[fe80::1%25eth0]/',
  'https://exa mple.org/',
  'https://-a.example.org/',
]

/** Addresses that are never public, in every way of writing them. */
const notPublic = [
  '127.0.0.1',
  '127.1',
  '0x7f000001',
  '2130706433',
  '017700000001',
  '0.0.0.0',
  '10.0.0.1',
  '100.64.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '192.168.0.1',
  '192.0.2.7',
  '198.18.0.1',
  '198.51.100.7',
  '203.0.113.7',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '168.63.129.16',
  '[::]',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:93.184.215.14]',
  '[::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[fe80::1]',
  '[ff02::1]',
  '[2001:db8::1]',
  '[3ffe::1]',
]

const localNames = [
  'localhost',
  'LOCALHOST.',
  'x.localhost',
  'printer.local',
  'metadata.google.internal',
  'intranet',
  'router.lan',
]

async function refuseAll(harness: Harness, key: string, urls: readonly string[]): Promise<void> {
  for (const url of urls) {
    const answer = await post(harness, webhooksUrl, { url }, { key })
    assert.equal(answer.status, 400, url)
    assert.deepEqual(
      errorsOf(answer).map(([path]) => path),
      ['/url'],
      url,
    )
  }
  await isEmpty(harness, key)
}

test('by default http, malformed URLs, local names and every address that is not public are refused', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const hosts = [...notPublic, ...localNames]
    const urls = [...malformed, 'http://93.184.215.14/', ...hosts.map((host) => `https://${host}/`)]
    await refuseAll(harness, key, urls)
    const plain = await post(harness, webhooksUrl, { url: 'http://93.184.215.14/' }, { key })
    assert.deepEqual(errorsOf(plain), [['/url', 'must be a valid https URL']])
    const local = await post(harness, webhooksUrl, { url: 'https://10.0.0.1/' }, { key })
    assert.deepEqual(errorsOf(local), [['/url', 'must not lead to a private, local or reserved address']])
  })
})

test('a name that does not resolve is refused, and the name servers that do not answer hold nobody up', async () => {
  // Nothing listens there: the answer of the system is that it is unreachable, at once.
  await withHarness({ dnsServers: ['127.0.0.1:9'] }, async (harness) => {
    const { key } = await harness.issue()
    const answer = await post(harness, webhooksUrl, { url: 'https://hooks.example.org/' }, { key })
    assert.equal(answer.status, 400)
    assert.deepEqual(errorsOf(answer), [['/url', 'does not resolve to an address']])
    await isEmpty(harness, key)
  })
})

test('in a trial http and private addresses are taken; malformed URLs, metadata and reserved ones are not', async () => {
  await withHarness({ settings: trial }, async (harness) => {
    const { key } = await harness.issue()
    const never = ['169.254.169.254', '203.0.113.7', '0.0.0.0', '224.0.0.1', '[fd00:ec2::254]', '[fe80::1]']
    await refuseAll(harness, key, [...malformed, ...never.map((host) => `http://${host}/`)])
    for (const url of ['http://127.0.0.1:9/', 'https://10.0.0.1/', 'http://[::1]/', 'http://localhost:9/']) {
      const answer = await post(harness, webhooksUrl, { url }, { key })
      assert.equal(answer.status, 200, answer.text)
    }
  })
})
