/** A feeds file that is read again: a good one takes its place at once, a bad one changes nothing. */

import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openFileFeeds } from '../../../src/adapters/feeds/open.ts'
import { FileFault } from '../../../src/app/ports/assess.ts'
import { signalNames } from '../../../src/core/decision/signals.ts'
import { ManualClock } from '../../helpers/clock.ts'
import { withFolder } from '../../helpers/folder.ts'
import type { Harness } from '../../helpers/harness.ts'
import {
  feedsAt,
  text,
  unwell,
  values,
  withLive,
  type Answering,
  type Reply,
} from '../../helpers/peers/provider.ts'

const payment = { corridor: 'GB-NG', amount: 1 }
const liveKey = async ({ issue }: Harness): Promise<string> => (await issue({ prefix: 'pk_live_' })).key

const constants = (fraudFlags: number) => {
  const one = { source: 'constant', value: 1 }
  return {
    signals: {
      ...Object.fromEntries(signalNames.map((signal) => [signal, one])),
      fraud_flags: { source: 'constant', value: fraudFlags },
      historical_failure_rate: { source: 'constant', value: 0 },
    },
  }
}

test('a good file takes the place of the old one at once, partners and all', async () => {
  await withLive({}, async ({ harness, provider, rewrite }) => {
    const key = await liveKey(harness)
    const ask = async () => (await harness.verify(key, payment)).body
    assert.equal((await ask()).decision, 'GO')
    const asked = provider.questions.length
    rewrite({ ...constants(2), recommended_partner: { 'GB-NG': 'another' } })
    assert.equal((await ask()).decision, 'GO', 'nobody has read it yet')
    assert.deepEqual(harness.feeds?.reload(), [])
    const after = await ask()
    assert.deepEqual([after.decision, after.signals.fraud_flags], ['DEGRADED', 2])
    assert.equal(after.recommended_partner, 'another')
    assert.equal(provider.questions.length, asked + signalNames.length)
    assert.deepEqual(
      harness.feeds
        ?.current()
        .states()
        .map(({ kind }) => kind),
      signalNames.map(() => 'constant'),
    )
  })
})

test('a file that cannot be used, or is gone, or is no text, changes nothing', async () => {
  await withLive({}, async ({ harness, file, rewrite }) => {
    const key = await liveKey(harness)
    const expectSame = async (): Promise<void> => {
      const { status, body } = await harness.verify(key, payment)
      assert.deepEqual([status, body.decision], [200, 'GO'])
      assert.equal(harness.feeds?.current().states().length, 7)
    }
    rewrite('{\n  "signals": {\n    "fraud_flags": { "source": "nowhere" }\n  }\n}')
    assert.deepEqual(
      harness.feeds?.reload().map(({ line, field }) => [line, field]),
      [[3, '/signals/fraud_flags/source']],
    )
    await expectSame()
    rewrite('')
    assert.equal(harness.feeds?.reload().length, 1)
    await expectSame()
    writeFileSync(file, Buffer.from([0xff, 0xfe]))
    assert.match(harness.feeds?.reload()[0]?.message ?? '', /cannot be read/)
    await expectSame()
    rmSync(file)
    assert.match(harness.feeds?.reload()[0]?.message ?? '', /there is no such file/)
    await expectSame()
    rewrite(constants(1))
    assert.deepEqual(harness.feeds?.reload(), [])
    assert.equal((await harness.verify(key, payment)).body.decision, 'DEGRADED')
  })
})

test('a file with fewer feeds holds live mode for the others, and one with all of them lets it go on', async () => {
  await withLive({}, async ({ harness, provider, rewrite }) => {
    const key = await liveKey(harness)
    const { signals } = feedsAt(provider.origin)
    rewrite({ signals: { fraud_flags: signals.fraud_flags ?? {} } })
    assert.deepEqual(harness.feeds?.reload(), [])
    const { status, body } = await harness.verify(key, payment)
    assert.deepEqual([status, body.unavailable_signals.length], [503, 6])
    rewrite(feedsAt(provider.origin))
    assert.deepEqual(harness.feeds?.reload(), [])
    assert.equal((await harness.verify(key, payment)).status, 200)
  })
})

test('what is under way when the file is read again ends with the feeds with which it began', async () => {
  const held: (() => void)[] = []
  const healthy = values()
  const answer: Answering =
    (question): Reply =>
    (response) =>
      void held.push(() => healthy(question)(response))
  await withLive({ answer }, async ({ harness, provider, rewrite }) => {
    const key = await liveKey(harness)
    const underWay = harness.verify(key, payment)
    for (const signal of signalNames) await provider.reached(signal, 1)
    rewrite(constants(2))
    assert.deepEqual(harness.feeds?.reload(), [])
    assert.equal((await harness.verify(key, payment)).body.signals.fraud_flags, 2)
    for (const release of held) release()
    const { status, body } = await underWay
    assert.deepEqual([status, body.decision, body.signals.fraud_flags], [200, 'GO', 0])
  })
})

test('a file that is read again begins with closed breakers and nothing cached', async () => {
  let reply: Reply | null = unwell['status 500']('')
  const healthy = values()
  const feeds_file = (origin: string) =>
    feedsAt(origin, {}, { breaker: { failures: 1, reset_ms: 600_000 }, cache_ms: 60_000 })
  const answer: Answering = (question) => reply ?? healthy(question)
  await withLive({ answer, feeds_file }, async ({ harness, provider }) => {
    const key = await liveKey(harness)
    assert.equal((await harness.verify(key, payment)).status, 503)
    reply = null
    assert.equal((await harness.verify(key, payment)).status, 503)
    assert.equal(provider.questions.length, signalNames.length)
    assert.deepEqual(harness.feeds?.reload(), [])
    assert.equal((await harness.verify(key, payment)).status, 200)
    reply = text('', 500)
    assert.equal((await harness.verify(key, payment)).status, 200, 'from the cache')
    assert.deepEqual(harness.feeds?.reload(), [])
    assert.equal((await harness.verify(key, payment)).status, 503)
  })
})

test('a file that cannot be used opens no feeds, and says why in one line', async () => {
  const options = {
    clock: new ManualClock(),
    countOutcomes: () => Promise.resolve({ ended: 0, failed: 0, newestAtMs: null }),
    environment: {},
    onStateChange: () => undefined,
  }
  const rows: [content: string | null, message: RegExp][] = [
    [null, /^cannot load live feeds from .*feeds\.json: there is no such file$/],
    ['{', /^the feeds file .*feeds\.json is invalid: line 1: the file is not valid JSON: .*\.$/],
    [
      '{ "signals": {\n"fraud_flags": {} } }',
      /is invalid: line 2: \/signals\/fraud_flags\/source must be one of [^\n]*\.$/,
    ],
    [
      '{ "deadline_ms": 1,\n"extra": 1,\n"signals": {} }',
      /line 1: \/deadline_ms [^\n]*\. 1 more: run fairway feeds check to see all\.$/,
    ],
  ]
  await withFolder((folder) => {
    for (const [content, message] of rows) {
      const path = join(folder, 'feeds.json')
      if (content !== null) writeFileSync(path, content)
      assert.throws(
        () => openFileFeeds(path, options),
        (error) => {
          assert.ok(error instanceof FileFault)
          assert.match(error.message, message)
          return true
        },
      )
    }
    return Promise.resolve()
  })
})
