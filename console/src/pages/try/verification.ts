/** Runs verifications, in the demo or recorded, and holds the latest result and error. */

import {
  AuthenticationError,
  type Decided,
  type DemoVerifyResponse,
  type FairwayError,
  type Hold,
} from '@fairway/client'
import { useCallback, useEffect, useRef, useState } from 'react'
import { publicClient } from '../../clients.ts'
import { useSession } from '../../session.tsx'
import { inDemo, paymentOf, type Payment, type Typed } from './payment.ts'

export interface VerificationRequest {
  readonly payment: Payment
  /** Null in the demo, which records nothing. */
  readonly idempotencyKey: string | null
}

export type Shown =
  | {
      readonly request: VerificationRequest
      readonly decision: DemoVerifyResponse | Decided
      readonly hold?: never
    }
  | { readonly request: VerificationRequest; readonly hold: Hold; readonly decision?: never }

interface State {
  /** The latest result; it stays while the next one loads, and after an error. */
  readonly shown: Shown | null
  readonly busy: boolean
  readonly error: FairwayError | null
}

const initialState: State = { shown: null, busy: false, error: null }
const withoutResult = (state: State): State => ({ ...state, shown: null })

/** Not `crypto.randomUUID`, which insecure origins do not have. */
const newKey = (): string =>
  `try-${Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0')).join('')}`

export interface Verification extends State {
  /** False if there was no answer. */
  readonly verify: (typed: Typed, record: boolean) => Promise<boolean>
  readonly clear: () => void
}

/** Sends one verification: to the demo, or as the caller, which records it. */
function useSend(): (payment: Payment, record: boolean) => Promise<Shown> {
  const { client } = useSession()
  /** The idempotency key of an undecided payment, so that a retry does not decide it twice. */
  const undecided = useRef({ text: '', key: '' })
  return useCallback(
    async (payment, record) => {
      if (!record || client === null) {
        const demoPayment = inDemo(payment)
        return {
          request: { payment: demoPayment, idempotencyKey: null },
          decision: await publicClient.demoVerify(demoPayment),
        }
      }
      const text = JSON.stringify(payment)
      if (undecided.current.text !== text) undecided.current = { text, key: newKey() }
      const { key: idempotencyKey } = undecided.current
      const request = { payment, idempotencyKey }
      const result = await client.verify(payment, { idempotencyKey })
      if (result.held) return { request, hold: result }
      undecided.current = { text: '', key: '' }
      return { request, decision: result }
    },
    [client],
  )
}

export function useVerification(): Verification {
  const { number, verifyMode: mode, reject } = useSession()
  const send = useSend()
  const [state, setState] = useState(initialState)
  const [current, setCurrent] = useState(number)
  const turn = useRef(0)
  // A recorded decision belongs to its caller, so it is cleared when the caller changes. Demo decisions are public, but
  // simulated: a live key does not show them.
  if (current !== number) {
    setCurrent(number)
    if (mode === 'live' || state.shown?.request.idempotencyKey !== null) setState(withoutResult)
  }
  const session = useRef({ number, mode })
  useEffect(() => {
    session.current = { number, mode }
  }, [number, mode])

  const verify = useCallback(
    async (typed: Typed, record: boolean) => {
      turn.current += 1
      const mine = turn.current
      setState((before) => ({ ...before, busy: true }))
      const settle = (after: Partial<State>): void => {
        if (mine !== turn.current) return
        const isLate = session.current.number !== number && (record || session.current.mode === 'live')
        setState((before) => ({ ...before, ...(isLate ? {} : after), busy: false }))
      }
      try {
        settle({ shown: await send(paymentOf(typed), record), error: null })
        return true
      } catch (caught) {
        // The session reports that the caller was rejected.
        if (caught instanceof AuthenticationError) reject()
        settle({ error: caught instanceof AuthenticationError ? null : (caught as FairwayError) })
        return false
      }
    },
    [send, number, reject],
  )
  const clear = useCallback(() => {
    turn.current += 1
    setState(initialState)
  }, [])
  return { ...state, verify, clear }
}
