/** The form of a live key: a declared corridor, its partners and a payment. */

import { useId, useState, type FormEvent } from 'react'
import { corridorName } from '../../countries.ts'
import { errorOf } from '../../problem.tsx'
import type { SupportedCorridor } from '../../supported.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { currencyIn, partnersError, partnersMin, type RankingInput } from './payment.ts'

const countNames = ['no declared partners', 'one declared partner']

/** Too few partners to rank, in words. */
function TooFew({ of: { corridor, partners } }: { readonly of: SupportedCorridor }) {
  return (
    <p>{`${corridor} has ${countNames[partners.length] ?? ''}. A ranking needs at least two: declare them in the feeds file.`}</p>
  )
}

function PartnerChoice({
  of: { partners },
  ticked,
  error,
  onTick,
}: {
  readonly of: SupportedCorridor
  readonly ticked: readonly string[]
  readonly error: string | undefined
  readonly onTick: (ticked: readonly string[]) => void
}) {
  const id = useId()
  return (
    <fieldset className="partner-choice" {...(error !== undefined && { 'aria-describedby': id })}>
      <legend>Partners</legend>
      {partners.map(({ partner, name }) => (
        <label className="check" key={partner}>
          <input
            type="checkbox"
            checked={ticked.includes(partner)}
            onChange={({ target }) =>
              onTick(target.checked ? [...ticked, partner] : ticked.filter((one) => one !== partner))
            }
          />
          <span className="anywhere">
            {name} <code className="small soft">{partner}</code>
          </span>
        </label>
      ))}
      {error !== undefined && (
        <p className="field-error" id={id}>
          <Icon name="warn" size={16} />
          <span>{error}</span>
        </p>
      )}
    </fieldset>
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

function CorridorChoice({
  corridors,
  value,
  onChoose,
}: {
  readonly corridors: readonly SupportedCorridor[]
  readonly value: string
  readonly onChoose: (corridor: SupportedCorridor) => void
}) {
  return (
    <Field label="Corridor">
      {(input) => (
        <select
          {...input}
          value={value}
          onChange={({ target }) => {
            const chosen = corridors.find(({ corridor }) => corridor === target.value)
            if (chosen !== undefined) onChoose(chosen)
          }}
        >
          {corridors.map(({ corridor }) => (
            <option key={corridor} value={corridor}>
              {`${corridorName(corridor)} (${corridor})`}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

export function LiveForm({
  corridors,
  input: submitted,
  error,
  busy,
  onSubmit,
}: {
  readonly corridors: readonly SupportedCorridor[]
  readonly input: RankingInput
  readonly error: unknown
  readonly busy: boolean
  readonly onSubmit: (input: RankingInput) => void
}) {
  const [typed, setTyped] = useState(submitted)
  const [hasTried, setTried] = useState(false)
  const corridor = corridors.find((one) => one.corridor === typed.corridor)
  if (corridor === undefined) return null
  const isShort = typed.partners.length < partnersMin
  // The order of the declaration, so that the same choice has the same address.
  const ids = corridor.partners.map(({ partner }) => partner).filter((id) => typed.partners.includes(id))
  function choose(chosen: SupportedCorridor): void {
    const partners = chosen.partners.map(({ partner }) => partner)
    setTyped({ ...typed, corridor: chosen.corridor, currency: currencyIn(chosen, typed.currency), partners })
  }
  function submit(event: FormEvent): void {
    event.preventDefault()
    setTried(true)
    if (!isShort) onSubmit({ ...typed, partners: ids })
  }
  return (
    <Card title="Payment and partners">
      <form className="stack" noValidate onSubmit={submit}>
        <CorridorChoice {...{ corridors }} value={typed.corridor} onChoose={choose} />
        {corridor.partners.length < partnersMin ? (
          <TooFew of={corridor} />
        ) : (
          <>
            <PaymentFields {...{ corridor, typed, error }} onType={setTyped} />
            <PartnerChoice
              of={corridor}
              ticked={typed.partners}
              error={hasTried && isShort ? 'Choose at least two partners.' : partnersError(error)}
              onTick={(partners) => setTyped({ ...typed, partners })}
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
