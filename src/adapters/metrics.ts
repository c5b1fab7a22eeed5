/** Service metrics in the Prometheus format. */

import { AggregatorRegistry, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { hotHistogram, hotCounter } from './hot-counters.ts'
import type { Attempt } from '../app/ports/webhooks.ts'
import type { FeedState } from '../app/ports/feeds.ts'
import type {
  Metrics,
  MetricSources,
  FollowerLag,
  ServiceGauges,
  StoreOperation,
} from '../app/ports/metrics.ts'
import { verdicts } from '../core/assess/report.ts'
import { engineVersion } from '../core/decision/engine.ts'
import type { Mode } from '../core/identity/api-key.ts'

/** The metrics of one process. */
export type MetricsData = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

/** Collects the metrics of all processes on the port, including this one. */
export type GatherMetrics = (own: MetricsData) => Promise<readonly MetricsData[]>

export interface ProcessMetrics extends Metrics {
  /** The metrics of this process only. */
  readonly own: () => Promise<MetricsData>
  /** The metrics of this process, and those of the database. */
  readonly all: () => Promise<MetricsData>
}

/** A scrape must not wait long for an unavailable database. */
const serviceTimeoutMs = 3_000

/** Without `gather` only this process is reported. */
export function createMetrics(gather: GatherMetrics | null = null): ProcessMetrics {
  const registry = new Registry()
  let sources: MetricSources | null = null
  const { requests, decisions, webhooks, followers, measures } = createCounters(registry)
  registerProcess(registry)
  registerFeeds(registry, () => sources?.feeds() ?? [])
  const own = (): Promise<MetricsData> => registry.getMetricsAsJSON()
  // All processes share the database, so one of them reports it and nothing is summed.
  const shared = async (): Promise<Registry> =>
    serviceRegistry(sources === null ? null : await withTimeout(sources.service()))
  return {
    ...requests,
    ...decisions,
    ...webhooks,
    ...followers,
    ...measures,
    watch: (metricSources) => (sources = metricSources),
    contentType: registry.contentType,
    own,
    all: async () => [...(await own()), ...(await (await shared()).getMetricsAsJSON())],
    async text() {
      const all = gather === null ? registry : sumOf(await gather(await own()))
      return `${await all.metrics()}\n${await (await shared()).metrics()}`
    },
  }
}

/** Metrics that are updated as events happen. */
function createCounters(registry: Registry) {
  return {
    requests: countRequests(registry),
    decisions: countDecisions(registry),
    webhooks: countWebhooks([registry]),
    followers: countFollowers([registry]),
    measures: measureInternals(registry),
  }
}

const usualMethods = new Set(['GET', 'HEAD', 'POST', 'DELETE'])

function countRequests(registry: Registry): Pick<Metrics, 'answered' | 'limited' | 'shed'> {
  const answered = hotCounter(registry, {
    name: 'fairway_http_requests_total',
    help: 'HTTP requests answered, by method, route and status class.',
    labelNames: ['method', 'route', 'status'],
  })
  const took = hotHistogram(registry, {
    name: 'fairway_http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its response.',
    labelName: 'route',
    bounds: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  })
  const limited = hotCounter(registry, {
    name: 'fairway_rate_limited_total',
    help: 'Requests refused by a rate limit, by limit.',
    labelNames: ['limit'],
  })
  const shed = new Counter({
    name: 'fairway_requests_shed_total',
    help: 'Requests shed because the event loop was late.',
    registers: [registry],
  })
  return {
    answered({ method, route = '(none)', status, seconds }) {
      const methodLabel = usualMethods.has(method) ? method : 'other'
      answered(methodLabel, route, `${Math.floor(status / 100)}xx`)
      took(route, seconds)
    },
    limited: (limit) => limited(limit),
    shed: () => shed.inc(),
  }
}

/** Codes of errors that hold a request to verify: one series each from the start, since one that begins at 1 shows no increase. */
const holdReasons = ['SIGNALS_UNAVAILABLE', 'STORE_UNAVAILABLE', 'OVERLOADED', 'STOPPING']
const holdModes: readonly (Mode | 'unknown')[] = ['live', 'shadow', 'unknown']

function countDecisions(registry: Registry): Pick<Metrics, 'decided' | 'liveComputed' | 'held'> {
  const decided = hotCounter(registry, {
    name: 'fairway_decisions_total',
    help: 'Decisions returned, by decision, mode and source.',
    labelNames: ['verdict', 'mode', 'source'],
  })
  const held = hotCounter(registry, {
    name: 'fairway_decisions_held_total',
    help: 'Requests to verify that got no decision, by mode and reason.',
    labelNames: ['mode', 'reason'],
    zeros: holdModes.flatMap((mode) => holdReasons.map((reason) => [mode, reason])),
  })
  return { decided, liveComputed: countCorridors([registry]), held }
}

function countCorridors(registers: Registry[]): Metrics['liveComputed'] {
  const computed = new Counter({
    name: 'fairway_live_decisions_total',
    help: 'Live decisions computed, without repeats, by declared corridor and decision.',
    labelNames: ['corridor', 'verdict'],
    registers,
  })
  const seen = new Set<string>()
  return (verdict, declared) => {
    const corridor = declared ?? 'other'
    // A series that begins at 1 shows no increase: the first NO-GO of a corridor would not count.
    if (!seen.has(corridor)) for (const each of verdicts) computed.inc({ corridor, verdict: each }, 0)
    seen.add(corridor)
    computed.inc({ corridor, verdict })
  }
}

function countFollowers(registers: Registry[]): Pick<Metrics, 'followerFailed'> {
  const failed = new Counter({
    name: 'fairway_follower_failures_total',
    help: 'Failed runs of a follower; each is retried.',
    labelNames: ['follower'],
    registers,
  })
  return { followerFailed: (follower) => failed.inc({ follower }) }
}

function countWebhooks(registers: Registry[]): Pick<Metrics, 'webhookAttempted' | 'webhookDropped'> {
  const attempts = new Counter({
    name: 'fairway_webhook_attempts_total',
    help: 'Webhook delivery attempts, by outcome.',
    labelNames: ['outcome'],
    registers,
  })
  const dropped = new Counter({
    name: 'fairway_webhook_events_dropped_total',
    help: 'Webhook events that failed all their attempts.',
    registers,
  })
  return {
    webhookAttempted: (attempt, delivered) => attempts.inc({ outcome: outcomeOf(attempt, delivered) }),
    webhookDropped: () => dropped.inc(),
  }
}

function measureInternals(
  registry: Registry,
): Pick<Metrics, 'storeAnswered' | 'storeRefused' | 'loopMeasured'> {
  const registers = [registry]
  const store = hotHistogram(registry, {
    name: 'fairway_store_duration_seconds',
    help: 'Duration of store calls during verify, by operation.',
    labelName: 'operation',
    bounds: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  })
  const failed = new Counter({
    name: 'fairway_store_failures_total',
    help: 'Failed store calls during verify, by operation.',
    labelNames: ['operation'],
    registers,
  })
  for (const operation of ['look', 'commit'] satisfies StoreOperation[]) failed.inc({ operation }, 0)
  const refused = new Counter({
    name: 'fairway_store_refusals_total',
    help: 'Statements that the database refused: a missing right, table or column, or a file it cannot write.',
    registers,
  })
  const lag = new Histogram({
    name: 'fairway_event_loop_lag_seconds',
    help: 'Event loop lag, sampled ten times a second.',
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers,
  })
  const share = new Gauge({
    name: 'fairway_shedding_share',
    help: 'Share of requests shed because the event loop is late; the highest of all processes.',
    aggregator: 'max',
    registers,
  })
  return {
    storeAnswered(operation, seconds, isOk) {
      store(operation, seconds)
      if (!isOk) failed.inc({ operation })
    },
    storeRefused: () => refused.inc(),
    loopMeasured(lagSeconds, shedShare) {
      lag.observe(lagSeconds)
      share.set(shedShare)
    },
  }
}

/** Metrics that the operating system provides for the process. */
function registerProcess(registry: Registry): void {
  const processes = new Gauge({
    name: 'fairway_processes',
    help: 'Processes that serve on the port, by engine version.',
    labelNames: ['version'],
    registers: [],
  })
  processes.set({ version: engineVersion }, 1)
  registry.registerMetric(processes)
  registry.registerMetric(
    new Gauge({
      name: 'process_resident_memory_bytes',
      help: 'Resident memory of all processes that serve on the port.',
      registers: [],
      collect() {
        this.set(process.memoryUsage.rss())
      },
    }),
  )
  registry.registerMetric(
    new Counter({
      name: 'process_cpu_seconds_total',
      help: 'CPU time of all processes that serve on the port.',
      registers: [],
      collect() {
        const { user, system } = process.cpuUsage()
        this.reset()
        this.inc((user + system) / 1_000_000)
      },
    }),
  )
}

/** Reports the worst state over all processes: a feed that fails in one of them counts as failed. */
function registerFeeds(registry: Registry, states: () => readonly FeedState[]): void {
  const register = (
    info: { readonly name: string; readonly help: string; readonly aggregator: 'min' | 'max' },
    valueOf: (state: FeedState) => number,
  ): void =>
    registry.registerMetric(
      new Gauge({
        ...info,
        labelNames: ['signal', 'kind'],
        registers: [],
        collect() {
          this.reset()
          for (const [labels, value] of worstOf(states(), info.aggregator, valueOf)) this.set(labels, value)
        },
      }),
    )
  register(
    {
      name: 'fairway_feed_up',
      help: 'Whether the last read of a live feed succeeded.',
      aggregator: 'min',
    },
    ({ lastFault }) => (lastFault === null ? 1 : 0),
  )
  register(
    {
      name: 'fairway_feed_breaker_open',
      help: 'Whether the circuit breaker of a live feed is open.',
      aggregator: 'max',
    },
    ({ breaker }) => (breaker === 'closed' ? 0 : 1),
  )
}

/** One value for each signal and kind, however many corridors and partners declare such a feed. */
function worstOf(
  states: readonly FeedState[],
  aggregator: 'min' | 'max',
  valueOf: (state: FeedState) => number,
) {
  const found = new Map<string, [labels: Pick<FeedState, 'signal' | 'kind'>, value: number]>()
  for (const state of states) {
    const { signal, kind } = state
    const key = `${signal} ${kind}`
    const [, before = valueOf(state)] = found.get(key) ?? []
    found.set(key, [{ signal, kind }, Math[aggregator](before, valueOf(state))])
  }
  return found.values()
}

type SingleGauge = Exclude<keyof ServiceGauges, 'followers'>

const serviceGauges: Readonly<Record<SingleGauge, readonly [name: string, help: string]>> = {
  answerSeconds: ['fairway_store_answer_seconds', 'Duration of the store query behind these metrics.'],
  recordsWriteOnce: ['fairway_records_write_once', '1 while the database refuses to change records.'],
  records: ['fairway_records', 'Recorded decisions.'],
  cooldownsOpen: ['fairway_cooldowns_open', 'Open cooldowns, one per owner, mode and corridor.'],
  outboxPending: [
    'fairway_outbox_pending',
    'Pending webhook events, counted up to 10,000, without those that wait for a failing host.',
  ],
  outboxOldestAge: ['fairway_outbox_oldest_age_seconds', 'Age of the oldest pending webhook event.'],
  endpointsSuspended: [
    'fairway_webhook_endpoints_suspended',
    'Webhook endpoints to which nothing is sent: every attempt of seven days failed.',
  ],
  logSize: ['fairway_log_size', 'Leaves in the log.'],
  logWaiting: ['fairway_log_waiting', 'Records and overrides not yet sealed.'],
  logBacklog: ['fairway_log_backlog', '1 while records older than the log are not sealed.'],
  logCheckpointAge: ['fairway_log_checkpoint_age_seconds', 'Age of the latest checkpoint of the log.'],
  logKeyChangeAge: ['fairway_log_key_change_age_seconds', 'Time since another key was accepted for the log.'],
  reviewsWaiting: ['fairway_reviews_waiting', 'Live reviews that need a person, counted up to 10,000.'],
  reviewsOverdue: ['fairway_reviews_overdue', 'Live reviews that are overdue, counted up to 10,000.'],
  reviewsOverdueAge: [
    'fairway_reviews_overdue_age_seconds',
    'Time since the oldest overdue live review was due.',
  ],
}

/** Metrics read from the database, or only that it is unavailable. */
function serviceRegistry(service: ServiceGauges | null): Registry {
  const registry = new Registry()
  const registers = [registry]
  const help = 'Whether the database is available.'
  new Gauge({ name: 'fairway_store_up', help, registers }).set(service === null ? 0 : 1)
  if (service === null) return registry
  for (const [member, [name, gaugeHelp]] of Object.entries(serviceGauges)) {
    const value = service[member as SingleGauge]
    if (value !== null) new Gauge({ name, help: gaugeHelp, registers }).set(value)
  }
  registerLags(registry, service.followers)
  return registry
}

function registerLags(registry: Registry, lags: readonly FollowerLag[]): void {
  const gauge = (name: string, help: string): Gauge =>
    new Gauge({ name, help, labelNames: ['follower'], registers: [registry] })
  const entries = gauge('fairway_follower_lag_entries', 'Journal entries that a follower has not passed.')
  const seconds = gauge(
    'fairway_follower_lag_seconds',
    'Age of the oldest entry that a follower has not passed.',
  )
  for (const { follower, entries: count, seconds: age } of lags) {
    entries.set({ follower }, count)
    seconds.set({ follower }, age)
  }
}

async function withTimeout(pending: Promise<ServiceGauges | null>): Promise<ServiceGauges | null> {
  const { promise: late, resolve } = Promise.withResolvers<null>()
  const timer = setTimeout(() => resolve(null), serviceTimeoutMs)
  try {
    return await Promise.race([pending, late])
  } finally {
    clearTimeout(timer)
  }
}

function outcomeOf({ fault }: Attempt, delivered: boolean): string {
  return delivered ? 'delivered' : (fault ?? 'refused')
}

/** Counters and histograms are summed by label; each gauge uses its own aggregator. */
function sumOf(metrics: readonly MetricsData[]): Registry {
  return AggregatorRegistry.aggregate([...metrics])
}

/** Merges the metrics of ended processes, so that memory does not grow with their number. Gauges are dropped. */
export function mergeEnded(metrics: readonly MetricsData[]): Promise<MetricsData> {
  return sumOf(metrics.map((one) => one.filter(({ type }) => String(type) !== 'gauge'))).getMetricsAsJSON()
}
