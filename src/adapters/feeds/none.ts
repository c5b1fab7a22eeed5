/** Live signals where no feed is set up: every one is unavailable, so live mode holds and never allows. */

import type { SignalSource } from '../../app/ports.ts'
import { signalNames } from '../../core/signals.ts'

export const noLiveFeeds: SignalSource = {
  signals: [],
  read: () => Promise.resolve({ kind: 'unavailable', signals: signalNames }),
}
