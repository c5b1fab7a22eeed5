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

export function TransitionDialog({
  of: cip,
  onClose,
}: {
  readonly of: AdminCip
  readonly onClose: () => void
}) {
  const [draft, setDraft] = useState<Draft>({ to: cip.stage, weight: '', reference: '', reason: '' })
  const [hasTried, setTried] = useState(false)
  const refresh = useRefresh('admin cip')
  const { to, weight, reference, reason } = draft
  const range = cip.stages.find(({ stage }) => stage === to)
  const hasWeight = range !== undefined && range.blend_weight_max > 0
  const action = useAction(
    (client) =>
      client.admin.transitionCip({
        to,
        reference: reference.trim(),
        ...(hasWeight && weight.trim() !== '' && { blend_weight: Number(weight) }),
        ...(reason.trim() !== '' && { reason: reason.trim() }),
      }),
    () => {
      onClose()
      refresh()
    },
  )
  const isMissing = reference.trim() === ''
  const isNoNumber = hasWeight && weight.trim() !== '' && !/^\d(?:\.\d{1,2})?$/.test(weight.trim())
  function run(): void {
    setTried(true)
    if (!isMissing && !isNoNumber) action.run()
  }
  const text = (name: 'weight' | 'reference' | 'reason', label: string, hint: string, error?: string) => (
    <Field label={label} hint={hint} error={error}>
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
      action={{ ...action, run }}
      label={`Change to ${stageNames[to]}`}
      look="primary"
      onClose={onClose}
    >
      <StageField draft={draft} stages={cip.stages} onChoose={(stage) => setDraft({ ...draft, to: stage })} />
      {hasWeight && (
        <>
          {text(
            'weight',
            'Share of a live score',
            `From ${range.blend_weight_min} to ${range.blend_weight_max}. Empty: the minimum.`,
            hasTried && isNoNumber ? 'Enter a share such as 0.05.' : errorOf(action.error, '/blend_weight'),
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
        hasTried && isMissing ? 'This is required.' : errorOf(action.error, '/reference'),
      )}
      {text('reason', 'Reason (optional)', 'Recorded permanently.', errorOf(action.error, '/reason'))}
    </Confirm>
  )
}
