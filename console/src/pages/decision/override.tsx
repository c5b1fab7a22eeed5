/** The decision's override, or the form to record one. */

import type { AuditRecord, Override } from '@fairway/client'
import { useEffect, useState } from 'react'
import { PrincipalName } from '../../people/principal.tsx'
import { MissingScope } from '../../scope-problem.tsx'
import { useMay } from '../../caller.ts'
import { clearDraft } from '../../stored-draft.ts'
import { Pairs } from '../../ui/card.tsx'
import { DialogResult } from '../../ui/dialog-result.tsx'
import { Time } from '../../ui/time.tsx'
import { Verdict } from '../../ui/verdict.tsx'
import { refresh, type DecisionQueries } from './queries.ts'
import { actions, type Recorded } from './override-confirm.tsx'
import { draftName, OverrideForm } from './override-form.tsx'
import { Part, Section } from './section.tsx'

type Result = 'recorded' | 'conflict' | null

function ResultNotice({ result }: { readonly result: Result }) {
  if (result === null) return null
  if (result === 'recorded') return <DialogResult tone="go" title="Override recorded" />
  return (
    <DialogResult tone="degraded" title="This decision already has an override">
      <p>It differs from yours, which was not recorded.</p>
    </DialogResult>
  )
}

function Existing({ of, result }: { readonly of: Override; readonly result: Result }) {
  // An override recorded elsewhere makes the draft obsolete.
  useEffect(() => clearDraft(draftName(of.request_id)), [of.request_id])
  return (
    <div className="stack">
      <ResultNotice result={result} />
      <Pairs
        of={[
          [
            'Action',
            <span key="action">
              <strong>{of.action}</strong>: {actions[of.action].toLowerCase()}
            </span>,
          ],
          ['Original decision', <Verdict key="decision" of={of.original_decision} />],
          ['Reason code', <code key="reason">{of.reason_code}</code>],
          [
            'Justification',
            <span key="why" className="decision-text">
              {of.justification}
            </span>,
          ],
          ['Recorded', <Time key="at" at={of.created_at} />],
          ['By', <PrincipalName key="by" of={of.created_by} />],
          ['Override id', <code key="id">{of.override_id}</code>],
        ]}
      />
    </div>
  )
}

function Missing({
  record,
  onDone,
}: {
  readonly record: AuditRecord
  readonly onDone: (recorded: Recorded) => void
}) {
  const mayOverride = useMay('override:create')
  if (record.decision === 'GO') {
    return <p className="soft">A GO needs no override.</p>
  }
  if (!mayOverride) {
    return (
      <MissingScope scope="override:create" title="This key may not override decisions" tone="info">
        <p>
          It lacks the scope <code>override:create</code>. This decision has no override.
        </p>
      </MissingScope>
    )
  }
  return (
    <>
      <p className="decision-prose">
        This {record.decision} can be overridden once, with a justification. The audit record and the history
        show both.
      </p>
      <OverrideForm record={record} onDone={onDone} />
    </>
  )
}

export function OverrideSection({ queries }: { readonly queries: DecisionQueries }) {
  const [result, setResult] = useState<Result>(null)
  const { audit } = queries
  function done({ override, isOurs }: Recorded): void {
    setResult(isOurs ? 'recorded' : 'conflict')
    if (audit.data !== undefined) {
      // Show the override at once, without waiting for the refetch.
      void audit.mutate({ ...audit.data, human_override: override }, { revalidate: false })
    }
    refresh(queries)
  }
  return (
    <Section id="override" title="Override">
      <Part query={audit} height={120}>
        {(record) =>
          record.human_override === null ? (
            <Missing record={record} onDone={done} />
          ) : (
            <Existing of={record.human_override} result={result} />
          )
        }
      </Part>
    </Section>
  )
}
