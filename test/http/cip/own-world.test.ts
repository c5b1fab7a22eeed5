/** Telemetry of the operator's own world: what the probe reads, stores and announces with live feeds. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../../helpers/database/databases.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import {
  httpFeed,
  providerBody,
  text,
  withLive,
  calm,
  type Answering,
  type FeedsSpec,
} from '../../helpers/peers/provider.ts'
import { corridorOf } from '../../helpers/check.ts'
import { findingsOf, observationOf } from '../../helpers/observations.ts'
import { withReceiver, type TestReceiver } from '../../helpers/peers/receiver.ts'
import { lagos } from '../../helpers/peers/world.ts'
import { post } from '../../helpers/post.ts'
import { another, register, trial, webhooksUrl } from '../../helpers/webhooks.ts'
import { ManualClock } from '../../helpers/clock.ts'
import type { SignalName } from '../../../src/core/decision/signals.ts'

const minuteMs = 60_000

/** Two corridors; the network is each partner's own, and liquidity needs an amount. */
function world(origin: string): FeedsSpec {
  const plain = (signal: SignalName) =>
    httpFeed(origin, signal, { url: `${origin}/${signal}?corridor={corridor}` })
  const network = httpFeed(origin, 'network_healthy', { url: `${origin}/network_healthy/{partner}` })
  return {
    signals: {
      fraud_flags: plain('fraud_flags'),
      network_healthy: plain('network_healthy'),
      balance_sufficient: httpFeed(origin, 'balance_sufficient'),
      fx_volatility: plain('fx_volatility'),
      operation_valid: { source: 'constant', value: 1 },
      historical_failure_rate: { source: 'outcomes', assumed_rate: 0.02 },
      cop_overridden: httpFeed(origin, 'cop_overridden', { method: 'POST', url: `${origin}/cop_overridden` }),
    },
    corridors: { 'GB-KE': { partners: ['alpha', 'beta'] }, 'GB-GH': {} },
    partners: {
      alpha: { signals: { network_healthy: network } },
      beta: { signals: { network_healthy: network } },
    },
  }
}

/** Which partners, or corridors without any, have a broken network now. */
class Networks {
  readonly broken = new Set<string>()
  readonly clock: ManualClock

  constructor(clock: ManualClock) {
    this.clock = clock
  }

  readonly answer: Answering = ({ signal, partner }) =>
    signal === 'network_healthy' && this.broken.has(partner ?? 'none')
      ? text('', 500)
      : text(providerBody(calm[signal as SignalName], this.clock.nowMs()))
}

async function probeAfter({ clock, probe }: Harness, ms = minuteMs): Promise<void> {
  clock.advance(ms)
  await probe()
}

const settings = { ...trial, FAIRWAY_CIP_PROBE_S: '60' }

for (const engine of engines) {
  test(`the probe reads declared corridors by the signals that need no payment (${engine})`, async () => {
    const clock = new ManualClock()
    const networks = new Networks(clock)
    await withLive(
      { engine, clock, settings, answer: networks.answer, feeds_file: world },
      async ({ harness, provider }) => {
        await harness.probe()
        assert.deepEqual(provider.questions.map(({ path }) => path).toSorted(), [
          '/fraud_flags?corridor=GB-GH',
          '/fraud_flags?corridor=GB-KE',
          '/fx_volatility?corridor=GB-GH',
          '/fx_volatility?corridor=GB-KE',
          '/network_healthy/alpha',
          '/network_healthy/beta',
          '/network_healthy?corridor=GB-GH',
        ])
        const [ghana, kenya] = await harness.store.cip.latest('feeds', clock.nowMs())
        assert.deepEqual(
          [ghana?.corridor, kenya?.corridor, kenya?.adapter, kenya?.composite],
          ['GB-GH', 'GB-KE', 'feeds', 100_000],
        )
        // Neither an amount, nor an assumption, nor an owner's history is telemetry.
        assert.deepEqual(kenya?.healthThousandths, [1000, 1000, null, 1000, null, null, null])
        const { body } = await harness.get(null, '/api/v1/cip/status')
        assert.deepEqual([body.active_adapters, body.observations_collected], [['feeds'], 2])
      },
    )
  })

  test(`what was simulated before counts for nothing once there are live feeds (${engine})`, async () => {
    const clock = new ManualClock()
    const networks = new Networks(clock)
    await withLive(
      { engine, clock, settings, answer: networks.answer, feeds_file: world },
      async ({ harness }) => {
        const lease = 'lease_of_before'
        const { cip } = harness.store
        assert.equal(await cip.claimTurn({ lease, nowMs: clock.nowMs(), everyMs: 0 }), true)
        const simulated = { ...observationOf(corridorOf('GB-KE'), clock.nowMs()), adapter: 'simulation' }
        assert.equal(await cip.record(lease, findingsOf([simulated])), true)
        assert.equal((await harness.get(null, '/api/v1/cip/status')).body.observations_collected, 0)
        assert.deepEqual(await cip.latest('feeds', clock.nowMs()), [])
      },
    )
  })
}

test('the corridor page has the last 24 hours of each partner: availability and score by the hour', async () => {
  const clock = new ManualClock()
  const networks = new Networks(clock)
  await withLive({ clock, settings, answer: networks.answer, feeds_file: world }, async ({ harness }) => {
    const { key } = await harness.issue({ prefix: 'pk_live_' })
    await harness.probe()
    networks.broken.add('alpha')
    for (let turn = 0; turn < 3; turn += 1) await probeAfter(harness)
    clock.advance(2 * 60 * minuteMs)
    networks.broken.clear()
    await harness.probe()
    const { body } = await harness.get(key, '/api/v1/corridors/GB-KE')
    const [alpha, beta] = body.partners
    assert.deepEqual(alpha.last_24_hours, [
      { hour: '2026-03-01T12:00:00.000Z', observations: 4, availability: 0.25, score: 1 },
      { hour: '2026-03-01T14:00:00.000Z', observations: 1, availability: 1, score: 1 },
    ])
    assert.deepEqual(
      beta.last_24_hours.map((hour: { availability: number }) => hour.availability),
      [1, 1],
    )
    assert.deepEqual([alpha.status, beta.status], ['IMPAIRED', 'OPERATIONAL'])
    const { body: alone } = await harness.get(key, '/api/v1/corridors/GB-GH')
    assert.deepEqual([alone.partners, alone.last_24_hours.length], [[], 2])
    clock.advance(25 * 60 * minuteMs)
    const { body: later } = await harness.get(key, '/api/v1/corridors/GB-KE')
    assert.deepEqual(later.partners[0].last_24_hours, [])
  })
})

const statusChanged = 'corridor.status.changed'

interface Told {
  readonly corridor: string
  readonly partner: string | null
  readonly status: string
  readonly previous_status: string
}

/** What the receiver was told since the last look: subject and status. */
async function toldNow({ journal, deliver }: Harness, { requests }: TestReceiver): Promise<string[]> {
  await journal.passed('webhooks')
  await deliver()
  return requests.splice(0).map(({ json }) => {
    const { corridor, partner, status, previous_status: before } = json.data as Told
    assert.equal(json.event, statusChanged)
    return `${partner ?? corridor}: ${before} to ${status}`
  })
}

const turns = async (harness: Harness, count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) await probeAfter(harness)
}

for (const engine of engines) {
  test(`an impaired partner or corridor is announced once, a flapping one not at all (${engine})`, async () => {
    const clock = new ManualClock()
    const networks = new Networks(clock)
    const stage = { engine, clock, settings, answer: networks.answer, feeds_file: world }
    await withReceiver((receiver) =>
      withLive(stage, async ({ harness }) => {
        const { key } = await harness.issue({ prefix: 'pk_live_' })
        await register(harness, key, receiver.url, { events: [statusChanged] })
        // Unless it asks for more, an endpoint hears of decisions and overrides alone.
        await register(harness, key, another(receiver.url))
        await harness.probe()
        // One bad turn in two is not enough, however long it goes on.
        for (let turn = 0; turn < 6; turn += 1) {
          if (turn % 2 === 0) networks.broken.add('alpha')
          else networks.broken.clear()
          await probeAfter(harness)
        }
        assert.deepEqual(await toldNow(harness, receiver), [])
        networks.broken.add('alpha')
        await turns(harness, 5)
        assert.deepEqual(await toldNow(harness, receiver), ['alpha: OPERATIONAL to IMPAIRED'])
        networks.broken.add('beta')
        await turns(harness, 3)
        assert.deepEqual((await toldNow(harness, receiver)).toSorted(), [
          'GB-KE: OPERATIONAL to IMPAIRED',
          'beta: OPERATIONAL to IMPAIRED',
        ])
        networks.broken.clear()
        await turns(harness, 2)
        assert.deepEqual(await toldNow(harness, receiver), [], 'two good turns may be chance')
        await turns(harness, 1)
        assert.equal((await toldNow(harness, receiver)).length, 3)
        const { body } = await harness.get(key, '/api/v1/events')
        const subjects = body.events.map(({ type, subject }: Record<string, string>) => `${type} ${subject}`)
        assert.deepEqual(subjects, Array(6).fill(`${statusChanged} GB-KE`), 'and the stream has the same')
        const { key: testKey } = await harness.issue()
        assert.deepEqual((await harness.get(testKey, '/api/v1/events')).body.events, [], 'of live keys alone')
      }),
    )
  })
}

test('a corridor whose window closes or opens is announced at the next turn', async () => {
  const clock = new ManualClock('2026-03-02T14:58:00.000Z')
  const networks = new Networks(clock)
  const feeds_file = (origin: string): FeedsSpec => ({
    ...world(origin),
    corridors: { 'GB-KE': { partners: ['alpha', 'beta'], calendar: 'lagos' } },
    calendars: { lagos },
  })
  await withReceiver((receiver) =>
    withLive({ clock, settings, answer: networks.answer, feeds_file }, async ({ harness }) => {
      const { key } = await harness.issue({ prefix: 'pk_live_' })
      await register(harness, key, receiver.url, { events: [statusChanged] })
      for (let turn = 0; turn < 4; turn += 1) await probeAfter(harness)
      await probeAfter(harness, 16 * 60 * minuteMs)
      await harness.journal.passed('webhooks')
      await harness.deliver()
      assert.deepEqual(
        receiver.requests.map(({ json }) => [json.data.status, json.data.changed_at]),
        [
          ['CLOSED', '2026-03-02T15:00:00.000Z'],
          ['OPERATIONAL', '2026-03-03T07:02:00.000Z'],
        ],
      )
    }),
  )
})

test('a calendar that expires while it is closed opens nothing', async () => {
  const clock = new ManualClock('2026-12-31T20:00:00.000Z')
  const networks = new Networks(clock)
  const feeds_file = (origin: string): FeedsSpec => ({
    ...world(origin),
    corridors: { 'GB-KE': { partners: ['alpha', 'beta'], calendar: 'lagos' } },
    calendars: { lagos },
  })
  await withLive({ clock, settings, answer: networks.answer, feeds_file }, async ({ harness }) => {
    await turns(harness, 2)
    await probeAfter(harness, 12 * 60 * minuteMs)
    const [corridor] = await harness.store.cip.statuses(corridorOf('GB-KE'))
    assert.deepEqual([corridor?.partner, corridor?.status], [null, 'CLOSED'])
  })
})

test('a corridor or partner that is no longer declared has no status', async () => {
  const clock = new ManualClock()
  const networks = new Networks(clock)
  const stage = { clock, settings, answer: networks.answer, feeds_file: world }
  await withLive(stage, async ({ harness, provider, rewrite }) => {
    const statuses = async () => {
      const all = await harness.store.cip.statuses(null)
      return all.map(({ corridor, partner }) => `${corridor} ${partner ?? ''}`.trim())
    }
    await turns(harness, 1)
    assert.deepEqual(await statuses(), ['GB-GH', 'GB-KE', 'GB-KE alpha', 'GB-KE beta'])
    rewrite({ ...world(provider.origin), corridors: { 'GB-KE': { partners: ['alpha'] } } })
    assert.deepEqual(harness.feeds?.reload(), [])
    await turns(harness, 1)
    assert.deepEqual(await statuses(), ['GB-KE', 'GB-KE alpha'])
  })
})

for (const engine of engines) {
  test(`a turn that lasts longer than its interval is not taken by another instance (${engine})`, async () => {
    await withHarness({ engine }, async ({ store: { cip }, clock }) => {
      const turn = (lease: string) => cip.claimTurn({ lease, nowMs: clock.nowMs(), everyMs: minuteMs })
      const part = { ...findingsOf([]), statuses: [] }
      assert.equal(await turn('one'), true)
      for (let step = 0; step < 5; step += 1) {
        clock.advance(50_000)
        const state = { isEnded: false, dueAtMs: clock.nowMs() + minuteMs }
        assert.equal(await cip.record('one', part, state), true)
        assert.equal(await turn('other'), false)
      }
      // It dies: another takes over a minute after its last word, and its own late word is refused.
      clock.advance(minuteMs)
      assert.equal(await turn('other'), true)
      const late = { isEnded: false, dueAtMs: clock.nowMs() + minuteMs }
      assert.equal(await cip.record('one', part, late), false)
      const ended = { isEnded: true, dueAtMs: clock.nowMs() + 5 }
      assert.equal(await cip.record('other', part, ended), true)
      assert.equal(await turn('next'), false)
      clock.advance(5)
      assert.equal(await turn('next'), true)
    })
  })
}

test('only live keys hear of live corridors', async () => {
  const clock = new ManualClock()
  const networks = new Networks(clock)
  await withReceiver((receiver) =>
    withLive({ clock, settings, answer: networks.answer, feeds_file: world }, async ({ harness }) => {
      const { key } = await harness.issue()
      const refused = await post(
        harness,
        webhooksUrl,
        { url: receiver.url, events: [statusChanged] },
        { key },
      )
      assert.deepEqual([refused.status, refused.body.errors[0].path], [400, '/events/0'])
      // An owner whose live key is revoked hears nothing more.
      const live = await harness.issue({ prefix: 'pk_live_' })
      await register(harness, live.key, receiver.url, { events: [statusChanged] })
      await harness.store.keys.revoke(live.record.keyId, clock.nowMs())
      networks.broken.add('alpha')
      for (let turn = 0; turn < 4; turn += 1) await probeAfter(harness)
      await harness.journal.passed('webhooks')
      await harness.deliver()
      assert.equal(receiver.requests.length, 0)
    }),
  )
})

test('a change of status is an entry of the log', async () => {
  const clock = new ManualClock()
  const networks = new Networks(clock)
  await withLive({ clock, settings, answer: networks.answer, feeds_file: world }, async ({ harness }) => {
    networks.broken.add('alpha')
    for (let turn = 0; turn < 3; turn += 1) await probeAfter(harness)
    assert.equal(await harness.seal(), 1)
  })
})
