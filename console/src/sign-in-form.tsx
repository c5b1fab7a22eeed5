/** The form to sign in with a key: it checks the key with the server before storing it. */

import { AuthenticationError } from '@fairway/client'
import { useState, type FormEvent } from 'react'
import { flushSync } from 'react-dom'
import { Problem } from './problem.tsx'
import { checkKey } from './clients.ts'
import { useSession } from './session.tsx'
import { useSignInHref } from './sign-in-href.ts'
import { Button, LinkButton } from './ui/button.tsx'
import { Field } from './ui/field.tsx'

/** A TypeError means that the text cannot be a key and was not sent. */
function errorText(error: unknown): string | undefined {
  if (error instanceof AuthenticationError) return 'This key is unknown, expired or revoked.'
  return error instanceof TypeError
    ? 'This is not an API key. Paste the key exactly as it was issued.'
    : undefined
}

function GetKeyLink({ href }: { readonly href?: string }) {
  const signInHref = useSignInHref()
  const label = 'Get a sandbox key'
  if (href === undefined) {
    return (
      <LinkButton href={`${signInHref}#get-a-key`} variant="quiet">
        {label}
      </LinkButton>
    )
  }
  return (
    <a href={href} className="button button-quiet">
      {label}
    </a>
  )
}

export function SignInForm({
  onDone,
  label = 'Sign in',
  isFirst = true,
  getKeyHref,
}: {
  readonly onDone?: () => void
  readonly label?: string
  /** Whether it is the first way to sign in, which takes the focus. */
  readonly isFirst?: boolean
  /** The link to the key request form, if it is on the same page. Null shows none. */
  readonly getKeyHref?: string | null
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
      await checkKey(key.trim())
      // At once, so that the next page knows the key's mode from its first render.
      flushSync(() => signIn(key.trim()))
      onDone?.()
    } catch (caught) {
      setError(caught)
      setBusy(false)
    }
  }
  const keyError = errorText(error)
  return (
    <form className="stack" onSubmit={(event) => void submit(event)}>
      <Field label="API key" hint="Stored until you close this tab or sign out." error={keyError}>
        {(input) => (
          <input
            {...input}
            {...(isFirst && { 'data-sign-in': true })}
            type="password"
            autoComplete="off"
            spellCheck={false}
            required
            value={key}
            onChange={(event) => setKey(event.target.value)}
          />
        )}
      </Field>
      {error !== null && keyError === undefined && <Problem error={error} />}
      <div className="row">
        <Button type="submit" variant="primary" busy={busy}>
          {label}
        </Button>
        {getKeyHref !== null && <GetKeyLink {...(getKeyHref !== undefined && { href: getKeyHref })} />}
      </div>
    </form>
  )
}
