/** One corridor: its health, and what the key decided on it. */

import { InvalidRequestError, type CorridorHealth } from '@fairway/client'
import type { FormEvent } from 'react'
import { useParams } from 'wouter'
import { useAddress } from '../../address.ts'
import { Answered } from '../../answer.tsx'
import { useAsk, type Asked } from '../../ask.ts'
import { corridorName } from '../../countries.ts'
import { useDraft } from '../../draft.ts'
import { Keyed } from '../../keyed.tsx'
import { errorOf } from '../../problem.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty, Skeleton } from '../../ui/state.tsx'
import { HealthCard } from './health-card.tsx'
import { LastDecisions, TrafficFigures } from './traffic-cards.tsx'
import './corridor.css'

/** Health depends on the size of the payment: large ones ask more of a partner. */
function AmountForm({ error }: { readonly error: string | undefined }) {
  const [address, change] = useAddress()
  const said = address.get('amount') ?? ''
  const [draft, setDraft] = useDraft(said)
  function submit(event: FormEvent): void {
    event.preventDefault()
    change({ amount: draft.trim() === '' ? null : draft.trim() })
  }
  return (
    <form className="amount-form" noValidate onSubmit={submit}>
      <Field label="For payments of, in GBP" hint="Empty: everyday payments." error={error}>
        {(input) => (
          <input
            {...input}
            inputMode="decimal"
            autoComplete="off"
            value={draft}
            onChange={({ target }) => setDraft(target.value)}
          />
        )}
      </Field>
      <span className="row">
        <Button type="submit">Look at it</Button>
        {said !== '' && (
          <Button look="quiet" onClick={() => change({ amount: null })}>
            Everyday payments
          </Button>
        )}
      </span>
    </form>
  )
}

/** A path is text, and a number in it is for the server to judge. */
function amountOf(text: string | null): { readonly amount?: number } {
  if (text === null || text.trim() === '') return {}
  const amount = Number(text)
  if (Number.isNaN(amount)) {
    const message = 'must be a plain number, like 85000'
    throw new InvalidRequestError(message, { errors: [{ path: '/amount', message }] })
  }
  return { amount }
}

function CorridorWork({ given, health }: { readonly given: string; readonly health: Asked<CorridorHealth> }) {
  const { data, error } = health
  if (errorOf(error, '/corridor') !== undefined) {
    return (
      <Empty
        icon="route"
        title={`“${given}” is not a corridor`}
        action={<LinkButton href="/corridors">See the corridors</LinkButton>}
      >
        A corridor names two countries as FROM-TO, like GB-NG or United Kingdom-Nigeria.
      </Empty>
    )
  }
  const amountError = errorOf(error, '/amount')
  return (
    <>
      <AmountForm error={amountError} />
      {amountError === undefined && (
        <Answered asked={health} skeleton={<Skeleton height={420} label="Looking at the corridor" />}>
          {(answer) => <HealthCard health={answer} />}
        </Answered>
      )}
      <TrafficFigures corridor={data?.corridor ?? given} />
      <LastDecisions corridor={data?.corridor ?? given} />
    </>
  )
}

/** What is wrong in an address is shown as it came. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The address has any spelling; the answer has the one that counts. */
function useHealth(given: string): Asked<CorridorHealth> {
  const [address] = useAddress()
  const amount = address.get('amount')
  return useAsk(
    ['corridor', given, amount],
    async (client) => client.corridorHealth(given, amountOf(amount)),
    { everyMs: 30_000, keepPrevious: false },
  )
}

export default function CorridorPage() {
  const given = decoded(useParams<{ corridor: string }>().corridor)
  const health = useHealth(given)
  const code = health.data?.corridor ?? given.toUpperCase()
  const isKnown = corridorName(code) !== code
  const query = new URLSearchParams({ corridor: isKnown ? code : given }).toString()
  return (
    <Page
      title={isKnown ? corridorName(code) : given}
      lead={isKnown ? `The corridor ${code}: how it is doing, and your decisions on it.` : undefined}
      actions={
        isKnown ? (
          <>
            <LinkButton href={`/partners?${query}`}>Rank partners here</LinkButton>
            <LinkButton look="primary" href={`/?${query}`}>
              Verify a payment here
            </LinkButton>
          </>
        ) : undefined
      }
    >
      <Keyed what="how this corridor is doing">
        <div className="page">
          <CorridorWork given={given} health={health} />
        </div>
      </Keyed>
    </Page>
  )
}
