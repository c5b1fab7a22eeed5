/** A receiver of OTLP over HTTP on the loopback interface, which keeps what it is sent as JSON. */

import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

// eslint-disable-next-line typescript/no-explicit-any -- OTLP's JSON, of which each test looks at a part
type Json = any
type Value = string | number | boolean
type Attributes = Readonly<Record<string, Value>>

export interface ReceivedSpan {
  readonly name: string
  readonly kind: number
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  readonly startNs: bigint
  readonly endNs: bigint
  readonly attributes: Attributes
  readonly events: readonly { readonly name: string; readonly timeNs: bigint }[]
  readonly isFailed: boolean
}

export interface ReceivedLog {
  readonly body: string
  readonly severity: string
  readonly traceId: string | undefined
  readonly spanId: string | undefined
  readonly attributes: Attributes
}

export interface ReceivedPoint {
  readonly metric: string
  readonly kind: 'sum' | 'gauge' | 'histogram'
  readonly attributes: Attributes
  readonly value: number | undefined
  readonly count: number | undefined
  readonly bucketCounts: readonly number[]
  readonly explicitBounds: readonly number[]
}

/** One request. */
interface Export {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export class OtlpReceiver {
  readonly exports: Export[] = []
  readonly #server: Server

  constructor(server: Server) {
    this.#server = server
    server.on('request', (request, response) => {
      const chunks: Buffer[] = []
      request
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () => {
          this.exports.push({
            path: request.url ?? '',
            headers: request.headers,
            body: Buffer.concat(chunks),
          })
          response.setHeader('content-type', 'application/json').end('{}')
          server.emit('export')
        })
    })
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Resolves with what `find` returns, once that is something. */
  async until<Found>(find: () => Found | undefined): Promise<Found> {
    for (;;) {
      const found = find()
      if (found !== undefined) return found
      await once(this.#server, 'export')
    }
  }

  spans(): readonly ReceivedSpan[] {
    return this.#items('/v1/traces', 'resourceSpans', 'scopeSpans', 'spans').map((span) => ({
      ...(span as ReceivedSpan),
      startNs: BigInt(span.startTimeUnixNano),
      endNs: BigInt(span.endTimeUnixNano),
      attributes: attributesOf(span.attributes),
      events: (span.events ?? []).map((event: Json) => ({
        name: event.name,
        timeNs: BigInt(event.timeUnixNano),
      })),
      isFailed: span.status?.code === 2,
    }))
  }

  logs(): readonly ReceivedLog[] {
    return this.#items('/v1/logs', 'resourceLogs', 'scopeLogs', 'logRecords').map((record) => ({
      ...(record as ReceivedLog),
      body: record.body.stringValue,
      severity: record.severityText,
      attributes: attributesOf(record.attributes),
    }))
  }

  /** Of the newest export that holds the metric. */
  points(metric: string): readonly ReceivedPoint[] {
    const all = this.#items('/v1/metrics', 'resourceMetrics', 'scopeMetrics', 'metrics')
    const newest = all.findLast(({ name }) => name === metric)
    const kind = (['sum', 'gauge', 'histogram'] as const).find((one) => newest?.[one] !== undefined)
    if (newest === undefined || kind === undefined) return []
    return newest[kind].dataPoints.map((point: Json) => ({
      metric,
      kind,
      attributes: attributesOf(point.attributes),
      value: point.asDouble ?? (point.asInt === undefined ? undefined : Number(point.asInt)),
      count: point.count === undefined ? undefined : Number(point.count),
      bucketCounts: (point.bucketCounts ?? []).map(Number),
      explicitBounds: point.explicitBounds ?? [],
    }))
  }

  /** The attributes of the process, from any signal. */
  resource(): Attributes {
    const [first] = this.exports
    const body = JSON.parse(String(first?.body)) as Record<string, Json>
    return attributesOf(Object.values(body)[0][0].resource.attributes)
  }

  #items(path: string, ...members: readonly string[]): Json[] {
    return this.exports
      .filter((one) => one.path === path)
      .flatMap(({ body }) =>
        members.reduce(
          (found: Json[], member) => found.flatMap((one) => one[member]),
          [JSON.parse(String(body))],
        ),
      )
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.#server.closeAllConnections()
    await closed
  }
}

export async function withOtlp(work: (receiver: OtlpReceiver) => Promise<void>): Promise<void> {
  const server = createServer()
  const receiver = new OtlpReceiver(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    await work(receiver)
  } finally {
    await receiver.close()
  }
}

function attributesOf(list: readonly { key: string; value: Record<string, unknown> }[] = []): Attributes {
  return Object.fromEntries(
    list.map(({ key, value }) => {
      const [kind = '', content] = Object.entries(value)[0] ?? []
      return [key, (kind === 'intValue' ? Number(content) : content) as Value]
    }),
  )
}
