/** The home page: verify a payment and see the decision with its evidence. */

import { useEffect, useRef, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { useIsVisitor, useMay } from '../../caller.ts'
import { FirstSteps } from '../../first-steps.tsx'
import { useRules } from '../../rules.ts'
import { useSession } from '../../session.tsx'
import { Page } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/state.tsx'
import { actionLabel } from '../../labels.ts'
import { TestAmounts } from './amounts.tsx'
import { DecisionCard, HoldCard, Legend } from './decision.tsx'
import { PaymentForm } from './form.tsx'
import { landingLead, landingTitle, Promises, WaysOn } from './landing.tsx'
import { initial, paymentOf, searchWith, typedIn, type Typed } from './payment.ts'
import { Profiles } from './profiles.tsx'
import { Signals } from './signals.tsx'
import { ApiCall, formatOf } from './api-call.tsx'
import { useVerification, type Shown, type VerificationRequest } from './verification.ts'
import './try.css'

/** Announces the decision to screen readers. */
function Announcement({ shown }: { readonly shown: Shown | null }) {
  const { decision, hold } = shown ?? {}
  return (
    <p role="status" className="sr-only">
      {decision &&
        `${decision.decision}, score ${decision.score}: ${actionLabel(decision.recommended_action)}.`}
      {hold && 'Hold: the payment waits.'}
    </p>
  )
}

function Evidence({ shown }: { readonly shown: Shown }) {
  const { data: rules } = useRules()
  const { verifyMode: mode } = useSession()
  const { decision, request } = shown
  if (decision === undefined) return null
  return (
    <>
      {rules === undefined ? (
        <Skeleton height={380} label="Loading weights" />
      ) : (
        <Signals evidence={decision} rules={rules} />
      )}
      {/* The profiles are compared by simulated signals. */}
      {mode !== 'live' && <Profiles payment={request.payment} score={decision.score} />}
    </>
  )
}

/** Keeps the form, the URL and the decision in step. */
function useTryPage() {
  const search = useSearch()
  const [, navigate] = useLocation()
  const { verifyMode: mode } = useSession()
  const [typed, setTyped] = useState(() => typedIn(search) ?? initial)
  const { verify, clear, ...verification } = useVerification()
  /** The last verified input: a link verifies at once, but the URL change after a submit does not verify again. */
  const verified = useRef<string | null>(null)

  useEffect(() => {
    const linked = typedIn(search)
    const text = linked && JSON.stringify(linked)
    if (text === verified.current) return
    verified.current = text
    setTyped(linked ?? initial)
    // Opening a link must not add to the user's history, and a live key has no demo.
    if (linked === null || mode === 'live') clear()
    else void verify(linked, false)
  }, [search, mode, verify, clear])

  return {
    search,
    typed,
    setTyped,
    ...verification,
    submit: async (payment: Typed, record: boolean) => {
      setTyped(payment)
      verified.current = JSON.stringify(payment)
      const next = searchWith(search, payment)
      if (next !== `?${search}`) navigate(`/${next}`)
      return verify(payment, record)
    },
    show: (format: string) => navigate(`/${searchWith(search, { show: format })}`, { replace: true }),
  }
}

const lead = 'Fairway decides whether a corridor is fit for a payment, and explains why.'
const leads = {
  shadow: `${lead} Demo signals are simulated, and no money moves.`,
  person: `${lead} A person verifies in shadow mode only: signals are simulated, and no money moves. Live decisions need a live key.`,
  live: `${lead} With a live key it decides from your feeds and records the decision. No money moves.`,
} as const

/** The example before the first request. */
const exampleOf = (record: boolean): VerificationRequest => ({
  payment: paymentOf(initial),
  idempotencyKey: record ? 'payment-1' : null,
})

export default function TryPage() {
  const { client, person, verifyMode } = useSession()
  const isVisitor = useIsVisitor()
  const isLive = verifyMode === 'live'
  const { search, typed, setTyped, shown, busy, error, submit, show } = useTryPage()
  const { data: rules } = useRules()
  const mayVerify = useMay('decision:read')
  const [isTrial, setTrial] = useState(false)
  const record = client !== null && mayVerify && (isLive || !isTrial)
  const answer = useRef<HTMLDivElement>(null)
  async function verify(payment: Typed): Promise<void> {
    // An error is beside its field, which the answer must not push out of sight.
    if (await submit(payment, record)) answer.current?.scrollIntoView({ block: 'nearest' })
  }
  return (
    <Page
      title={isVisitor ? landingTitle : 'Try a verification'}
      lead={isVisitor ? landingLead : leads[isLive ? 'live' : person === null ? 'shadow' : 'person']}
      hasTimes={!isVisitor}
    >
      <PaymentForm
        typed={typed}
        onType={setTyped}
        record={record}
        onRecord={(on) => setTrial(!on)}
        busy={busy}
        error={error}
        onVerify={() => void verify(typed)}
      />
      <Announcement shown={shown} />
      <div ref={answer} className="try-answer" aria-busy={busy}>
        {shown === null && (busy ? <Skeleton height={230} label="Deciding" /> : <Legend />)}
        {shown?.decision && <DecisionCard {...shown} rules={rules} />}
        {shown?.hold && <HoldCard {...shown} onRetry={() => void verify(typed)} />}
      </div>
      {client !== null && <FirstSteps version={shown?.request.idempotencyKey ?? null} />}
      {!isLive && (
        <TestAmounts
          typed={typed}
          shown={shown?.request.payment.amount ?? null}
          recorded={record}
          onPick={(amount) => void verify({ ...typed, amount })}
        />
      )}
      {shown !== null && <Evidence shown={shown} />}
      <ApiCall
        request={shown?.request ?? exampleOf(record)}
        shown={shown}
        format={formatOf(new URLSearchParams(search).get('show'))}
        onFormat={show}
      />
      {isVisitor && <WaysOn />}
      {isVisitor && <Promises />}
    </Page>
  )
}
