/** The payment's outcome, or the form to report it. */

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
import { outcomes } from '../../labels.ts'
import { refresh, type DecisionQueries } from './queries.ts'
import { Part, Section } from './section.tsx'

function Reported({ of }: { readonly of: ReportedOutcome }) {
  return (
    <Pairs
      of={[
        ['Outcome', <strong key="outcome">{outcomes[of.outcome]}</strong>],
        ...(of.occurred_at === null ? [] : [['Ended', <Time key="ended" at={of.occurred_at} />] as const]),
        ['Reported', <Time key="reported" at={of.reported_at} />],
      ]}
    />
  )
}

const recordedMessage = 'Outcome recorded'

function useReport(id: string, queries: DecisionQueries) {
  const { client } = useSession()
  const [state, setState] = useState<{
    readonly busy?: true
    readonly error?: unknown
    readonly message?: string
  }>({})
  async function report(outcome: PaymentOutcome, occurredAt: string): Promise<void> {
    if (client === null || state.busy) return
    setState({ busy: true })
    try {
      const reported = await client.reportOutcome(id, {
        outcome,
        ...(occurredAt !== '' && { occurred_at: occurredAt }),
      })
      const { data } = queries.audit
      if (data !== undefined) void queries.audit.mutate({ ...data, outcome: reported }, { revalidate: false })
      setState({ message: recordedMessage })
    } catch (error) {
      const isLate = error instanceof ConflictError
      setState(isLate ? { message: 'An outcome was already reported: yours was not recorded' } : { error })
    }
    refresh(queries)
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
    <form className="stack decision-form" noValidate aria-label="Report outcome" onSubmit={submit}>
      <div className="form-grid">
        <Field label="Outcome">
          {(input) => (
            <select
              {...input}
              value={outcome}
              onChange={(event) => setOutcome(event.target.value as PaymentOutcome)}
            >
              {Object.entries(outcomes).map(([code, label]) => (
                <option key={code} value={code}>
                  {label}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label="Time" hint="Local time. Defaults to now." error={timeError}>
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
          Report outcome
        </Button>
      </div>
    </form>
  )
}

export function OutcomeSection({ id, queries }: { readonly id: string; readonly queries: DecisionQueries }) {
  const report = useReport(id, queries)
  return (
    <Section id="outcome" title="Payment outcome">
      <Part query={queries.audit} height={120}>
        {({ outcome }) => (
          <>
            {report.message !== undefined && (
              <Notice
                tone={report.message === recordedMessage ? 'go' : 'degraded'}
                title={report.message}
                live
              />
            )}
            {outcome !== null && <Reported of={outcome} />}
            {(outcome === null || outcome.outcome === 'PENDING') && (
              <>
                <p className="decision-prose">
                  An outcome is recorded permanently. Only “Pending” can be replaced by a later report.
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
