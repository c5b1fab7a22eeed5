/** One world under one seed: a service, its store, feeds and receivers, people who ask, and an inspector after each step. */

import { createHash } from 'node:crypto'
import { createStore } from '../../src/adapters/store/engine/store.ts'
import type { Store } from '../../src/app/ports/store.ts'
import { chanceOf, type Chance } from '../random.ts'
import { Books, type Caller } from './books.ts'
import type { Made, Weather } from './faulty-driver.ts'
import { Providers } from './feeds.ts'
import type { Ground } from './ground.ts'
import { LogInspector } from './inspect-log.ts'
import { Inspector } from './inspector.ts'
import { startInstance, type Instance, type Planted } from './instance.ts'
import { Receivers } from './receivers.ts'
import { Schedule, settled, type Life } from './schedule.ts'
import { Violation } from './violation.ts'

/** So many of the last things that happened are told of a world that went wrong. */
const toldMax = 40

export interface WorldOptions {
  readonly seed: number
  readonly ground: Ground
  readonly planted?: Planted
}

export interface WorldReport {
  readonly violation: { readonly step: number; readonly sentence: string } | null
  /** Of all that happened, in order: two runs of one seed have the same. */
  readonly digest: string
  /** What came about, and how often. */
  readonly seen: ReadonlyMap<string, number>
  /** The last things that happened. */
  readonly told: readonly string[]
}

export class World {
  readonly chance: Chance
  readonly schedule: Schedule
  readonly weather: Weather = { store: 'well', faults: 0 }
  readonly providers = new Providers()
  readonly receivers = new Receivers()
  readonly books = new Books()
  readonly callers: Caller[] = []
  readonly ground: Ground
  /** Without faults, to look through. */
  readonly truth: Store
  readonly log: LogInspector
  readonly inspector: Inspector
  instance: Instance
  step = 0
  readonly told: string[] = []
  readonly #digest = createHash('sha256')
  readonly #planted: Planted
  #fault: string | null = null

  constructor({ seed, ground, planted = {} }: WorldOptions) {
    this.chance = chanceOf(seed)
    this.ground = ground
    this.#planted = planted
    // Up to a second an hour, either way.
    this.schedule = new Schedule(this.chance.below(560) - 280)
    const { books, receivers } = this
    this.truth = createStore(ground.driver, this.chance)
    this.log = new LogInspector(this.truth, ground)
    this.inspector = new Inspector({ ground, books, receivers, log: this.log })
    this.schedule.onTime(() => this.#noteTime())
    this.instance = this.#start(1)
  }

  tell(line: string): void {
    this.#digest.update(`${line}\n`)
    this.told.push(`${this.schedule.clock.monotonicMs() - 1_000_000} ms: ${line}`)
    if (this.told.length > toldMax) this.told.shift()
  }

  /** The process dies with all that it was at, and another starts on the same database. */
  async crash(): Promise<void> {
    const { life } = this.instance
    this.books.saw('crashes')
    this.schedule.end(life)
    for (const ask of this.books.open) if (ask.life === life) ask.outcome ??= { kind: 'cut_off' }
    for (const ask of this.books.overrideAsks) if (ask.life === life) ask.outcome ??= { kind: 'cut_off' }
    await settled()
    this.instance = this.#start(life.number + 1)
  }

  async inspect(): Promise<void> {
    if (this.#fault !== null) throw new Violation(this.#fault)
    await this.inspector.inspect()
  }

  report(violation: WorldReport['violation']): WorldReport {
    const { books, told } = this
    books.saw('steps', this.step)
    books.saw('records', this.inspector.records.size)
    books.saw('store faults', this.weather.faults)
    books.saw('attempts to deliver', this.receivers.sent.length)
    return { violation, digest: this.#digest.digest('hex'), seen: books.seen, told }
  }

  /** A promise of somebody who asks: what it ends with is kept, and what it throws is a fault of the service. */
  async watch(work: Promise<void>, life: Life): Promise<void> {
    try {
      await work
    } catch (error) {
      if (!life.isOver) this.#fault ??= `the service threw ${String(error)}`
    }
  }

  #start(number: number): Instance {
    const { ground, schedule, weather, providers, receivers, chance } = this
    const life: Life = { number, isOver: false }
    return startInstance({
      driver: this.#planted.driver?.(ground) ?? ground.driver,
      life,
      schedule,
      weather,
      providers,
      receivers,
      chance,
      planted: this.#planted,
      onMade: (made) => this.#noteMade(made),
      onAdmission: (admission) => this.books.admissions.push(admission),
      onFault: (sentence) => void (this.#fault ??= sentence),
    })
  }

  #noteMade(made: Made): void {
    this.books.note(made, this.schedule.happened)
    this.tell(`the database made ${made.name}: ${JSON.stringify(made.result)}`)
  }

  #noteTime(): void {
    const nowMs = this.schedule.clock.nowMs()
    for (const { wall } of this.books.open) {
      wall.min = Math.min(wall.min, nowMs)
      wall.max = Math.max(wall.max, nowMs)
    }
  }
}
