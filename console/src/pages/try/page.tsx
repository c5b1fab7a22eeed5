/** Try it: the first page. A payment, a press, a decision and all that is behind it. */

import { useEffect, useRef, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { useRules } from '../../rules.ts'
import { useSession } from '../../session.tsx'
import { Page } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/state.tsx'
import { actionWords } from '../../words.ts'
import { TestAmounts } from './amounts.tsx'
import { DecisionCard, HoldCard, Legend } from './decision.tsx'
import { PaymentForm } from './form.tsx'
import { opening, paymentOf, searchWith, typedIn, type Typed } from './payment.ts'
import { Profiles } from './profiles.tsx'
import { Signals } from './signals.tsx'
import { formOf, TakeAway } from './take-away.tsx'
import { useVerification, type Shown } from './verification.ts'
import './try.css'

/** Read out as it comes. */
function Said({ shown }: { readonly shown: Shown | null }) {
  const { decision, hold } = shown ?? {}
  return (
    <p role="status" className="sr-only">
      {decision &&
        `${decision.decision}, score ${decision.score}: ${actionWords(decision.recommended_action)}.`}
      {hold && 'Hold: there is no decision, the payment waits.'}
    </p>
  )
}

function Behind({ shown }: { readonly shown: Shown }) {
  const { data: rules } = useRules()
  const { decision, question } = shown
  if (decision === undefined) return null
  return (
    <>
      {rules === undefined ? (
        <Skeleton height={380} label="Loading the weights" />
      ) : (
        <Signals evidence={decision} rules={rules} />
      )}
      <Profiles payment={question.payment} score={decision.score} />
    </>
  )
}

/** The form, the address and the decision, kept together. */
function useTrial() {
  const search = useSearch()
  const [, navigate] = useLocation()
  const [typed, setTyped] = useState(() => typedIn(search) ?? opening)
  const { verify, clear, ...verification } = useVerification()
  /** Who comes by a link has asked already; who presses asks once, though the address changes with it. */
  const asked = useRef<string | null>(null)

  useEffect(() => {
    const linked = typedIn(search)
    const text = linked && JSON.stringify(linked)
    if (text === asked.current) return
    asked.current = text
    setTyped(linked ?? opening)
    if (linked === null) clear()
    // Never recorded: a link that somebody sent must not write into one's history.
    else void verify(linked, false)
  }, [search, verify, clear])

  return {
    search,
    typed,
    setTyped,
    ...verification,
    ask: async (payment: Typed, record: boolean) => {
      setTyped(payment)
      asked.current = JSON.stringify(payment)
      const wanted = searchWith(search, payment)
      if (wanted !== `?${search}`) navigate(`/${wanted}`)
      await verify(payment, record)
    },
    show: (form: string) => navigate(`/${searchWith(search, { show: form })}`, { replace: true }),
  }
}

export default function TryPage() {
  const { client } = useSession()
  const { search, typed, setTyped, shown, busy, error, ask, show } = useTrial()
  const { data: rules } = useRules()
  const [wanted, setRecord] = useState(false)
  const record = wanted && client !== null
  const answer = useRef<HTMLDivElement>(null)
  async function press(payment: Typed): Promise<void> {
    await ask(payment, record)
    answer.current?.scrollIntoView({ block: 'nearest' })
  }
  return (
    <Page
      title="Ask before money moves"
      lead="Fairway says whether a corridor is fit for a payment, and why. Try it: the demo’s signals are simulated, and no money moves."
    >
      <PaymentForm
        typed={typed}
        onType={setTyped}
        record={record}
        onRecord={setRecord}
        busy={busy}
        error={error}
        onVerify={() => void press(typed)}
      />
      <Said shown={shown} />
      <div ref={answer} className="try-answer" aria-busy={busy}>
        {shown === null && (busy ? <Skeleton height={230} label="Deciding" /> : <Legend />)}
        {shown?.decision && <DecisionCard {...shown} rules={rules} />}
        {shown?.hold && <HoldCard {...shown} onAgain={() => void press(typed)} />}
      </div>
      <TestAmounts
        typed={typed}
        shown={shown?.question.payment.amount ?? null}
        recorded={record}
        onPick={(amount) => void press({ ...typed, amount })}
      />
      {shown !== null && <Behind shown={shown} />}
      <TakeAway
        question={shown?.question ?? { payment: paymentOf(opening), recordedUnder: null }}
        shown={shown}
        form={formOf(new URLSearchParams(search).get('show'))}
        onForm={show}
      />
    </Page>
  )
}
