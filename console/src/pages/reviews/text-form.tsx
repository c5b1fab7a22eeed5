/** One text that is sent about a review: a comment, or the reason of a rejection. Its draft survives a refusal. */

import type { FairwayClient, Review } from '@fairway/client'
import { useEffect, useRef, useState, type FormEvent } from 'react'
import { errorOf } from '../../problem.tsx'
import { useStoredDraft } from '../../stored-draft.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { ActProblem, useReviewAct } from './acts.tsx'
import { Blocked } from './blocked.tsx'
import { textLengthMax } from './override-fields.tsx'

interface TextFormProps {
  /** Of the draft. */
  readonly name: string
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
  readonly send: (client: FairwayClient, text: string) => Promise<Review>
  readonly onDone?: () => void
  /** Closes a form that is opened by a button. */
  readonly onCancel?: () => void
}

const noText = { text: '' }

export function TextForm(props: TextFormProps) {
  const { name, member, label, hint, button, look, blocked, asked, send, onDone, onCancel } = props
  const [{ text }, setDraft] = useStoredDraft(name, noText)
  const [hasTried, setTried] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (asked === true) field.current?.focus()
  }, [asked])
  const act = useReviewAct(
    (client) => send(client, text.trim()),
    () => {
      setDraft(noText)
      setTried(false)
      onDone?.()
    },
  )
  if ((blocked !== null || asked === false) && text === '') return <ActProblem error={act.error} />
  const isMissing = text.trim() === ''
  const rejected = errorOf(act.error, `/${member}`)
  function submit(event: FormEvent): void {
    event.preventDefault()
    setTried(true)
    if (isMissing) field.current?.focus()
    else act.run()
  }
  return (
    <form className="stack" noValidate onSubmit={submit}>
      <Field label={label} hint={hint} error={hasTried && isMissing ? 'Enter a text.' : rejected}>
        {(input) => (
          <textarea
            {...input}
            ref={field}
            className="input desk-text"
            maxLength={textLengthMax}
            value={text}
            onChange={({ target }) => {
              act.clearError()
              setDraft({ text: target.value })
            }}
          />
        )}
      </Field>
      {rejected === undefined && <ActProblem error={act.error} />}
      {blocked === null ? (
        <div className="row">
          <Button type="submit" variant={look} busy={act.busy}>
            {button}
          </Button>
          {onCancel !== undefined && (
            <Button
              variant="quiet"
              onClick={() => {
                setDraft(noText)
                act.clearError()
                onCancel()
              }}
            >
              Cancel
            </Button>
          )}
        </div>
      ) : (
        <Blocked reason={blocked} onDiscard={() => setDraft(noText)} />
      )}
    </form>
  )
}
