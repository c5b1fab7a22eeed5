/** The override of a decision: the one that was made, or the way to make it. */

import type { AuditRecord, Override } from '@fairway/client'
import { useEffect, useRef, useState } from 'react'
import { useAsk } from '../../ask.ts'
import { forgetDraft } from '../../kept-draft.ts'
import { Pairs } from '../../ui/card.tsx'
import { Notice } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { Verdict } from '../../ui/verdict.tsx'
import { askAgain, type AboutDecision } from './asks.ts'
import { actions, type Recorded } from './override-confirm.tsx'
import { draftName, OverrideForm } from './override-form.tsx'
import { Part, Section } from './section.tsx'

type Made = 'recorded' | 'theirs' | null

function Told({ made }: { readonly made: Made }) {
  if (made === null) return null
  if (made === 'recorded') return <Notice tone="go" title="The override is recorded" live />
  return (
    <Notice tone="degraded" title="This decision already has an override" live>
      <p>It differs from yours, which was not recorded.</p>
    </Notice>
  )
}

function Shown({ of, made }: { readonly of: Override; readonly made: Made }) {
  const block = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // The form that had the focus is gone.
    if (made !== null) block.current?.focus()
  }, [made])
  // One that was recorded from elsewhere leaves nothing to write.
  useEffect(() => forgetDraft(draftName(of.request_id)), [of.request_id])
  return (
    <div className="stack" ref={block} tabIndex={-1}>
      <Told made={made} />
      <Pairs
        of={[
          [
            'Action',
            <span key="action">
              <strong>{of.action}</strong>: {actions[of.action].toLowerCase()}
            </span>,
          ],
          ['In place of', <Verdict key="decision" of={of.original_decision} />],
          ['Reason code', <code key="reason">{of.reason_code}</code>],
          [
            'Justification',
            <span key="why" className="decision-words">
              {of.justification}
            </span>,
          ],
          ['Recorded', <Time key="at" at={of.created_at} />],
          ['Override id', <code key="id">{of.override_id}</code>],
        ]}
      />
    </div>
  )
}

function Absent({
  record,
  onDone,
}: {
  readonly record: AuditRecord
  readonly onDone: (recorded: Recorded) => void
}) {
  const { data: settings } = useAsk(['settings'], (client) => client.organisationSettings())
  if (record.decision === 'GO') {
    return <p className="soft">A GO needs no approval, so there is nothing to override.</p>
  }
  if (settings?.features.overrides === false) {
    return (
      <Notice tone="info" title="This key may not override decisions">
        <p>
          It lacks the scope <code>override:create</code>. Nobody has overridden this decision so far.
        </p>
      </Notice>
    )
  }
  return (
    <>
      <p className="decision-prose">
        A person may overrule this {record.decision}, once, and must say why. The decision stays as it is;
        audit and history show both.
      </p>
      <OverrideForm record={record} onDone={onDone} />
    </>
  )
}

export function OverrideSection({ about }: { readonly about: AboutDecision }) {
  const [made, setMade] = useState<Made>(null)
  const { audit } = about
  function done({ override, isOurs }: Recorded): void {
    setMade(isOurs ? 'recorded' : 'theirs')
    if (audit.data !== undefined) {
      // At once: what was just recorded must not look missing.
      void audit.mutate({ ...audit.data, human_override: override }, { revalidate: false })
    }
    askAgain(about)
  }
  return (
    <Section id="override" title="Override">
      <Part asked={audit} height={120}>
        {(record) =>
          record.human_override === null ? (
            <Absent record={record} onDone={done} />
          ) : (
            <Shown of={record.human_override} made={made} />
          )
        }
      </Part>
    </Section>
  )
}
