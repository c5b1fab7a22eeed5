/** Asks for the decision to compare with. The previous one on the same corridor is offered. */

import type { DecisionFile, Verification } from '@fairway/client'
import { useState, type FormEvent } from 'react'
import { useLocation } from 'wouter'
import { formatAmount } from '../../format.ts'
import { useQuery } from '../../query.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Skeleton } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { Verdict } from '../../ui/verdict.tsx'
import { compareHref } from '../compare/address.ts'

/** Undefined while it is read; null if there is none, or the caller may not see it. */
function usePrevious({ audit, recording }: DecisionFile): Verification | null | undefined {
  const query =
    audit === null || recording === null ? null : { corridor: audit.corridor, to: recording.recorded_at }
  const { data, error } = useQuery(query === null ? null : ['previous', query], async (client) => {
    const items = await client.verifications({ ...query, limit: 1 }).page()
    return items.items[0] ?? null
  })
  return query === null || error !== undefined ? null : data
}

function Previous({ of, onChoose }: { readonly of: Verification; readonly onChoose: (id: string) => void }) {
  return (
    <div className="decision-block">
      <h3>Previous decision on {of.corridor}</h3>
      <p className="row">
        <Verdict of={of.decision} />
        <span>{formatAmount(of.amount, of.currency)}</span>
        <span className="small soft">
          <Time at={of.evaluated_at} />
        </span>
      </p>
      <div>
        <Button variant="primary" onClick={() => onChoose(of.request_id)}>
          Compare with this one
        </Button>
      </div>
    </div>
  )
}

function Choice({ file, onCancel }: { readonly file: DecisionFile; readonly onCancel: () => void }) {
  const [, go] = useLocation()
  const [id, setId] = useState('')
  const [isMissing, setMissing] = useState(false)
  const previous = usePrevious(file)
  const choose = (other: string): void => go(compareHref(other, file.request_id))
  function submit(event: FormEvent): void {
    event.preventDefault()
    const wanted = id.trim()
    if (wanted === '') setMissing(true)
    else choose(wanted)
  }
  return (
    <div className="stack">
      {previous === undefined && <Skeleton height={110} label="Loading the previous decision" />}
      {previous !== null && previous !== undefined && <Previous of={previous} onChoose={choose} />}
      <form className="stack" noValidate aria-label="Compare with another decision" onSubmit={submit}>
        <Field
          label="Request id"
          hint="The id of another decision, such as SVC-2026-…"
          error={isMissing ? 'Enter a request id.' : undefined}
        >
          {(input) => (
            <input
              {...input}
              className="input mono"
              autoComplete="off"
              spellCheck={false}
              value={id}
              onChange={({ target }) => {
                setId(target.value)
                setMissing(false)
              }}
            />
          )}
        </Field>
        <div className="dialog-actions">
          <Button onClick={onCancel}>Cancel</Button>
          <Button type="submit">Compare</Button>
        </div>
      </form>
    </div>
  )
}

export function CompareDialog({
  file,
  open,
  onClose,
}: {
  readonly file: DecisionFile
  readonly open: boolean
  readonly onClose: () => void
}) {
  return (
    <Dialog title="Compare with another decision" open={open} onClose={onClose}>
      <Choice file={file} onCancel={onClose} />
    </Dialog>
  )
}
