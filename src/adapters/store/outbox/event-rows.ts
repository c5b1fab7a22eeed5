/** What an event tells of a record, and the trace that it is part of. */

import type { Verification } from '../../../app/ports/records.ts'
import type { TraceContext } from '../../../core/operate/trace-context.ts'
import type { Row } from '../engine/script.ts'
import { summaryColumns, summaryOf } from '../records/record-rows.ts'

/** The evidence only where a trace is in it, which it rarely is: quotes in texts are escaped, so nothing else looks like it. */
const traced = `CASE WHEN evidence LIKE '%"trace":{"trace_id":"%' THEN evidence END AS traced`

export const eventColumns = [...summaryColumns, 'answer', traced].join(', ')

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
