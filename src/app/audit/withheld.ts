/** Withholds masked personal texts from an export, which then verifies as after an erasure. */

import type { DecisionFile } from '../inspect/decision-file.ts'
import type { Mask } from '../operate/mask.ts'
import type { Override, Verification } from '../ports/records.ts'

/**
 * A decision to be exported. Its members are sealed, so that none can be changed: masked texts that are kept apart are
 * withheld as if they were erased.
 */
export function withheld(file: DecisionFile, mask: Names): DecisionFile {
  const record = withheldRecord(file.record, mask)
  return {
    ...file,
    record,
    computed: file.computed === file.record ? record : withheldRecord(file.computed, mask),
    override: file.override === null ? null : withheldOverride(file.override, mask),
  }
}

type Names = Pick<Mask, 'names'>

export const withheldNames = ['correlation_id', 'justification'] as const

export function withheldRecord(record: Verification, { names }: Names): Verification {
  if (!names.has('correlation_id') || record.form === 1) return record
  return { ...record, correlationId: null, ...withoutSalt(record) }
}

export function withheldOverride(override: Override, { names }: Names): Override {
  if (!names.has('justification') || override.form === 1) return override
  return { ...override, justification: null, ...withoutSalt(override) }
}

function withoutSalt({ personalText }: Pick<Verification, 'personalText'>) {
  return { personalText: personalText === null ? null : { ...personalText, salt: null } }
}
