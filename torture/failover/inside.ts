/** The failover experiment inside a network namespace of its own: races at two instances while the primary fails again and again. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { serve, type Served } from '../../test/helpers/process/process.ts'
import { compareStore } from '../crash/compare-store.ts'
import { answersOf, expectedOf, judge, raceFor, racers, type Race } from '../crash/racing.ts'
import { openScene, type Scene } from '../crash/scene.ts'
import type { Options, Outcome } from '../experiment.ts'
import { createRng, type Rng } from '../random.ts'
import { Cluster } from './cluster.ts'
import { course, faults, untilPrimary, type Fault } from './faults.ts'

const concurrentKeys = 4
/** Between two races of one runner, so that the load does not grow with the machine's speed. */
const restMs = 100
const racesBetween = 10
const answerMsMax = 600_000
const arrivalMsMax = 300_000

interface Held {
  readonly fault: Fault
  /** The longest time without an answer to anybody. */
  readonly heldMs: number
  /** Until the cluster had its two servers again. */
  readonly wholeMs: number
  /** Whether a server was promoted. */
  readonly isFailover: boolean
  /** Whether a server had to be copied anew by an operator. */
  readonly isReinitialised: boolean
}

const failoversOf = (held: readonly Held[]): number => held.filter(({ isFailover }) => isFailover).length

/** Callers that race until they are stopped. */
class Load {
  readonly races: Race[] = []
  longestMs = 0
  #lastAnswerMs = performance.now()
  #longestGapMs = 0
  #isOver = false
  #next = 0
  readonly #runners: Promise<void>[]

  constructor(scene: Scene, servers: readonly Served[], rng: Rng) {
    const onAnswer = (tookMs: number, isHeld: boolean): void => this.#answered(tookMs, isHeld)
    const urlOf = (place: number): string => servers[place % servers.length]?.url ?? ''
    const shared = { scene, urlOf, rng, timeoutMs: answerMsMax, onAnswer }
    this.#runners = Array.from({ length: concurrentKeys }, async () => {
      while (!this.#isOver) {
        this.#next += 1
        this.races.push(await raceFor(this.#next, shared))
        await pause(restMs)
      }
    })
    // A failure shows when the load is stopped.
    void Promise.allSettled(this.#runners)
  }

  #answered(tookMs: number, isHeld: boolean): void {
    this.longestMs = Math.max(this.longestMs, tookMs)
    if (isHeld) return
    const nowMs = performance.now()
    this.#longestGapMs = Math.max(this.#longestGapMs, nowMs - this.#lastAnswerMs)
    this.#lastAnswerMs = nowMs
  }

  /** The longest time without an answer since the last call. */
  takeGapMs(): number {
    const gapMs = Math.max(this.#longestGapMs, performance.now() - this.#lastAnswerMs)
    this.#longestGapMs = 0
    return gapMs
  }

  async more(count: number): Promise<void> {
    const until = this.races.length + count
    while (this.races.length < until) await Promise.race([pause(restMs), ...this.#runners])
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#runners)
  }
}

async function run({ seed, isShort, count, print }: Options, folder: string): Promise<Outcome> {
  const cluster = await Cluster.open(folder)
  try {
    const scene = await openScene(cluster.url('fairway'))
    const servers = await Promise.all([serve(scene.environment), serve(scene.environment)])
    try {
      await scene.subscribe(servers[0]?.url ?? '')
      const load = new Load(scene, servers, createRng(seed))
      const times = count ?? (isShort ? 2 : 50)
      const held = await failAgainAndAgain(cluster, load, times, print)
      await load.stop()
      return await judged(cluster, scene, load, held)
    } catch (error) {
      print(cluster.lastWords())
      throw error
    } finally {
      for (const server of servers) await server.stop('SIGKILL')
      await scene.close()
    }
  } finally {
    cluster.close()
  }
}

async function failAgainAndAgain(
  cluster: Cluster,
  load: Load,
  times: number,
  print: (line: string) => void,
): Promise<Held[]> {
  const held: Held[] = []
  while (failoversOf(held) < times) {
    const fault = course[held.length % course.length] ?? 'server killed'
    await load.more(racesBetween)
    load.takeGapMs()
    const found = await untilPrimary(cluster, 1)
    const startedMs = performance.now()
    await faults[fault](cluster, found)
    const isReinitialised = await cluster.whole()
    const wholeMs = performance.now() - startedMs
    await load.more(racesBetween)
    const now = await untilPrimary(cluster, found.timeline)
    const isFailover = now.timeline > found.timeline
    const took = { heldMs: load.takeGapMs(), wholeMs }
    held.push({ fault, isFailover, isReinitialised, ...took })
    const way = isReinitialised ? ' by patronictl reinit' : ''
    print(
      `${held.length}. ${fault} (${found.host.name} to ${now.host.name}): held ${seconds(took.heldMs)}, two servers again after ${seconds(took.wholeMs)}${way}; ${load.races.length} keys`,
    )
  }
  return held
}

async function judged(
  cluster: Cluster,
  scene: Scene,
  { races, longestMs }: Load,
  held: readonly Held[],
): Promise<Outcome> {
  const stored = await compareStore(cluster.url('postgres'), expectedOf(races))
  const missing = await scene.missing(stored.eventIds, arrivalMsMax)
  const violations = [
    ...races.flatMap(judge),
    ...stored.violations,
    ...missing.map((id) => `${id} was never delivered`),
  ]
  const kinds = Map.groupBy(held, ({ fault }) => fault)
  const figures: Record<string, number | string> = {
    'troubles, failovers': `${held.length}, ${failoversOf(held)}`,
    'servers copied anew by an operator': held.filter(({ isReinitialised }) => isReinitialised).length,
    'keys, racers each': `${races.length}, ${racers}`,
    'answers 200 or 409': answersOf(races).length,
    'keys with a hold or a lost answer': races.filter(({ isUnsure }) => isUnsure).length,
    'records, each sealed once, one event each': stored.records,
    'longest wait for one answer': seconds(longestMs),
  }
  for (const [fault, times] of kinds) {
    const sorted = times.map(({ heldMs }) => heldMs).toSorted((left, right) => left - right)
    const median = sorted[Math.floor(sorted.length / 2)] ?? 0
    figures[`held by "${fault}", ${times.length} times: median, longest`] =
      `${seconds(median)}, ${seconds(sorted.at(-1) ?? 0)}`
  }
  return { figures, violations }
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

const [options = '{}', outcomeFile = ''] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'fairway-failover-'))
try {
  const print = (line: string): void => void process.stdout.write(`${line}\n`)
  const outcome = await run({ ...(JSON.parse(options) as Omit<Options, 'print'>), print }, folder)
  writeFileSync(outcomeFile, JSON.stringify(outcome))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
// Servers of the cluster may still be ending.
process.exit()
