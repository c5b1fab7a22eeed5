/** Opens the live feeds of a file: all are read concurrently under one deadline and replaced together on reload. */

import { readFileSync } from 'node:fs'
import { FileFault } from '../../app/ports/assess.ts'
import type { After, Clock } from '../../app/ports/system.ts'
import { systemAfter } from '../system.ts'
import type { CountOutcomes, FeedResult, FeedResults, LiveFeeds, SignalQuery } from '../../app/ports/feeds.ts'
import { signalNames, type SignalName } from '../../core/decision/signals.ts'
import { createFeed, type Feed, type FeedStateChange } from './feed.ts'
import { readFeeds, type DeclaredFeed, type FeedsFile, type FileFinding } from './file.ts'
import { fxSource } from './fx-source.ts'
import { httpSource } from './http-source.ts'
import { outcomesSource } from './outcomes-source.ts'
import type { ConstantSpec } from './schema.ts'
import { breakerRule, scaledValue, type Source } from './source.ts'

export interface FeedsOptions {
  readonly clock: Clock
  /** For deadlines. Default: the system's timer. */
  readonly after?: After | undefined
  readonly countOutcomes: CountOutcomes
  /** Called when a feed starts to fail, changes its fault, or recovers. */
  readonly onStateChange: (change: FeedStateChange) => void
  /** Variables for the headers. */
  readonly environment: Readonly<Record<string, string | undefined>>
}

export interface OpenFeeds extends LiveFeeds {
  close(): Promise<void>
}

export function openFeeds(file: FeedsFile, options: FeedsOptions): OpenFeeds {
  const { clock, after = systemAfter, countOutcomes, onStateChange } = options
  const { deadlineMs } = file
  const feeds = file.feeds.map((declared) =>
    createFeed(declared.signal, sourceOf(declared, clock, countOutcomes), {
      clock,
      after,
      deadlineMs,
      onStateChange,
    }),
  )
  const bySignal = new Map(feeds.map((feed) => [feed.signal, feed]))
  return {
    states: () => feeds.map((feed) => feed.state()),
    partnerFor: (corridor) => file.partners[corridor] ?? null,
    read: (query) => readAll(bySignal, query, { after, deadlineMs }),
    async close() {
      await Promise.all(feeds.map((feed) => feed.close()))
    },
  }
}

function sourceOf(declared: DeclaredFeed, clock: Clock, countOutcomes: CountOutcomes): Source {
  const { spec } = declared
  switch (spec.source) {
    case 'http':
      return httpSource(declared, spec, clock)
    case 'fx-series':
      return fxSource(declared, spec)
    case 'outcomes':
      return outcomesSource(spec, countOutcomes, clock)
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
    keyOf: () => '',
    fetch: () => Promise.resolve(fetched),
    close: () => Promise.resolve(),
  }
}

const noFeed: FeedResult = {
  kind: 'failed',
  feed: null,
  fault: 'no_feed',
  detail: 'has no feed in the feeds file',
  latencyMs: 0,
}

interface Deadline {
  readonly after: After
  readonly deadlineMs: number
}

async function readAll(
  feeds: ReadonlyMap<SignalName, Feed>,
  query: SignalQuery,
  deadline: Deadline,
): Promise<FeedResults> {
  const reads = signalNames.map((signal) => feeds.get(signal)?.read(query) ?? noFeed)
  const isWaiting = reads.some((one) => one instanceof Promise)
  const results = isWaiting ? await beforeDeadline(feeds, reads, deadline) : (reads as FeedResult[])
  return resultsOf((place) => results[place] ?? noFeed)
}

function resultsOf(resultAt: (place: number) => FeedResult): FeedResults {
  const results = {} as Record<SignalName, FeedResult>
  for (const [place, signal] of signalNames.entries()) results[signal] = resultAt(place)
  return results
}

/** Each flight has its own deadline, but may first have waited for a breaker's trial. */
async function beforeDeadline(
  feeds: ReadonlyMap<SignalName, Feed>,
  reads: readonly (FeedResult | Promise<FeedResult>)[],
  { after, deadlineMs }: Deadline,
): Promise<FeedResult[]> {
  const { promise: late, resolve } = Promise.withResolvers<null>()
  const cancel = after(deadlineMs, () => resolve(null))
  const results = await Promise.all(reads.map((one) => Promise.race([one, late])))
  cancel()
  return results.map((result, place) => {
    if (result !== null) return result
    const feed = feeds.get(signalNames[place] ?? 'fraud_flags')?.source.kind ?? null
    return { kind: 'failed', feed, fault: 'timeout', detail: 'did not answer in time', latencyMs: deadlineMs }
  })
}

const notConfigured: FeedResult = { ...noFeed, detail: 'no feeds are configured' }

/** Used without a feeds file: every live signal is unavailable, so live mode holds and never allows. */
export const noFeeds: LiveFeeds = {
  states: () => [],
  partnerFor: () => null,
  read: () => Promise.resolve(resultsOf(() => notConfigured)),
}

/** The feeds of a file without reload, or its errors. */
export type OpenedOnce =
  | { readonly kind: 'open'; readonly feeds: LiveFeeds; close(): Promise<void> }
  | { readonly kind: 'bad'; readonly findings: readonly FileFinding[] }

/** Throws `FileFault` if the file cannot be read. */
export function openFeedsOnce(path: string, options: FeedsOptions): OpenedOnce {
  const read = readFeeds(contentOf(path), options.environment)
  if (read.kind === 'bad') return read
  const feeds = openFeeds(read.file, options)
  return { kind: 'open', feeds, close: () => feeds.close() }
}

/** Feeds of a file that can be reloaded. */
export interface FileFeeds extends OpenFeeds {
  /** Returns the errors of the file. If there are any, the current feeds stay; otherwise the new feeds are in use. */
  reload(): readonly FileFinding[]
}

/** When replaced feeds are closed. Longer than any deadline, so their reads have ended. */
const retireMs = 60_000

/** Throws `FileFault` if the file is invalid. */
export function openFileFeeds(path: string, options: FeedsOptions): FileFeeds {
  const first = openFeedsOnce(path, options)
  if (first.kind === 'bad') throw new FileFault(findingsText(path, first.findings))
  let current = first
  const retired = new Set<typeof first>()
  const retire = (old: typeof first): void => {
    retired.add(old)
    const end = (): void => {
      retired.delete(old)
      void old.close()
    }
    setTimeout(end, retireMs).unref()
  }
  return {
    states: () => current.feeds.states(),
    partnerFor: (corridor) => current.feeds.partnerFor(corridor),
    read: (query) => current.feeds.read(query),
    reload() {
      const next = reopen(path, options)
      if (next.kind === 'bad') return next.findings
      retire(current)
      current = next
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

/** Seven feeds take a few thousand bytes. */
const fileBytesMax = 1_048_576

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
