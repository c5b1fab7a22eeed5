/** One text that is sent about a review: a comment, or the reason of a rejection. Its draft survives a refusal. */

import type { FairwayClient, Review } from '@fairway/client'
import { useEffect, useRef, useState, type FormEvent } from 'react'
import { textLengthMax } from '../../override/draft.ts'
import { errorOf } from '../../problem.tsx'
import { useStoredDraft } from '../../stored-draft.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { ActProblem, useReviewAct } from './acts.tsx'
import { Blocked } from './blocked.tsx'

interface Sending {
  /** Of the draft. */
  readonly name: string
  readonly send: (client: FairwayClient, text: string) => Promise<Review>
  readonly onDone?: () => void
}

interface TextFormProps extends Sending {
  /** Of the member that the text is sent as. */
  readonly member: 'text' | 'reason'
  readonly label: string
  readonly hint: string
  readonly button: string
  readonly look: 'secondary' | 'danger'
  /** The reason why it cannot be sent now; the form is then shown only if it has text. */
  readonly blocked: string | null
  /** For a form that is opened by a button: whether it is open. */
  readonly asked?: boolean
  /** Closes a form that is opened by a button. */
  readonly onCancel?: () => void
}

const noText = { text: '' }

function useText({ name, send, onDone }: Sending) {
  const [{ text }, setDraft] = useStoredDraft(name, noText)
  const [hasTried, setTried] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const isMissing = text.trim() === ''
  const { busy, error, run, clearError } = useReviewAct(
    (client) => send(client, text.trim()),
    () => {
      setDraft(noText)
      setTried(false)
      onDone?.()
    },
  )
  return {
    text,
    field,
    busy,
    error,
    isFaulty: hasTried && isMissing,
    change: (to: string) => {
      clearError()
      setDraft({ text: to })
    },
    submit: (event: FormEvent) => {
      event.preventDefault()
      setTried(true)
      if (isMissing) field.current?.focus()
      else run()
    },
  }
}

export function TextForm({ name, send, onDone, ...props }: TextFormProps) {
  const { member, label, hint, button, look, blocked, asked, onCancel } = props
  const sending = { name, send, ...(onDone !== undefined && { onDone }) }
  const { text, field, busy, error, isFaulty, change, submit } = useText(sending)
  useEffect(() => {
    if (asked === true) field.current?.focus()
  }, [asked, field])
  if ((blocked !== null || asked === false) && text === '') return <ActProblem error={error} />
  const rejected = errorOf(error, `/${member}`)
  function cancel(): void {
    change('')
    onCancel?.()
  }
  return (
    <form className="stack" noValidate onSubmit={submit}>
      <Field label={label} hint={hint} error={isFaulty ? 'Enter a text.' : rejected}>
        {(input) => (
          <textarea
            {...input}
            ref={field}
            className="input desk-text"
            maxLength={textLengthMax}
            value={text}
            onChange={({ target }) => change(target.value)}
          />
        )}
      </Field>
      {rejected === undefined && <ActProblem error={error} />}
      {blocked === null ? (
        <div className="row">
          <Button type="submit" variant={look} busy={busy}>
            {button}
          </Button>
          {onCancel !== undefined && (
            <Button variant="quiet" onClick={cancel}>
              Cancel
            </Button>
          )}
        </div>
      ) : (
        <Blocked reason={blocked} onDiscard={() => change('')} />
      )}
    </form>
  )
}
