/** The form that requests a sandbox key, and the new key, which is shown once. */

import {
  InvalidRequestError,
  RateLimitError,
  type AccessRequest,
  type AccessResponse,
  type FairwayError,
} from '@fairway/client'
import { useEffect, useRef, useState, type FormEvent } from 'react'
import { RetryCountdown, errorOf, Problem } from '../../problem.tsx'
import { publicClient } from '../../clients.ts'
import { useSession } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Code } from '../../ui/code.tsx'
import { Field, focusFirstError } from '../../ui/field.tsx'
import { Notice } from '../../ui/state.tsx'

/** Identifies the console. A server without a captcha accepts any token; one with a captcha rejects this one. */
const token = 'console'

const fields = [
  ['name', 'Name', 'A person, a team or a company.'],
  ['email', 'Email', 'Up to three active sandbox keys per address.'],
  ['reason', 'Purpose', 'One sentence, for the operator.'],
] as const
type Name = (typeof fields)[number][0]

function Refusal({ error }: { readonly error: FairwayError }) {
  if (error instanceof InvalidRequestError) {
    const paths = error.errors.map(({ path }) => path)
    if (paths.includes('/recaptcha_token')) {
      return (
        <Notice tone="degraded" title="This server requires a captcha" live>
          <p>
            The console cannot show a captcha. Ask the operator for a key, issued with{' '}
            <code>fairway keys issue --type test</code>.
          </p>
        </Notice>
      )
    }
    if (paths.length > 0 && paths.every((path) => fields.some(([name]) => `/${name}` === path))) return null
  }
  if (error instanceof RateLimitError) {
    return (
      <Notice tone="degraded" title="Key request limit reached" live>
        <p>{error.message}</p>
        {error.retryAfterSeconds !== null && (
          <RetryCountdown key={error.requestId} seconds={error.retryAfterSeconds} />
        )}
      </Notice>
    )
  }
  return <Problem error={error} />
}

function NewKey({ answer, onUse }: { readonly answer: AccessResponse; readonly onUse: () => void }) {
  const { signIn } = useSession()
  const heading = useRef<HTMLParagraphElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const { sandbox_key: key, access_request_id: id } = answer
  return (
    <div className="stack">
      <p ref={heading} tabIndex={-1} className="key-created">
        <strong>This is your sandbox key.</strong> It is active now, in shadow mode.
      </p>
      <Code title="Sandbox key" text={key} />
      <Notice tone="degraded" title="This key is shown only once">
        <p>Copy it to your secret store before you leave this page.</p>
      </Notice>
      <div className="row">
        <Button
          variant="primary"
          icon="key"
          onClick={() => {
            signIn(key)
            onUse()
          }}
        >
          Use this key
        </Button>
        <span className="small soft anywhere">
          Your access request is {id}: quote it when you ask for a live key.
        </span>
      </div>
    </div>
  )
}

function AccessForm({ onAnswer }: { readonly onAnswer: (answer: AccessResponse) => void }) {
  const [typed, setTyped] = useState<Record<Name, string>>({ name: '', email: '', reason: '' })
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<FairwayError | null>(null)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (error !== null) focusFirstError(form.current)
  }, [error])
  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    try {
      const body: AccessRequest = { ...typed, recaptcha_token: token }
      onAnswer(await publicClient.requestAccess(body))
    } catch (caught) {
      setError(caught as FairwayError)
      setBusy(false)
    }
  }
  return (
    <form ref={form} className="key-form" noValidate onSubmit={(event) => void submit(event)}>
      {fields.map(([name, label, hint]) => (
        <Field key={name} label={label} hint={hint} error={errorOf(error, `/${name}`)}>
          {(input) => {
            const common = {
              ...input,
              name,
              value: typed[name],
              onChange: (event: { target: { value: string } }) =>
                setTyped({ ...typed, [name]: event.target.value }),
            }
            if (name === 'reason') return <textarea rows={3} {...common} />
            return <input type={name === 'email' ? 'email' : 'text'} autoComplete={name} {...common} />
          }}
        </Field>
      ))}
      {error !== null && <Refusal error={error} />}
      <div>
        <Button type="submit" variant="primary" busy={busy}>
          Get a sandbox key
        </Button>
      </div>
    </form>
  )
}

/** `onUse` is called when the tab signs in with the new key. */
export function GetAKey({ onUse }: { readonly onUse: () => void }) {
  const [answer, setAnswer] = useState<AccessResponse | null>(null)
  return (
    <div id="get-a-key">
      <Card
        title="Get a sandbox key"
        note="For tests with simulated signals: the same payment always gets the same decision."
      >
        {answer === null ? <AccessForm onAnswer={setAnswer} /> : <NewKey answer={answer} onUse={onUse} />}
      </Card>
    </div>
  )
}
