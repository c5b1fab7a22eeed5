/** Signing in: the key is tried before it is kept. */

import { AuthenticationError } from '@fairway/client'
import { useState, type FormEvent } from 'react'
import { Problem } from './problem.tsx'
import { tryKey, useSession } from './session.tsx'
import { useSignInHref } from './sign-in-href.ts'
import { Button, LinkButton } from './ui/button.tsx'
import { Field } from './ui/field.tsx'

/** A key that could not be one is not sent. */
function errorWords(error: unknown): string | undefined {
  if (error instanceof AuthenticationError) return 'This key is unknown, expired or revoked.'
  return error instanceof TypeError ? 'This is not a key: paste it as it was issued.' : undefined
}

function GetKeyLink({ href }: { readonly href?: string }) {
  const signInHref = useSignInHref()
  const words = 'Get a sandbox key'
  if (href === undefined) {
    return (
      <LinkButton href={`${signInHref}#get-a-key`} look="quiet">
        {words}
      </LinkButton>
    )
  }
  return (
    <a href={href} className="button button-quiet">
      {words}
    </a>
  )
}

export function SignInForm({
  onDone,
  getKeyHref,
}: {
  readonly onDone?: () => void
  /** Where a key is to be had, if that is on the same page. */
  readonly getKeyHref?: string
}) {
  const { signIn } = useSession()
  const [key, setKey] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
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
      setError(caught)
      setBusy(false)
    }
  }
  const words = errorWords(error)
  return (
    <form className="stack" onSubmit={(event) => void submit(event)}>
      <Field label="API key" hint="Kept until you close this tab or sign out." error={words}>
        {(input) => (
          <input
            {...input}
            data-sign-in
            type="password"
            autoComplete="off"
            spellCheck={false}
            required
            value={key}
            onChange={(event) => setKey(event.target.value)}
          />
        )}
      </Field>
      {error !== null && words === undefined && <Problem error={error} />}
      <div className="row">
        <Button type="submit" look="primary" busy={busy}>
          Sign in
        </Button>
        <GetKeyLink {...(getKeyHref !== undefined && { href: getKeyHref })} />
      </div>
    </form>
  )
}
