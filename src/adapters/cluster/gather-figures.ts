/** Brings the figures of all workers together, so that whichever is asked tells those of the whole. */

import { added, type Figures } from '../metrics.ts'
import type { ToPrimary, ToWorker } from './messages.ts'

/** Who does not answer in this time is told with the figures that it gave last. */
const answerWithinMs = 1_000

export interface ReportingWorker {
  readonly id: number
  tell(message: ToWorker): void
}

interface Question {
  readonly open: Set<number>
  finish(): void
}

export class MetricsGatherer {
  readonly #serving = new Map<number, ReportingWorker>()
  readonly #left = new WeakSet<ReportingWorker>()
  readonly #latest = new Map<number, Figures>()
  readonly #questions = new Map<number, Question>()
  #questionsAsked = 0
  /** Counters must not fall when a worker ends: what it told last stays in the sum. */
  #ended: Promise<readonly Figures[]> = Promise.resolve([])

  join(desk: ReportingWorker): void {
    this.#serving.set(desk.id, desk)
  }

  /** Nothing more is heard from it: it would be counted twice. */
  leave(desk: ReportingWorker): void {
    const { id } = desk
    this.#left.add(desk)
    const last = this.#latest.get(id)
    this.#serving.delete(id)
    this.#latest.delete(id)
    if (last !== undefined) this.#ended = this.#ended.then(async (sum) => [await added([...sum, last])])
    for (const question of this.#questions.values()) settle(question, id)
  }

  hear(desk: ReportingWorker, message: Extract<ToPrimary, { own: Figures }>): void {
    if (this.#left.has(desk)) return
    // It may be asked for figures before we know that it is ready.
    this.join(desk)
    this.#latest.set(desk.id, message.own)
    if (message.kind === 'figures_wanted') void this.#answer(desk, message.id)
    else if (message.id !== null) {
      const question = this.#questions.get(message.id)
      if (question !== undefined) settle(question, desk.id)
    }
  }

  async #answer(asker: ReportingWorker, id: number): Promise<void> {
    await this.#ask([...this.#serving.values()].filter((desk) => desk.id !== asker.id))
    const ended = await this.#ended
    asker.tell({ kind: 'figures', id, all: [...ended, ...this.#latest.values()] })
  }

  async #ask(desks: readonly ReportingWorker[]): Promise<void> {
    if (desks.length === 0) return
    this.#questionsAsked += 1
    const id = this.#questionsAsked
    await new Promise<void>((finish) => {
      const patience = setTimeout(finish, answerWithinMs)
      const open = new Set(desks.map((desk) => desk.id))
      this.#questions.set(id, {
        open,
        finish() {
          clearTimeout(patience)
          finish()
        },
      })
      for (const desk of desks) desk.tell({ kind: 'figures_wanted', id })
    })
    this.#questions.delete(id)
  }
}

function settle(question: Question, deskId: number): void {
  if (question.open.delete(deskId) && question.open.size === 0) question.finish()
}
