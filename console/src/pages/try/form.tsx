/** The payment form, with the option to record the decision. */

import { InvalidRequestError } from '@fairway/client'
import { useEffect, useId, useRef, type FormEvent } from 'react'
import { Link } from 'wouter'
import { formatClock, formatCount } from '../../format.ts'
import { EndedNotice } from '../../keyed.tsx'
import { errorOf, Problem } from '../../problem.tsx'
import { useRemaining } from '../../remaining.ts'
import { useSession } from '../../session.tsx'
import { useSignInHref } from '../../sign-in-href.ts'
import { CorridorOptions } from '../../supported.tsx'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
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
  const { client, person, verifyMode, isPending } = useSession()
  const signInHref = useSignInHref()
  if (verifyMode === 'live' || isPending) return null
  if (client === null) {
    return (
      <p className="small soft">
        <Link href={signInHref}>Sign in</Link> to record decisions.
      </p>
    )
  }
  return (
    <label className="check">
      <input type="checkbox" checked={on} onChange={(event) => onChange(event.target.checked)} />
      {person === null ? 'Record with my key' : 'Record in shadow mode, with my name'}
    </label>
  )
}

const withoutAmount = (record: boolean): string =>
  record ? 'Decided without an amount.' : `The demo uses ${formatCount(Number(initial.amount))}.`

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
    if (error !== null) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [error])
  function submit(event: FormEvent): void {
    event.preventDefault()
    if (!busy) onVerify()
  }
  return (
    <form ref={form} className="card" aria-label="Payment" noValidate onSubmit={submit}>
      <div className="try-form">
        {fields.map(([name, label]) => (
          <Field
            key={name}
            label={label}
            {...(name === 'amount' && typed.amount.trim() === '' && { hint: withoutAmount(record) })}
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
        <p className="small soft figures">{record ? 'The decision will be recorded.' : <DemoLimit />}</p>
        <Recording on={record} onChange={onRecord} />
      </div>
      <EndedNotice />
      {error !== null && !isShownAtFields(error) && <Problem error={error} />}
    </form>
  )
}
