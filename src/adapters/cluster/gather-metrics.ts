/** Collects the metrics of all workers, so that each of them can report the total. */

import { mergeEnded, type MetricsData } from '../metrics.ts'
import type { ToPrimary, ToWorker } from './messages.ts'

/** A worker that does not answer within this time is reported with its latest metrics. */
const answerTimeoutMs = 1_000

export interface ReportingWorker {
  readonly id: number
  send(message: ToWorker): void
}

interface MetricsRequest {
  /** The ids of the workers that have not answered. */
  readonly open: Set<number>
  finish(): void
}

export class MetricsGatherer {
  readonly #serving = new Map<number, ReportingWorker>()
  readonly #left = new WeakSet<ReportingWorker>()
  readonly #latest = new Map<number, MetricsData>()
  readonly #requests = new Map<number, MetricsRequest>()
  #requestCount = 0
  /** Counters must not fall when a worker ends, so its last metrics stay in the sum. */
  #ended: Promise<readonly MetricsData[]> = Promise.resolve([])

  join(worker: ReportingWorker): void {
    this.#serving.set(worker.id, worker)
  }

  /** Later messages of this worker are ignored: they would be counted twice. */
  leave(worker: ReportingWorker): void {
    const { id } = worker
    this.#left.add(worker)
    const last = this.#latest.get(id)
    this.#serving.delete(id)
    this.#latest.delete(id)
    if (last !== undefined) this.#ended = this.#ended.then(async (sum) => [await mergeEnded([...sum, last])])
    for (const request of this.#requests.values()) settle(request, id)
  }

  receive(worker: ReportingWorker, message: Extract<ToPrimary, { own: MetricsData }>): void {
    if (this.#left.has(worker)) return
    // A worker may be scraped before its ready message arrives.
    this.join(worker)
    this.#latest.set(worker.id, message.own)
    if (message.kind === 'metrics_request') void this.#answer(worker, message.id)
    else if (message.id !== null) {
      const request = this.#requests.get(message.id)
      if (request !== undefined) settle(request, worker.id)
    }
  }

  async #answer(requester: ReportingWorker, id: number): Promise<void> {
    await this.#request([...this.#serving.values()].filter((worker) => worker.id !== requester.id))
    const ended = await this.#ended
    requester.send({ kind: 'metrics', id, all: [...ended, ...this.#latest.values()] })
  }

  async #request(workers: readonly ReportingWorker[]): Promise<void> {
    if (workers.length === 0) return
    this.#requestCount += 1
    const id = this.#requestCount
    await new Promise<void>((finish) => {
      const timer = setTimeout(finish, answerTimeoutMs)
      const open = new Set(workers.map((worker) => worker.id))
      this.#requests.set(id, {
        open,
        finish() {
          clearTimeout(timer)
          finish()
        },
      })
      for (const worker of workers) worker.send({ kind: 'metrics_request', id })
    })
    this.#requests.delete(id)
  }
}

function settle(request: MetricsRequest, workerId: number): void {
  if (request.open.delete(workerId) && request.open.size === 0) request.finish()
}
