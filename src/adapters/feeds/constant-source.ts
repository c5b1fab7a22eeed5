/** A value that the operator answers for. */

import type { DeclaredFeed } from './file.ts'
import type { ConstantSpec } from './schema.ts'
import { breakerRule, scaledValue, type Source } from './source.ts'

/** An assumption of the operator: it never fails, and is trusted least. */
export function constantSource({ signal, map }: DeclaredFeed, spec: ConstantSpec): Source {
  const fetched = { ...scaledValue(signal, map, spec.value), observedAtMs: null, history: null }
  return {
    kind: 'constant',
    maxAgeMs: Number.MAX_SAFE_INTEGER,
    aheadMsMax: 0,
    cacheMs: Number.MAX_SAFE_INTEGER,
    breaker: breakerRule(undefined),
    keyOf: () => '',
    fetch: () => Promise.resolve(fetched),
    close: () => Promise.resolve(),
  }
}
