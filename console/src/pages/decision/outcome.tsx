/** How the payment ended: as it was reported, or the way to report it. */

import { ConflictError, type PaymentOutcome, type ReportedOutcome } from '@fairway/client'
import { useState, type FormEvent } from 'react'
import { isoOf } from '../../local-time.ts'
import { errorOf, Problem } from '../../problem.tsx'
import { useSession } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { Pairs } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { outcomes } from '../../words.ts'
import { askAgain, type AboutDecision } from './asks.ts'
import { Part, Section } from './section.tsx'

function Shown({ of }: { readonly of: ReportedOutcome }) {
  return (
    <Pairs
      of={[
        ['The payment', <strong key="outcome">{outcomes[of.outcome]}</strong>],
        ...(of.occurred_at === null ? [] : [['Ended', <Time key="ended" at={of.occurred_at} />] as const]),
        ['Reported', <Time key="reported" at={of.reported_at} />],
      ]}
    />
  )
}

function useReport(id: string, about: AboutDecision) {
  const { client } = useSession()
  const [state, setState] = useState<{
    readonly busy?: true
    readonly error?: unknown
    readonly said?: string
  }>({})
  async function report(outcome: PaymentOutcome, occurredAt: string): Promise<void> {
    if (client === null || state.busy) return
    setState({ busy: true })
    try {
      const reported = await client.reportOutcome(id, {
        outcome,
        ...(occurredAt !== '' && { occurred_at: occurredAt }),
      })
      const { data } = about.audit
      if (data !== undefined) void about.audit.mutate({ ...data, outcome: reported }, { revalidate: false })
      setState({ said: 'The outcome is recorded' })
    } catch (error) {
      const isLate = error instanceof ConflictError
      setState(isLate ? { said: 'Somebody reported it before: yours was not recorded' } : { error })
    }
    askAgain(about)
  }
  return { ...state, report }
}

type Report = ReturnType<typeof useReport>

function Form({ report: { report, busy, error } }: { readonly report: Report }) {
  const [outcome, setOutcome] = useState<PaymentOutcome>('COMPLETED')
  const [at, setAt] = useState('')
  function submit(event: FormEvent): void {
    event.preventDefault()
    void report(outcome, isoOf(at))
  }
  const timeError = errorOf(error, '/occurred_at')
  return (
    <form className="stack decision-form" noValidate aria-label="Report the outcome" onSubmit={submit}>
      <div className="form-grid">
        <Field label="How the payment ended">
          {(input) => (
            <select
              {...input}
              value={outcome}
              onChange={(event) => setOutcome(event.target.value as PaymentOutcome)}
            >
              {Object.entries(outcomes).map(([code, words]) => (
                <option key={code} value={code}>
                  {words}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label="When, your time" hint="Now, unless given." error={timeError}>
          {(input) => (
            <input
              {...input}
              type="datetime-local"
              value={at}
              onChange={(event) => setAt(event.target.value)}
            />
          )}
        </Field>
      </div>
      {error !== undefined && timeError === undefined && <Problem error={error} />}
      <div>
        <Button type="submit" busy={busy === true}>
          Report the outcome
        </Button>
      </div>
    </form>
  )
}

export function OutcomeSection({ id, about }: { readonly id: string; readonly about: AboutDecision }) {
  const report = useReport(id, about)
  return (
    <Section id="outcome" title="Outcome of the payment">
      <Part asked={about.audit} height={120}>
        {({ outcome }) => (
          <>
            {report.said !== undefined && (
              <Notice tone={report.said.startsWith('The') ? 'go' : 'degraded'} title={report.said} live />
            )}
            {outcome !== null && <Shown of={outcome} />}
            {(outcome === null || outcome.outcome === 'PENDING') && (
              <>
                <p className="decision-prose">
                  Reported once, and kept beside the decision permanently. Only “Pending” leaves the end open.
                </p>
                <Form report={report} />
              </>
            )}
          </>
        )}
      </Part>
    </Section>
  )
}
