/** Records a person's override of a decision, with a reason. A decision has at most one; it is permanent. */

import { mayBeOverridden, type OverrideAction } from '../../core/events/override.ts'
import { parseRequestId } from '../../core/identity/request-id.ts'
import type { Ids } from '../verify/ids.ts'
import type { Override } from '../ports/records.ts'
import type { Store } from '../ports/store.ts'
import type { Random } from '../ports/system.ts'
import { keepApart } from '../log/personal-text.ts'

interface OverrideCommand {
  readonly caller: { readonly ownerId: string; readonly keyId: string }
  readonly requestId: string
  readonly action: OverrideAction
  readonly reasonCode: string
  readonly justification: string
}

export type OverrideOutcome =
  | { readonly kind: 'recorded'; readonly override: Override }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'not_needed' }
  | { readonly kind: 'exists' }

export type RecordOverride = (command: OverrideCommand) => Promise<OverrideOutcome>

export function createRecordOverride(deps: { store: Store; ids: Ids; random: Random }): RecordOverride {
  return async ({ caller, requestId, action, reasonCode, justification }) => {
    const parsed = parseRequestId(requestId)
    const records = deps.store.forOwner(caller.ownerId)
    const record = parsed === null ? null : await records.find(parsed.id)
    if (record === null) return { kind: 'unknown' }
    if (!mayBeOverridden(record.verdict)) return { kind: 'not_needed' }
    if (record.override !== null) return { kind: 'exists' }
    const { id, atMs } = deps.ids.next('ovr')
    const override: Override = {
      form: 2,
      overrideId: id,
      requestId: record.requestId,
      ownerId: caller.ownerId,
      keyId: caller.keyId,
      action,
      reasonCode,
      justification,
      personalText: keepApart(justification, deps.random),
      originalVerdict: record.verdict,
      createdAtMs: atMs,
    }
    // The store refuses a concurrent second override.
    return (await records.override(override)) ? { kind: 'recorded', override } : { kind: 'exists' }
  }
}
