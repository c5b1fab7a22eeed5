/** The form to report an outcome. It has no default and asks for confirmation, because the report is permanent. */

import type { AuditRecord, PaymentOutcome } from '@fairway/client'
import { useRef, useState, type FormEvent } from 'react'
import { formatAmount } from '../../format.ts'
import { isoOf } from '../../local-time.ts'
import { errorOf, Problem } from '../../problem.tsx'
import { Button } from '../../ui/button.tsx'
import { Pairs } from '../../ui/card.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Time } from '../../ui/time.tsx'
import { outcomes } from '../../labels.ts'

export interface OutcomeReport {
  readonly outcome: PaymentOutcome
  readonly occurred_at?: string
  readonly partner?: string
}

type Report = (report: OutcomeReport) => Promise<unknown>

function Confirmation({
  record,
  report,
  busy,
  error,
  onCancel,
  onConfirm,
}: {
  readonly record: AuditRecord
  readonly report: OutcomeReport
  readonly busy: boolean
  readonly error: unknown
  readonly onCancel: () => void
  readonly onConfirm: () => void
}) {
  const { outcome, occurred_at: at, partner } = report
  return (
    <div className="stack decision-confirm">
      <p>
        {outcome === 'PENDING'
          ? 'A later report can replace “Pending”.'
          : 'This outcome cannot be changed or withdrawn.'}
      </p>
      <Pairs
        of={[
          ['Outcome', <strong key="outcome">{outcomes[outcome]}</strong>],
          ['Time', at === undefined ? 'Now' : <Time key="time" at={at} />],
          ...(partner === undefined ? [] : [['Partner', <code key="partner">{partner}</code>] as const]),
          ['Payment', `${formatAmount(record.amount, record.currency)} on ${record.corridor}`],
          ['Request id', <code key="id">{record.request_id}</code>],
        ]}
      />
      {error !== null && <Problem error={error} />}
      <div className="dialog-actions">
        <Button onClick={onCancel}>Go back</Button>
        <Button variant="primary" busy={busy} onClick={onConfirm}>
          Record outcome
        </Button>
      </div>
    </div>
  )
}

/** The report that awaits confirmation, and the error of the last attempt. */
function useConfirmation(report: Report, onDone: () => void) {
  const [pending, setPending] = useState<OutcomeReport | null>(null)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const timeError = errorOf(error, '/occurred_at')
  async function confirm(): Promise<void> {
    if (pending === null || busy) return
    setBusy(true)
    const failure = await report(pending)
    setBusy(false)
    setError(failure)
    // An error of the time is shown at its field.
    if (failure === null || errorOf(failure, '/occurred_at') !== undefined) setPending(null)
    if (failure === null) onDone()
  }
  return {
    pending,
    busy,
    timeError,
    error: timeError === undefined ? error : null,
    ask: (asked: OutcomeReport) => {
      setError(null)
      setPending(asked)
    },
    cancel: () => setPending(null),
    confirm: () => void confirm(),
  }
}

function OutcomeChoice({
  value,
  isMissing,
  onChoose,
}: {
  readonly value: PaymentOutcome | ''
  readonly isMissing: boolean
  readonly onChoose: (outcome: PaymentOutcome) => void
}) {
  return (
    <Field label="Outcome" error={isMissing ? 'Choose an outcome.' : undefined}>
      {(input) => (
        <select
          {...input}
          required
          value={value}
          onChange={(event) => onChoose(event.target.value as PaymentOutcome)}
        >
          <option value="" disabled>
            Choose an outcome
          </option>
          {Object.entries(outcomes).map(([code, label]) => (
            <option key={code} value={code}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

/** The partner that carried the payment. */
function PartnerChoice({
  partners,
  value,
  onChoose,
}: {
  readonly partners: readonly string[]
  readonly value: string
  readonly onChoose: (partner: string) => void
}) {
  if (partners.length === 0) return null
  return (
    <Field label="Partner (optional)">
      {(input) => (
        <select {...input} value={value} onChange={({ target }) => onChoose(target.value)}>
          <option value="">Not stated</option>
          {partners.map((partner) => (
            <option key={partner}>{partner}</option>
          ))}
        </select>
      )}
    </Field>
  )
}

export function OutcomeForm({
  record,
  partners,
  report,
}: {
  readonly record: AuditRecord
  /** The partners that the decision ranked. */
  readonly partners: readonly string[]
  readonly report: Report
}) {
  const [outcome, setOutcome] = useState<PaymentOutcome | ''>('')
  const [partner, setPartner] = useState('')
  const [at, setAt] = useState('')
  const [hasTried, setTried] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const { pending, timeError, ask, cancel, confirm, busy, error } = useConfirmation(report, () => {
    setOutcome('')
    setTried(false)
  })
  function submit(event: FormEvent): void {
    event.preventDefault()
    setTried(true)
    const occurredAt = isoOf(at)
    if (outcome === '') form.current?.querySelector('select')?.focus()
    else {
      const optional = {
        ...(occurredAt !== '' && { occurred_at: occurredAt }),
        ...(partner !== '' && { partner }),
      }
      ask({ outcome, ...optional })
    }
  }
  return (
    <form ref={form} className="stack decision-form" noValidate aria-label="Report outcome" onSubmit={submit}>
      <div className="form-grid">
        <OutcomeChoice value={outcome} isMissing={hasTried && outcome === ''} onChoose={setOutcome} />
        <PartnerChoice {...{ partners }} value={partner} onChoose={setPartner} />
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
      <div>
        <Button type="submit">Review outcome</Button>
      </div>
      <Dialog title="Record this outcome?" open={pending !== null} onClose={cancel}>
        {pending !== null && (
          <Confirmation {...{ record, busy, error }} report={pending} onCancel={cancel} onConfirm={confirm} />
        )}
      </Dialog>
    </form>
  )
}
