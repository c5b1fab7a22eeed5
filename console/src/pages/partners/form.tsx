/** The form: one payment and its candidate partners. */

import { useId, useState, type FormEvent } from 'react'
import { errorOf } from '../../problem.tsx'
import { CorridorOptions } from '../../supported.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { linesOf, partnersError, type RankingInput } from './payment.ts'

const fields = [
  ['corridor', 'Corridor'],
  ['amount', 'Amount'],
  ['currency', 'Currency'],
] as const

function PaymentFields({
  typed,
  error,
  onType,
}: {
  readonly typed: Omit<RankingInput, 'partners'>
  readonly error: unknown
  readonly onType: (change: Partial<Omit<RankingInput, 'partners'>>) => void
}) {
  const corridors = useId()
  return (
    <>
      <div className="form-grid">
        {fields.map(([name, label]) => (
          <Field key={name} label={label} error={errorOf(error, `/${name}`)}>
            {(input) => (
              <input
                {...input}
                autoComplete="off"
                spellCheck={false}
                value={typed[name]}
                onChange={({ target }) => onType({ [name]: target.value })}
                {...(name === 'corridor' && { list: corridors })}
                {...(name === 'amount' && { inputMode: 'decimal' as const })}
              />
            )}
          </Field>
        ))}
      </div>
      <CorridorOptions id={corridors} />
    </>
  )
}

export function PartnersForm({
  input: submitted,
  error,
  busy,
  onSubmit,
}: {
  readonly input: RankingInput
  readonly error: unknown
  readonly busy: boolean
  readonly onSubmit: (input: RankingInput) => void
}) {
  const [typed, setTyped] = useState({ ...submitted, partners: submitted.partners.join('\n') })
  const names = linesOf(typed.partners)
  function submit(event: FormEvent): void {
    event.preventDefault()
    onSubmit({ ...typed, partners: names })
  }
  return (
    <Card title="Payment and partners">
      <form className="stack" noValidate onSubmit={submit}>
        <PaymentFields {...{ typed, error }} onType={(change) => setTyped({ ...typed, ...change })} />
        <Field
          label="Partners, one per line"
          hint={`${names.length} ${names.length === 1 ? 'name' : 'names'}. Enter 2 to 50 names of your choice. Each has its own simulated network, liquidity and history; sim-partner-… are samples.`}
          error={partnersError(error)}
        >
          {(input) => (
            <textarea
              {...input}
              rows={Math.min(10, Math.max(4, names.length + 1))}
              spellCheck={false}
              value={typed.partners}
              onChange={({ target }) => setTyped({ ...typed, partners: target.value })}
            />
          )}
        </Field>
        <div className="row">
          <Button type="submit" variant="primary" busy={busy}>
            Rank partners
          </Button>
        </div>
      </form>
    </Card>
  )
}
