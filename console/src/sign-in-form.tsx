/** Signing in: the key is tried before it is kept. */

import { AuthenticationError, type FairwayError } from '@fairway/client'
import { useState, type FormEvent } from 'react'
import { Problem } from './problem.tsx'
import { tryKey, useSession } from './session.tsx'
import { Button, LinkButton } from './ui/button.tsx'
import { Field } from './ui/field.tsx'

export function SignInForm({ onDone }: { readonly onDone?: () => void }) {
  const { signIn } = useSession()
  const [key, setKey] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<FairwayError | null>(null)
  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    setError(null)
    try {
      await tryKey(key.trim())
      signIn(key.trim())
      onDone?.()
    } catch (caught) {
      setError(caught as FairwayError)
      setBusy(false)
    }
  }
  const refused = error instanceof AuthenticationError
  return (
    <form className="stack" onSubmit={(event) => void submit(event)}>
      <Field
        label="API key"
        hint="Kept for this tab alone: it is gone when you close it."
        {...(refused && { error: 'This key is unknown, expired or revoked.' })}
      >
        {(input) => (
          <input
            {...input}
            type="password"
            autoComplete="off"
            spellCheck={false}
            required
            value={key}
            onChange={(event) => setKey(event.target.value)}
          />
        )}
      </Field>
      {error !== null && !refused && <Problem error={error} />}
      <div className="row">
        <Button type="submit" look="primary" busy={busy}>
          Sign in
        </Button>
        <LinkButton href="/sign-in#get-a-key" look="quiet">
          Get a sandbox key
        </LinkButton>
      </div>
    </form>
  )
}
