/** A dispatcher as a process of its own, to be killed: the real store, the real network, and a clock that is ahead. */

import { leafHashes } from '../../../src/app/log/leaf.ts'
import { openStore } from '../../../src/adapters/store/open.ts'
import { defer, repeat, systemClock, systemRandom } from '../../../src/adapters/system.ts'
import { openWebhookEgress } from '../../../src/adapters/webhook/open.ts'
import { Dispatcher } from '../../../src/app/events/delivery/dispatcher.ts'
import { keyOf } from '../installation-key.ts'

const [databaseUrl = '', aheadMs = '0'] = process.argv.slice(2)
const clock = { ...systemClock, nowMs: () => Date.now() + Number(aheadMs) }
const ignore = (): void => {}

const { store } = await openStore({ leafHashes, databaseUrl, clock, onFault: ignore })
const dispatcher = new Dispatcher({
  outbox: store.outbox,
  sender: openWebhookEgress({ clock, allowPrivate: true, timeoutMs: 60_000 }).sender,
  clock,
  random: systemRandom,
  retryDelaysMs: [0, 0, 0, 0],
  tracing: null,
  observer: {
    attempted: ignore,
    dropped: ignore,
    abandoned: ignore,
    interrupted: ignore,
    resumed: ignore,
    suspended: ignore,
    failed: (_delivery, error) => {
      throw error
    },
  },
  defer,
  key: keyOf(store, clock),
})
const stop = repeat(() => dispatcher.sweep(), 20)
process.once('SIGTERM', () => {
  stop()
  void dispatcher
    .stop()
    .then(() => store.close())
    .then(() => process.exit(0))
})
// The sweeps do not keep a process alive; the parent does.
process.stdin.resume()
