/** The members of the form besides the rules: name, required amount, floors and caps. */

import { useEffect, useRef, useState } from 'react'
import { formatCount, formatScore } from '../../format.ts'
import { boundsOf, useRules } from '../../rules.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { newCap, type CapDraft, type Draft } from './draft.ts'
import { capPath, isRepeated, type MessageOf } from './faults.ts'

interface FormProps {
  readonly draft: Draft
  readonly messageOf: MessageOf
  readonly onDraft: (draft: Draft) => void
}

function Floors({ draft, messageOf, onDraft }: FormProps) {
  const { data: rules } = useRules()
  const bounds = rules === undefined ? null : boundsOf(rules)
  const floor = (
    name: 'goFloor' | 'noGoBelow',
    label: string,
    path: string,
    contract: number | undefined,
  ) => (
    <Field
      label={label}
      hint={
        contract === undefined
          ? 'Empty: as the contract.'
          : `Empty: ${formatScore(contract)}, as the contract.`
      }
      error={messageOf(path, draft[name])}
    >
      {(input) => (
        <input
          {...input}
          inputMode="decimal"
          autoComplete="off"
          value={draft[name]}
          onChange={({ target }) => onDraft({ ...draft, [name]: target.value })}
        />
      )}
    </Field>
  )
  return (
    <div className="form-grid">
      {floor('goFloor', 'GO from score', '/go_floor', bounds?.go)}
      {floor('noGoBelow', 'NO-GO below score', '/no_go_below', bounds?.degraded)}
    </div>
  )
}

export function BasicsCard({ draft, messageOf, onDraft }: FormProps) {
  return (
    <Card title="Policy" isPrimary>
      <Field label="Name" error={messageOf('/name', draft.name)}>
        {(input) => (
          <input
            {...input}
            autoComplete="off"
            placeholder="Hard stops"
            value={draft.name}
            onChange={({ target }) => onDraft({ ...draft, name: target.value })}
          />
        )}
      </Field>
      <label className="check">
        <input
          type="checkbox"
          checked={draft.requireAmount}
          onChange={({ target }) => onDraft({ ...draft, requireAmount: target.checked })}
        />
        <span>
          Require an amount
          <br />
          <span className="small soft">Without one, a payment is at most DEGRADED.</span>
        </span>
      </label>
      <Floors {...{ draft, messageOf, onDraft }} />
    </Card>
  )
}

interface CapProps {
  readonly cap: CapDraft
  readonly isRepeat: boolean
  readonly isNew: boolean
  readonly messageOf: MessageOf
  readonly onChange: (cap: CapDraft) => void
  readonly onRemove: () => void
}

function CapFields({ cap, isRepeat, isNew, messageOf, onChange, onRemove }: CapProps) {
  const first = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (isNew) first.current?.focus()
  }, [isNew])
  const path = capPath(cap)
  const amount = (name: 'review' | 'block', label: string, member: string) => (
    <Field label={label} error={isRepeat ? undefined : messageOf(`${path}/${member}`, cap[name])}>
      {(input) => (
        <input
          {...input}
          inputMode="decimal"
          autoComplete="off"
          value={cap[name]}
          onChange={({ target }) => onChange({ ...cap, [name]: target.value })}
        />
      )}
    </Field>
  )
  const name = cap.currency === '' ? 'cap' : `cap ${cap.currency}`
  return (
    <div className="policy-cap" role="group" aria-label={`Cap ${cap.currency}`.trim()}>
      <Field
        label="Currency"
        error={isRepeat ? 'This currency has a cap already.' : messageOf(path, cap.currency)}
      >
        {(input) => (
          <input
            {...input}
            ref={first}
            maxLength={3}
            autoComplete="off"
            spellCheck={false}
            placeholder="NGN"
            value={cap.currency}
            onChange={({ target }) => onChange({ ...cap, currency: target.value.toUpperCase() })}
          />
        )}
      </Field>
      {amount('review', 'At most DEGRADED above', 'review_above')}
      {amount('block', 'NO-GO above', 'block_above')}
      <Button variant="quiet" small icon="close" onClick={onRemove} aria-label={`Remove ${name}`}>
        Remove
      </Button>
    </div>
  )
}

export function CapsCard({ draft, messageOf, onDraft }: FormProps) {
  const { data: rules } = useRules()
  const [added, setAdded] = useState<number | null>(null)
  const add = useRef<HTMLDivElement>(null)
  const { caps } = draft
  const contract = rules?.policy_gate
  return (
    <Card
      title="Caps"
      note={
        contract === undefined
          ? 'By currency, at least as strict as the contract.'
          : `By currency. The contract: at most DEGRADED above ${formatCount(contract.degraded_above)}, NO-GO above ${formatCount(contract.no_go_above)}.`
      }
    >
      {caps.map((cap) => (
        <CapFields
          key={cap.key}
          {...{ cap, messageOf }}
          isRepeat={isRepeated(cap, draft)}
          isNew={cap.key === added}
          onChange={(changed) =>
            onDraft({ ...draft, caps: caps.map((one) => (one.key === cap.key ? changed : one)) })
          }
          onRemove={() => {
            onDraft({ ...draft, caps: caps.filter(({ key }) => key !== cap.key) })
            add.current?.querySelector('button')?.focus()
          }}
        />
      ))}
      <div ref={add}>
        <Button
          onClick={() => {
            const cap = newCap(caps)
            setAdded(cap.key)
            onDraft({ ...draft, caps: [...caps, cap] })
          }}
        >
          Add cap
        </Button>
      </div>
    </Card>
  )
}
