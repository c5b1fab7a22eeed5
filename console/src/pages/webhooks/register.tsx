/** The form that registers an endpoint: what the server refuses is told beside its field. */

import {
  UnprocessableError,
  type FairwayError,
  type RegisteredWebhook,
  type WebhookRequest,
} from '@fairway/client'
import { useId, useState, type FormEvent } from 'react'
import { errorOf, Problem } from '../../problem.tsx'
import { useSession } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Notice } from '../../ui/state.tsx'
import { eventWords, subscribable, type EventName } from './words.ts'

function EventChoice({
  chosen,
  error,
  onChange,
}: {
  readonly chosen: readonly EventName[]
  readonly error: string | undefined
  readonly onChange: (chosen: readonly EventName[]) => void
}) {
  const id = useId()
  return (
    <fieldset className="hook-events" {...(error !== undefined && { 'aria-describedby': id })}>
      <legend>Events</legend>
      {subscribable.map(([event, when]) => (
        <label className="check" key={event}>
          <input
            type="checkbox"
            checked={chosen.includes(event)}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, event] : chosen.filter((one) => one !== event))
            }
          />
          <span>
            {eventWords[event]} <code className="soft">{event}</code>
            <br />
            <span className="small soft">{when}</span>
          </span>
        </label>
      ))}
      {error !== undefined && (
        <p className="field-error" id={id}>
          <Icon name="warn" size={16} />
          <span>{error}</span>
        </p>
      )}
    </fieldset>
  )
}

interface Draft {
  readonly url: string
  readonly description: string
  readonly events: readonly EventName[]
}

const empty: Draft = { url: '', description: '', events: subscribable.map(([event]) => event) }

function requestOf({ url, description, events }: Draft): WebhookRequest {
  const told = description.trim()
  return { url: url.trim(), events: [...events], ...(told !== '' && { description: told }) }
}

/** What was refused is beside its field; what has no field, above the buttons. */
function Refusal({ error }: { readonly error: FairwayError | null }) {
  if (error === null) return null
  if (error instanceof UnprocessableError) {
    return (
      <Notice tone="nogo" title="The endpoint was not registered" live>
        <p>{error.message}</p>
      </Notice>
    )
  }
  const isBeside = ['/url', '/events', '/description'].some((path) => errorOf(error, path) !== undefined)
  return isBeside ? null : <Problem error={error} />
}

function useRegistration(onDone: (registered: RegisteredWebhook) => void) {
  const { client } = useSession()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<FairwayError | null>(null)
  async function register(event: FormEvent, draft: Draft): Promise<void> {
    event.preventDefault()
    if (busy || client === null) return
    setBusy(true)
    setError(null)
    try {
      onDone(await client.registerWebhook(requestOf(draft)))
    } catch (caught) {
      setError(caught as FairwayError)
      setBusy(false)
    }
  }
  return { busy, error, register }
}

export function RegisterForm({
  onDone,
  onCancel,
}: {
  readonly onDone: (registered: RegisteredWebhook) => void
  readonly onCancel: () => void
}) {
  const [draft, setDraft] = useState(empty)
  const { busy, error, register } = useRegistration(onDone)
  return (
    <form className="stack" onSubmit={(event) => void register(event, draft)} noValidate>
      <Field
        label="URL"
        hint="https, at a public address. Events are sent to it by POST."
        error={errorOf(error, '/url')}
      >
        {(input) => (
          <input
            {...input}
            type="url"
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            placeholder="https://payments.example.com/hooks/fairway"
            value={draft.url}
            onChange={({ target }) => setDraft({ ...draft, url: target.value })}
          />
        )}
      </Field>
      <EventChoice
        chosen={draft.events}
        error={errorOf(error, '/events')}
        onChange={(events) => setDraft({ ...draft, events })}
      />
      <Field label="Description, if you like" error={errorOf(error, '/description')}>
        {(input) => (
          <input
            {...input}
            autoComplete="off"
            placeholder="Payments desk"
            value={draft.description}
            onChange={({ target }) => setDraft({ ...draft, description: target.value })}
          />
        )}
      </Field>
      <Refusal error={error} />
      <div className="dialog-actions">
        <Button look="quiet" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" look="primary" busy={busy}>
          Register the endpoint
        </Button>
      </div>
    </form>
  )
}
