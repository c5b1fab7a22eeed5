/** A live source for tests: the calm shadow world, told as live, so that what a decision is without telemetry is known. */

import type { SignalSource } from '../../src/app/ports.ts'
import { signalNames } from '../../src/core/signals.ts'
import { simulate } from '../../src/core/simulation.ts'

export const simulatedAsLive: SignalSource = {
  signals: signalNames,
  read: (query) =>
    Promise.resolve({
      kind: 'read',
      source: 'live',
      readings: simulate(query),
      volatility: 0,
      recommendedPartner: null,
    }),
}
