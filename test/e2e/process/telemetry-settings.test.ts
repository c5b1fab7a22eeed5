/** The standard `OTEL_*` settings, as OpenTelemetry defines them, and a receiver that misbehaves. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { freshDatabase } from '../../helpers/database/databases.ts'
import { withOtlp } from '../../helpers/peers/otlp.ts'
import { ask, run } from '../../helpers/process/process.ts'
import { scratchFolder } from '../../helpers/scratch.ts'
import { inTrace, payment, to, traceId, traceparent, withServer } from '../../helpers/process/telemetry.ts'

/** A vault would put it in place. */
function secretFile(text: string): string {
  const path = join(scratchFolder('fairway-secret-'), 'headers')
  writeFileSync(path, `${text}\n`)
  return path
}

const verify = 'POST /api/v1/verify'
const unsampled = traceparent.replace(/01$/, '00')

test('the name, the attributes and the headers of the settings and of a file go with every export', async () => {
  await withOtlp((receiver) =>
    withServer(
      {
        ...to(receiver),
        OTEL_SERVICE_NAME: 'payments',
        OTEL_RESOURCE_ATTRIBUTES: 'service.name=another,deployment.environment.name=staging',
        OTEL_EXPORTER_OTLP_HEADERS_FILE: secretFile('authorization=Bearer%20a-secret,x-tenant=one'),
      },
      async ({ url, key, stop, output }) => {
        await ask(url, key, payment, { traceparent })
        await receiver.until(() => inTrace(receiver, verify))
        await stop()
        const attributes = receiver.resource()
        assert.deepEqual(
          [attributes['service.name'], attributes['deployment.environment.name']],
          ['payments', 'staging'],
        )
        for (const { headers } of receiver.exports)
          assert.deepEqual([headers['authorization'], headers['x-tenant']], ['Bearer a-secret', 'one'])
        const sent = receiver.exports.map(({ body }) => String(body)).join('\n')
        assert.ok(!sent.includes('a-secret') && !output().includes('a-secret'))
      },
    ),
  )
})

test('the endpoint of a signal is taken as it is, and the common one gets the path of each signal', async () => {
  await withOtlp((receiver) =>
    withServer(
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: `${receiver.url}/common`,
        OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: `${receiver.url}/for-logs`,
      },
      async () => {
        const sentTo = new Set(['/common/v1/traces', '/common/v1/metrics', '/for-logs'])
        await receiver.until(() => {
          const paths = new Set(receiver.exports.map(({ path }) => path))
          return paths.size >= 3 ? (assert.deepEqual(paths, sentTo) ?? true) : undefined
        })
      },
    ),
  )
})

for (const [sampler, ratio, header, isRecorded] of [
  ['traceidratio', '0', traceparent, false],
  ['traceidratio', '1', unsampled, true],
  ['parentbased_traceidratio', '0', traceparent, true],
  ['parentbased_traceidratio', '1', unsampled, false],
  ['parentbased_traceidratio', '0', undefined, false],
  ['parentbased_traceidratio', '1', undefined, true],
  ['always_off', '', traceparent, false],
] as const) {
  const caller = { [traceparent]: 'a sampled trace', [unsampled]: 'an unsampled trace', none: 'no trace' }
  test(`${sampler} ${ratio} records ${isRecorded ? 'a' : 'no'} span in ${caller[header ?? 'none']}`, async () => {
    await withOtlp((receiver) =>
      withServer(
        { ...to(receiver), OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: ratio },
        async ({ url, key, stop }) => {
          const headers = header === undefined ? {} : { traceparent: header }
          assert.equal((await ask(url, key, payment, headers)).status, 200)
          await stop()
          assert.equal(
            receiver.spans().some(({ name }) => name === verify),
            isRecorded,
          )
        },
      ),
    )
  })
}

test('a malformed traceparent starts a trace of its own', async () => {
  const malformed = ['hello', `ff-${traceId}-00f067aa0ba902b7-01`, `${traceparent}, ${traceparent}`]
  await withOtlp((receiver) =>
    withServer(to(receiver), async ({ url, key, stop }) => {
      for (const header of malformed)
        assert.equal((await ask(url, key, payment, { traceparent: header })).status, 200)
      await stop()
      const spans = receiver.spans().filter(({ name }) => name === verify)
      assert.equal(new Set(spans.map((span) => span.traceId)).size, malformed.length)
      assert.ok(spans.every((span) => span.traceId !== traceId && !span.parentSpanId))
    }),
  )
})

test('without spans a log record still has the trace that its caller named', async () => {
  await withOtlp((receiver) =>
    withServer({ ...to(receiver), OTEL_TRACES_EXPORTER: 'none' }, async ({ url, key, stop }) => {
      assert.equal((await ask(url, key, { corridor: 'nowhere' }, { traceparent })).status, 400)
      await stop()
      assert.ok(receiver.exports.every(({ path }) => path !== '/v1/traces'))
      const record = receiver.logs().find(({ attributes }) => attributes['status'] === 400)
      assert.equal(record?.traceId, traceId)
      assert.deepEqual(
        Object.keys(record?.attributes ?? {}).filter((name) => name.includes('trace')),
        [],
      )
    }),
  )
})

test('a member that the log masks is masked in spans, by the same hash', async () => {
  await withOtlp((receiver) =>
    withServer({ ...to(receiver), FAIRWAY_LOG_MASK: 'corridor,request_id' }, async ({ url, key, stop }) => {
      const answer = await ask(url, key, payment, { traceparent })
      const { request_id: requestId } = (await answer.json()) as { readonly request_id: string }
      await stop()
      const span = inTrace(receiver, verify)
      const shown = [span?.attributes['fairway.corridor'], span?.attributes['fairway.request_id']]
      for (const value of shown) assert.match(String(value), /^masked:[0-9a-f]{16}$/)
      assert.equal(span?.attributes['fairway.decision'], 'GO')
      const sent = receiver.exports.filter(({ path }) => path !== '/v1/metrics')
      assert.ok(sent.every(({ body }) => !body.includes(requestId) && !body.includes('GB-NG')))
    }),
  )
})

test('each setting that the SDK cannot read is in the log, and hides no fault that follows', async () => {
  await withServer(
    {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
      OTEL_TRACES_SAMPLER: 'sometimes',
      OTEL_EXPORTER_OTLP_COMPRESSION: 'brotli',
      OTEL_LOG_LEVEL: 'warn',
    },
    async ({ said, stop, output }) => {
      await said(/telemetry: unknown OTEL_TRACES_SAMPLER value .*sometimes/)
      await said(/telemetry: Configuration: OTEL_EXPORTER_OTLP_COMPRESSION is invalid/)
      await said(/telemetry: .*export/)
      assert.equal(await stop(), 0)
      assert.doesNotMatch(output(), /logger will/)
      assert.equal(output().match(/COMPRESSION/g)?.length, 1)
    },
  )
})

test('switched off, nothing is sent, whatever the other settings are', async () => {
  await withOtlp((receiver) =>
    withServer(
      { ...to(receiver), OTEL_SDK_DISABLED: 'TRUE', OTEL_TRACES_EXPORTER: 'console' },
      async ({ url, key, stop }) => {
        assert.equal((await ask(url, key, payment, { traceparent })).status, 200)
        await stop()
        assert.deepEqual(receiver.exports, [])
      },
    ),
  )
})

/** Exports that would be waited for until long after the test. */
const patient = {
  OTEL_EXPORTER_OTLP_TIMEOUT: '3600000',
  OTEL_BSP_EXPORT_TIMEOUT: '3600000',
  OTEL_BLRP_EXPORT_TIMEOUT: '3600000',
  OTEL_METRIC_EXPORT_TIMEOUT: '3600000',
  OTEL_METRIC_EXPORT_INTERVAL: '3600000',
}

/** A receiver that takes connections, and never answers. */
async function withSilence(
  work: (settings: Readonly<Record<string, string>>) => Promise<void>,
): Promise<void> {
  const server = createServer((socket) => socket.resume().on('error', () => undefined))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  try {
    await work({ ...patient, OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` })
  } finally {
    server.close()
  }
}

for (const workers of ['1', '2']) {
  test(`a receiver that never answers delays neither a decision nor the stop (${workers} workers)`, async () => {
    await withSilence((settings) =>
      withServer(
        { ...settings, FAIRWAY_WORKERS: workers },
        async ({ url, key, stop }) => {
          for (let round = 0; round < 5; round += 1) {
            const answers = await Promise.all(Array.from({ length: 20 }, () => ask(url, key, payment)))
            assert.ok(answers.every(({ status }) => status === 200))
          }
          assert.equal(await stop(), 0)
        },
        { engine: 'postgres' },
      ),
    )
  })
}

test('a start that fails ends with 1, also if the receiver never answers', async () => {
  await withSilence(async (settings) => {
    const database = await freshDatabase('sqlite')
    const { code, stderr } = await run(['serve'], {
      ...settings,
      PORT: '0',
      DATABASE_URL: database.url,
      FAIRWAY_LIVE_FEEDS: '/no/such/file',
    })
    assert.equal(code, 1)
    assert.match(stderr, /no\/such\/file/)
    await database.drop()
  })
})
