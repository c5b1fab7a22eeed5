/** Simulated webhook receivers, each with a condition, and a record of every request sent to them. */

import type { SendOutcome, WebhookSender } from '../../src/app/ports/webhooks.ts'
import { isDelivered, receiverTimeoutMs } from '../../src/core/events/retry-schedule.ts'
import type { Rng } from '../random.ts'
import type { Life, Schedule } from './schedule.ts'

export type ReceiverCondition = 'healthy' | 'slow' | 'failing' | 'hanging' | 'refusing'

export const receiverConditions: readonly ReceiverCondition[] = [
  'healthy',
  'slow',
  'failing',
  'failing',
  'hanging',
  'refusing',
]

/** One sent POST. */
export interface Sent {
  readonly url: string
  readonly eventId: string
  readonly number: number
  readonly isAccepted: boolean
}

/** The condition of each receiver, which outlives the service. */
export class Receivers {
  readonly sent: Sent[] = []
  readonly #conditions = new Map<string, ReceiverCondition>()

  set(url: string, condition: ReceiverCondition): void {
    this.#conditions.set(url, condition)
  }

  conditionOf(url: string): ReceiverCondition {
    return this.#conditions.get(url) ?? 'healthy'
  }

  /** Makes all receivers healthy. */
  heal(): void {
    this.#conditions.clear()
  }
}

const accepted: SendOutcome = { kind: 'answered', status: 204 }

/** The outcome of a send for each condition, and its minimum and maximum delay. */
const answers: Readonly<
  Record<ReceiverCondition, { readonly outcome: SendOutcome; readonly afterMs: readonly [number, number] }>
> = {
  healthy: { outcome: accepted, afterMs: [1, 80] },
  slow: { outcome: accepted, afterMs: [1_000, 4_900] },
  failing: { outcome: { kind: 'answered', status: 500 }, afterMs: [1, 80] },
  hanging: { outcome: { kind: 'failed', fault: 'timeout' }, afterMs: [receiverTimeoutMs, receiverTimeoutMs] },
  refusing: { outcome: { kind: 'failed', fault: 'connection_failed' }, afterMs: [0, 5] },
}

export interface SenderDeps {
  readonly receivers: Receivers
  readonly schedule: Schedule
  readonly life: Life
  readonly rng: Rng
}

export function simulatedSender({ receivers, schedule, life, rng }: SenderDeps): WebhookSender {
  return {
    send({ url, headers }) {
      const { outcome, afterMs } = answers[receivers.conditionOf(url)]
      const [minMs, maxMs] = afterMs
      receivers.sent.push({
        url,
        eventId: headers['webhook-id'] ?? '',
        number: Number(headers['x-svc-attempt']),
        isAccepted: outcome.kind === 'answered' && isDelivered(outcome.status),
      })
      return new Promise((resolve) => {
        schedule.after(minMs + rng.below(maxMs - minMs + 1), () => resolve(outcome), { life })
      })
    },
    close: () => Promise.resolve(),
  }
}
