/** A formal change of the stage. */

import type { AdminCip } from '@fairway/client'
import { useState } from 'react'
import { useAction } from '../../action.ts'
import { Confirm } from '../../confirm.tsx'
import { useRefresh } from '../../admin/list.tsx'
import { errorOf } from '../../problem.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/state.tsx'
import { stageMeanings, stageNames, type Stage } from './stages.ts'

interface Draft {
  readonly to: Stage
  readonly weight: string
  readonly reference: string
  readonly reason: string
}

function StageField({
  draft: { to },
  stages,
  onChoose,
}: {
  readonly draft: Draft
  readonly stages: AdminCip['stages']
  readonly onChoose: (to: Stage) => void
}) {
  return (
    <Field label="New stage" hint={stageMeanings[to]}>
      {(input) => (
        <select {...input} value={to} onChange={({ target }) => onChoose(target.value as Stage)}>
          {stages.map(({ stage }) => (
            <option key={stage} value={stage}>
              {stageNames[stage]}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

function useTransition(cip: AdminCip, onDone: () => void) {
  const [draft, setDraft] = useState<Draft>({ to: cip.stage, weight: '', reference: '', reason: '' })
  const [hasTried, setTried] = useState(false)
  const refresh = useRefresh('admin cip')
  const { to, reference, reason } = draft
  const weight = draft.weight.trim()
  const range = cip.stages.find(({ stage, blend_weight_max: most }) => stage === to && most > 0)
  const hasWeight = range !== undefined && weight !== ''
  const action = useAction(
    (client) =>
      client.admin.transitionCip({
        to,
        reference: reference.trim(),
        ...(hasWeight && { blend_weight: Number(weight) }),
        ...(reason.trim() !== '' && { reason: reason.trim() }),
      }),
    () => {
      onDone()
      refresh()
    },
  )
  const isMissing = reference.trim() === ''
  const isNoNumber = hasWeight && !/^\d(?:\.\d{1,2})?$/.test(weight)
  function run(): void {
    setTried(true)
    if (!isMissing && !isNoNumber) action.run()
  }
  const errors = {
    weight: hasTried && isNoNumber ? 'Enter a share such as 0.05.' : errorOf(action.error, '/blend_weight'),
    reference: hasTried && isMissing ? 'This is required.' : errorOf(action.error, '/reference'),
    reason: errorOf(action.error, '/reason'),
  }
  return { draft, setDraft, range, errors, action: { ...action, run } }
}

export function TransitionDialog({
  of: cip,
  onClose,
}: {
  readonly of: AdminCip
  readonly onClose: () => void
}) {
  const { draft, setDraft, range, errors, action } = useTransition(cip, onClose)
  const text = (name: keyof typeof errors, label: string, hint: string) => (
    <Field label={label} hint={hint} error={errors[name]}>
      {(input) => (
        <input
          {...input}
          autoComplete="off"
          value={draft[name]}
          onChange={({ target }) => setDraft({ ...draft, [name]: target.value })}
        />
      )}
    </Field>
  )
  return (
    <Confirm
      title="Change the stage"
      open
      action={action}
      label={`Change to ${stageNames[draft.to]}`}
      look="primary"
      onClose={onClose}
    >
      <StageField draft={draft} stages={cip.stages} onChoose={(to) => setDraft({ ...draft, to })} />
      {range !== undefined && (
        <>
          {text(
            'weight',
            'Share of a live score',
            `From ${range.blend_weight_min} to ${range.blend_weight_max}. Empty: the minimum.`,
          )}
          <Notice tone="degraded" title="Live decisions change">
            <p>Telemetry becomes a part of their score. A step back is always allowed.</p>
          </Notice>
        </>
      )}
      {text(
        'reference',
        'Reference',
        'The id of the approved change, such as CHANGE-1042. Recorded permanently.',
      )}
      {text('reason', 'Reason (optional)', 'Recorded permanently.')}
    </Confirm>
  )
}
