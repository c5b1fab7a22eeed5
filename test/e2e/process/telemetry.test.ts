/** OpenTelemetry: what a real server sends to a real OTLP receiver, switched on by the standard settings alone. */

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { timelineEvents } from '../../../src/core/explain/timeline.ts'
import { signalNames, type SignalName } from '../../../src/core/decision/signals.ts'
import { releaseVersion } from '../../../src/core/operate/release.ts'
import { engines } from '../../helpers/database/databases.ts'
import { withFolder } from '../../helpers/folder.ts'
import { withOtlp } from '../../helpers/peers/otlp.ts'
import {
  calm,
  feedsAt,
  openTestProvider,
  providerBody,
  text,
  type TestProvider,
} from '../../helpers/peers/provider.ts'
import { withReceiver } from '../../helpers/peers/receiver.ts'
import { checkedFetch } from '../../helpers/process/checked-fetch.ts'
import { ask } from '../../helpers/process/process.ts'
import {
  headerOf,
  inTrace,
  parentId,
  payment,
  to,
  traceId,
  traceparent,
  withServer,
} from '../../helpers/process/telemetry.ts'

for (const engine of engines) {
  test(`a verify is a span in the caller’s trace, with its ten moments and its store calls below (${engine})`, async () => {
    await withOtlp((receiver) =>
      withServer(
        to(receiver),
        async ({ url, key }) => {
          const answer = await ask(url, key, payment, { traceparent })
          const { request_id: requestId } = (await answer.json()) as { readonly request_id: string }
          const span = await receiver.until(() => inTrace(receiver, 'POST /api/v1/verify'))
          assert.deepEqual([span.parentSpanId, span.kind], [parentId, 2])
          assert.deepEqual(span.attributes, {
            'http.request.method': 'POST',
            'http.route': '/api/v1/verify',
            'url.scheme': 'http',
            'http.response.status_code': 200,
            'fairway.request_id': requestId,
            'fairway.corridor': 'GB-NG',
            'fairway.mode': 'shadow',
            'fairway.decision': 'GO',
          })
          const events = span.events.map(({ name }) => name)
          assert.deepEqual(events, timelineEvents)
          const times = [...span.events.map(({ timeNs }) => timeNs), span.endNs]
          assert.ok(times.every((time, place) => place === 0 || time >= (times[place - 1] ?? 0n)))
          const commit = await receiver.until(() =>
            receiver
              .spans()
              .find(
                ({ name, parentSpanId }) =>
                  /^store (?:ahead\.)?commit$/.test(name) && parentSpanId === span.spanId,
              ),
          )
          assert.equal(
            commit.attributes['db.system.name'],
            { sqlite: 'sqlite', postgres: 'postgresql' }[engine],
          )
          // The record names the span, so that either can be found from the other.
          const headers = { authorization: `Bearer ${key}` }
          const exported = await checkedFetch(`${url}/api/v1/audit/export/${requestId}`, { headers })
          const { record } = (await exported.json()) as { record: { evidence: { trace: unknown } } }
          const trace = { trace_id: traceId, parent_id: span.spanId, is_sampled: true }
          assert.deepEqual(record.evidence.trace, trace)
        },
        { engine },
      ),
    )
  })
}

test('feeds and webhooks are asked within the trace of their decision', async () => {
  await withFeeds((file, provider) =>
    withOtlp((receiver) =>
      withReceiver((hooks) =>
        withServer(
          { ...to(receiver), ...file, FAIRWAY_WEBHOOK_ALLOW_PRIVATE: 'true' },
          async ({ url, key, post }) => {
            assert.equal((await post('/api/v1/webhooks', { url: hooks.url })).status, 200)
            const before = provider.questions.length
            const chosen = { baggage: 'chosen=by-the-caller', tracestate: 'chosen=by-the-caller' }
            assert.equal((await ask(url, key, payment, { traceparent, ...chosen })).status, 200)
            const asked = new Map(provider.questions.slice(before).map((one) => [one.signal, one.headers]))
            for (const signal of signalNames) {
              const span = await receiver.until(() => inTrace(receiver, `feed ${signal}`))
              assert.equal(span.attributes['fairway.feed_kind'], 'http')
              assert.equal(asked.get(signal)?.['traceparent'], headerOf(span), signal)
              for (const name of Object.keys(chosen)) assert.equal(asked.get(signal)?.[name], undefined)
            }
            const attempt = await receiver.until(() => inTrace(receiver, 'webhook attempt'))
            assert.equal(attempt.parentSpanId, inTrace(receiver, 'POST /api/v1/verify')?.spanId)
            assert.equal(attempt.attributes['http.response.status_code'], 200)
            assert.equal(hooks.requests[0]?.headers['traceparent'], headerOf(attempt))
          },
          { type: 'live' },
        ),
      ),
    ),
  )
})

test('each attempt of a webhook is a span, and one that is not taken is a failed one', async () => {
  const answers = [500]
  await withOtlp((receiver) =>
    withReceiver(
      (hooks) =>
        withServer(
          {
            ...to(receiver),
            FAIRWAY_WEBHOOK_ALLOW_PRIVATE: 'true',
            FAIRWAY_WEBHOOK_RETRY_DELAYS_S: '1,1,1,1',
          },
          async ({ url, key, post }) => {
            assert.equal((await post('/api/v1/webhooks', { url: hooks.url })).status, 200)
            assert.equal((await ask(url, key, payment, { traceparent })).status, 200)
            const attempts = await receiver.until(() => {
              const found = receiver.spans().filter(({ name }) => name === 'webhook attempt')
              return found.length === 2 ? found : undefined
            })
            assert.deepEqual(
              attempts.map(({ isFailed, attributes }) => [
                isFailed,
                attributes['error.type'],
                attributes['http.response.status_code'],
                attributes['http.request.resend_count'],
              ]),
              [
                [true, '500', 500, undefined],
                [false, undefined, 200, 1],
              ],
            )
            assert.ok(attempts.every((attempt) => attempt.traceId === traceId))
          },
        ),
      () => answers.shift() ?? 200,
    ),
  )
})

test('a feed that fails, and the verify that it holds, are failed spans', async () => {
  await withFeeds(
    (file) =>
      withOtlp((receiver) =>
        withServer(
          { ...to(receiver), ...file },
          async ({ url, key }) => {
            assert.equal((await ask(url, key, payment, { traceparent })).status, 503)
            const feed = await receiver.until(() => inTrace(receiver, 'feed fraud_flags'))
            assert.deepEqual([feed.isFailed, feed.attributes['error.type']], [true, 'bad_status'])
            const verify = await receiver.until(() => inTrace(receiver, 'POST /api/v1/verify'))
            assert.deepEqual(
              [verify.isFailed, verify.attributes['error.type']],
              [true, 'SIGNALS_UNAVAILABLE'],
            )
          },
          { type: 'live' },
        ),
      ),
    500,
  )
})

test('each follower’s run is a trace of its own, with its store calls below', async () => {
  await withOtlp((receiver) =>
    withServer(to(receiver), async ({ url, key }) => {
      await ask(url, key, payment, { traceparent })
      for (const name of ['webhooks', 'totals', 'log', 'reviews', 'events', 'calibration', 'policies']) {
        const run = await receiver.until(() =>
          receiver.spans().find((one) => one.name === `follower ${name}`),
        )
        assert.equal(run.parentSpanId, undefined, name)
        assert.notEqual(run.traceId, traceId, name)
        await receiver.until(() => receiver.spans().find((one) => one.parentSpanId === run.spanId))
      }
    }),
  )
})

test('a trace that is not sampled makes no span, and goes on as it came', async () => {
  await withOtlp((receiver) =>
    withReceiver((hooks) =>
      withServer(
        {
          ...to(receiver),
          FAIRWAY_WEBHOOK_ALLOW_PRIVATE: 'true',
          OTEL_TRACES_SAMPLER: 'parentbased_always_off',
        },
        async ({ url, key, post, stop }) => {
          await post('/api/v1/webhooks', { url: hooks.url })
          const unsampled = traceparent.replace(/01$/, '00')
          assert.equal((await ask(url, key, payment, { traceparent: unsampled })).status, 200)
          await receiver.until(() => receiver.points('fairway_webhook_attempts_total')[0])
          await stop()
          const expected = new RegExp(`^00-${traceId}-.{16}-00$`)
          assert.match(String(hooks.requests[0]?.headers['traceparent']), expected)
          assert.deepEqual(receiver.spans(), [])
        },
      ),
    ),
  )
})

test('the metrics are those of /metrics, under the same names', async () => {
  await withOtlp((receiver) =>
    withServer(to(receiver), async ({ url, key, stop }) => {
      for (const amount of [1, 2, 600_000]) await ask(url, key, { ...payment, amount })
      const shown = await (await checkedFetch(`${url}/metrics`)).text()
      await stop()
      const types = [...shown.matchAll(/^# TYPE (\S+) (counter|gauge|histogram)$/gm)]
      assert.ok(types.length > 20)
      for (const [, name = '', type = ''] of types) {
        const points = receiver.points(name)
        if (new RegExp(`^${name}\\S* `, 'm').test(shown)) assert.ok(points.length > 0, name)
        const kind = type === 'counter' ? 'sum' : type
        assert.ok(
          points.every((point) => point.kind === kind),
          name,
        )
      }
      const decided = receiver.points('fairway_decisions_total')
      const verdicts = decided.map(({ attributes, value }) => [attributes['verdict'], value])
      assert.deepEqual(Object.fromEntries(verdicts), { GO: 2, 'NO-GO': 1 })
      const took = receiver.points('fairway_http_request_duration_seconds')
      const verify = took.find(({ attributes }) => attributes['route'] === '/api/v1/verify')
      const { bucketCounts = [], explicitBounds = [], count } = verify ?? {}
      assert.equal(bucketCounts.length, explicitBounds.length + 1)
      assert.deepEqual([count, bucketCounts.reduce((sum, one) => sum + one, 0)], [3, 3])
    }),
  )
})

test('a log line goes out with the trace of its request, and neither keys nor personal text leave', async () => {
  await withOtlp((receiver) =>
    withServer({ ...to(receiver), LOG_LEVEL: 'debug' }, async ({ url, key, stop, output }) => {
      await ask(url, key, payment, { traceparent })
      await ask(url, key, { corridor: key, amount: 1 }, { traceparent })
      await ask(url, `${key}x`, payment)
      await stop()
      const lines = output()
        .split('\n')
        .filter((one) => one.startsWith('{'))
      const line = lines
        .map((one) => JSON.parse(one) as Record<string, unknown>)
        .find((one) => one['trace_id'] === traceId && one['status'] === 400)
      const record = receiver.logs().find((one) => one.attributes['status'] === 400)
      assert.ok(line !== undefined && record !== undefined)
      assert.deepEqual([record.traceId, record.spanId], [traceId, line['span_id']])
      assert.deepEqual([record.body, record.severity], [line['msg'], 'info'])
      assert.equal(receiver.resource()['service.name'], 'fairway')
      assert.equal(receiver.resource()['service.version'], releaseVersion)
      const sent = receiver.exports.map(({ body }) => String(body)).join('\n')
      for (const secret of [key, 'a-text-of-a-person', '4321.5']) assert.ok(!sent.includes(secret), secret)
    }),
  )
})

test('a receiver that is away delays no decision, prevents no stop, and is reported in one line', async () => {
  const away = {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=a-secret',
  }
  await withServer(away, async ({ url, key, said, stop, output }) => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(url, key, payment)))
    assert.ok(answers.every(({ status }) => status === 200))
    await said(/telemetry: /)
    assert.equal(await stop(), 0)
    assert.equal(output().match(/telemetry:/g)?.length, 1)
    assert.ok(!output().includes('a-secret'))
  })
})

test('by default the protocol is http/protobuf, and a signal can be left out', async () => {
  await withOtlp((receiver) =>
    withServer(
      {
        ...to(receiver),
        OTEL_EXPORTER_OTLP_PROTOCOL: '',
        OTEL_LOGS_EXPORTER: 'none',
        OTEL_SERVICE_NAME: 'payments',
      },
      async ({ url, key, stop }) => {
        await ask(url, key, payment, { traceparent })
        const sentTo = (path: string) => receiver.exports.find((one) => one.path === path)
        const traces = await receiver.until(() => sentTo('/v1/traces'))
        await receiver.until(() => sentTo('/v1/metrics'))
        await stop()
        assert.equal(traces.headers['content-type'], 'application/x-protobuf')
        assert.ok(traces.body.includes('payments'))
        assert.ok(receiver.exports.some(({ body }) => body.includes('POST /api/v1/verify')))
        assert.equal(sentTo('/v1/logs'), undefined)
      },
    ),
  )
})

test('each worker exports as an instance of its own', async () => {
  await withOtlp((receiver) =>
    withServer(
      { ...to(receiver), FAIRWAY_WORKERS: '2' },
      async () => {
        const instance = /"service.instance.id","value":\{"stringValue":"([^"]+)"/
        await receiver.until(() => {
          const seen = receiver.exports.map(({ body }) => instance.exec(String(body))?.[1])
          return new Set(seen).size === 2 ? true : undefined
        })
      },
      { engine: 'postgres' },
    ),
  )
})

/** Live feeds of a provider that observes at this moment. */
async function withFeeds(
  work: (settings: Readonly<Record<string, string>>, provider: TestProvider) => Promise<void>,
  status = 200,
): Promise<void> {
  const provider = await openTestProvider(({ signal }) =>
    text(providerBody(calm[signal as SignalName], Date.now()), status),
  )
  try {
    await withFolder(async (folder) => {
      const file = join(folder, 'feeds.json')
      writeFileSync(file, JSON.stringify(feedsAt(provider.origin)))
      await work({ FAIRWAY_LIVE_FEEDS: file, FAIRWAY_CIP_PROBE_S: '0' }, provider)
    })
  } finally {
    await provider.close()
  }
}
