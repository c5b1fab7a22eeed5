/** The form that registers an endpoint: what the server refuses is told beside its field. */

import { UnprocessableError, type FairwayError, type Webhook, type WebhookRequest } from '@fairway/client'
import { useId } from 'react'
import { useKeptDraft } from '../../kept-draft.ts'
import { errorOf, Problem } from '../../problem.tsx'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Notice } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { isLost, type Registration } from './registration.ts'
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

export const draftName = 'webhook'
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
  if (isLost(error)) {
    return (
      <Notice tone="nogo" title="Fairway does not answer" live>
        <p>It is not known whether the endpoint was registered. Trying again looks for it first.</p>
      </Notice>
    )
  }
  const isBeside = ['/url', '/events', '/description'].some((path) => errorOf(error, path) !== undefined)
  return isBeside ? null : <Problem error={error} />
}

/** One that may be ours: its secret is lost, so it is of use with another one only, or to nobody. */
function Found({
  webhook,
  registration,
}: {
  readonly webhook: Webhook
  readonly registration: Registration
}) {
  const { busy, error, rotate, remove } = registration
  return (
    <>
      <Notice tone="degraded" title="This endpoint may have been registered" live>
        <p>
          Fairway’s answer was lost, and since <Time at={webhook.created_at} /> there is an endpoint with this
          URL that was not there before. Its secret was not shown.
        </p>
        <p>
          <code className="anywhere">{webhook.url}</code>
        </p>
      </Notice>
      <p>Make a new secret to use it, or remove it and begin anew.</p>
      {error !== null && <Problem error={error} />}
      <div className="dialog-actions">
        <Button look="danger" busy={busy} onClick={remove}>
          Remove it
        </Button>
        <Button look="primary" busy={busy} onClick={rotate}>
          Make a new secret
        </Button>
      </div>
    </>
  )
}

function Fields({
  draft,
  error,
  onDraft,
}: {
  readonly draft: Draft
  readonly error: FairwayError | null
  readonly onDraft: (draft: Draft) => void
}) {
  return (
    <>
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
            onChange={({ target }) => onDraft({ ...draft, url: target.value })}
          />
        )}
      </Field>
      <EventChoice
        chosen={draft.events}
        error={errorOf(error, '/events')}
        onChange={(events) => onDraft({ ...draft, events })}
      />
      <Field label="Description, if you like" error={errorOf(error, '/description')}>
        {(input) => (
          <input
            {...input}
            autoComplete="off"
            placeholder="Payments desk"
            value={draft.description}
            onChange={({ target }) => onDraft({ ...draft, description: target.value })}
          />
        )}
      </Field>
    </>
  )
}

export function RegisterForm({
  registration,
  onCancel,
}: {
  readonly registration: Registration
  readonly onCancel: () => void
}) {
  const [draft, setDraft] = useKeptDraft(draftName, empty)
  const { busy, error, found, register } = registration
  if (found !== null) return <Found webhook={found} registration={registration} />
  return (
    <form
      className="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        register(requestOf(draft))
      }}
    >
      <Fields draft={draft} error={error} onDraft={setDraft} />
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
