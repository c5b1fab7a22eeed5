/** The limits of the public demo, of both endpoints: 15 in 15 rolling minutes for each client address. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withHarness, type Answer, type Harness } from '../../helpers/harness.ts'
import { post } from '../../helpers/post.ts'

const endpoints = ['demo-verify', 'demo-compare'] as const
type Endpoint = (typeof endpoints)[number]

const body = { payment: {} }

interface From {
  readonly address?: string
  readonly forwarded?: string
}

function ask(harness: Harness, endpoint: Endpoint, { address, forwarded }: From = {}): Promise<Answer> {
  return post(harness, `/api/v1/${endpoint}`, body, {
    ...(address === undefined ? {} : { remoteAddress: address }),
    ...(forwarded === undefined ? {} : { headers: { 'x-forwarded-for': forwarded } }),
  })
}

for (const endpoint of endpoints) {
  test(`the 16th in 15 minutes is refused, and waiting Retry-After succeeds (${endpoint})`, async () => {
    await withHarness({}, async (harness) => {
      const { clock } = harness
      for (let left = 14; left >= 0; left -= 1) {
        const answer = await ask(harness, endpoint)
        assert.equal(answer.status, 200)
        assert.equal(answer.headers['ratelimit-policy'], `"${endpoint}";q=15;w=900`)
        assert.match(String(answer.headers['ratelimit']), new RegExp(`^"${endpoint}";r=${left};t=\\d+$`))
        clock.advance(10_000)
      }
      // Refused requests do not count: however many, the wait grows by none of them.
      for (let attempt = 0; attempt < 20; attempt += 1) {
        const refused = await ask(harness, endpoint)
        assert.equal(refused.status, 429)
        assert.equal(refused.body.code, 'RATE_LIMITED')
        assert.equal(refused.headers['retry-after'], '750')
        assert.match(refused.body.message, /750 seconds/)
      }
      clock.advance(749_999)
      assert.equal((await ask(harness, endpoint)).status, 429)
      clock.advance(1)
      assert.equal((await ask(harness, endpoint)).status, 200)
      const next = await ask(harness, endpoint)
      assert.equal(next.status, 429, 'the window rolls: one place came free, not fifteen')
      assert.equal(next.headers['retry-after'], '10')
    })
  })
}

test('each endpoint has a window of its own, and keyed routes have theirs', async () => {
  await withHarness({ settings: { FAIRWAY_LIMIT_DEMO: '1/60' } }, async (harness) => {
    const { key } = await harness.issue()
    assert.equal((await ask(harness, 'demo-verify')).status, 200)
    assert.equal((await ask(harness, 'demo-compare')).status, 200)
    assert.equal((await ask(harness, 'demo-verify')).status, 429)
    assert.equal((await ask(harness, 'demo-compare')).status, 429)
    assert.equal((await harness.verify(key, { corridor: 'GB-NG' })).status, 200)
    assert.equal((await harness.get(null, '/api/health')).status, 200)
  })
})

test('FAIRWAY_LIMIT_DEMO sets the limit of both', async () => {
  await withHarness({ settings: { FAIRWAY_LIMIT_DEMO: '3/7' } }, async (harness) => {
    for (const endpoint of endpoints) {
      for (const status of [200, 200, 200, 429]) {
        assert.equal((await ask(harness, endpoint)).status, status)
      }
      const refused = await ask(harness, endpoint)
      assert.equal(refused.headers['ratelimit-policy'], `"${endpoint}";q=3;w=7`)
    }
  })
})

/** Bodies that are refused: not JSON, not valid by the schema, and not valid by what they mean. */
const mistakes: Readonly<Record<Endpoint, readonly (string | object)[]>> = {
  'demo-verify': ['{', { amount: 'x' }, { corridor: 'GBNG' }, { currency: 'POUND' }],
  'demo-compare': ['{', { payment: { amount: 'x' } }, { payment: { corridor: 'GBNG' } }],
}

test('a request that is refused for a mistake takes no try', async () => {
  await withHarness({ settings: { FAIRWAY_LIMIT_DEMO: '1/60' } }, async (harness) => {
    for (const endpoint of endpoints) {
      for (const mistake of mistakes[endpoint]) {
        const refused = await post(harness, `/api/v1/${endpoint}`, mistake)
        assert.equal(refused.status, 400)
        assert.match(String(refused.headers['ratelimit']), /^"demo-attempts";r=\d+;t=\d+$/)
      }
      assert.equal((await ask(harness, endpoint)).status, 200)
      assert.equal((await ask(harness, endpoint)).status, 429)
    }
  })
})

test('a flood of mistakes is refused: attempts of any kind have ten times the limit, together', async () => {
  await withHarness({ settings: { FAIRWAY_LIMIT_DEMO: '2/60' } }, async (harness) => {
    for (let attempt = 0; attempt < 20; attempt += 1) {
      const endpoint = endpoints[attempt % endpoints.length] ?? 'demo-verify'
      assert.equal((await post(harness, `/api/v1/${endpoint}`, '{')).status, 400)
    }
    for (const endpoint of endpoints) {
      const refused = await post(harness, `/api/v1/${endpoint}`, '{')
      assert.equal(refused.status, 429)
      assert.equal(refused.headers['ratelimit-policy'], '"demo-attempts";q=20;w=60')
      assert.equal((await ask(harness, endpoint)).status, 429)
    }
    harness.clock.advance(60_000)
    assert.equal((await ask(harness, 'demo-verify')).status, 200)
  })
})

/** Whether two callers are counted as one: the first takes the only place there is. */
async function shared(harness: Harness, first: From, second: From): Promise<boolean> {
  harness.clock.advance(60_000)
  const statuses: number[] = []
  for (const endpoint of endpoints) {
    assert.equal((await ask(harness, endpoint, first)).status, 200)
    statuses.push((await ask(harness, endpoint, second)).status)
  }
  assert.equal(statuses[0], statuses[1], 'both endpoints count alike')
  return statuses[0] === 429
}

type Pair = readonly [first: From, second: From, isOne: boolean]

async function checkPairs(trustProxy: string, pairs: readonly Pair[]): Promise<void> {
  const settings = { FAIRWAY_LIMIT_DEMO: '1/60', FAIRWAY_TRUST_PROXY: trustProxy }
  await withHarness({ settings }, async (harness) => {
    for (const [first, second, isOne] of pairs) {
      const name = `${JSON.stringify(first)} and ${JSON.stringify(second)}`
      assert.equal(await shared(harness, first, second), isOne, name)
    }
  })
}

test('another address is not affected; IPv6 is counted by /64, IPv4 in IPv6 clothes as IPv4', async () => {
  await checkPairs('', [
    [{ address: '203.0.113.1' }, { address: '203.0.113.1' }, true],
    [{ address: '203.0.113.1' }, { address: '203.0.113.2' }, false],
    [{ address: '203.0.113.1' }, { address: '::ffff:203.0.113.1' }, true],
    [{ address: '::ffff:203.0.113.1' }, { address: '::ffff:203.0.113.2' }, false],
    [{ address: '2001:db8:0:1::1' }, { address: '2001:db8:0:1:ffff:ffff:ffff:ffff' }, true],
    [{ address: '2001:db8:0:1::1' }, { address: '2001:0DB8:0000:0001::99' }, true],
    [{ address: '2001:db8:0:1::1' }, { address: '2001:db8:0:2::1' }, false],
    [{ address: '2001:db8:0:1::1' }, { address: '203.0.113.1' }, false],
  ])
})

test('X-Forwarded-For is by default not believed', async () => {
  await checkPairs('', [
    [{ forwarded: '198.51.100.1' }, { forwarded: '198.51.100.2' }, true],
    [{ address: '203.0.113.1', forwarded: '198.51.100.1' }, { address: '203.0.113.1' }, true],
    [
      { address: '203.0.113.1', forwarded: '198.51.100.1' },
      { address: '203.0.113.2', forwarded: '198.51.100.1' },
      false,
    ],
  ])
})

const proxy = '10.0.0.1'
const viaProxy = (forwarded: string): From => ({ address: proxy, forwarded })

for (const setting of ['true', '1']) {
  test(`behind one proxy (${setting}) the last entry counts, and forged ones before it change nothing`, async () => {
    await checkPairs(setting, [
      [viaProxy('198.51.100.1'), viaProxy('198.51.100.2'), false],
      [viaProxy('198.51.100.1'), viaProxy('1.1.1.1, 198.51.100.1'), true],
      [viaProxy('1.1.1.1, 198.51.100.1'), viaProxy('2.2.2.2,3.3.3.3, 198.51.100.1'), true],
      [viaProxy('198.51.100.2, 198.51.100.1'), viaProxy('198.51.100.1, 198.51.100.2'), false],
      [viaProxy('junk, 198.51.100.1'), viaProxy('198.51.100.1'), true],
      [viaProxy('198.51.100.1'), { address: '10.0.0.2', forwarded: '198.51.100.1' }, true],
      [viaProxy('2001:db8:0:1::1'), viaProxy('2001:db8:0:1::2'), true],
      [viaProxy('2001:db8:0:1::1'), viaProxy('2001:db8:0:2::1'), false],
      [viaProxy('::ffff:198.51.100.1'), viaProxy('198.51.100.1'), true],
      [{ address: '203.0.113.1' }, { address: '203.0.113.2' }, false],
    ])
  })
}

test('behind two proxies the last but one counts', async () => {
  await checkPairs('2', [
    [viaProxy('198.51.100.1, 10.0.0.9'), viaProxy('6.6.6.6, 198.51.100.1, 10.0.0.8'), true],
    [viaProxy('198.51.100.1, 10.0.0.9'), viaProxy('198.51.100.2, 10.0.0.9'), false],
  ])
})

test('of a list of proxies only they are believed', async () => {
  await checkPairs('10.0.0.0/8, ::1', [
    [viaProxy('198.51.100.1'), viaProxy('198.51.100.2'), false],
    [viaProxy('1.1.1.1, 198.51.100.1'), viaProxy('198.51.100.1, 10.7.7.7'), true],
    [{ address: '::1', forwarded: '198.51.100.1' }, viaProxy('198.51.100.1'), true],
    [
      { address: '203.0.113.1', forwarded: '198.51.100.1' },
      { address: '203.0.113.1', forwarded: '198.51.100.2' },
      true,
    ],
    [{ address: '203.0.113.1', forwarded: '198.51.100.1' }, viaProxy('198.51.100.1'), false],
  ])
})

test('a port that a proxy adds to an address changes nothing', async () => {
  await checkPairs('true', [
    [viaProxy('198.51.100.1'), viaProxy('198.51.100.1:443'), true],
    [viaProxy('198.51.100.1:80'), viaProxy('198.51.100.2:80'), false],
    [viaProxy('2001:db8::1'), viaProxy('[2001:db8::2]:443'), true],
  ])
})

test('junk in X-Forwarded-For breaks nothing and counts for the proxy', async () => {
  const junk = [
    '',
    ',',
    ' , , ',
    'unknown',
    '_hidden',
    '999.1.1.1',
    '10',
    '0x7f.1',
    'for=198.51.100.1',
    "'; DROP TABLE keys; --",
    '<script>',
    'x'.repeat(4_000),
    '1.1.1.1,'.repeat(500) + 'x',
  ]
  for (const setting of ['true', '10.0.0.0/8']) {
    await checkPairs(
      setting,
      junk.map((forwarded): Pair => [{ address: proxy }, viaProxy(forwarded), true]),
    )
  }
})

test('two instances on one database share the window of an address', async () => {
  await withHarness({ engine: 'postgres' }, async (harness) => {
    const sibling = await harness.sibling()
    for (const endpoint of endpoints) {
      const from = { address: '203.0.113.1' }
      const asked = Array.from({ length: 20 }, (_, turn) => ask(turn % 2 ? harness : sibling, endpoint, from))
      const statuses = (await Promise.all(asked)).map(({ status }) => status)
      assert.equal(statuses.filter((status) => status === 200).length, 15)
      assert.equal(statuses.filter((status) => status === 429).length, 5)
      const refused = await ask(sibling, endpoint, from)
      assert.equal(refused.status, 429)
      const wait = Number(refused.headers['retry-after'])
      assert.ok(wait >= 1 && wait <= 900, String(wait))
      assert.equal((await ask(harness, endpoint, { address: '203.0.113.2' })).status, 200)
    }
    await sibling.close()
  })
})
