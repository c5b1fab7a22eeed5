/** Sign-in with a local account: email address and password. */

import { AuthenticationError, RateLimitError } from '@fairway/client'
import { useRef, useState, type FormEvent } from 'react'
import { flushSync } from 'react-dom'
import { browserClient } from '../clients.ts'
import { Problem, RetryCountdown } from '../problem.tsx'
import { useSession } from '../session.tsx'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Notice } from '../ui/state.tsx'

/** The server does not say which of the two is wrong, so that nobody learns who has an account. */
const wrong = 'The email address or the password is wrong.'

function Refusal({ error }: { readonly error: unknown }) {
  if (error === null || error instanceof AuthenticationError) return null
  if (!(error instanceof RateLimitError)) return <Problem error={error} />
  return (
    <Notice tone="degraded" title="Too many attempts to sign in" live>
      <RetryCountdown key={error.requestId} seconds={error.retryAfterSeconds ?? 60} />
    </Notice>
  )
}

function usePasswordSignIn(onDone?: () => void) {
  const { signInAs } = useSession()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  async function send(email: string, password: string): Promise<boolean> {
    setBusy(true)
    setError(null)
    try {
      const person = await browserClient.loginWithPassword({ email: email.trim(), password })
      // At once, so that the next page knows who is signed in from its first render.
      flushSync(() => signInAs(person))
      onDone?.()
      return true
    } catch (caught) {
      setError(caught)
      setBusy(false)
      return false
    }
  }
  return { busy, error, send }
}

export function PasswordForm({ onDone }: { readonly onDone?: () => void }) {
  const { busy, error, send } = usePasswordSignIn(onDone)
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const field = useRef<HTMLInputElement>(null)
  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (busy || (await send(email, password))) return
    field.current?.select()
  }
  return (
    <form className="stack" aria-label="Local account" onSubmit={(event) => void submit(event)}>
      <Field label="Email">
        {(input) => (
          <input
            {...input}
            data-sign-in
            type="email"
            autoComplete="username"
            required
            value={email}
            onChange={({ target }) => setEmail(target.value)}
          />
        )}
      </Field>
      <Field
        label="Password"
        hint="Forgotten? Ask an admin for a new link."
        error={error instanceof AuthenticationError ? wrong : undefined}
      >
        {(input) => (
          <input
            {...input}
            ref={field}
            type="password"
            autoComplete="current-password"
            required
            value={password}
            onChange={({ target }) => setPassword(target.value)}
          />
        )}
      </Field>
      <Refusal error={error} />
      <div>
        <Button type="submit" variant="primary" busy={busy}>
          Sign in
        </Button>
      </div>
    </form>
  )
}
