/** The dialog that starts a backtest: a stretch of history and a mode. */

import type { PolicyBacktest, PolicyBacktestRequest } from '@fairway/client'
import { useState } from 'react'
import { useAction } from '../../action.ts'
import { ModeFilter } from '../../filter-fields.tsx'
import type { ModeChoice } from '../../mode-choice.ts'
import { isoOf, localInputOf } from '../../local-time.ts'
import { errorOf, Problem } from '../../problem.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Segments } from '../../ui/field.tsx'

const stretches = [
  ['7', 'Last 7 days'],
  ['30', 'Last 30 days'],
  ['90', 'Last 90 days'],
  ['dates', 'Dates'],
] as const

interface Draft {
  readonly stretch: (typeof stretches)[number][0]
  /** Local times. */
  readonly from: string
  readonly to: string
  readonly mode: ModeChoice
}

const initial: Draft = { stretch: '30', from: '', to: '', mode: '' }
const dayMs = 86_400_000

function requestOf({ stretch, from, to, mode }: Draft, nowMs: number): PolicyBacktestRequest {
  const now = new Date(nowMs).toISOString()
  const range =
    stretch === 'dates'
      ? { from: isoOf(from), to: to === '' ? now : isoOf(to) }
      : { from: new Date(nowMs - Number(stretch) * dayMs).toISOString(), to: now }
  return { ...range, ...(mode !== '' && { mode }) }
}

/** Rewords the API's messages for a date picker, whose users do not see ISO 8601. */
function timeErrorOf(error: unknown, path: '/from' | '/to'): string | undefined {
  const message = errorOf(error, path)
  if (message === undefined) return undefined
  return message.includes('must be before') ? 'From must be before To.' : 'Enter a valid date and time.'
}

function Dates({
  draft,
  error,
  onDraft,
}: {
  readonly draft: Draft
  readonly error: unknown
  readonly onDraft: (draft: Draft) => void
}) {
  return (
    <div className="form-grid">
      <Field label="From" hint="Local time." error={timeErrorOf(error, '/from')}>
        {(input) => (
          <input
            {...input}
            type="datetime-local"
            value={draft.from}
            onChange={({ target }) => onDraft({ ...draft, from: target.value })}
          />
        )}
      </Field>
      <Field label="To" hint="Defaults to now." error={timeErrorOf(error, '/to')}>
        {(input) => (
          <input
            {...input}
            type="datetime-local"
            value={draft.to}
            onChange={({ target }) => onDraft({ ...draft, to: target.value })}
          />
        )}
      </Field>
    </div>
  )
}

function Fields({
  draft,
  error,
  onDraft,
}: {
  readonly draft: Draft
  readonly error: unknown
  readonly onDraft: (draft: Draft) => void
}) {
  function choose(stretch: Draft['stretch']): void {
    // Dates start as the stretch that was chosen before.
    const days = Number(draft.stretch)
    const from = Number.isNaN(days)
      ? draft.from
      : localInputOf(new Date(Date.now() - days * dayMs).toISOString())
    onDraft({ ...draft, stretch, from: from.slice(0, 16) })
  }
  return (
    <>
      <div className="field">
        <span className="filters-label" aria-hidden="true">
          Stretch
        </span>
        <Segments label="Stretch" options={stretches} value={draft.stretch} onChange={choose} />
      </div>
      {draft.stretch === 'dates' && <Dates {...{ draft, error, onDraft }} />}
      <ModeFilter mode={draft.mode} onChange={(mode) => onDraft({ ...draft, mode })} />
    </>
  )
}

export function StartBacktest({
  policyId,
  onStarted,
}: {
  readonly policyId: string
  readonly onStarted: (backtest: PolicyBacktest) => void
}) {
  const [isOpen, setOpen] = useState(false)
  const [draft, setDraft] = useState(initial)
  const action = useAction(
    (client) => client.startBacktest(policyId, requestOf(draft, Date.now())),
    (started) => {
      setOpen(false)
      onStarted(started)
    },
  )
  const { error } = action
  const isAtField = timeErrorOf(error, '/from') !== undefined || timeErrorOf(error, '/to') !== undefined
  function close(): void {
    action.clearError()
    setOpen(false)
  }
  return (
    <>
      <Button icon="clock" onClick={() => setOpen(true)}>
        Backtest
      </Button>
      <Dialog title="Start a backtest" open={isOpen} onClose={close}>
        <p>Decides each recorded decision of the stretch again under this policy. Nothing is changed.</p>
        <Fields draft={draft} error={error} onDraft={setDraft} />
        {error !== null && !isAtField && <Problem error={error} />}
        <div className="dialog-actions">
          <Button variant="quiet" onClick={close}>
            Cancel
          </Button>
          <Button variant="primary" busy={action.busy} onClick={action.run}>
            Start backtest
          </Button>
        </div>
      </Dialog>
    </>
  )
}
