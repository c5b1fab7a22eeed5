/** The form that accepts an invitation: a name, and a password typed twice. */

import { UnprocessableError, type FairwayError, type Invitation, type Me } from '@fairway/client'
import { useEffect, useRef, useState, type FormEvent } from 'react'
import { browserClient } from '../../clients.ts'
import { errorOf } from '../../problem.tsx'
import { Button } from '../../ui/button.tsx'
import { Field, focusFirstError } from '../../ui/field.tsx'
import { Refusal } from './refusal.tsx'

const lengthMin = 12
const lengthMax = 200

interface Draft {
  readonly name: string
  readonly password: string
  readonly again: string
}

type Faults = Readonly<Partial<Record<keyof Draft, string>>>

function faultsOf({ name, password, again }: Draft): Faults {
  const { length } = password
  return {
    ...(name.trim() === '' && { name: 'Enter your name.' }),
    ...((length < lengthMin || length > lengthMax) && {
      password: `Enter ${lengthMin} to ${lengthMax} characters. These are ${length}.`,
    }),
    ...(again !== password && { again: 'The two passwords differ.' }),
  }
}

/** Errors of the server that belong to a field. */
function serverFaults(error: FairwayError | null): Faults {
  const [name, password] = ['/name', '/password'].map((path) => errorOf(error, path))
  return { ...(name && { name }), ...(password && { password }) }
}

function useAccept(token: string, onAccepted: (person: Me) => void) {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<FairwayError | null>(null)
  /** Resolves with false if it was refused. */
  async function accept({ name, password }: Draft): Promise<boolean> {
    setBusy(true)
    setError(null)
    try {
      onAccepted(await browserClient.setPassword({ token, name: name.trim(), password }))
      return true
    } catch (caught) {
      setError(caught as FairwayError)
      setBusy(false)
      return false
    }
  }
  return { busy, error, accept, clearError: () => setError(null) }
}

const fields = [
  ['name', 'Name', 'As it should stand beside what you do.', 'text', 'name'],
  [
    'password',
    'Password',
    `${lengthMin} to ${lengthMax} characters of any kind.`,
    'password',
    'new-password',
  ],
  ['again', 'Password again', undefined, 'password', 'new-password'],
] as const

function Inputs({
  draft,
  faults,
  onDraft,
}: {
  readonly draft: Draft
  readonly faults: Faults
  readonly onDraft: (draft: Draft) => void
}) {
  return fields.map(([name, label, hint, type, autoComplete]) => (
    <Field key={name} label={label} {...(hint !== undefined && { hint })} error={faults[name]}>
      {(input) => (
        <input
          {...input}
          {...{ name, type, autoComplete }}
          maxLength={name === 'name' ? 200 : 800}
          value={draft[name]}
          onChange={({ target }) => onDraft({ ...draft, [name]: target.value })}
        />
      )}
    </Field>
  ))
}

export function AcceptForm({
  token,
  invitation,
  onAccepted,
}: {
  readonly token: string
  readonly invitation: Invitation
  readonly onAccepted: (person: Me) => void
}) {
  const [draft, setDraft] = useState<Draft>({ name: invitation.name, password: '', again: '' })
  const [attempts, setAttempts] = useState(0)
  const { busy, error, accept, clearError } = useAccept(token, onAccepted)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (attempts > 0) focusFirstError(form.current)
  }, [attempts])
  if (error instanceof UnprocessableError) return <Refusal error={error} />
  function edit(changed: Draft): void {
    clearError()
    setDraft(changed)
  }
  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (busy) return
    const isValid = Object.keys(faultsOf(draft)).length === 0
    if (!isValid || !(await accept(draft))) setAttempts(attempts + 1)
  }
  const faults = attempts === 0 ? {} : { ...serverFaults(error), ...faultsOf(draft) }
  const isAtField = Object.keys(serverFaults(error)).length > 0
  return (
    <form
      ref={form}
      className="stack"
      noValidate
      aria-label="Accept the invitation"
      onSubmit={(event) => void submit(event)}
    >
      <Field label="Email" hint="You sign in with it.">
        {/* Password managers take it as the name of the account. */}
        {(input) => (
          <input {...input} type="email" autoComplete="username" readOnly value={invitation.email} />
        )}
      </Field>
      <Inputs draft={draft} faults={faults} onDraft={edit} />
      {error !== null && !isAtField && <Refusal error={error} />}
      <div>
        <Button type="submit" variant="primary" icon="check" busy={busy}>
          Accept and sign in
        </Button>
      </div>
    </form>
  )
}
