/** The form that registers an endpoint. */

import { UnprocessableError, type FairwayError, type Webhook, type WebhookRequest } from '@fairway/client'
import { useStoredDraft } from '../../stored-draft.ts'
import { errorOf, Problem } from '../../problem.tsx'
import { useSession } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { Checks, Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { isResponseLost, type Registration } from './registration.ts'
import { defaultEvents, eventChoices, eventLabels, type EventName } from './labels.ts'

function EventChoice({
  chosen,
  error,
  onChange,
}: {
  readonly chosen: readonly EventName[]
  readonly error: string | undefined
  readonly onChange: (chosen: readonly EventName[]) => void
}) {
  const { mode } = useSession()
  const options = eventChoices(mode).map(
    ([event, when]) =>
      [
        event,
        <span key={event}>
          {eventLabels[event]} <code className="soft">{event}</code>
          <br />
          <span className="small soft">{when}</span>
        </span>,
      ] as const,
  )
  return <Checks label="Events" {...{ options, error, onChange }} value={chosen} />
}

interface Draft {
  readonly url: string
  readonly description: string
  readonly events: readonly EventName[]
}

export const draftName = 'webhook'
const empty: Draft = { url: '', description: '', events: defaultEvents }

function requestOf({ url, description, events }: Draft): WebhookRequest {
  const trimmed = description.trim()
  return { url: url.trim(), events: [...events], ...(trimmed !== '' && { description: trimmed }) }
}

/** Errors without a field of their own, shown above the buttons. */
function FormError({ error }: { readonly error: FairwayError | null }) {
  if (error === null) return null
  if (error instanceof UnprocessableError) {
    return (
      <Notice tone="nogo" title="Endpoint not registered" live>
        <p>{error.message}</p>
      </Notice>
    )
  }
  if (isResponseLost(error)) {
    return (
      <Notice tone="nogo" title="Fairway is not responding" live>
        <p>The endpoint may already be registered. Register it again: Fairway checks for it first.</p>
      </Notice>
    )
  }
  const isShownAtField = ['/url', '/events', '/description'].some(
    (path) => errorOf(error, path) !== undefined,
  )
  return isShownAtField ? null : <Problem error={error} />
}

/** Resolves an endpoint that may be ours: its secret is lost, so it needs a new one or is removed. */
function Unconfirmed({
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
          Fairway’s response was lost, but an endpoint with this URL was created at{' '}
          <Time at={webhook.created_at} />. Its secret was not shown.
        </p>
        <p>
          <code className="anywhere">{webhook.url}</code>
        </p>
      </Notice>
      <p>Create a new secret to use this endpoint, or remove it and register again.</p>
      {error !== null && <Problem error={error} />}
      <div className="dialog-actions">
        <Button variant="danger" busy={busy} onClick={remove}>
          Remove endpoint
        </Button>
        <Button variant="primary" busy={busy} onClick={rotate}>
          Create new secret
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
        hint="A public https URL. Events are sent to it by POST."
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
      <Field label="Description (optional)" error={errorOf(error, '/description')}>
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
  const [draft, setDraft] = useStoredDraft(draftName, empty)
  const { busy, error, unconfirmed, register } = registration
  if (unconfirmed !== null) return <Unconfirmed webhook={unconfirmed} registration={registration} />
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
      <FormError error={error} />
      <div className="dialog-actions">
        <Button variant="quiet" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" variant="primary" busy={busy}>
          Register endpoint
        </Button>
      </div>
    </form>
  )
}
