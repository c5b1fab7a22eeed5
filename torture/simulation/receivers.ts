/** The network of webhook receivers: each accepts, fails, hangs or refuses as it is told, and what reached it is written down. */

import type { SendOutcome, WebhookSender } from '../../src/app/ports/webhooks.ts'
import { isDelivered, receiverTimeoutMs } from '../../src/core/events/retry-schedule.ts'
import type { Chance } from '../random.ts'
import type { Life, Schedule } from './schedule.ts'

export type ReceiverMood = 'well' | 'slow' | 'failing' | 'hanging' | 'refusing'

export const receiverMoods: readonly ReceiverMood[] = [
  'well',
  'slow',
  'failing',
  'failing',
  'hanging',
  'refusing',
]

/** One POST as it went out. */
export interface Sent {
  readonly url: string
  readonly eventId: string
  readonly number: number
  readonly isAccepted: boolean
}

/** How each receiver is; it outlives the service. */
export class Receivers {
  readonly sent: Sent[] = []
  readonly #moods = new Map<string, ReceiverMood>()

  set(url: string, mood: ReceiverMood): void {
    this.#moods.set(url, mood)
  }

  moodOf(url: string): ReceiverMood {
    return this.#moods.get(url) ?? 'well'
  }

  /** All of them. */
  heal(): void {
    this.#moods.clear()
  }
}

const accepted: SendOutcome = { kind: 'answered', status: 204 }

/** What a receiver does, and how long after the call it is seen. */
const answers: Readonly<
  Record<ReceiverMood, { readonly outcome: SendOutcome; readonly afterMs: readonly [number, number] }>
> = {
  well: { outcome: accepted, afterMs: [1, 80] },
  slow: { outcome: accepted, afterMs: [1_000, 4_900] },
  failing: { outcome: { kind: 'answered', status: 500 }, afterMs: [1, 80] },
  hanging: { outcome: { kind: 'failed', fault: 'timeout' }, afterMs: [receiverTimeoutMs, receiverTimeoutMs] },
  refusing: { outcome: { kind: 'failed', fault: 'connection_failed' }, afterMs: [0, 5] },
}

export interface SenderDeps {
  readonly receivers: Receivers
  readonly schedule: Schedule
  readonly life: Life
  readonly chance: Chance
}

export function simulatedSender({ receivers, schedule, life, chance }: SenderDeps): WebhookSender {
  return {
    send({ url, headers }) {
      const { outcome, afterMs } = answers[receivers.moodOf(url)]
      const [least, most] = afterMs
      receivers.sent.push({
        url,
        eventId: headers['webhook-id'] ?? '',
        number: Number(headers['x-svc-attempt']),
        isAccepted: outcome.kind === 'answered' && isDelivered(outcome.status),
      })
      return new Promise((resolve) => {
        schedule.after(least + chance.below(most - least + 1), () => resolve(outcome), { life })
      })
    },
    close: () => Promise.resolve(),
  }
}
