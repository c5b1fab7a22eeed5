/** Live feeds as a file declares them: read all at once under one deadline, and replaced as one when the file is read again. */

import { readFileSync } from 'node:fs'
import { FileFault } from '../../app/ports/assess.ts'
import type { After, Clock } from '../../app/ports/system.ts'
import { systemAfter } from '../system.ts'
import type { CountOutcomes, FeedResult, FeedResults, LiveFeeds, SignalQuery } from '../../app/ports/feeds.ts'
import { signalNames, type SignalName } from '../../core/decision/signals.ts'
import { createFeed, type Feed, type FeedTurn } from './feed.ts'
import { readFeeds, type DeclaredFeed, type FeedsFile, type FileFinding } from './file.ts'
import { fxSource } from './fx-source.ts'
import { httpSource } from './http-source.ts'
import { outcomesSource } from './outcomes-source.ts'
import type { ConstantSpec } from './schema.ts'
import { breakerRule, scaledValue, type Source } from './source.ts'

export interface FeedsOptions {
  readonly clock: Clock
  /** For deadlines; the system's timer where not given. */
  readonly after?: After | undefined
  readonly countOutcomes: CountOutcomes
  /** Told when a feed begins to fail, and when it works again. */
  readonly onTurn: (turn: FeedTurn) => void
  /** For the headers. */
  readonly environment: Readonly<Record<string, string | undefined>>
}

export interface OpenFeeds extends LiveFeeds {
  close(): Promise<void>
}

/** A set of feeds. */
export function openFeeds(file: FeedsFile, options: FeedsOptions): OpenFeeds {
  const { clock, after = systemAfter, countOutcomes, onTurn } = options
  const { deadlineMs } = file
  const feeds = file.feeds.map((declared) =>
    createFeed(declared.signal, sourceOf(declared, clock, countOutcomes), {
      clock,
      after,
      deadlineMs,
      onTurn,
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

/** An assumption of the operator: it never fails, and is trusted least. */
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
  detail: 'has no feed in the file',
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
  const asked = signalNames.map((signal) => feeds.get(signal)?.read(query) ?? noFeed)
  const isWaiting = asked.some((one) => one instanceof Promise)
  const found = isWaiting ? await beforeDeadline(feeds, asked, deadline) : (asked as FeedResult[])
  return resultsOf((place) => found[place] ?? noFeed)
}

function resultsOf(resultAt: (place: number) => FeedResult): FeedResults {
  const results = {} as Record<SignalName, FeedResult>
  for (const [place, signal] of signalNames.entries()) results[signal] = resultAt(place)
  return results
}

/** A flight ends by itself; but one may have waited for a breaker's trial before it. */
async function beforeDeadline(
  feeds: ReadonlyMap<SignalName, Feed>,
  asked: readonly (FeedResult | Promise<FeedResult>)[],
  { after, deadlineMs }: Deadline,
): Promise<FeedResult[]> {
  const { promise: late, resolve } = Promise.withResolvers<null>()
  const cancel = after(deadlineMs, () => resolve(null))
  const results = await Promise.all(asked.map((one) => Promise.race([one, late])))
  cancel()
  return results.map((result, place) => {
    if (result !== null) return result
    const feed = feeds.get(signalNames[place] ?? 'fraud_flags')?.source.kind ?? null
    return { kind: 'failed', feed, fault: 'timeout', detail: 'did not answer in time', latencyMs: deadlineMs }
  })
}

const notSetUp: FeedResult = { ...noFeed, detail: 'no feeds are set up' }

/** No feeds at all: every live signal is unavailable, so live mode holds and never allows. */
export const noFeeds: LiveFeeds = {
  states: () => [],
  partnerFor: () => null,
  read: () => Promise.resolve(resultsOf(() => notSetUp)),
}

/** What a file declares, for one use. */
export type OpenedOnce =
  | { readonly kind: 'open'; readonly feeds: LiveFeeds; close(): Promise<void> }
  | { readonly kind: 'bad'; readonly findings: readonly FileFinding[] }

/** Throws `FileFault` where there is no file. */
export function openFeedsOnce(path: string, options: FeedsOptions): OpenedOnce {
  const read = readFeeds(contentOf(path), options.environment)
  if (read.kind === 'bad') return read
  const feeds = openFeeds(read.file, options)
  return { kind: 'open', feeds, close: () => feeds.close() }
}

/** Feeds of a file that may be read again. */
export interface FileFeeds extends OpenFeeds {
  /** What is wrong with the file as it is now; the feeds of before then stay. Nothing: its feeds are in place. */
  reload(): readonly FileFinding[]
}

/** What is under way with feeds that were replaced has ended by then: no deadline is longer. */
const retireMs = 60_000

/** Throws `FileFault` where the file cannot be used. */
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
      const next = openAgain(path, options)
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

/** A file that is gone is as bad as one with a fault. */
function openAgain(path: string, options: FeedsOptions): OpenedOnce {
  try {
    return openFeedsOnce(path, options)
  } catch (error) {
    return { kind: 'bad', findings: [{ line: 0, field: '', message: (error as Error).message }] }
  }
}

/** Seven feeds take a few thousand. */
const fileBytesMax = 1_048_576

function contentOf(path: string): string {
  try {
    const bytes = readFileSync(path)
    if (bytes.byteLength > fileBytesMax)
      throw Object.assign(new Error(), { code: `over ${fileBytesMax} bytes` })
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const why = code === 'ENOENT' ? 'there is no such file' : `it cannot be read (${code ?? 'no UTF-8'})`
    throw new FileFault(`no live feeds at ${path}: ${why}`)
  }
}

/** One line: the first, and how many more. */
function findingsText(path: string, findings: readonly FileFinding[]): string {
  const [first] = findings
  const more = findings.length > 1 ? ` And ${findings.length - 1} more: fairway feeds check shows all.` : ''
  return `the live feeds ${path} cannot be used: ${first === undefined ? '' : findingText(first)}.${more}`
}

export function findingText({ line, field, message }: FileFinding): string {
  return line === 0 ? message : `line ${line}: ${field === '' ? 'the file' : field} ${message}`
}
