/** Reads the parts of a record that an event carries, and its trace context. */

import type { Verification } from '../../../app/ports/records.ts'
import type { TraceContext } from '../../../core/operate/trace-context.ts'
import type { Row } from '../engine/script.ts'
import { summaryColumns, summaryOf } from '../records/record-rows.ts'

/** The evidence, only if it contains a trace, which is rare. Quotes in texts are escaped, so nothing else matches. */
const traced = `CASE WHEN v.evidence LIKE '%"trace":{"trace_id":"%' THEN v.evidence END AS traced`

/** To be read from `verifications v`. */
export const eventColumns = `${summaryColumns}, v.answer, ${traced}`

export type EventRecord = Omit<Verification, 'evidence'> & { readonly trace: TraceContext | null }

export function eventRecordOf(row: Row): EventRecord {
  return { ...summaryOf(row), answer: String(row['answer']), trace: traceOf(row['traced'] ?? null) }
}

function traceOf(evidence: Row[string]): TraceContext | null {
  if (evidence === null) return null
  const { trace } = JSON.parse(String(evidence)) as {
    trace?: { trace_id: string; parent_id: string; is_sampled: boolean }
  }
  if (trace === undefined) return null
  return { traceId: trace.trace_id, parentId: trace.parent_id, isSampled: trace.is_sampled }
}
