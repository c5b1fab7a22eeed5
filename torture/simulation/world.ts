/** One simulated world with one seed: a service, its store, feeds, receivers and callers, inspected after each step. */

import { createHash } from 'node:crypto'
import { createStore } from '../../src/adapters/store/engine/store.ts'
import type { Store } from '../../src/app/ports/store.ts'
import { createRng, type Rng } from '../random.ts'
import { Books, type Caller } from './books.ts'
import type { AppliedChange, Weather } from './faulty-driver.ts'
import { Providers } from './feeds.ts'
import type { WorldDatabase } from './world-database.ts'
import { JournalInspector } from './inspect/journal.ts'
import { ReviewInspector } from './inspect/reviews.ts'
import { LogInspector } from './inspect/log.ts'
import { Inspector } from './inspect/inspector.ts'
import { PolicyBooks } from './policy-books.ts'
import { startInstance, type Instance, type Planted } from './instance.ts'
import { Receivers } from './receivers.ts'
import { ReviewBooks } from './reviews/books.ts'
import { Desk } from './reviews/desk.ts'
import { drawTerms, type WorldTerms } from './reviews/terms.ts'
import { Schedule, settled, type Life } from './schedule.ts'
import { Violation } from './inspect/violation.ts'

/** The number of last events reported for a world with a violation. */
const lastEventsMax = 40

export interface WorldOptions {
  readonly seed: number
  readonly worldDatabase: WorldDatabase
  readonly planted?: Planted
}

export interface WorldReport {
  readonly violation: { readonly step: number; readonly sentence: string } | null
  /** Hash of all events in order; the same for every run of one seed. */
  readonly digest: string
  /** How often each kind of event occurred. */
  readonly counts: ReadonlyMap<string, number>
  readonly lastEvents: readonly string[]
}

export class World {
  readonly rng: Rng
  readonly schedule: Schedule
  readonly weather: Weather = { store: 'healthy', faults: 0 }
  readonly providers = new Providers()
  readonly receivers = new Receivers()
  readonly books = new Books()
  readonly policies = new PolicyBooks()
  readonly callers: Caller[] = []
  readonly desk = new Desk()
  readonly terms: WorldTerms
  readonly reviews: ReviewBooks
  readonly reviewInspector: ReviewInspector
  readonly worldDatabase: WorldDatabase
  /** A store without injected faults, for inspection. */
  readonly truth: Store
  readonly log: LogInspector
  readonly journal: JournalInspector
  readonly inspector: Inspector
  /** Whether the database is shared by two instances, as PostgreSQL may be, or has one owner. */
  readonly isShared: boolean
  readonly instances: Instance[]
  step = 0
  readonly lastEvents: string[] = []
  readonly #digest = createHash('sha256')
  readonly #planted: Planted
  #lives: number
  #fault: string | null = null

  constructor({ seed, worldDatabase, planted = {} }: WorldOptions) {
    this.rng = createRng(seed)
    this.worldDatabase = worldDatabase
    this.#planted = planted
    // A drift of up to one second per hour, either way.
    this.schedule = new Schedule(this.rng.below(560) - 280)
    this.terms = drawTerms(this.rng)
    this.reviews = new ReviewBooks(worldDatabase)
    const { books, receivers, reviews, desk, terms } = this
    this.truth = createStore(worldDatabase.driver)
    this.log = new LogInspector(this.truth, worldDatabase)
    this.journal = new JournalInspector(worldDatabase, books)
    const { log, journal, policies } = this
    this.reviewInspector = new ReviewInspector({ worldDatabase, books, reviews, desk, terms, journal })
    const { reviewInspector } = this
    this.inspector = new Inspector({
      worldDatabase,
      books,
      policies,
      receivers,
      log,
      journal,
      reviews,
      reviewInspector,
      terms,
    })
    this.schedule.onTime(() => this.#recordTime())
    this.isShared = this.rng.next() < 0.5
    this.instances = (this.isShared ? [1, 2] : [1]).map((number) => this.#start(number))
    this.#lives = this.instances.length
  }

  /** Null unless the service did something that it must not. */
  get fault(): string | null {
    return this.#fault
  }

  /** An instance that is not paused; at least one never is. */
  pickInstance(): Instance {
    return this.rng.pick(this.instances.filter(({ life }) => !life.isPaused))
  }

  /** Reports a broken promise; it ends the world at the next inspection. */
  violated(sentence: string): void {
    this.#fault ??= sentence
  }

  trace(line: string): void {
    this.#digest.update(`${line}\n`)
    this.lastEvents.push(`${this.schedule.clock.monotonicMs() - 1_000_000} ms: ${line}`)
    if (this.lastEvents.length > lastEventsMax) this.lastEvents.shift()
  }

  /** Ends a process with all its pending work and starts another on the same database. */
  async crash(): Promise<void> {
    const place = this.rng.below(this.instances.length)
    const life = this.instances[place]?.life
    if (life === undefined) throw new Error('there is no instance')
    this.books.count('crashes')
    if (this.journal.isBehind()) this.books.count('crashes between append and follow')
    this.schedule.end(life)
    for (const call of this.books.open) if (call.life === life) call.outcome ??= { kind: 'cut_off' }
    for (const call of this.books.overrideCalls) if (call.life === life) call.outcome ??= { kind: 'cut_off' }
    this.reviews.cutOff(life)
    await settled()
    this.#lives += 1
    this.instances[place] = this.#start(this.#lives)
  }

  async inspect(): Promise<void> {
    if (this.#fault !== null) throw new Violation(this.#fault)
    await this.inspector.inspect()
  }

  report(violation: WorldReport['violation']): WorldReport {
    const { books, lastEvents } = this
    books.count('steps', this.step)
    books.count('records', this.inspector.records.size)
    books.count('store faults', this.weather.faults)
    books.count('delivery attempts', this.receivers.sent.length)
    return { violation, digest: this.#digest.digest('hex'), counts: books.counts, lastEvents }
  }

  /** Awaits the work of a caller. An error during the life of the process is a fault of the service. */
  async watch(work: Promise<void>, life: Life): Promise<void> {
    try {
      await work
    } catch (error) {
      const cause =
        error instanceof Error && error.cause instanceof Error ? ` (${error.cause.toString()})` : ''
      if (!life.isOver) this.#fault ??= `the service threw ${String(error)}${cause}`
    }
  }

  #start(number: number): Instance {
    const { worldDatabase, schedule, weather, providers, receivers, rng } = this
    const life: Life = { number, isOver: false, isPaused: false }
    const driver = this.#planted.driver?.(worldDatabase, schedule) ?? worldDatabase.driver
    return startInstance({
      driver: { ...driver, isShared: this.isShared },
      life,
      schedule,
      weather,
      providers,
      receivers,
      rng,
      planted: this.#planted,
      terms: this.terms,
      onApplied: (change) => this.#recordChange(change),
      onAdmission: (admission) => this.books.admissions.push(admission),
      onFault: (sentence) => void (this.#fault ??= sentence),
    })
  }

  #recordChange(change: AppliedChange): void {
    const monotonicMs = this.schedule.clock.monotonicMs()
    this.books.record(change, this.schedule.happened, monotonicMs)
    this.policies.record(change, monotonicMs)
    for (const one of this.reviews.readChanges()) this.books.recordReviewChange(one)
    this.trace(`the database applied ${change.name}: ${JSON.stringify(change.result)}`)
  }

  #recordTime(): void {
    const nowMs = this.schedule.clock.nowMs()
    this.reviews.recordTime(nowMs)
    for (const { wall } of this.books.open) {
      wall.min = Math.min(wall.min, nowMs)
      wall.max = Math.max(wall.max, nowMs)
    }
  }
}
