/** The override of a decision: the one that was made, or the way to make it. */

import type { AuditRecord, Override } from '@fairway/client'
import { useEffect, useRef, useState } from 'react'
import { useAsk } from '../../ask.ts'
import { Pairs } from '../../ui/card.tsx'
import { Notice } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { Verdict } from '../../ui/verdict.tsx'
import { askAgain, type AboutDecision } from './asks.ts'
import { actions, OverrideForm } from './override-form.tsx'
import { Part, Section } from './section.tsx'

type Made = 'recorded' | 'theirs' | null

const told: Readonly<Record<Exclude<Made, null>, string>> = {
  recorded: 'The override is recorded',
  theirs: 'Somebody was faster: this is their override, and yours was not recorded',
}

function Shown({ of, made }: { readonly of: Override; readonly made: Made }) {
  const block = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // The form that had the focus is gone.
    if (made !== null) block.current?.focus()
  }, [made])
  return (
    <div className="stack" ref={block} tabIndex={-1}>
      {made !== null && <Notice tone={made === 'recorded' ? 'go' : 'degraded'} title={told[made]} live />}
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
  readonly onDone: (made: Override | 'theirs') => void
}) {
  const { data: settings } = useAsk(['settings'], (client) => client.organisationSettings())
  if (record.decision === 'GO') {
    return <p className="soft">A GO needs nobody’s approval, so there is nothing to override.</p>
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
  function done(result: Override | 'theirs'): void {
    setMade(result === 'theirs' ? 'theirs' : 'recorded')
    if (result !== 'theirs' && audit.data !== undefined) {
      // At once: what was just recorded must not look missing.
      void audit.mutate({ ...audit.data, human_override: result }, { revalidate: false })
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
