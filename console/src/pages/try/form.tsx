/** The payment form, with the option to record the decision. */

import { InvalidRequestError } from '@fairway/client'
import { useEffect, useId, useRef, type FormEvent } from 'react'
import { Link } from 'wouter'
import { useMay } from '../../caller.ts'
import { formatAmount, formatClock } from '../../format.ts'
import { EndedNotice } from '../../keyed.tsx'
import { errorOf, Problem } from '../../problem.tsx'
import { useRemaining } from '../../remaining.ts'
import { useSession } from '../../session.tsx'
import { useSignInHref } from '../../sign-in-href.ts'
import { CorridorOptions } from '../../supported.tsx'
import { Button } from '../../ui/button.tsx'
import { Field, focusFirstError } from '../../ui/field.tsx'
import { initial, type Typed } from './payment.ts'

const fields = [
  ['corridor', 'Corridor'],
  ['amount', 'Amount'],
  ['currency', 'Currency'],
] as const

const isShownAtFields = (error: unknown): boolean =>
  error instanceof InvalidRequestError &&
  error.errors.length > 0 &&
  error.errors.every(({ path }) => fields.some(([name]) => `/${name}` === path))

function DemoLimit() {
  const remaining = useRemaining('demo-verify')
  if (remaining === null) return 'The demo needs no key and records nothing.'
  const text = `${remaining.left} of ${remaining.limit} demo requests left`
  return remaining.left > 0 ? `${text}.` : `${text}: try again at ${formatClock(remaining.freeAtMs)}.`
}

function Recording({ on, onChange }: { readonly on: boolean; readonly onChange: (on: boolean) => void }) {
  const { client, verifyMode, isPending } = useSession()
  const mayVerify = useMay('decision:read')
  const signInHref = useSignInHref()
  if (verifyMode === 'live' || isPending) return null
  if (client === null) {
    return (
      <p className="small soft">
        <Link href={signInHref}>Sign in</Link> to record decisions.
      </p>
    )
  }
  if (!mayVerify) return null
  return (
    <label className="check">
      <input type="checkbox" checked={!on} onChange={(event) => onChange(!event.target.checked)} />
      Try without recording
    </label>
  )
}

/** Says before the decision whether and how it is recorded. */
function Destination({ record }: { readonly record: boolean }) {
  const { client, person, verifyMode } = useSession()
  const mayVerify = useMay('decision:read')
  if (!record && client !== null && !mayVerify) {
    return (
      <>
        This key may not verify payments: it lacks the scope <code>decision:read</code>. The demo records
        nothing.
      </>
    )
  }
  if (!record) return <DemoLimit />
  if (verifyMode === 'live') return 'The decision is recorded, in live mode.'
  return person === null
    ? 'The decision is recorded with your key, in shadow mode.'
    : 'The decision is recorded with your name, in shadow mode.'
}

const withoutAmount = (record: boolean, currency: string): string =>
  record
    ? 'Decided without an amount.'
    : `The demo uses ${formatAmount(Number(initial.amount), currency.trim().toUpperCase())}.`

interface Props {
  readonly typed: Typed
  readonly onType: (typed: Typed) => void
  readonly record: boolean
  readonly onRecord: (record: boolean) => void
  readonly busy: boolean
  readonly error: unknown
  readonly onVerify: () => void
}

export function PaymentForm({ typed, onType, record, onRecord, busy, error, onVerify }: Props) {
  const corridors = useId()
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (error !== null) focusFirstError(form.current)
  }, [error])
  function submit(event: FormEvent): void {
    event.preventDefault()
    if (!busy) onVerify()
  }
  return (
    <form ref={form} className="stack" aria-label="Payment" noValidate onSubmit={submit}>
      <div className="try-form">
        {fields.map(([name, label]) => (
          <Field
            key={name}
            label={label}
            {...(name === 'amount' &&
              typed.amount.trim() === '' && { hint: withoutAmount(record, typed.currency) })}
            error={errorOf(error, `/${name}`)}
          >
            {(input) => (
              <input
                {...input}
                name={name}
                autoComplete="off"
                spellCheck={false}
                value={typed[name]}
                onChange={(event) => onType({ ...typed, [name]: event.target.value })}
                {...(name === 'corridor' && { list: corridors })}
                {...(name === 'amount' && { inputMode: 'decimal' as const })}
              />
            )}
          </Field>
        ))}
        <Button type="submit" variant="primary" icon="bolt" busy={busy}>
          Verify
        </Button>
      </div>
      <CorridorOptions id={corridors} />
      <div className="try-foot">
        <p className="small soft figures">
          <Destination record={record} />
        </p>
        <Recording on={record} onChange={onRecord} />
      </div>
      <EndedNotice />
      {error !== null && !isShownAtFields(error) && <Problem error={error} />}
    </form>
  )
}
