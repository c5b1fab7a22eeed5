/** A provider of signals on the loopback interface, well or unwell as each question wants it, and live feeds that ask it. */

import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { join } from 'node:path'
import { signalNames, type SignalName } from '../../../src/core/decision/signals.ts'
import { withFolder } from '../folder.ts'
import { withHarness, type Harness, type HarnessOptions } from '../harness.ts'

/** One request that reached the provider. */
export interface Question {
  readonly method: string
  readonly path: string
  /** The first part of the path: by our habit, the signal. */
  readonly signal: string
  /** The second part of the path, if there is one. */
  readonly partner: string | null
  readonly amount: number | null
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export type Reply = (response: ServerResponse) => void

export interface TestProvider {
  readonly origin: string
  readonly questions: Question[]
  /** How many questions came for a signal. */
  readonly asked: (signal: string) => number
  /** Resolves once so many questions have come for a signal. */
  readonly reached: (signal: string, count: number) => Promise<void>
  readonly close: () => Promise<void>
}

export type Answering = (question: Question) => Reply

export async function openTestProvider(answer: Answering): Promise<TestProvider> {
  const questions: Question[] = []
  const sockets = new Set<Socket>()
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    // Who asked may go away at any moment.
    response.on('error', () => undefined)
    receive(request, (question) => {
      questions.push(question)
      server.emit('question')
      answer(question)(response)
    }).catch(() => response.destroy())
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1', 4_096)
  await once(server, 'listening')
  const asked = (signal: string): number => questions.filter((one) => one.signal === signal).length
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    questions,
    asked,
    async reached(signal, count) {
      while (asked(signal) < count) await once(server, 'question')
    },
    async close() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

async function receive(request: IncomingMessage, take: (question: Question) => void): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const { method = '', url: path = '/', headers } = request
  const url = new URL(path, 'http://provider')
  const amount = url.searchParams.get('amount')
  take({
    method,
    path,
    signal: url.pathname.split('/')[1] ?? '',
    partner: url.pathname.split('/')[2] ?? null,
    amount: amount === null ? null : Number(amount),
    headers,
    body: Buffer.concat(chunks).toString(),
  })
}

/** When the manual clock of a harness starts. */
export const startMs = Date.parse('2026-03-01T12:00:00.000Z')
const iso = (ms: number): string => new Date(ms).toISOString()

/** What the feeds below take: a value, and when it was observed. */
export const providerBody = (value: unknown, observedAtMs = startMs): string =>
  JSON.stringify({ value, as_of: iso(observedAtMs) })

export const text =
  (body: string | Uint8Array, status = 200, headers: Readonly<Record<string, string>> = {}): Reply =>
  (response) => {
    response.writeHead(status, headers).end(body)
  }

export const json = (value: unknown, headers: Readonly<Record<string, string>> = {}): Reply =>
  text(JSON.stringify(value), 200, { 'content-type': 'application/json', ...headers })

/** Each signal at its best, on its own scale. */
export const calm: Readonly<Record<SignalName, number>> = {
  fraud_flags: 0,
  network_healthy: 1,
  balance_sufficient: 1,
  fx_volatility: 1,
  operation_valid: 1,
  historical_failure_rate: 0,
  cop_overridden: 1,
}

/** A value for each signal, observed at the start. */
export const values =
  (given: Readonly<Partial<Record<SignalName, unknown>>> = {}): Answering =>
  ({ signal }) =>
    text(providerBody({ ...calm, ...given }[signal as SignalName]))

/** What a provider does that is unwell; `well` is what it would have said. But for its fault, each is a good answer. */
export const unwell = {
  hanging: () => () => undefined,
  dripping: () => (response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    // Blanks before a value are JSON, and never end; slow enough that hundreds of them leave the machine its time.
    response.write(' ')
    const timer = setInterval(() => response.write(' '), 500)
    response.on('close', () => clearInterval(timer))
  },
  reset: () => (response) => void response.socket?.resetAndDestroy(),
  'cut short': (well) => (response) => {
    response.writeHead(200, { 'content-length': String(well.length + 1) })
    response.write(well, () => response.destroy())
  },
  'status 500': (well) => text(well, 500),
  redirect: (well) => text(well, 302, { location: '/network_healthy?amount=0' }),
  'not JSON': (well) => text(well.slice(0, -1)),
  'wrong type': () => text(providerBody('1')),
  'out of range': () => text(providerBody(1_001)),
  stale: (well) => text(well.replace(iso(startMs), iso(startMs - 300_001))),
  oversized: (well) => (response) => {
    // In pieces, without a stated length.
    response.writeHead(200)
    response.write(well)
    response.end(' '.repeat(70_000))
  },
} as const satisfies Readonly<Record<string, (well: string) => Reply>>

export type Unwell = keyof typeof unwell

/** Nobody listens there, and nobody who is not the system may. */
export const nobody = 'http://127.0.0.1:1'

export type FeedSpec = Readonly<Record<string, unknown>>

export interface FeedsSpec {
  readonly deadline_ms?: number
  readonly recommended_partner?: Readonly<Record<string, string>>
  readonly signals?: Readonly<Partial<Record<SignalName, FeedSpec>>>
  readonly corridors?: Readonly<Record<string, object>>
  readonly partners?: Readonly<Record<string, object>>
  readonly ranking?: { readonly cost_tolerance: number }
  readonly calendars?: Readonly<Record<string, object>>
}

/** A feed that asks at the path of its signal. Its breaker never opens, so that cases do not disturb each other. */
export const httpFeed = (origin: string, signal: SignalName, more: FeedSpec = {}): FeedSpec => ({
  source: 'http',
  url: `${origin}/${signal}?corridor={corridor}&amount={amount}`,
  value: '/value',
  observed_at: { pointer: '/as_of' },
  cache_ms: 0,
  connections: 8,
  breaker: { failures: 1_000_000 },
  ...more,
})

/** A file with all seven; long enough a deadline that only a fault fails. */
export function feedsAt(
  origin: string,
  others: Readonly<Partial<Record<SignalName, FeedSpec>>> = {},
  more: FeedSpec = {},
): FeedsSpec & { readonly signals: Signals } {
  const feeds = signalNames.map((signal) => [signal, others[signal] ?? httpFeed(origin, signal, more)])
  return { deadline_ms: 30_000, signals: signalsFrom(feeds) }
}

type Signals = NonNullable<FeedsSpec['signals']>

const signalsFrom = (feeds: readonly (readonly unknown[])[]): Signals =>
  Object.fromEntries(feeds as [string, FeedSpec][])

/** All seven feeds of a partner, at paths of its own: `/network_healthy/alpha`. */
export function partnerFeeds(origin: string, more: FeedSpec = {}): Signals {
  return signalsFrom(
    signalNames.map((signal) => {
      const url = `${origin}/${signal}/{partner}?corridor={corridor}&amount={amount}`
      return [signal, httpFeed(origin, signal, { url, ...more })]
    }),
  )
}

export interface Stage {
  readonly harness: Harness
  readonly provider: TestProvider
  readonly file: string
  /** Puts another text into the feeds file; nobody reads it before `reload`. */
  readonly rewrite: (file: FeedsSpec | string) => void
}

export interface StageOptions extends HarnessOptions {
  readonly answer?: Answering
  /** What the feeds file says. */
  readonly feeds_file?: (origin: string) => FeedsSpec
}

/** Runs a test with a provider, a feeds file that asks it, and a service on that file; and always stops them. */
export async function withLive(options: StageOptions, work: (stage: Stage) => Promise<void>): Promise<void> {
  const { answer = values(), feeds_file: fileOf = feedsAt, ...more } = options
  const provider = await openTestProvider(answer)
  try {
    await withFolder(async (folder) => {
      const file = join(folder, 'feeds.json')
      const rewrite = (spec: FeedsSpec | string): void =>
        writeFileSync(file, typeof spec === 'string' ? spec : JSON.stringify(spec, null, 2))
      rewrite(fileOf(provider.origin))
      const settings = { ...more.settings, FAIRWAY_LIVE_FEEDS: file }
      await withHarness({ ...more, settings }, (harness) => work({ harness, provider, file, rewrite }))
    })
  } finally {
    await provider.close()
  }
}
