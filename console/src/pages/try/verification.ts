/** Asking for a decision: the demo's, or one that is recorded; with what came last, and what went wrong since. */

import {
  AuthenticationError,
  type Decided,
  type DemoVerifyResponse,
  type FairwayError,
  type Hold,
} from '@fairway/client'
import { useCallback, useEffect, useRef, useState } from 'react'
import { openClient, useSession } from '../../session.tsx'
import { inDemo, paymentOf, type Payment, type Typed } from './payment.ts'

/** What was asked. */
export interface Question {
  readonly payment: Payment
  /** Of a recorded one: its idempotency key. */
  readonly recordedUnder: string | null
}

export type Shown =
  | { readonly question: Question; readonly decision: DemoVerifyResponse | Decided; readonly hold?: never }
  | { readonly question: Question; readonly hold: Hold; readonly decision?: never }

interface State {
  /** Stays while the next one is awaited, and beside an error. */
  readonly shown: Shown | null
  readonly busy: boolean
  readonly error: FairwayError | null
}

const nothing: State = { shown: null, busy: false, error: null }
const withoutAnswer = (state: State): State => ({ ...state, shown: null })

/** Not `crypto.randomUUID`: pages that came over http do not have it. */
const newKey = (): string =>
  `try-${Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0')).join('')}`

export interface Verification extends State {
  readonly verify: (typed: Typed, record: boolean) => Promise<void>
  readonly clear: () => void
}

/** One question, to the demo or under a key. */
function useAsking(): (payment: Payment, record: boolean) => Promise<Shown> {
  const { client } = useSession()
  /** A payment that was asked for under a key and not decided: asking again must not decide it twice. */
  const open = useRef({ text: '', key: '' })
  return useCallback(
    async (payment, record) => {
      if (!record || client === null) {
        const given = inDemo(payment)
        return {
          question: { payment: given, recordedUnder: null },
          decision: await openClient.demoVerify(given),
        }
      }
      const text = JSON.stringify(payment)
      if (open.current.text !== text) open.current = { text, key: newKey() }
      const { key: idempotencyKey } = open.current
      const question = { payment, recordedUnder: idempotencyKey }
      const result = await client.verify(payment, { idempotencyKey })
      if (result.held) return { question, hold: result }
      open.current = { text: '', key: '' }
      return { question, decision: result }
    },
    [client],
  )
}

export function useVerification(): Verification {
  const { number, refuse } = useSession()
  const ask = useAsking()
  const [state, setState] = useState(nothing)
  const [seen, setSeen] = useState(number)
  const turn = useRef(0)
  // What was recorded with a key is for whoever has it: it goes with the key. The demo's answers are anybody's.
  if (seen !== number) {
    setSeen(number)
    if (state.shown?.question.recordedUnder !== null) setState(withoutAnswer)
  }
  const session = useRef(number)
  useEffect(() => {
    session.current = number
  }, [number])

  const verify = useCallback(
    async (typed: Typed, record: boolean) => {
      turn.current += 1
      const mine = turn.current
      setState((before) => ({ ...before, busy: true }))
      const settle = (after: Partial<State>): void => {
        if (mine !== turn.current) return
        const isLate = record && session.current !== number
        setState((before) => ({ ...before, ...(isLate ? {} : after), busy: false }))
      }
      try {
        settle({ shown: await ask(paymentOf(typed), record), error: null })
      } catch (caught) {
        // The session tells of a key that was refused.
        if (caught instanceof AuthenticationError) refuse()
        settle({ error: caught instanceof AuthenticationError ? null : (caught as FairwayError) })
      }
    },
    [ask, number, refuse],
  )
  const clear = useCallback(() => {
    turn.current += 1
    setState(nothing)
  }, [])
  return { ...state, verify, clear }
}
