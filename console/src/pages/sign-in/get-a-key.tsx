/** A sandbox key for whoever asks: a form, its errors beside its fields, and the key, shown once. */

import {
  InvalidRequestError,
  RateLimitError,
  type AccessRequest,
  type AccessResponse,
  type FairwayError,
} from '@fairway/client'
import { useEffect, useRef, useState, type FormEvent } from 'react'
import { ComeBack, errorOf, Problem } from '../../problem.tsx'
import { openClient, useSession } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Code } from '../../ui/code.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/state.tsx'

/** Says who asks. A server without a captcha takes any token; one with a captcha refuses this one. */
const token = 'console'

const fields = [
  ['name', 'Name', 'A person, a team or a company.'],
  ['email', 'Email', 'Up to three active sandbox keys for each address.'],
  ['reason', 'What it is for', 'In a sentence; an operator reads it.'],
] as const
type Name = (typeof fields)[number][0]

function Refusal({ error }: { readonly error: FairwayError }) {
  if (error instanceof InvalidRequestError) {
    const paths = error.errors.map(({ path }) => path)
    if (paths.includes('/recaptcha_token')) {
      return (
        <Notice tone="degraded" title="This server asks for a captcha" live>
          <p>
            The console cannot show it, so it cannot ask for a key here. Whoever runs this server can issue
            one: <code>fairway keys issue --type test</code>.
          </p>
        </Notice>
      )
    }
    if (paths.length > 0 && paths.every((path) => fields.some(([name]) => `/${name}` === path))) return null
  }
  if (error instanceof RateLimitError) {
    return (
      <Notice tone="degraded" title="No further key for now" live>
        <p>{error.message}</p>
        {error.retryAfterSeconds !== null && (
          <ComeBack key={error.requestId} seconds={error.retryAfterSeconds} />
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
      <p ref={heading} tabIndex={-1} className="key-made">
        <strong>This is your sandbox key.</strong> It works at once, in shadow mode.
      </p>
      <Code title="Sandbox key" text={key} />
      <Notice tone="degraded" title="It is not shown again">
        <p>Copy it to where you keep secrets before you leave this page.</p>
      </Notice>
      <div className="row">
        <Button
          look="primary"
          icon="key"
          onClick={() => {
            signIn(key)
            onUse()
          }}
        >
          Use it in this tab
        </Button>
        <span className="small soft anywhere">
          Your request is {id}: quote it when you ask for a live key.
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
    if (error !== null) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [error])
  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    try {
      const body: AccessRequest = { ...typed, recaptcha_token: token }
      onAnswer(await openClient.requestAccess(body))
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
        <Button type="submit" look="primary" busy={busy}>
          Get a sandbox key
        </Button>
      </div>
    </form>
  )
}

/** `onUse`: the new key is this tab's now. */
export function GetAKey({ onUse }: { readonly onUse: () => void }) {
  const [answer, setAnswer] = useState<AccessResponse | null>(null)
  return (
    <div id="get-a-key">
      <Card
        title="Get a sandbox key"
        note="It decides on simulated signals: the same question always gets the same answer."
      >
        {answer === null ? <AccessForm onAnswer={setAnswer} /> : <NewKey answer={answer} onUse={onUse} />}
      </Card>
    </div>
  )
}
