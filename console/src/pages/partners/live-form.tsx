/** The form of a live key: a declared corridor, its partners and a payment. */

import { useState, type FormEvent } from 'react'
import { errorOf } from '../../problem.tsx'
import { CorridorSelect, type SupportedCorridor } from '../../supported.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Checks, Field } from '../../ui/field.tsx'
import { currencyIn, partnersError, partnersMin, type RankingInput } from './payment.ts'

const countNames = ['no declared partners', 'one declared partner']

/** Too few partners to rank, in words. */
function TooFew({ of: { corridor, partners } }: { readonly of: SupportedCorridor }) {
  return (
    <p>{`${corridor} has ${countNames[partners.length] ?? ''}. A ranking needs at least two: declare them in the feeds file.`}</p>
  )
}

interface FieldsProps {
  readonly corridor: SupportedCorridor
  readonly typed: RankingInput
  readonly error: unknown
  readonly onType: (typed: RankingInput) => void
}

function PaymentFields({ corridor, typed, error, onType }: FieldsProps) {
  return (
    <div className="form-grid">
      <Field label="Amount" error={errorOf(error, '/amount')}>
        {(input) => (
          <input
            {...input}
            inputMode="decimal"
            autoComplete="off"
            value={typed.amount}
            onChange={({ target }) => onType({ ...typed, amount: target.value })}
          />
        )}
      </Field>
      <Field label="Currency" error={errorOf(error, '/currency')}>
        {(input) => (
          <select
            {...input}
            value={typed.currency}
            onChange={({ target }) => onType({ ...typed, currency: target.value })}
          >
            {corridor.currencies.map((currency) => (
              <option key={currency}>{currency}</option>
            ))}
          </select>
        )}
      </Field>
    </div>
  )
}

/** The partners as check boxes, each with its name and id. */
const optionsOf = ({ partners }: SupportedCorridor) =>
  partners.map(
    ({ partner, name }) =>
      [
        partner,
        <span key={partner} className="anywhere">
          {name} <code className="small soft">{partner}</code>
        </span>,
      ] as const,
  )

interface FormProps {
  readonly corridors: readonly SupportedCorridor[]
  readonly input: RankingInput
  readonly error: unknown
  readonly busy: boolean
  readonly onSubmit: (input: RankingInput) => void
}

export function LiveForm({ corridors, input: submitted, error, busy, onSubmit }: FormProps) {
  const [typed, setTyped] = useState(submitted)
  const [hasTried, setTried] = useState(false)
  const corridor = corridors.find((one) => one.corridor === typed.corridor)
  if (corridor === undefined) return null
  const isShort = typed.partners.length < partnersMin
  // The order of the declaration, so that the same choice has the same address.
  const ids = corridor.partners.map(({ partner }) => partner).filter((id) => typed.partners.includes(id))
  function choose(code: string): void {
    const chosen = corridors.find((one) => one.corridor === code)
    const partners = chosen?.partners.map(({ partner }) => partner) ?? []
    setTyped({ ...typed, corridor: code, currency: currencyIn(chosen, typed.currency), partners })
  }
  function submit(event: FormEvent): void {
    event.preventDefault()
    setTried(true)
    if (!isShort) onSubmit({ ...typed, partners: ids })
  }
  return (
    <Card title="Payment and partners">
      <form className="stack" noValidate onSubmit={submit}>
        <CorridorSelect
          codes={corridors.map((one) => one.corridor)}
          value={typed.corridor}
          onChoose={choose}
        />
        {corridor.partners.length < partnersMin ? (
          <TooFew of={corridor} />
        ) : (
          <>
            <PaymentFields {...{ corridor, typed, error }} onType={setTyped} />
            <Checks
              label="Partners"
              options={optionsOf(corridor)}
              value={typed.partners}
              error={hasTried && isShort ? 'Choose at least two partners.' : partnersError(error)}
              onChange={(partners) => setTyped({ ...typed, partners })}
            />
            <div className="row">
              <Button type="submit" variant="primary" busy={busy}>
                Rank partners
              </Button>
            </div>
          </>
        )}
      </form>
    </Card>
  )
}
