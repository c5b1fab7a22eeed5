/** Figures for the operator, in the form that Prometheus reads. */

import { AggregatorRegistry, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { spread, hotCounter } from './hot-counters.ts'
import type { Attempt } from '../app/ports/webhooks.ts'
import type { FeedState } from '../app/ports/feeds.ts'
import type { Metrics, MetricSources, ServiceFigures } from '../app/ports/metrics.ts'
import { engineVersion } from '../core/decision/engine.ts'

/** The figures of one process, as data. */
export type Figures = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

/** The figures of all who serve on the port, these among them. */
export type GatherFigures = (own: Figures) => Promise<readonly Figures[]>

export interface ProcessMetrics extends Metrics {
  /** Of this process alone. */
  readonly own: () => Promise<Figures>
}

/** Who asks for figures does not wait long for a database that is away. */
const serviceWithinMs = 3_000

/** Without `gather` this process is all there is. */
export function createMetrics(gather: GatherFigures | null = null): ProcessMetrics {
  const registry = new Registry()
  let sources: MetricSources | null = null
  const { requests, decisions, webhooks, measures } = counted(registry)
  showProcess(registry)
  showFeeds(registry, () => sources?.feeds() ?? [])
  const own = (): Promise<Figures> => registry.getMetricsAsJSON()
  return {
    ...requests,
    ...decisions,
    ...webhooks,
    ...measures,
    watch: (given) => (sources = given),
    contentType: registry.contentType,
    own,
    async text() {
      const all = gather === null ? registry : sumOf(await gather(await own()))
      // The database is the same for all processes: one of them tells of it, and nothing is added up.
      const service = sources === null ? null : await inTime(sources.service())
      return `${await all.metrics()}\n${await serviceRegistry(service).metrics()}`
    },
  }
}

/** What is told while it happens. */
function counted(registry: Registry) {
  return {
    requests: countRequests(registry),
    decisions: countDecisions(registry),
    webhooks: countWebhooks([registry]),
    measures: measureInside(registry),
  }
}

const usualMethods = new Set(['GET', 'HEAD', 'POST', 'DELETE'])

function countRequests(registry: Registry): Pick<Metrics, 'answered' | 'limited' | 'shed'> {
  const answered = hotCounter(registry, {
    name: 'fairway_http_requests_total',
    help: 'Requests that were answered, by route and class of status.',
    labelNames: ['method', 'route', 'status'],
  })
  const took = spread(registry, {
    name: 'fairway_http_request_duration_seconds',
    help: 'From the arrival of a request to the end of its answer.',
    labelName: 'route',
    bounds: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  })
  const limited = hotCounter(registry, {
    name: 'fairway_rate_limited_total',
    help: 'Requests that a rate limit refused.',
    labelNames: ['limit'],
  })
  const shed = new Counter({
    name: 'fairway_requests_shed_total',
    help: 'Requests that were refused since the event loop was late.',
    registers: [registry],
  })
  return {
    answered({ method, route = '(none)', status, seconds }) {
      const known = usualMethods.has(method) ? method : 'other'
      answered(known, route, `${Math.floor(status / 100)}xx`)
      took(route, seconds)
    },
    limited: (limit) => limited(limit),
    shed: () => shed.inc(),
  }
}

function countDecisions(registry: Registry): Pick<Metrics, 'decided' | 'held'> {
  const decided = hotCounter(registry, {
    name: 'fairway_decisions_total',
    help: 'Decisions that were answered, by verdict, mode and how the answer came about.',
    labelNames: ['verdict', 'mode', 'source'],
  })
  const held = hotCounter(registry, {
    name: 'fairway_decisions_held_total',
    help: 'Requests that were not decided since signals could not be read.',
    labelNames: ['mode'],
  })
  return { decided, held }
}

function countWebhooks(registers: Registry[]): Pick<Metrics, 'webhookAttempted' | 'webhookDropped'> {
  const attempts = new Counter({
    name: 'fairway_webhook_attempts_total',
    help: 'Webhook deliveries that were attempted, by how they ended.',
    labelNames: ['outcome'],
    registers,
  })
  const dropped = new Counter({
    name: 'fairway_webhook_events_dropped_total',
    help: 'Webhook events that were given up after the last attempt.',
    registers,
  })
  return {
    webhookAttempted: (attempt, delivered) => attempts.inc({ outcome: outcomeOf(attempt, delivered) }),
    webhookDropped: () => dropped.inc(),
  }
}

function measureInside(registry: Registry): Pick<Metrics, 'storeAnswered' | 'loopMeasured'> {
  const registers = [registry]
  const store = spread(registry, {
    name: 'fairway_store_duration_seconds',
    help: 'How long the store took on the way of a decision.',
    labelName: 'operation',
    bounds: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  })
  const failed = new Counter({
    name: 'fairway_store_failures_total',
    help: 'Questions on the way of a decision that the store did not answer.',
    labelNames: ['operation'],
    registers,
  })
  const lag = new Histogram({
    name: 'fairway_event_loop_lag_seconds',
    help: 'How late the event loop was, looked at ten times a second.',
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers,
  })
  const share = new Gauge({
    name: 'fairway_shedding_share',
    help: 'The share of requests that is refused since the event loop is late, of the process with the highest.',
    aggregator: 'max',
    registers,
  })
  return {
    storeAnswered(operation, seconds, isOk) {
      store(operation, seconds)
      if (!isOk) failed.inc({ operation })
    },
    loopMeasured(lagSeconds, shedShare) {
      lag.observe(lagSeconds)
      share.set(shedShare)
    },
  }
}

/** What the operating system counts of the process. */
function showProcess(registry: Registry): void {
  const processes = new Gauge({
    name: 'fairway_processes',
    help: 'Processes that serve on the port, by the version of the engine.',
    labelNames: ['version'],
    registers: [],
  })
  processes.set({ version: engineVersion }, 1)
  registry.registerMetric(processes)
  registry.registerMetric(
    new Gauge({
      name: 'process_resident_memory_bytes',
      help: 'Memory of all processes that serve on the port.',
      registers: [],
      collect() {
        this.set(process.memoryUsage.rss())
      },
    }),
  )
  registry.registerMetric(
    new Counter({
      name: 'process_cpu_seconds_total',
      help: 'Processor time of all processes that serve on the port.',
      registers: [],
      collect() {
        const { user, system } = process.cpuUsage()
        this.reset()
        this.inc((user + system) / 1_000_000)
      },
    }),
  )
}

/** A feed that fails in one process fails: the worst of what processes see is told. */
function showFeeds(registry: Registry, states: () => readonly FeedState[]): void {
  const show = (
    about: { readonly name: string; readonly help: string; readonly aggregator: 'min' | 'max' },
    valueOf: (state: FeedState) => number,
  ): void =>
    registry.registerMetric(
      new Gauge({
        ...about,
        labelNames: ['signal', 'kind'],
        registers: [],
        collect() {
          this.reset()
          for (const state of states()) this.set({ signal: state.signal, kind: state.kind }, valueOf(state))
        },
      }),
    )
  show(
    {
      name: 'fairway_feed_up',
      help: 'Whether the newest read of a live feed went well.',
      aggregator: 'min',
    },
    ({ lastFault }) => (lastFault === null ? 1 : 0),
  )
  show(
    {
      name: 'fairway_feed_breaker_open',
      help: 'Whether a live feed is left alone for a while after its failures.',
      aggregator: 'max',
    },
    ({ breaker }) => (breaker === 'closed' ? 0 : 1),
  )
}

const serviceGauges: Readonly<Record<keyof ServiceFigures, readonly [name: string, help: string]>> = {
  answerSeconds: ['fairway_store_answer_seconds', 'How long the store took to tell these figures.'],
  records: ['fairway_records', 'Decisions that are recorded.'],
  cooldownsOpen: ['fairway_cooldowns_open', 'Corridors of callers that repeat a NO-GO now.'],
  outboxPending: ['fairway_outbox_pending', 'Webhook events that wait, counted up to 10,000.'],
  outboxOldestAge: ['fairway_outbox_oldest_age_seconds', 'Age of the oldest webhook event that waits.'],
  logSize: ['fairway_log_size', 'Leaves of the log.'],
  logWaiting: ['fairway_log_waiting', 'Records and overrides that wait to be sealed.'],
  logBacklog: ['fairway_log_backlog', '1 while something from before the log is not sealed.'],
  logCheckpointAge: ['fairway_log_checkpoint_age_seconds', 'Age of the newest checkpoint of the log.'],
}

/** What lies in the database, or that it does not answer. */
function serviceRegistry(service: ServiceFigures | null): Registry {
  const registry = new Registry()
  const registers = [registry]
  const help = 'Whether the database answers.'
  new Gauge({ name: 'fairway_store_up', help, registers }).set(service === null ? 0 : 1)
  if (service === null) return registry
  for (const [member, [name, told]] of Object.entries(serviceGauges)) {
    const value = service[member as keyof ServiceFigures]
    if (value !== null) new Gauge({ name, help: told, registers }).set(value)
  }
  return registry
}

async function inTime(asked: Promise<ServiceFigures | null>): Promise<ServiceFigures | null> {
  const { promise: late, resolve } = Promise.withResolvers<null>()
  const patience = setTimeout(() => resolve(null), serviceWithinMs)
  try {
    return await Promise.race([asked, late])
  } finally {
    clearTimeout(patience)
  }
}

function outcomeOf({ fault }: Attempt, delivered: boolean): string {
  return delivered ? 'delivered' : (fault ?? 'refused')
}

/** Counters and histograms are added up, label by label; each gauge says what is made of several. */
function sumOf(figures: readonly Figures[]): Registry {
  return AggregatorRegistry.aggregate([...figures])
}

/** Several that have ended, as one: what is kept of them does not grow with their number. What they were like at their end is not kept. */
export function added(figures: readonly Figures[]): Promise<Figures> {
  return sumOf(figures.map((one) => one.filter(({ type }) => String(type) !== 'gauge'))).getMetricsAsJSON()
}
