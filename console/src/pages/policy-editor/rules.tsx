/** The rules of the form. */

import type { PolicyVariables } from '@fairway/client'
import { useEffect, useRef, useState, type RefObject } from 'react'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { newRule, type Draft, type RuleDraft, type Stop } from './draft.ts'
import { ExpressionField, type ExpressionFault } from './expression.tsx'
import type { Checked, MessageOf } from './faults.ts'

const stops: readonly (readonly [Stop, string])[] = [
  ['DEGRADED', 'at most DEGRADED'],
  ['NO-GO', 'NO-GO'],
]

interface RuleProps {
  readonly rule: RuleDraft
  readonly place: number
  readonly messageOf: MessageOf
  readonly fault: ExpressionFault | null
  readonly known: PolicyVariables | undefined
  /** Takes the focus when it appears. */
  readonly isNew: boolean
  readonly onChange: (rule: RuleDraft) => void
  readonly onRemove: () => void
}

function IdAndThen({
  rule,
  path,
  messageOf,
  field,
  onChange,
}: Pick<RuleProps, 'rule' | 'messageOf' | 'onChange'> & {
  readonly path: string
  readonly field: RefObject<HTMLInputElement>
}) {
  return (
    <div className="form-grid">
      <Field label="Id" error={messageOf(`${path}/id`, rule.id)}>
        {(input) => (
          <input
            {...input}
            ref={field}
            className="input mono"
            autoComplete="off"
            spellCheck={false}
            placeholder="thin-data"
            value={rule.id}
            onChange={({ target }) => onChange({ ...rule, id: target.value })}
          />
        )}
      </Field>
      <Field label="Then" error={messageOf(`${path}/then`, rule.then)}>
        {(input) => (
          <select
            {...input}
            value={rule.then}
            onChange={({ target }) => onChange({ ...rule, then: target.value as Stop })}
          >
            {stops.map(([stop, text]) => (
              <option key={stop} value={stop}>
                {text}
              </option>
            ))}
          </select>
        )}
      </Field>
    </div>
  )
}

function RuleFields({ rule, place, messageOf, fault, known, isNew, onChange, onRemove }: RuleProps) {
  const first = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (isNew) first.current?.focus()
  }, [isNew])
  const path = `/rules/${place}`
  return (
    <fieldset className="policy-rule">
      <legend>{`Rule ${place + 1}`}</legend>
      <IdAndThen {...{ rule, path, messageOf, onChange }} field={first} />
      <ExpressionField
        label="When"
        value={rule.when}
        known={known}
        fault={fault}
        onChange={(when) => onChange({ ...rule, when })}
      />
      <Field
        label="Message"
        hint="The reason that a stopped payment gets."
        error={messageOf(`${path}/message`, rule.message)}
      >
        {(input) => (
          <input
            {...input}
            autoComplete="off"
            placeholder="Too little data for this amount."
            value={rule.message}
            onChange={({ target }) => onChange({ ...rule, message: target.value })}
          />
        )}
      </Field>
      <div>
        <Button variant="quiet" small icon="close" onClick={onRemove}>
          {`Remove rule ${place + 1}`}
        </Button>
      </div>
    </fieldset>
  )
}

export function RulesCard({
  draft,
  checked,
  messageOf,
  known,
  onDraft,
}: {
  readonly draft: Draft
  readonly checked: Checked | null
  readonly messageOf: MessageOf
  readonly known: PolicyVariables | undefined
  readonly onDraft: (draft: Draft) => void
}) {
  const [added, setAdded] = useState<number | null>(null)
  const add = useRef<HTMLDivElement>(null)
  const { rules } = draft
  function faultOf({ when }: RuleDraft, place: number): ExpressionFault | null {
    const path = `/rules/${place}/when`
    const message = messageOf(path, when)
    if (message === undefined) return null
    const position = checked?.faults.find((fault) => fault.path === path)?.position
    return { message, position, expression: checked?.document.rules?.[place]?.when ?? '' }
  }
  const all = messageOf('/rules', 'rules')
  return (
    <Card title="Rules" note="A rule that fires, or that cannot be evaluated for a payment, stops it.">
      {all !== undefined && <p className="field-error">{all}</p>}
      {rules.map((rule, place) => (
        <RuleFields
          key={rule.key}
          {...{ rule, place, messageOf, known }}
          fault={faultOf(rule, place)}
          isNew={rule.key === added}
          onChange={(changed) =>
            onDraft({ ...draft, rules: rules.map((one) => (one.key === rule.key ? changed : one)) })
          }
          onRemove={() => {
            onDraft({ ...draft, rules: rules.filter(({ key }) => key !== rule.key) })
            add.current?.querySelector('button')?.focus()
          }}
        />
      ))}
      <div ref={add}>
        <Button
          onClick={() => {
            const rule = newRule(rules)
            setAdded(rule.key)
            onDraft({ ...draft, rules: [...rules, rule] })
          }}
        >
          Add rule
        </Button>
      </div>
    </Card>
  )
}
