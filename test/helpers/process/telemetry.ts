/** A server that exports to a receiver of OTLP, in the trace of a caller. */

import { freshDatabase, type Engine } from '../database/databases.ts'
import type { OtlpReceiver, ReceivedSpan } from '../peers/otlp.ts'
import { checkedFetch } from './checked-fetch.ts'
import { issueByCli, serve, type Served } from './process.ts'

export const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
export const parentId = '00f067aa0ba902b7'
export const traceparent = `00-${traceId}-${parentId}-01`
export const payment = {
  corridor: 'GB-NG',
  amount: 4321.5,
  currency: 'GBP',
  correlation_id: 'a-text-of-a-person',
}

/** Batches leave soon, so that nothing waits for the standard's seconds. */
const soon = {
  OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
  OTEL_BSP_SCHEDULE_DELAY: '50',
  OTEL_BLRP_SCHEDULE_DELAY: '50',
  OTEL_METRIC_EXPORT_INTERVAL: '200',
  OTEL_METRIC_EXPORT_TIMEOUT: '200',
}

export const to = (receiver: OtlpReceiver) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url })

export const inTrace = (receiver: OtlpReceiver, name: string): ReceivedSpan | undefined =>
  receiver.spans().find((span) => span.traceId === traceId && span.name === name)

export const headerOf = ({ spanId }: ReceivedSpan): string => `00-${traceId}-${spanId}-01`

export interface Serving extends Served {
  readonly key: string
  readonly post: (path: string, body: unknown) => Promise<Response>
}

export async function withServer(
  settings: Readonly<Record<string, string>>,
  work: (server: Serving) => Promise<void>,
  { engine = 'sqlite', type = 'test' }: { readonly engine?: Engine; readonly type?: string } = {},
): Promise<void> {
  const database = await freshDatabase(engine)
  const server = await serve({ DATABASE_URL: database.url, ...soon, ...settings })
  try {
    const { key } = await issueByCli(database.url, '--type', type)
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    await work({
      ...server,
      key,
      post: (path, body) =>
        checkedFetch(`${server.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) }),
    })
  } finally {
    // Those that look at what is sent last have stopped it.
    if (server.child.exitCode === null) await server.stop()
    await database.drop()
  }
}
