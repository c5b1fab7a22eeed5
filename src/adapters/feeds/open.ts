/** Opens the live feeds of a file. A reload replaces them all together. */

import { readFileSync } from 'node:fs'
import { FileFault } from '../../app/ports/assess.ts'
import type { After, Clock } from '../../app/ports/system.ts'
import type { Tracing } from '../../app/ports/tracing.ts'
import { systemAfter } from '../system.ts'
import type { CountOutcomes, FeedSet, LiveFeeds, SignalQuery } from '../../app/ports/feeds.ts'
import { contractWorld, type World } from '../../core/live/world.ts'
import { signalNames } from '../../core/decision/signals.ts'
import type { Corridor } from '../../core/reference/corridor.ts'
import { defaultCurrency } from '../../core/reference/currency.ts'
import { openConnections, type Connections } from './client.ts'
import { createFeed, type FeedStateChange } from './feed.ts'
import type { DeclaredFeed } from './feed-spec.ts'
import { readFeeds, type FeedsFile, type FileFinding } from './file.ts'
import { fxSource } from './fx-source.ts'
import { httpSource } from './http-source.ts'
import { outcomesSource } from './outcomes-source.ts'
import {
  gapOf,
  notConfigured,
  onlyProbed,
  pick,
  readRoutes,
  routesOf,
  type FeedGap,
  type Route,
} from './routes.ts'
import type { ConstantSpec } from './schema.ts'
import { breakerRule, scaledValue, type Source } from './source.ts'
import { feedKey } from './world-spec.ts'

export interface FeedsOptions {
  readonly clock: Clock
  /** For deadlines. Default: the system's timer. */
  readonly after?: After | undefined
  readonly countOutcomes: CountOutcomes
  /** Default: none. */
  readonly tracing?: Tracing | null | undefined
  /** Called when a feed starts to fail, changes its fault, or recovers. */
  readonly onStateChange: (change: FeedStateChange) => void
  /** Variables for the headers. */
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** The feeds of one version of the file, until they are closed. */
export interface OpenFeeds extends FeedSet {
  /** The corridors and partners that cannot be decided on, because signals have no feed. */
  gaps(): readonly FeedGap[]
  close(): Promise<void>
}

export function openFeeds(file: FeedsFile, options: FeedsOptions): OpenFeeds {
  const { clock, after = systemAfter, tracing = null, onStateChange } = options
  const { deadlineMs, world } = file
  const connections = openConnections()
  const feeds = file.feeds.map((declared) =>
    createFeed(declared, sourceOf(declared, { ...options, world, connections }), {
      clock,
      after,
      deadlineMs,
      tracing,
      onStateChange,
    }),
  )
  const byKey = new Map(feeds.map((feed) => [feedKey(feed.signal, feed.place), feed]))
  const routes = new Map(
    [...world.corridors.values()].map((corridor) => [corridor.corridor, routesOf(corridor, byKey)]),
  )
  // A feed that every corridor or partner overrides is never read.
  const routed = new Set([...routes.values()].flat().flatMap((route) => route.feeds))
  const used = feeds.filter((feed) => routed.has(feed))
  const deadline = { after, deadlineMs }
  return {
    isConfigured: true,
    world,
    states: () => used.map((feed) => feed.state()),
    signalsOf: (corridor) =>
      signalNames.filter((_, place) => routes.get(corridor)?.some((route) => route.feeds[place] !== null)),
    gaps: () => [...routes].flatMap(([corridor, all]) => all.flatMap((route) => gapOf(corridor, route))),
    read: (query) => readRoutes(wanted(routes.get(query.corridor) ?? [], query), query, deadline),
    async probe(corridor) {
      const declared = world.corridors.get(corridor)
      const query = {
        ownerId: null,
        corridor,
        amount: null,
        currency: declared?.currencies[0] ?? defaultCurrency,
      }
      const probed = (routes.get(corridor) ?? []).map(onlyProbed)
      const read = await readRoutes(probed, query, deadline)
      return read.map(({ partner, results }, place) => ({
        partner,
        results: pick(results, (signal) => probed[place]?.feeds[signalNames.indexOf(signal)] !== null),
      }))
    },
    isProbed: (corridor) =>
      routes.get(corridor)?.some((route) => route.feeds.some((feed) => feed?.source.isProbed === true)) ===
      true,
    close: () => connections.close(),
  }
}

function wanted(routes: readonly Route[], { partners }: SignalQuery): readonly Route[] {
  if (partners === undefined) return routes
  return routes.filter(({ partner }) => partner !== null && partners.includes(partner.id))
}

interface SourceDeps extends FeedsOptions {
  readonly world: World
  readonly connections: Connections
}

function sourceOf(declared: DeclaredFeed, deps: SourceDeps): Source {
  const { spec } = declared
  switch (spec.source) {
    case 'http':
      return httpSource(declared, spec, deps)
    case 'fx-series':
      return fxSource(declared, spec, deps)
    case 'outcomes':
      return outcomesSource(spec, declared.place, deps.countOutcomes, deps.clock)
    case 'constant':
      return constantSource(declared, spec)
  }
}

/** An operator's assumption: never fails, lowest confidence. */
function constantSource({ signal, map }: DeclaredFeed, spec: ConstantSpec): Source {
  const fetched = { ...scaledValue(signal, map, spec.value), observedAtMs: null, history: null }
  return {
    kind: 'constant',
    maxAgeMs: Number.MAX_SAFE_INTEGER,
    aheadMsMax: 0,
    cacheMs: Number.MAX_SAFE_INTEGER,
    breaker: breakerRule(undefined),
    isPerPartner: false,
    isProbed: false,
    keyOf: () => '',
    fetch: () => Promise.resolve(fetched),
  }
}

/** Used without a feeds file: every live signal is unavailable, so live mode holds and never allows. */
export const noFeeds: LiveFeeds = {
  current: () => ({
    isConfigured: false,
    world: contractWorld(),
    states: () => [],
    signalsOf: () => [],
    read: () => Promise.resolve([notConfigured]),
    probe: () => Promise.resolve([]),
    isProbed: () => true,
  }),
}

/** The feeds of a file without reload, or its errors. */
export type OpenedOnce =
  | { readonly kind: 'open'; readonly feeds: OpenFeeds }
  | { readonly kind: 'bad'; readonly findings: readonly FileFinding[] }

/** Throws `FileFault` if the file cannot be read. */
export function openFeedsOnce(path: string, options: FeedsOptions): OpenedOnce {
  const read = readFeeds(contentOf(path), options.environment)
  if (read.kind === 'bad') return read
  return { kind: 'open', feeds: openFeeds(read.file, options) }
}

/** The corridors that the probe observes. Throws `FileFault` if the file is invalid for another reason than a secret. */
export function observedCorridors(path: string, clock: Clock): Corridor[] {
  const names = [...contentOf(path).matchAll(/\$\{([^}]*)\}/g)].map(([, name = '']) => name)
  const environment = Object.fromEntries(names.map((name) => [name, 'not-needed']))
  const countOutcomes: CountOutcomes = () => Promise.resolve({ ended: 0, failed: 0, newestAtMs: null })
  const opened = openFeedsOnce(path, { clock, environment, countOutcomes, onStateChange: () => undefined })
  if (opened.kind === 'bad') throw new FileFault(findingsText(path, opened.findings))
  const { feeds } = opened
  return [...feeds.world.corridors.keys()].filter((corridor) => feeds.isProbed(corridor))
}

/** Feeds of a file that can be reloaded. */
export interface FileFeeds extends LiveFeeds {
  current(): OpenFeeds
  /** Returns the errors of the file. If there are any, the current feeds stay; otherwise the new feeds are in use. */
  reload(): readonly FileFinding[]
  close(): Promise<void>
}

/** When replaced feeds are closed. Longer than any deadline, so their reads have ended. */
const retireMs = 60_000

/** Throws `FileFault` if the file is invalid. */
export function openFileFeeds(path: string, options: FeedsOptions): FileFeeds {
  const first = openFeedsOnce(path, options)
  if (first.kind === 'bad') throw new FileFault(findingsText(path, first.findings))
  let current = first.feeds
  const retired = new Set<OpenFeeds>()
  const retire = (old: OpenFeeds): void => {
    retired.add(old)
    const end = (): void => {
      retired.delete(old)
      void old.close()
    }
    setTimeout(end, retireMs).unref()
  }
  return {
    current: () => current,
    reload() {
      const next = reopen(path, options)
      if (next.kind === 'bad') return next.findings
      retire(current)
      current = next.feeds
      return []
    },
    async close() {
      await Promise.all([...retired, current].map((one) => one.close()))
    },
  }
}

/** Reports a missing file like an invalid one. */
function reopen(path: string, options: FeedsOptions): OpenedOnce {
  try {
    return openFeedsOnce(path, options)
  } catch (error) {
    return { kind: 'bad', findings: [{ line: 0, field: '', message: (error as Error).message }] }
  }
}

/** Seven feeds take a few thousand bytes; two thousand partners with their own a few million. */
const fileBytesMax = 16_777_216

function contentOf(path: string): string {
  try {
    const bytes = readFileSync(path)
    if (bytes.byteLength > fileBytesMax)
      throw Object.assign(new Error(), { code: `over ${fileBytesMax} bytes` })
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const why = code === 'ENOENT' ? 'there is no such file' : `it cannot be read (${code ?? 'not UTF-8'})`
    throw new FileFault(`cannot load live feeds from ${path}: ${why}`)
  }
}

/** One line: the first error and the number of the others. */
function findingsText(path: string, findings: readonly FileFinding[]): string {
  const [first] = findings
  const more = findings.length > 1 ? ` ${findings.length - 1} more: run fairway feeds check to see all.` : ''
  return `the feeds file ${path} is invalid: ${first === undefined ? '' : findingText(first)}.${more}`
}

export function findingText({ line, field, message }: FileFinding): string {
  return line === 0 ? message : `line ${line}: ${field === '' ? 'the file' : field} ${message}`
}
